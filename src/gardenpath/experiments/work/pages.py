"""Pages of an experiment: one for each analysis, and the report that begins with the grid and leads to them.

An analysis:   page.html, and figures/ with every figure (PNG, SVG, PDF) and table (CSV, LaTeX, Markdown)
The report:    report.html, figures/ with those of the grid, and the experiment file

The report is copied to the folder of the experiment, where its links lead to the pages of the analyses.
"""

import math
import os
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars

from gardenpath.errors import InputError
from gardenpath.experiments.file import FULL, SHIPPED, shipped_names
from gardenpath.experiments.inputs import input_option
from gardenpath.experiments.step import ATTEMPTS
from gardenpath.experiments.work.gathering import read_gathered, scan_scores
from gardenpath.human.people import PEOPLE
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.sealed_json import find_sealed
from gardenpath.reporting.analyses import Analysis, write_analyses
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import write_figures
from gardenpath.reporting.figures.grid_figure import build_grid, grid_analyses, grid_figures
from gardenpath.reporting.page.experiment_page import AnalysisLink, ExperimentPage, build_experiment_page
from gardenpath.reporting.papers.catalog import PaperChoice
from gardenpath.reporting.report import MissingPart, ReportEvent, ReportProgress, report
from gardenpath.statistics.grouping import aggregate
from gardenpath.suites.display import count_noun

PAGE, FIGURES, REPORT, EXPERIMENT = "page.html", "figures", "report.html", "experiment.toml"
SHOWN_FIRST = ("figure-1", "score-by-model", "learning-curves", "accuracy")
"""Parts of the names of figures that say much in little space, best first."""
LARGEST_PICTURE = 300_000
"""Characters of a figure that a card of the report shows."""
Say = Callable[[str], None]


def write_analysis(work: Mapping[str, Any], folder: Path, say: Say) -> None:
    """Write the page of an analysis, and its figures and tables as files.

    work: `runs` and `people`, folders of runs; `paper`, whose tables and figures are made instead of all; `corpora`,
    texts whose words some of these count.
    """

    def tell(event: ReportEvent) -> None:
        match event:
            case ReportProgress(step):
                say(step)
            case MissingPart(part, reason):
                say(f"{part} is missing: {reason}")

    runs = list(dict.fromkeys([*work["runs"], *work.get("people", ())]))
    paper = PaperChoice(work["paper"], work.get("corpora", ())) if work.get("paper") else None
    report(runs, folder / PAGE, figures=folder / FIGURES, paper=paper, on_event=tell)


def write_report(work: Mapping[str, Any], folder: Path, say: Say) -> None:
    """Write the report of an experiment, and publish it in the folder of the experiment.

    work: `title`, `about`; `experiment`, the text of its file, with `name` and `scale`; `scores`, a folder that was
    gathered; `analyses`, each with its `title`, `page` and `figures`; `publish`, the path of the published page.
    """
    published = Path(work["publish"])
    gathered = read_gathered(Path(work["scores"]))
    scores = scan_scores(Path(work["scores"])).filter("first").collect()
    say(f"drawing the grid of {count_noun(scores['model'].n_unique(), 'model')}")
    grid, missing = grid_parts(scores)
    folders = {name: Path(found) for run in gathered["runs"] for name, found in run["models"].items()}
    models = model_table(scores, folders)
    write_figures([part for part in grid if isinstance(part, Figure)], folder / FIGURES)
    tables = [part for part in grid if isinstance(part, Analysis)]
    write_analyses([*tables, *([] if models is None else [models])], folder / FIGURES)
    write_text_atomically(folder / EXPERIMENT, work["experiment"])
    page = ExperimentPage(
        title=work["title"],
        lead=" · ".join(count_noun(number, noun) for noun, number in counts_of(scores, gathered["runs"]).items()),
        about=work.get("about", ""),
        missing=[*missing, *missing_of_file(work, models)],
        grid=grid,
        files=link_path(folder / FIGURES, published.parent),
        analyses=[analysis_link(one, published.parent) for one in work["analyses"]],
        models=None if models is None else with_times(models, folders),
        file=work["experiment"],
        command=repeat_command(work),
        versions=gathered["versions"],
    )
    say("writing the page")
    write_text_atomically(folder / REPORT, build_experiment_page(page))
    publish_report(folder, published)


def publish_report(folder: Path, path: Path) -> None:
    """Copy the report of a step to where its links work, unless the same is there."""
    page = (folder / REPORT).read_text(encoding="utf-8")
    if not path.is_file() or path.read_text(encoding="utf-8") != page:
        write_text_atomically(path, page)


