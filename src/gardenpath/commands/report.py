"""`gardenpath report`: runs in, one page out that tells everything about them."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import err, out
from gardenpath.io.atomic import write_text_atomically


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `gardenpath run` wrote.")],
    *,
    page: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")] = Path("report.html"),
    pictures: Annotated[
        Path | None,
        typer.Option("--figures", help="A folder for every figure as PNG, SVG and PDF, and every table."),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            "--models",
            help="A CSV of what models do not say themselves: model, architecture, corpus, words, seed, perplexity.",
        ),
    ] = None,
) -> None:
    """Write a report on some runs: one file that opens offline, with tables, figures, every item and every token.

    Examples:

        gardenpath report runs/first

        gardenpath report runs/lstm runs/gpt2 --out both.html --figures figures
    """
    from gardenpath.reporting.analyses import all_analyses, write_analyses
    from gardenpath.reporting.figures import all_figures, write_figures
    from gardenpath.reporting.page.build import build_page
    from gardenpath.reporting.page.commands import report_command, run_command
    from gardenpath.runs.model_metadata import read_facts, with_facts
    from gardenpath.runs.results import read_results

    with err.status("Reading the runs …"):
        results = read_results(runs)
        if models is not None:
            results = with_facts(results, read_facts(models))
    with err.status("Drawing the figures …"):
        figures = list(all_figures(results).values())
    with err.status("Making the tables …"):
        analyses = all_analyses(results)
    with err.status("Writing the page …"):
        commands = [run_command(record, folder) for folder, record in zip(runs, results.manifests, strict=True)]
        commands.append(report_command(runs, page, models))
        text = build_page(results, figures, commands=commands, analyses=analyses)
        page.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(page, text)
    if pictures is not None:
        with err.status("Writing the figures …"):
            write_figures(figures, pictures)
            write_analyses(analyses, pictures)
    if pictures is not None:
        out.print(f"The figures and tables are in {pictures}", markup=False, highlight=False, soft_wrap=True)
    out.print(
        f"The report is {page} ({len(text.encode()) / 1e6:.1f} MB): open it in a browser",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
