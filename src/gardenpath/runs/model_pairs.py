"""Comparison of any number of models of one run or of several: two, or all pairs of more."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.runs.coverage import coverage_notes
from gardenpath.runs.first_symbols import ReadSymbol, note_first_symbols
from gardenpath.runs.manifest import read_manifest
from gardenpath.runs.model_pair import (
    SHARED_WORDS,
    ChosenPair,
    PairComparison,
    compare_chosen,
    compare_pair,
    note_disagreement,
)
from gardenpath.runs.results import Runs, read_runs
from gardenpath.statistics.compare import compare, comparison_keys
from gardenpath.statistics.grouping import drop_left_out
from gardenpath.statistics.selection import Names, find_names, select_outcomes


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


def compare_folders(
    folders: Sequence[Path],
    *,
    models: Sequence[str] | None = None,
    a: str | None = None,
    b: str | None = None,
    by: str = "suite",
    prediction: Names = None,
) -> PairComparison | PairsComparison:
    """Compare two models, however many folders hold them, or every pair of more.

    models: only these. a, b: the two to compare, of one folder or of one each of two.
    """
    if is_one_pair(folders, models, a, b):
        return compare_pair(*folders, a=a, b=b, by=by, prediction=prediction)
    runs = read_runs(list(folders))
    outcomes = select_outcomes(drop_left_out(runs.outcomes()), model=models or None, prediction=prediction)
    counted = set(outcomes["model"])
    wanted = find_names(outcomes, "model", models) if models else runs.models["model"]
    names = [name for name in dict.fromkeys(wanted) if name in counted]
    if len(names) < 2:
        raise InputError(f"there is only {quote(names)} to compare; name another model, or a folder with another")
    if len(names) == 2:
        return compare_chosen(ChosenPair(outcomes, (names[0], names[1]), symbols_of_models(runs, names)), by=by)
    return compare_all_pairs(runs, outcomes, names, by=by)


def is_one_pair(folders: Sequence[Path], models: Sequence[str] | None, a: str | None, b: str | None) -> bool:
    """Whether two models are compared of one folder, or of one each of two: those of a and b, or the only ones.

    They may have one name: the same model, run twice with different options.
    """
    chosen = a is not None or b is not None
    if chosen and (models or len(folders) > 2):
        raise InputError("--a and --b choose two models of one folder or two; choose among more with --model")
    if models:
        return False
    return chosen or [len(read_manifest(folder).models) for folder in folders] in ([1], [2], [1, 1])


def symbols_of_models(runs: Runs, names: Sequence[str]) -> dict[str, ReadSymbol]:
    """List the first symbols of models, as far as they are recorded."""
    symbols = runs.tables.symbols
    return {name: symbols[name] for name in names if name in symbols}


def compare_all_pairs(
    runs: Runs, outcomes: polars.DataFrame, names: Sequence[str], *, by: str = "suite"
) -> PairsComparison:
    """Compare every pair of some models of runs that share items."""
    rows = compare(outcomes, names, by=by)
    alone = [name for name in names if name not in {*rows["model_a"], *rows["model_b"]}]
    invalid = int(rows["invalid"].sum())
    notes = [f"{invalid:,} pairs have an invalid outcome, which counts as wrong"] if invalid else []
    notes += [f"{quote(alone)} shares no item with another model, and is left out"] if alone else []
    notes += [SHARED_WORDS] if (rows["effective_n"] < rows["n"]).any() else []
    overall = compare(outcomes, names)
    notes += note_disagreement(rows, overall)
    notes += note_first_symbols(symbols_of_models(runs, names))
    notes += coverage_notes(outcomes.filter(polars.col("model").is_in(names)))
    return PairsComparison(list(names), comparison_keys(outcomes, by), rows, overall, notes)