def grid_parts(scores: polars.DataFrame) -> tuple[list[Figure | Analysis], list[str]]:
    """The figures and tables of the grid, and what it lacks."""
    if not scores.height:
        return [], ["There is no grid: no run has outcomes of a prediction."]
    try:
        grid = build_grid(scores, people=[PEOPLE])
    except InputError as error:
        return [], [f"There is no grid: {error}."]
    models = scores.filter(polars.col("model") != PEOPLE)["model"].n_unique()
    missing = []
    if not scores["words"].count():
        missing.append("No model has a recorded training size, so that the grid has a row for each model and no sizes.")
    elif scores["words"].n_unique() == 1 and models == 1:
        missing.append("There is one model, and so one cell; with more trainings or sizes the grid shows a comparison.")
    return [*grid_figures(grid), *grid_analyses(grid)], missing


def missing_of_file(work: Mapping[str, Any], models: Analysis | None) -> list[str]:
    """What the page lacks because the experiment file has no such entries."""
    missing = [] if models is not None else ["The experiment trained no model: there is no table of trained models."]
    if not work["analyses"]:
        missing.append("The experiment has no analyses; add a table [analyses.NAME] to its file for a page of figures.")
    return missing


def counts_of(scores: polars.DataFrame, runs: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How large the experiment is."""
    return {"model": scores["model"].n_unique(), "suite": scores["suite"].n_unique(), "run": len(runs)}


def model_table(scores: polars.DataFrame, folders: Mapping[str, Path]) -> Analysis | None:
    """The models that were trained, with their mean score; None if there are none."""
    trained = scores.filter(polars.col("words").is_not_null() | polars.col("model").is_in(list(folders)))
    if not trained.height:
        return None
    facts = ("architecture", "words", "sample", "seed", "corpus", "perplexity", "parameters")
    valid = polars.when(polars.col("n") > polars.col("invalid")).then("accuracy").fill_nan(None)
    means = [valid.mean().alias("score"), polars.col("coverage").mean()]
    table = aggregate(trained, ["model"], *(polars.col(fact).first() for fact in facts), *means)
    caption = (
        "Words: of the training text. Perplexity: per word of the validation set. Score and coverage: means over the "
        "suites that the model was run on."
    )
    return Analysis("table-models", "Trained models", caption, table)


def with_times(models: Analysis, folders: Mapping[str, Path]) -> Analysis:
    """Add how long the trainings took, as far as that is recorded."""
    seconds = [training_seconds(folders.get(name)) for name in models.table["model"]]
    table = models.table.with_columns(polars.Series("training_seconds", seconds, polars.Int64))
    return Analysis(models.name, models.title, models.caption, table)


def training_seconds(folder: Path | None) -> int | None:
    """How long the step of a model took, all attempts together; None where it is not known."""
    found = None if folder is None else find_sealed(folder.parent / ATTEMPTS)
    times = [one["ended"] - one["started"] for one in (found or {}).get("attempts", ()) if "ended" in one]
    return math.ceil(sum(times)) if times else None


def analysis_link(analysis: Mapping[str, Any], start: Path) -> AnalysisLink:
    """The card of an analysis: one of its figures, and its page as seen from a folder."""
    figures = sorted(Path(analysis["figures"]).glob("*.svg"), key=rank_figure)
    texts = (path.read_text(encoding="utf-8") for path in figures)
    picture = next((svg for svg in texts if len(svg) <= LARGEST_PICTURE), "")
    return AnalysisLink(
        analysis["title"], link_path(analysis["page"], start), link_path(analysis["figures"], start), picture
    )


def rank_figure(path: Path) -> tuple[int, str]:
    """How well a figure stands for all of an analysis: lower is better."""
    ranks = (rank for rank, part in enumerate(SHOWN_FIRST) if part in path.stem)
    return next(ranks, len(SHOWN_FIRST)), path.name


def link_path(path: str | Path, start: Path) -> str:
    """A path as seen from a folder, for links."""
    return os.path.relpath(path, start).replace(os.sep, "/")


def repeat_command(work: Mapping[str, Any]) -> str:
    """The command that repeats the experiment: by its name if it comes with gardenpath, else by its file."""
    name, scale, text = work.get("name", "experiment"), work.get("scale", FULL), work["experiment"]
    shipped = name in shipped_names() and (SHIPPED / f"{name}.toml").read_text(encoding="utf-8").split() == text.split()
    words = ["gardenpath", "experiment", "run", name if shipped else f"{name}.toml"]
    words += [] if scale == FULL else ["--scale", scale]
    words += (word for one in inputs_at(tomllib.loads(text), scale) for word in input_option(one).split())
    return shlex.join([*words, "--out", "DIR"])


def inputs_at(file: Mapping[str, Any], scale: str) -> list[str]:
    """The names of the inputs that an experiment file has at a scale."""
    own = file.get("scales", {}).get(scale, {})
    left_out = {name.removeprefix("inputs.") for name in own.get("leave_out", ()) if name.startswith("inputs.")}
    return [name for name in file.get("inputs", {}) if name not in left_out] + list(own.get("inputs", {}))
