"""Accuracy by level of the factors of items, and by levels of two crossed factors."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from operator import mul

import polars

from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import factors, with_factors

MAX_LEVELS = 12
"""A factor with more levels than this labels items."""


def accuracy_by_factors(outcomes: polars.DataFrame) -> dict[tuple[str, ...], polars.DataFrame]:
    """Accuracy by model, group and level of every factor that varies within a group, and of every two crossed ones.

    outcomes: with the column `group`, such as the phenomenon. A table (model, group, level, …) for each factor or pair.
    """
    names = independent_factors(outcomes)
    rows = with_factors(outcomes, [f"level:{name}" for name in names])
    splits = [*((name,) for name in names), *combinations(names, 2)]
    return {split: table for split in splits if (table := accuracy_by_levels(rows, split)).height}


def independent_factors(rows: polars.DataFrame) -> list[str]:
    """The factors of the items, without those that only rename a combination of the others."""
    kept = [name for name in factors(rows) if name.startswith("level:")]
    items = with_factors(rows, kept).select("suite", *kept).unique()
    # Of two factors that rename each other, the one with more levels elsewhere is dropped, or else the later one.
    for name in sorted(kept, key=lambda name: (items[name].n_unique(), kept.index(name)), reverse=True):
        others = [other for other in kept if other != name]
        if others and renames_others(items.filter(polars.col(name).is_not_null()), name, others):
            kept.remove(name)
    return [name.removeprefix("level:") for name in kept]


def renames_others(items: polars.DataFrame, name: str, others: Sequence[str]) -> bool:
    """Whether the levels of a factor correspond one to one to combinations of the others in every suite."""
    counts = items.group_by("suite").agg(
        polars.col(name).n_unique().alias("own"),
        polars.struct(others).n_unique().alias("combined"),
        polars.struct(name, *others).n_unique().alias("both"),
    )
    one_to_one = (counts["own"] == counts["both"]) & (counts["combined"] == counts["both"])
    return bool(one_to_one.all() and (counts["both"] > 1).any())


def accuracy_by_levels(rows: polars.DataFrame, split: Sequence[str]) -> polars.DataFrame:
    """Accuracy by model, group and level, in groups where all factors vary and all their levels are crossed."""
    columns = [f"level:{factor}" for factor in split]
    own = rows.drop_nulls(columns)
    numbers = [polars.col(column).n_unique().over("group") for column in columns]
    combined = polars.struct(columns).n_unique().over("group")
    crossed = combined == reduce(mul, numbers)
    varied = own.filter(*(number > 1 for number in numbers), crossed, combined <= MAX_LEVELS)
    ranks = [rank_of_names(varied, column) for column in ("group", *columns)]
    level = polars.concat_str(columns, separator=", ").alias("level")
    return accuracy(varied.sort(ranks, maintain_order=True).with_columns(level), ("model", "group", "level"))


def rank_of_names(rows: polars.DataFrame, column: str) -> polars.Expr:
    """The rank of each name in a column: numbers by value, then other names by appearance."""
    names: list[str] = rows[column].drop_nulls().unique(maintain_order=True).to_list()
    numbers = {name: number for name in names if (number := as_number(name)) is not None}
    ordered = [*sorted(numbers, key=lambda name: numbers[name]), *(name for name in names if name not in numbers)]
    return polars.col(column).replace_strict(ordered, range(len(ordered)), return_dtype=polars.Int64)


def as_number(name: str) -> float | None:
    """Parse a name as a number; None where it is none."""
    try:
        return float(name)
    except ValueError:
        return None
