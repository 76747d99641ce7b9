"""`gardenpath.report`: one HTML page about some runs, and a folder of figures and tables for papers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gardenpath.io.atomic import explain_write_errors, write_text_atomically
from gardenpath.reporting.analyses import Analysis, all_analyses, write_analyses
from gardenpath.reporting.figures import Figure, all_figures, write_figures
from gardenpath.reporting.page.build import build_page
from gardenpath.reporting.page.reproduce import report_command, run_command
from gardenpath.runs.model_metadata import read_facts, with_facts
from gardenpath.runs.results import Results, read_results

ReportStep = Literal[
    "reading the runs",
    "drawing the figures",
    "computing the tables",
    "writing the page",
    "writing the figures and tables",
]


@dataclass(frozen=True, slots=True)
class ReportProgress:
    """The report begins a step."""

    step: ReportStep


def report(
    runs: Sequence[str | Path | Results] | str | Path | Results,
    path: str | Path,
    *,
    figures: str | Path | None = None,
    models: str | Path | None = None,
    on_event: Callable[[ReportProgress], None] | None = None,
) -> Path:
    """Write a report on runs as one HTML file that opens offline, and return its path.

    `runs` are folders that `gardenpath run` wrote, or results read from them. `figures` is a folder for every figure
    (PNG, SVG, PDF) and every table (CSV, LaTeX, Markdown). `models` is a CSV of model metadata that the models do not
    record themselves: model, architecture, corpus, words, seed, perplexity.
    """

    def begin(step: ReportStep) -> None:
        if on_event is not None:
            on_event(ReportProgress(step))

    begin("reading the runs")
    results = combined_results([runs] if isinstance(runs, str | Path | Results) else runs)
    if models is not None:
        results = with_facts(results, read_facts(Path(models)))
    begin("drawing the figures")
    drawn = list(all_figures(results).values())
    begin("computing the tables")
    analyses = all_analyses(results)
    begin("writing the page")
    write_page(results, drawn, analyses, path=Path(path), models=models)
    if figures is not None:
        begin("writing the figures and tables")
        write_figures(drawn, Path(figures))
        write_analyses(analyses, Path(figures))
    return Path(path)


def combined_results(runs: Sequence[str | Path | Results]) -> Results:
    """The results of all runs; the same model and suite in two of them is taken from the last."""
    if len(runs) == 1 and isinstance(runs[0], Results):
        return runs[0]
    folders = [run.folders if isinstance(run, Results) else (Path(run),) for run in runs]
    return read_results([folder for each in folders for folder in each])


def write_page(
    results: Results, figures: Sequence[Figure], analyses: Sequence[Analysis], *, path: Path, models: str | Path | None
) -> None:
    """Write the page, complete or not at all."""
    commands = [run_command(record, folder) for folder, record in zip(results.folders, results.manifests, strict=True)]
    commands.append(report_command(results.folders, path, None if models is None else Path(models)))
    text = build_page(results, figures, commands=commands, analyses=analyses)
    with explain_write_errors(f"the report {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, text)
