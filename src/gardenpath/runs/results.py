"""Runs in memory or in folders: outcomes and tokens of models on suites, and `accuracy`, `effects` and `compare`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars

from gardenpath.errors import InputError
from gardenpath.io.folder_update import claim_folder
from gardenpath.runs.folder import OUTCOMES, OUTCOMES_FILE, TOKENS, TOKENS_FILE, check_outcomes, read_table, read_timing
from gardenpath.runs.manifest import FORMAT, Manifest, read_manifest
from gardenpath.runs.run_tables import (
    Names,
    RunTables,
    distinct_names,
    folder_labels,
    join_tables,
    refuse_other_suites,
    with_strings,
)
from gardenpath.runs.saving import write_run
from gardenpath.runs.spec import RunSpec
from gardenpath.runs.tabulated import EffectGroup, Tabulated
from gardenpath.statistics.accuracy import accuracy as accuracy_of_outcomes
from gardenpath.statistics.compare import compare as compare_outcomes
from gardenpath.statistics.effects import effects as effects_of_outcomes
from gardenpath.statistics.selection import Names as Chosen
from gardenpath.statistics.selection import select_outcomes


@dataclass(frozen=True, eq=False, repr=False)
class Run(Tabulated):
    """A run: outcomes and tokens of models on suites, and the manifest that records how they were computed.

    >>> run = gp.run(models=[bigram], suites=["agreement"], sample=4)
    >>> run.outcomes().height, run.tokens()["condition"].n_unique()
    (4, 4)
    """

    manifest: Manifest
    written_outcomes: polars.DataFrame
    """As outcomes.parquet has them; see `outcomes()`."""
    written_tokens: polars.LazyFrame
    """As tokens.parquet has them; see `tokens()`."""
    folder: Path | None = None
    """Where the run was read from or written to."""
    timing: Mapping[str, Any] = field(default_factory=dict)
    """When it was finished, how long it took, how many texts were computed."""

    @cached_property
    def tables(self) -> RunTables:  # type: ignore[override]  # computed once, when needed
        """The tables with metadata of models and suites."""
        own = {(0, model.name): model.name for model in self.manifest.models}
        return join_tables([self.manifest], [self.written_outcomes], [self.written_tokens], own)

    @property
    def spec(self) -> RunSpec:
        """The specification of the run."""
        return self.manifest.run_spec()

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write the run to a folder for `read_run`: all files together, or none.

        A folder with another run is refused unless `overwrite` is given.
        """
        with claim_folder(Path(folder)) as fresh:
            return write_run(self, fresh, overwrite=overwrite)

    def __eq__(self, other: object) -> bool:
        """Compare manifest, outcomes and tokens; folder and timing do not matter."""
        if not isinstance(other, Run):
            return NotImplemented
        if self.manifest.record() != other.manifest.record():
            return False
        mine, theirs = ((run.written_outcomes.lazy(), run.written_tokens) for run in (self, other))
        return all(
            with_strings(one).collect().equals(with_strings(another).collect())
            for one, another in zip(mine, theirs, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]  # tables cannot be hashed


@dataclass(frozen=True, eq=False, repr=False)
class Runs(Tabulated):
    """Several runs combined; if two of them contain the same model and suite, the last one counts.

    >>> gp.read_runs([saved_run, other_run]).accuracy(by="model")["model"].to_list()
    ['bigram', 'unigram']
    """

    runs: tuple[Run, ...]
    tables: RunTables
    folders: tuple[Path, ...]
    """Where the runs are; those in memory are numbered."""
    names: Names
    """The name under which each model appears, by the index of its run and its own name."""

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        """The manifests of the runs."""
        return tuple(run.manifest for run in self.runs)


def read_run(folder: str | Path) -> Run:
    """Read the folder of a run.

    >>> run = read_run(saved_run)
    >>> run.accuracy().columns[:4]
    ['model', 'suite', 'prediction', 'accuracy']
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    verified = manifest.format >= FORMAT
    tokens = read_table(folder / TOKENS_FILE, polars.scan_parquet, TOKENS, verified=verified)
    outcomes = read_table(folder / OUTCOMES_FILE, polars.read_parquet, OUTCOMES, verified=verified)
    if not verified:
        check_outcomes(outcomes, manifest, folder / OUTCOMES_FILE)
    return Run(manifest, outcomes, tokens, folder, read_timing(folder))


RunSource = str | Path | Run | Runs
"""A run: its folder, or the object."""


def read_runs(runs: RunSource | Sequence[RunSource]) -> Runs:
    """Combine runs from folders and from memory.

    Suites that share a name must have the same formulas and sentences in all of them.

    >>> read_runs([saved_run, read_run(saved_run)]).models.height
    1
    """
    if isinstance(runs, Runs):
        return runs
    found: list[Run] = []
    for source in [runs] if isinstance(runs, str | Path | Run) else runs:
        match source:
            case Runs():
                found += source.runs
            case Run():
                found.append(source)
            case _:
                found.append(read_run(source))
    if not found:
        raise InputError("no run to read; name at least one folder that `gardenpath run` wrote")
    folders = tuple(run.folder or Path(f"run-{number}") for number, run in enumerate(found, 1))
    manifests, tokens = [run.manifest for run in found], [run.written_tokens for run in found]
    refuse_other_suites(folders, manifests, tokens)
    names = distinct_names(folder_labels(folders), manifests)
    tables = join_tables(manifests, [run.written_outcomes for run in found], tokens, names)
    return Runs(tuple(found), tables, folders, names)


RunData = RunSource | Sequence[RunSource] | polars.DataFrame
"""Runs, their folders, or a table of outcomes."""


def accuracy(
    runs: RunData,
    by: str | Sequence[str] = "suite",
    *,
    model: Chosen = None,
    prediction: Chosen = None,
    **options: Any,
) -> polars.DataFrame:
    """Compute accuracy by suite, phenomenon, circuit, model or factor, with 95 % interval, chance and exact test.

    by: "suite", "phenomenon", "circuit", "field" (of blimp), "model", a factor such as "number", several of these
    separated by commas, or a list of columns. model, prediction: only those with this name, or these names. The other
    options are interval ("words", "items", "wilson" or "bootstrap"), clusters, leave_out_unknown and seed; see
    docs/statistics.md.

    >>> gp.accuracy(saved_run, by="suite").select("suite", "n", "chance").rows()
    [('agreement', 32, 0.25)]
    >>> gp.accuracy(saved_run, prediction="agreement").height
    1
    """
    if not isinstance(runs, polars.DataFrame):
        return read_runs(runs).accuracy(by, model=model, prediction=prediction, **options)
    return accuracy_of_outcomes(select_outcomes(runs, model=model, prediction=prediction), by, **options)


def effects(
    runs: RunData,
    by: EffectGroup = "comparison",
    *,
    groups: str | Sequence[str] = "suite",
    model: Chosen = None,
    prediction: Chosen = None,
) -> polars.DataFrame:
    """Compute mean differences of comparisons, or mean surprisals of regions by condition, in bits with intervals.

    by: "comparison": the margin of every comparison of every formula; "condition": surprisals of the regions that
    formulas name; "contrast": the contrasts of conditions that formulas make, and the interaction of a 2 × 2 design.
    groups: for contrasts, like `by` in `accuracy`: "suite", factors of items such as "number,attractor", "model", …
    model, prediction: only those with this name, or these names.

    >>> gp.effects(saved_run, by="condition")["condition"].to_list()
    ['match_sing', 'mismatch_sing', 'match_plural', 'mismatch_plural']
    >>> gp.effects(saved_run, by="contrast", groups="model").columns[:4]
    ['model', 'effect', 'prediction', 'contrast']
    """
    if not isinstance(runs, polars.DataFrame):
        return read_runs(runs).effects(by, groups=groups, model=model, prediction=prediction)
    if by == "contrast":
        raise InputError("effects by contrast need the tokens of runs; give runs or their folders, not outcomes")
    return effects_of_outcomes(select_outcomes(runs, model=model, prediction=prediction), None, by=by)


def compare(
    runs: RunData,
    models: Sequence[str] | None = None,
    *,
    by: str | Sequence[str] = "model",
    prediction: Chosen = None,
) -> polars.DataFrame:
    """Compare every pair of models on the items they share: difference, interval, McNemar's test, Holm's correction.

    by: "model" for one row per pair over the first prediction of every suite; "suite", "phenomenon" or a factor for a
    row per group. prediction: only predictions with this name, or these names.

    >>> gp.compare([saved_run, other_run]).select("model_a", "model_b", "n").rows()
    [('bigram', 'unigram', 32)]
    """
    if isinstance(runs, polars.DataFrame):
        return compare_outcomes(select_outcomes(runs, prediction=prediction), models, by=by)
    return read_runs(runs).compare(models, by=by, prediction=prediction)
