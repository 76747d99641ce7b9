"""Figures of accuracy by level of factors that vary between items, and by levels of two crossed factors."""

from collections.abc import Iterator

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.accuracy_figures import TICKS, WILSON, shared_in_groups, with_groups
from gardenpath.reporting.figures.charts.accuracy import level_chart
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.figure import Figure, file_name, keep_first
from gardenpath.statistics.factors import accuracy_by_factors
from gardenpath.statistics.grouping import first_predictions

MAX_FACTORS = 12
"""Factors that get a figure."""


def factor_figures(outcomes: polars.DataFrame) -> Iterator[Figure]:
    """Accuracy by level of every factor that varies within a phenomenon, and of every two that are crossed."""
    rows, excluded = shared_in_groups(with_groups(first_predictions(outcomes)))
    tables = accuracy_by_factors(rows)
    if not tables:
        raise InputError("no factor of the items has several levels within a phenomenon")
    more = f" Figures are drawn for the first {MAX_FACTORS} of {len(tables)}." if len(tables) > MAX_FACTORS else ""
    for factors, table in list(tables.items())[:MAX_FACTORS]:
        shown, more_groups = keep_first(table, "group")
        groups = names_in_order(table, "group")
        where = f" {groups[0]}." if len(groups) == 1 and groups[0] else ""
        name = " and ".join(factor.replace("_", " ") for factor in factors)
        yield Figure(
            file_name(f"accuracy-by-{'-and-'.join(factors)}"),
            f"Accuracy by {name}",
            f"{WILSON}{where}{excluded}",
            level_chart(shown, factor=name),
            table,
            f"{TICKS} {more_groups}{more}".strip(),
        )
