"""Scores of many runs in one table: the step that comes between runs and the report of an experiment.

    scores.parquet   a row per model, suite and prediction: `SCORES`
    runs.json        every run with its folder and its models, and the versions that made them

A group of runs is gathered from their manifests, which have the table of results; tokens are never read. Of very many
runs, groups are gathered in steps of their own, and then the groups.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars
from polars.exceptions import PolarsError

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, write_text_atomically
from gardenpath.io.json_text import to_json
from gardenpath.io.write_errors import as_system_error
from gardenpath.models.trained.checkpoint_record import RECORD, read_record
from gardenpath.runs.folder import OUTCOMES, OUTCOMES_FILE, TOKENS, Columns, read_table
from gardenpath.runs.manifest import Manifest, ModelRecord, read_manifest
from gardenpath.runs.model_choice import split_label
from gardenpath.runs.results import Run
from gardenpath.statistics.accuracy import summary_rows

SCORES_FILE, RUNS_FILE = "scores.parquet", "runs.json"
SCORES: Columns = {
    "model": polars.String, "run": polars.Int64, "architecture": polars.String, "words": polars.Int64,
    "sample": polars.Int64, "seed": polars.Int64, "corpus": polars.String, "parameters": polars.Int64,
    "perplexity": polars.Float64, "suite": polars.String, "phenomenon": polars.String, "circuit": polars.String,
    "prediction": polars.String, "first": polars.Boolean, "accuracy": polars.Float64, "strict": polars.Float64,
    "n": polars.Int64, "chance": polars.Float64, "low": polars.Float64, "high": polars.Float64,
    "coverage": polars.Float64, "invalid": polars.Int64,
}  # fmt: skip
"""The columns of scores.parquet. `run`: its index in runs.json; `first`: whether it is the first prediction of its
suite; `accuracy`: with the expected credit of ties, `strict`: ties counted as wrong; `coverage`: the share of items
without unknown words."""
ROWS = 100_000
"""Rows of scores.parquet that are written at a time."""
EVERY = 1000
"""Runs that are in memory at a time; after each so many the log gets a line."""
Say = Callable[[str], None]


def gather_scores(work: Mapping[str, Any], folder: Path, say: Say) -> None:
    """Gather the scores of runs, and of parts that were gathered before, into one table.

    work: `runs`, folders of runs; `parts`, folders that this function wrote. Rows are in the order of both, runs first.
    """
    runs, parts = list(dict.fromkeys(map(Path, work.get("runs", ())))), [Path(part) for part in work.get("parts", ())]
    if not runs and not parts:
        raise InputError(f"{folder}: there is nothing to gather; name `runs` or `parts`")
    tables: list[polars.LazyFrame] = []
    listed: list[dict[str, Any]] = []
    versions: dict[str, set[str]] = {}
    for start in range(0, len(runs), EVERY):
        rows: list[dict[str, Any]] = []
        for run in runs[start : start + EVERY]:
            manifest = read_manifest(run, verify_tables=False)
            folders = find_trained(manifest)
            rows += score_rows(run, manifest, folders, number=len(listed))
            listed.append({"folder": run.as_posix(), "models": {name: str(path) for name, path in folders.items()}})
            collect_versions(versions, {name: [version] for name, version in manifest.versions.items()})
        tables.append(polars.DataFrame(rows, schema=SCORES).lazy())
        say(f"read {len(listed):,} of {len(runs):,} runs")
    for part in parts:
        gathered = read_gathered(part)
        tables.append(scan_scores(part).with_columns(polars.col("run") + len(listed)))
        listed += gathered["runs"]
        collect_versions(versions, gathered["versions"])
    write_scores(polars.concat(tables), folder / SCORES_FILE)
    found = {name: sorted(versions[name]) for name in sorted(versions)}
    write_text_atomically(folder / RUNS_FILE, to_json({"runs": listed, "versions": found}))
    say(f"gathered {len(listed):,} runs")


def find_trained(manifest: Manifest) -> dict[str, Path]:
    """The folders of the models of a run that were trained here, by the names that the run gives them."""
    named = (split_label(name) for name in manifest.spec.get("models", ()))
    folders = {label or choice: Path(choice) for label, choice in named}
    return {name: folder for name, folder in folders.items() if (folder / RECORD).is_file()}


def score_rows(
    folder: Path, manifest: Manifest, trained: Mapping[str, Path], *, number: int
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a run: from its manifest, or from its outcomes where the manifest has another table."""
    models = {model.name: model_columns(model, trained.get(model.name)) for model in manifest.models}
    suites = {suite.name: suite for suite in manifest.suites}
    by_suite = manifest.results and manifest.spec and manifest.spec.get("by") is None
    for row in manifest.results if by_suite else result_rows(folder, manifest):
        suite = suites[row["suite"]]
        yield {
            **models[row["model"]], "run": number, "suite": suite.name, "phenomenon": suite.phenomenon,
            "circuit": suite.circuit, "prediction": row["prediction"],
            "first": row["prediction"] == next(iter(suite.predictions)),
            **{name: row[name] for name in ("accuracy", "n", "chance", "low", "high", "coverage", "invalid")},
            "strict": row["strict_accuracy"],
        }  # fmt: skip


def result_rows(folder: Path, manifest: Manifest) -> list[dict[str, Any]]:
    """Compute the table of results by suite from the outcomes of a run."""
    outcomes = read_table(folder / OUTCOMES_FILE, polars.read_parquet, OUTCOMES, verified=False)
    return summary_rows(Run(manifest, outcomes, polars.LazyFrame(schema=TOKENS)).accuracy("suite"))


def model_columns(model: ModelRecord, folder: Path | None) -> dict[str, Any]:
    """The columns of scores that describe a model; null where something is not known."""
    facts = ("architecture", "words", "seed", "corpus", "parameters", "perplexity")
    known = {fact: getattr(model.training, fact, None) for fact in facts}
    sample = None if folder is None else read_record(folder)["training"].get("sample")
    return {**known, "model": model.name, "corpus": known["corpus"] or None, "sample": sample}


def collect_versions(versions: dict[str, set[str]], more: Mapping[str, Iterable[str]]) -> None:
    """Add versions of libraries to those that were found before."""
    for name, found in more.items():
        versions.setdefault(name, set()).update(found)


def write_scores(scores: polars.LazyFrame, path: Path) -> None:
    """Write a table of scores, of any length, in the order of its rows."""
    with atomic_write(path) as scratch:
        try:
            scores.select(list(SCORES)).sink_parquet(scratch, maintain_order=True, row_group_size=ROWS)
        except PolarsError as error:
            raise as_system_error(error, path.parent) from error


def scan_scores(folder: Path) -> polars.LazyFrame:
    """Return the scores in a folder as a lazy table."""
    return read_table(folder / SCORES_FILE, polars.scan_parquet, SCORES, verified=True)


def read_gathered(folder: Path) -> dict[str, Any]:
    """Read runs.json: the list `runs` with folder and models, and `versions`."""
    path = folder / RUNS_FILE
    try:
        found = json.loads(path.read_bytes())
        return {"runs": list(found["runs"]), "versions": dict(found["versions"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} cannot be read ({error}); delete it with its step") from error
