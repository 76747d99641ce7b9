"""`gardenpath report`: write one page about some runs."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import err, out


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `gardenpath run` wrote.")],
    *,
    page: Annotated[
        Path, typer.Option("--out", "-o", help="The file to write, which ends in .html, or a folder for report.html.")
    ] = Path("report.html"),
    figures: Annotated[
        Path | None,
        typer.Option("--figures", help="A folder for every figure as PNG, SVG and PDF, and for every table."),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            "--models",
            help="A CSV of model metadata that the models do not record: model, architecture, corpus, words, seed, "
            "perplexity.",
        ),
    ] = None,
) -> None:
    """Write a report on runs: one file that opens offline, with tables, figures, every item and every token.

    Examples:

        gardenpath report runs/first

        gardenpath report runs/lstm runs/gpt2 --out both.html --figures figures
    """
    with err.status("Loading …") as status:
        from gardenpath.reporting.report import report as write_report

        written = write_report(
            runs, page, figures=figures, models=models,
            on_event=lambda progress: status.update(f"{progress.step.capitalize()} …"),
        )  # fmt: skip
    lines = [f"The figures and tables are in {figures}"] if figures is not None else []
    lines.append(f"The report is {written} ({written.stat().st_size / 1e6:.1f} MB): open it in a browser")
    for line in lines:
        out.print(line, markup=False, highlight=False, soft_wrap=True)
