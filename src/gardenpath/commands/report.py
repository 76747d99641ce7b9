"""`gardenpath report`: write one page about some runs."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import err, out, print_line, print_notes
from gardenpath.errors import InputError


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders written by `gardenpath run`.")],
    *,
    page: Annotated[
        Path, typer.Option("--out", "-o", help="File to write, ending in .html, or a folder for report.html.")
    ] = Path("report.html"),
    figures: Annotated[
        Path | None,
        typer.Option("--figures", help="Folder for all figures as PNG, SVG and PDF, and for all tables."),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            "--models",
            help="CSV file of metadata that the models do not record: model, architecture, corpus, words, seed, "
            "perplexity, layers, hidden_units, embedding, vocabulary, parameters.",
        ),
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(
            "--paper",
            help="Write only the tables and figures of a paper: hu-2020, blimp-2020, hu-chen-levy-2020, "
            "marvin-linzen-2018.",
        ),
    ] = None,
    corpora: Annotated[
        list[str] | None,
        typer.Option(
            "--corpus",
            metavar="[NAME=]FILE",
            help="A training text, for a paper's tables that count words; NAME: as models record it. May be repeated.",
        ),
    ] = None,
) -> None:
    """Write a report on runs: one file that opens offline, with tables, figures, all items and all tokens.

    Examples:

        gardenpath report runs/first

        gardenpath report runs/lstm runs/gpt2 --out both.html --figures figures

        gardenpath report runs/blimp --paper blimp-2020 --out blimp.html --figures tables
    """
    if corpora and paper is None:
        raise InputError("--corpus is for tables of a paper; name the paper with --paper")
    missing = []
    with err.status("Loading …") as status:
        from gardenpath.reporting.papers.catalog import PaperChoice
        from gardenpath.reporting.report import MissingPart, ReportEvent
        from gardenpath.reporting.report import report as write_report

        def show(event: ReportEvent) -> None:
            if isinstance(event, MissingPart):
                missing.append(f"{event.part} was not made: {event.reason}")
            else:
                status.update(f"{event.step.capitalize()} …")

        choice = None if paper is None else PaperChoice(paper, corpora or ())
        written = write_report(runs, page, figures=figures, models=models, paper=choice, on_event=show)
    print_notes(missing)
    lines = [f"The figures and tables are in {figures}"] if figures is not None else []
    lines.append(f"The report is {written} ({written.stat().st_size / 1e6:.1f} MB): open it in a browser")
    for line in lines:
        print_line(line, to=out)
