"""`gardenpath.report`: one HTML page about some runs, and a folder of figures and tables for papers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.write_errors import require_writable, require_writable_folder
from gardenpath.reporting.analyses import Analysis, analyses_and_reasons, missing_parts, write_analyses
from gardenpath.reporting.figures.collect import figures_and_reasons
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import write_figures
from gardenpath.reporting.page.build import build_page
from gardenpath.reporting.page.reproduce import report_command, run_command
from gardenpath.reporting.papers.catalog import PaperChoice, paper_report
from gardenpath.reporting.report_order import in_report_order
from gardenpath.runs.model_metadata import read_model_metadata, with_model_metadata
from gardenpath.runs.results import Runs, RunSource, read_runs

ReportStep = Literal[
    "reading the runs", "drawing the figures", "computing the tables", "writing the page",
    "writing the figures and tables",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportProgress:
    """The report begins a step."""

    step: ReportStep


@dataclass(frozen=True, slots=True)
class MissingPart:
    """A table or figure of a paper cannot be made from the runs."""

    part: str
    """Its number: Table 3."""
    reason: str
    """What the runs lack."""


ReportEvent = ReportProgress | MissingPart


def report(
    runs: RunSource | Sequence[RunSource], path: str | Path, *,
    figures: str | Path | None = None, models: str | Path | None = None, paper: str | PaperChoice | None = None,
    on_event: Callable[[ReportEvent], None] | None = None,
) -> Path:  # fmt: skip
    """Write a report on runs as one HTML file that opens offline, and return its path.

    `runs` are folders written by `gardenpath run`, or runs in memory. If `path` is a folder, the page is report.html in
    it. `figures` is a folder for all figures (PNG, SVG, PDF) and all tables (CSV, LaTeX, Markdown). `models` is a CSV
    file of metadata that the models do not record themselves: model, architecture, corpus, words, seed, perplexity or
    shape. `paper` selects the tables and figures of one paper: "hu-2020", "blimp-2020", "hu-chen-levy-2020" or
    "marvin-linzen-2018".

    >>> gp.report([saved_run], folder / "report.html").name
    'report.html'
    """

    def begin(step: ReportStep) -> None:
        if on_event is not None:
            on_event(ReportProgress(step))

    page_file = find_page_file(Path(path))
    require_writable(page_file)
    if figures is not None:
        require_writable_folder(Path(figures))
    begin("reading the runs")
    results = read_runs(runs)
    if models is not None:
        results = with_model_metadata(results, read_model_metadata(Path(models)))
    results, _ = in_report_order(results)
    begin("drawing the figures")
    parts = figures_and_tables(results, paper, on_event)
    begin("writing the page")
    commands = [
        *map(run_command, results.manifests, results.folders),
        report_command(results.folders, page_file, models, paper),
    ]
    page = build_page(results, parts, commands=commands)
    write_text_atomically(page_file, page)
    if figures is not None:
        begin("writing the figures and tables")
        write_figures([part for part in parts if isinstance(part, Figure)], Path(figures))
        write_analyses([part for part in parts if isinstance(part, Analysis)], Path(figures))
    return page_file


def find_page_file(path: Path) -> Path:
    """The file of a page: a path that ends in .html, or report.html in a folder."""
    if path.is_dir() or not path.suffix:
        return path / "report.html"
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError(
            f"{path}: a report is a page that ends in .html; name one, and a folder with --figures for every figure as "
            "PDF, PNG and SVG and every table as CSV and LaTeX"
        )
    return path


def figures_and_tables(
    results: Runs, paper: str | PaperChoice | None, on_event: Callable[[ReportEvent], None] | None
) -> Sequence[Figure | Analysis]:
    """All figures and tables that runs support and the reasons why others are missing, or those of a paper."""
    if paper is None:
        drawn, undrawn = figures_and_reasons(results)
        if on_event is not None:
            on_event(ReportProgress("computing the tables"))
        analyses, unmade = analyses_and_reasons(results)
        return [*drawn.values(), *analyses, *missing_parts(undrawn, unmade)]
    made = paper_report(results, paper)
    for part, reason in made.missing.items():
        if on_event is not None:
            on_event(MissingPart(part, reason))
    return made.parts
