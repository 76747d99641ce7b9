"""The figures of factors that vary between items: accuracy by level, and by levels of two crossed factors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import mul
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.figures.accuracy_figures import TICKS, WILSON, comparable, with_groups
from gardenpath.reporting.figures.charts.accuracy import level_figure
from gardenpath.reporting.figures.charts.style import Figure, first_of, in_order, slug

if TYPE_CHECKING:
    import polars

LEVELS = 12
"""A factor with more levels than this is a label of items."""
FACTORS = 12
"""Figures of factors in one report."""


@dataclass(frozen=True, slots=True)
class Split:
    """What items are told apart by: a factor, or two that are crossed."""

    factors: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """As outcomes are grouped by them."""
        return [f"level:{factor}" for factor in self.factors]

    @property
    def name(self) -> str:
        """In words."""
        return " and ".join(factor.replace("_", " ") for factor in self.factors)


def draw_levels(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy by level of every factor that varies within a phenomenon, and by levels of every two crossed ones."""
    from gardenpath.statistics.grouping import first_predictions, with_factors

    rows, left_out = comparable(with_groups(first_predictions(outcomes)))
    names = own_factors(rows)
    rows = with_factors(rows, [f"level:{name}" for name in names])
    splits = [*(Split((name,)) for name in names), *(Split(pair) for pair in combinations(names, 2))]
    tables = {split: table for split in splits if (table := table_of(rows, split)).height}
    if not tables:
        raise InputError("no factor of the items has several levels within a phenomenon")
    more = f" Drawn are the first {FACTORS} of {len(tables)} factors." if len(tables) > FACTORS else ""
    for split, table in list(tables.items())[:FACTORS]:
        shown, cut = first_of(table, "group")
        groups = in_order(table, "group")
        where = f" {groups[0]}." if len(groups) == 1 and groups[0] else ""
        yield Figure(
            slug(f"accuracy-by-{'-and-'.join(split.factors)}"),
            f"Accuracy by {split.name}",
            f"{WILSON}{where}{left_out}",
            level_figure(shown, factor=split.name),
            table,
            f"{TICKS} {cut}{more}".strip(),
        )


def own_factors(rows: "polars.DataFrame") -> list[str]:
    """The factors of the items, but for those that only give a combination of the others another name."""
    import polars

    from gardenpath.statistics.grouping import factors, with_factors

    kept = [name for name in factors(rows) if name.startswith("level:")]
    items = with_factors(rows, kept).select("suite", *kept).unique()
    # Of two that say the same, the one with more levels elsewhere is the code, or else the later one.
    for name in sorted(kept, key=lambda name: (items[name].n_unique(), kept.index(name)), reverse=True):
        others = [other for other in kept if other != name]
        if others and is_code(items.filter(polars.col(name).is_not_null()), name, others):
            kept.remove(name)
    return [name.removeprefix("level:") for name in kept]


def is_code(items: "polars.DataFrame", name: str, others: Sequence[str]) -> bool:
    """Whether in every suite the levels of a factor and the combinations of the others go together one to one."""
    import polars

    counts = items.group_by("suite").agg(
        polars.col(name).n_unique().alias("own"),
        polars.struct(others).n_unique().alias("combined"),
        polars.struct(name, *others).n_unique().alias("both"),
    )
    one_to_one = (counts["own"] == counts["both"]) & (counts["combined"] == counts["both"])
    return bool(one_to_one.all() and (counts["both"] > 1).any())


def table_of(rows: "polars.DataFrame", split: Split) -> "polars.DataFrame":
    """Accuracy by model, group and level, of groups in which all factors vary and all their levels are crossed."""
    import polars

    from gardenpath.statistics.accuracy import accuracy

    own = rows.drop_nulls(split.columns)
    numbers = [polars.col(column).n_unique().over("group") for column in split.columns]
    combined = polars.struct(split.columns).n_unique().over("group")
    crossed = combined == reduce(mul, numbers)
    varied = own.filter(*(number > 1 for number in numbers), crossed, combined <= LEVELS)
    ranks = [rank(varied, column) for column in ("group", *split.columns)]
    level = polars.concat_str(split.columns, separator=", ").alias("level")
    return accuracy(varied.sort(ranks, maintain_order=True).with_columns(level), ("model", "group", "level"))


def rank(rows: "polars.DataFrame", column: str) -> "polars.Expr":
    """The place of each name of a column: numbers in their order, then others as they come in."""
    import polars

    names = in_order(rows, column)
    numbers = {name: number for name in names if (number := as_number(name)) is not None}
    ordered = [*sorted(numbers, key=lambda name: numbers[name]), *(name for name in names if name not in numbers)]
    return polars.col(column).replace_strict(ordered, range(len(ordered)), return_dtype=polars.Int64)


def as_number(name: str) -> float | None:
    """The number that a name is, if it is one."""
    try:
        return float(name)
    except ValueError:
        return None
