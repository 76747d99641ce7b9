"""Statistics of runs: `accuracy`, `effects` and `compare` of runs, their folders or tables of outcomes."""

from collections.abc import Sequence
from typing import Any, Literal

import polars

from gardenpath.runs.results import RunSource, read_runs
from gardenpath.statistics.accuracy import accuracy as accuracy_of_outcomes
from gardenpath.statistics.compare import compare as compare_outcomes
from gardenpath.statistics.effects import effects as effects_of_outcomes

RunData = RunSource | Sequence[RunSource] | polars.DataFrame
"""Runs, their folders, or a table of outcomes."""


def accuracy(runs: RunData, by: str | Sequence[str] = "suite", **options: Any) -> polars.DataFrame:
    """Compute accuracy by suite, phenomenon, circuit, model or factor, with 95 % interval, chance and exact test.

    by: "suite", "phenomenon", "circuit", "model", a factor such as "number", or a list of columns. The other options
    are interval ("wilson" or "bootstrap"), clusters, leave_out_unknown and seed; see docs/statistics.md.

    >>> gp.accuracy(saved_run, by="suite").select("suite", "n", "chance").rows()
    [('agreement', 32, 0.25)]
    """
    return accuracy_of_outcomes(outcomes_of(runs), by, **options)


def effects(runs: RunData, by: Literal["comparison", "condition"] = "comparison") -> polars.DataFrame:
    """Compute mean differences of comparisons, or mean surprisals of regions by condition, in bits with intervals.

    >>> gp.effects(saved_run, by="condition")["condition"].to_list()
    ['match_sing', 'mismatch_sing', 'match_plural', 'mismatch_plural']
    """
    tokens = None if isinstance(runs, polars.DataFrame) else read_runs(runs).scan_tokens()
    return effects_of_outcomes(outcomes_of(runs), tokens, by=by)


def compare(
    runs: RunData, models: Sequence[str] | None = None, *, by: str | Sequence[str] = "model", seed: int = 0
) -> polars.DataFrame:
    """Compare every pair of models on the items they share: difference, interval, McNemar's test, Holm's correction.

    by: "model" for one row per pair over the first prediction of every suite; "suite", "phenomenon" or a factor for a
    row per group.

    >>> gp.compare([saved_run, other_run]).select("model_a", "model_b", "n").rows()
    [('bigram', 'unigram', 32)]
    """
    return compare_outcomes(outcomes_of(runs), models, by=by, seed=seed)


def outcomes_of(runs: RunData) -> polars.DataFrame:
    """Return the outcomes of runs; a table is taken as it is."""
    return runs if isinstance(runs, polars.DataFrame) else read_runs(runs).outcomes()
