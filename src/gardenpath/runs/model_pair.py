"""Comparison of two models of one run or of two."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import polars

from gardenpath.errors import InputError
from gardenpath.runs.coverage import coverage_notes
from gardenpath.runs.first_symbols import ReadSymbol, note_first_symbols
from gardenpath.runs.results import Run, read_run
from gardenpath.runs.run_tables import folder_labels, refuse_other_suites
from gardenpath.statistics.accuracy import pools_suites, split_names
from gardenpath.statistics.compare import (
    ITEM,
    OVER_SUITES,
    ModelComparison,
    compare_models,
    compare_suites,
    comparison_keys,
    comparison_of,
)
from gardenpath.statistics.grouping import drop_left_out, first_predictions, note_hidden_factors
from gardenpath.statistics.selection import Names, select_outcomes

SHARED_WORDS = "items share words: intervals and tests count them as fewer independent items (effective_n in --json)"

DISAGREEMENT = (
    "an interval excludes 0 where p is above 0.05: the interval is an approximation (Bonett and Price), p is from the "
    "exact McNemar test, which is the more cautious of the two with few items: rely on p"
)


@dataclass(frozen=True, slots=True)
class PairComparison:
    """Two models compared."""

    a: str
    b: str
    keys: list[str]
    """The columns that name a group."""
    rows: polars.DataFrame
    """A row per group; see `statistics.compare.compare_models`."""
    overall: list[tuple[str, ModelComparison]]
    """Over all items, and over suites where there are several."""
    notes: list[str]
    """What was left out or counts as wrong."""

    @property
    def named_rows(self) -> polars.DataFrame:
        """The rows after the names of the two models, as a file needs them."""
        return self.rows.select(*self.names, polars.all())

    @property
    def named_overall(self) -> polars.DataFrame:
        """The comparisons over everything, a row each, after the names of the two models."""
        rows = polars.DataFrame([{"over": over, **asdict(comparison)} for over, comparison in self.overall])
        return rows.select(*self.names, polars.all())

    @property
    def names(self) -> list[polars.Expr]:
        """The columns `model_a` and `model_b`."""
        return [polars.lit(self.a).alias("model_a"), polars.lit(self.b).alias("model_b")]


def compare_pair(
    folder_a: Path,
    folder_b: Path | None = None,
    *,
    a: str | None = None,
    b: str | None = None,
    by: str = "suite",
    prediction: Names = None,
) -> PairComparison:
    """Compare two models of one folder, or of one each of two, by groups as in `accuracy`; see `choose_pair`."""
    return compare_chosen(choose_pair(folder_a, folder_b, a=a, b=b), by=by, prediction=prediction)


def compare_chosen(chosen: "ChosenPair", *, by: str = "suite", prediction: Names = None) -> PairComparison:
    """Compare two models whose outcomes are in one table."""
    outcomes, (name_a, name_b) = select_outcomes(chosen.outcomes, prediction=prediction), chosen.names
    note_hidden_factors(outcomes, split_names(by))
    keys = comparison_keys(outcomes, by)
    compared = first_predictions(outcomes) if pools_suites(by) else outcomes
    rows = compare_models(compared, name_a, name_b, keys)
    items = compare_models(first_predictions(outcomes), name_a, name_b, [])
    overall = [("all items", comparison_of(items.row(0, named=True)))] if keys else []
    suites = compare_suites(outcomes, name_a, name_b)
    if suites.n > 1:
        overall.append((OVER_SUITES, suites))
    counts = outcomes.filter(polars.col("model").is_in([name_a, name_b])).group_by(ITEM).len()
    single, invalid = int((counts["len"] == 1).sum()), int(rows["invalid"].sum())
    notes = [f"{single:,} outcomes that only one of the two has are left out"] if single else []
    notes += [f"{invalid:,} pairs have an invalid outcome, which counts as wrong"] if invalid else []
    notes += [SHARED_WORDS] if (rows["effective_n"] < rows["n"]).any() else []
    notes += note_disagreement(rows, items)
    notes += note_first_symbols(chosen.first_symbols)
    notes += coverage_notes(outcomes.filter(polars.col("model").is_in([name_a, name_b])))
    return PairComparison(name_a, name_b, keys, rows, overall, notes)


def note_disagreement(*tables: polars.DataFrame) -> list[str]:
    """Explain intervals that exclude 0 beside tests that do not reject it, in tables of `compare_models`."""
    excluded = ((polars.col("low") > 0) | (polars.col("high") < 0)) & (polars.col("p_value") > 0.05)
    return [DISAGREEMENT] if any(table.select(excluded.any()).item() for table in tables) else []


class ChosenPair(NamedTuple):
    """Two models whose outcomes can be compared."""

    outcomes: polars.DataFrame
    names: tuple[str, str]
    first_symbols: dict[str, ReadSymbol]
    """By name, as far as they are recorded."""


def choose_pair(
    folder_a: Path, folder_b: Path | None = None, *, a: str | None = None, b: str | None = None
) -> ChosenPair:
    """Read the outcomes of two models of one folder, or of one each of two.

    Models of one name get the labels of their folders. A model must be named where a folder has several.
    """
    first = read_run(folder_a)
    if folder_b is None:
        names = choose_two(first, a, b)
        return ChosenPair(
            drop_left_out(first.outcomes()), names, symbols_of(zip(names, (first, first), names, strict=True))
        )
    second = read_run(folder_b)
    tokens = [first.written_tokens, second.written_tokens]
    refuse_other_suites([folder_a, folder_b], [first.manifest, second.manifest], tokens)
    labels = names = choose_one(first, a, "--a"), choose_one(second, b, "--b")
    if names[0] == names[1]:
        # The same model may have been run twice with different options.
        if folder_a.resolve() == folder_b.resolve():
            raise InputError(f"{folder_a} cannot be compared with itself; name another folder")
        one, other = folder_labels([folder_a, folder_b])
        labels = f"{names[0]} ({one})", f"{names[0]} ({other})"
    parts = [
        drop_left_out(run.outcomes()).filter(polars.col("model") == name).with_columns(polars.lit(label).alias("model"))
        for run, name, label in zip((first, second), names, labels, strict=True)
    ]
    return ChosenPair(
        polars.concat(parts, how="diagonal"), labels, symbols_of(zip(labels, (first, second), names, strict=True))
    )


def symbols_of(models: Iterable[tuple[str, Run, str]]) -> dict[str, ReadSymbol]:
    """List the first symbols of models by their labels, each with its run and its name there."""
    return {label: run.tables.symbols[name] for label, run, name in models if name in run.tables.symbols}


def choose_two(run: Run, a: str | None, b: str | None) -> tuple[str, str]:
    """Choose the two models of a run that are named, or its only two."""
    names = require_models(run, a, b)
    if len(names) < 2:
        raise InputError(f"{run.folder} holds one model, {names[0]!r}; name a second folder to compare it with")
    if len(names) > 2 and (a is None or b is None):
        raise InputError(f"{run.folder} holds {len(names)} models: choose two of {', '.join(names)} with --a and --b")
    first = a or next(name for name in names if name != b)
    return first, b or next(name for name in names if name != first)


def choose_one(run: Run, wanted: str | None, option: str) -> str:
    """Choose the model of a run that is named, or its only one."""
    names = require_models(run, wanted)
    if wanted is None and len(names) > 1:
        raise InputError(f"{run.folder} holds {len(names)} models: choose one of {', '.join(names)} with {option}")
    return wanted or names[0]


def require_models(run: Run, *wanted: str | None) -> list[str]:
    """List the models of a run by name; raise where one that is wanted is not among them."""
    names = [model.name for model in run.manifest.models]
    for name in wanted:
        if name is not None and name not in names:
            raise InputError(f"{run.folder} holds no model {name!r}; it holds {', '.join(names)}")
    return names
