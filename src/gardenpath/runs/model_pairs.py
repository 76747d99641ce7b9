"""Comparison of any number of models of one run or of several: all pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.runs.first_symbols import note_first_symbols
from gardenpath.runs.model_pair import SHARED_WORDS
from gardenpath.runs.results import read_runs
from gardenpath.statistics.compare import compare, comparison_keys
from gardenpath.statistics.selection import Names, select_outcomes


@dataclass(frozen=True, slots=True)
class PairsComparison:
    """All pairs of some models compared."""

    models: list[str]
    keys: list[str]
    """The columns that name a group."""
    rows: polars.DataFrame
    """A row per pair and group, with Holm's correction over all rows; see `statistics.compare.compare`."""
    overall: polars.DataFrame
    """A row per pair, over the first prediction of every suite, with Holm's correction over these rows."""
    notes: list[str]
    """What was left out or counts as wrong."""


def compare_all_pairs(
    folders: Sequence[Path],
    *,
    models: Sequence[str] | None = None,
    by: str = "suite",
    prediction: Names = None,
) -> PairsComparison:
    """Compare every pair of the models of runs that share items; `models` chooses some of them."""
    runs = read_runs(list(folders))
    outcomes = select_outcomes(runs.counted(), model=models or None, prediction=prediction)
    names = list(models) if models else outcomes["model"].unique(maintain_order=True).to_list()
    if len(names) < 2:
        raise InputError(f"these folders hold one model, {names[0]!r}; name a folder with another to compare it with")
    rows = compare(outcomes, names, by=by)
    symbols = runs.first_symbols()
    alone = [name for name in names if name not in {*rows["model_a"], *rows["model_b"]}]
    invalid = int(rows["invalid"].sum())
    notes = [f"{invalid:,} pairs have an invalid outcome, which counts as wrong"] if invalid else []
    notes += [f"{quote(alone)} shares no item with another model, and is left out"] if alone else []
    notes += [SHARED_WORDS] if (rows["effective_n"] < rows["n"]).any() else []
    notes += note_first_symbols({name: symbols[name] for name in names if name in symbols})
    return PairsComparison(names, comparison_keys(outcomes, by), rows, compare(outcomes, names), notes)
