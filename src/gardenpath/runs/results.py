"""Runs: outcomes, tokens and statistics of models on suites, in memory or in folders."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars

from gardenpath.errors import InputError
from gardenpath.runs.accuracy_text import accuracy_html, accuracy_text
from gardenpath.runs.folder import read_outcomes, read_timing, scan_tokens, write_run
from gardenpath.runs.manifest import Manifest, read_manifest
from gardenpath.runs.run_tables import RunTables, distinct_names, folder_labels, join_tables, with_strings
from gardenpath.runs.same_suites import refuse_other_suites
from gardenpath.runs.spec import RunSpec
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.effects import effects
from gardenpath.statistics.grouping import drop_left_out


class Tabulated:
    """Tables and statistics of one run or of several."""

    tables: RunTables

    def outcomes(self) -> polars.DataFrame:
        """Return a row per model, suite, prediction and item, with metadata of model and suite."""
        return self.tables.outcomes

    def counted(self) -> polars.DataFrame:
        """Return the outcomes without those that their run left out."""
        return drop_left_out(self.tables.outcomes)

    def tokens(self) -> polars.DataFrame:
        """Return a row per token of every sentence of every model, with its bits."""
        return self.tables.tokens.collect()

    def scan_tokens(self) -> polars.LazyFrame:
        """Return the tokens as a lazy table, which is read when it is needed."""
        return self.tables.tokens

    @property
    def models(self) -> polars.DataFrame:
        """A row per model: name, fingerprint, how it was trained."""
        return self.tables.models

    @property
    def suites(self) -> polars.DataFrame:
        """A row per suite and prediction: phenomenon, circuit, formula, chance."""
        return self.tables.suites

    def accuracy(self, by: str | Sequence[str] = "suite", **options: Any) -> polars.DataFrame:
        """Compute accuracy with interval, chance and test; see `gardenpath.accuracy` for `by` and the options."""
        return accuracy(self.outcomes(), by, **options)

    def effects(self, by: Literal["comparison", "condition"] = "comparison") -> polars.DataFrame:
        """Compute differences or surprisals in bits with intervals within items; see `gardenpath.effects`."""
        return effects(self.outcomes(), self.scan_tokens(), by=by)

    def __repr__(self) -> str:
        return accuracy_text(self.accuracy())

    def _repr_html_(self) -> str:
        return accuracy_html(self.accuracy())


@dataclass(frozen=True, eq=False, repr=False)
class Run(Tabulated):
    """A run: outcomes and tokens of models on suites, and the manifest that says how they were computed.

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

    def save(self, folder: str | Path) -> Path:
        """Write the run to a folder, which `read_run` reads."""
        timing = {"finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"), **self.timing}
        write_run(
            Path(folder), tokens=self.written_tokens, outcomes=self.written_outcomes, manifest=self.manifest,
            timing=timing,
        )  # fmt: skip
        return Path(folder)

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
    """Several runs put together; the same model and suite in two of them is taken from the last.

    >>> gp.read_runs([saved_run, other_run]).accuracy(by="model")["model"].to_list()
    ['bigram', 'unigram']
    """

    runs: tuple[Run, ...]
    tables: RunTables

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the runs are; those in memory are numbered."""
        return tuple(run.folder or Path(f"run-{number}") for number, run in enumerate(self.runs, 1))

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        """The manifests of the runs."""
        return tuple(run.manifest for run in self.runs)

    def names(self) -> dict[tuple[int, str], str]:
        """Return the name under which each model appears, by the index of its run and its own name."""
        return dict(distinct_names(folder_labels(self.folders), self.manifests))


def combine(runs: Sequence[Run]) -> Runs:
    """Put runs together; suites of one name must have the same formulas and sentences in all of them."""
    if not runs:
        raise InputError("no run to read; name at least one folder that `gardenpath run` wrote")
    empty = RunTables(polars.DataFrame(), polars.LazyFrame(), polars.DataFrame(), polars.DataFrame())
    together = Runs(tuple(runs), empty)
    tokens = [run.written_tokens for run in runs]
    refuse_other_suites(together.folders, together.manifests, [with_strings(table) for table in tokens])
    tables = join_tables(together.manifests, [run.written_outcomes for run in runs], tokens, together.names())
    return replace(together, tables=tables)


def read_run(folder: str | Path) -> Run:
    """Read the folder of a run.

    >>> run = read_run(saved_run)
    >>> run.accuracy().columns[:4]
    ['model', 'suite', 'prediction', 'accuracy']
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    tokens = scan_tokens(folder)
    return Run(manifest, read_outcomes(folder), tokens, folder, read_timing(folder))


RunSource = str | Path | Run | Runs
"""A run: its folder, or the object."""


def read_runs(runs: RunSource | Sequence[RunSource]) -> Runs:
    """Put runs together: folders that are read, and runs in memory.

    >>> read_runs([saved_run, read_run(saved_run)]).models.height
    1
    """
    if isinstance(runs, Runs):
        return runs
    several = [runs] if isinstance(runs, str | Path | Run) else runs
    return combine([run for source in several for run in members(source)])


def members(source: RunSource) -> tuple[Run, ...]:
    """List the runs of a folder, a run or some runs."""
    match source:
        case Runs():
            return source.runs
        case Run():
            return (source,)
        case _:
            return (read_run(source),)
