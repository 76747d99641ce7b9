"""The names of groups of items in tables: suites, what suites have in common, and levels of factors."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars

from gardenpath.statistics.grouping import GROUPS

POOLED = ("phenomenon", "circuit", "field")
"""Properties of suites by which `accuracy` pools them."""
GROUPED = ("suite", *POOLED)
"""The columns that name a group of items, in `accuracy` and in the rows of `summary_rows`."""
NONE = "(none): suites without a {}."
"""What the name of such a group means."""
BLANK = "(blank)"
"""The level of items whose cell of a factor is empty."""


def name_blank_levels(table: polars.DataFrame, keys: Sequence[str]) -> polars.DataFrame:
    """Name the levels that are missing for some items of a suite, though it has the factor: `(blank)`."""
    pooled = [name for name in keys if name in GROUPED] or polars.lit(0)
    named = [name for name in keys if name not in GROUPS and table[name].dtype == polars.String]
    has_level = {name: polars.col(name).is_not_null() & (polars.col(name) != "") for name in named}
    return table.with_columns(
        polars.when(has.any().over(pooled) & ~has).then(polars.lit(BLANK)).otherwise(polars.col(name)).alias(name)
        for name, has in has_level.items()
    )


def ungrouped_last(table: polars.DataFrame, keys: Sequence[str]) -> polars.DataFrame:
    """Put the suites without a circuit, phenomenon or field after the others, if these group the rows."""
    blank = [polars.col(name).fill_null("") == "" for name in keys if name in POOLED]
    return table.sort(*blank, maintain_order=True) if blank else table


def note_ungrouped(table: polars.DataFrame, keys: Sequence[str]) -> list[str]:
    """Explain the groups called (none)."""
    return [NONE.format(name) for name in keys if name in POOLED and (table[name] == "").any()]


def group_names(row: Mapping[str, Any], keys: Sequence[str]) -> dict[str, str]:
    """Name a group by its suite or by what its suites have in common, and its levels with the names of factors."""
    pooled = [name for name in keys if name in GROUPED]
    names = {name: str(row[name] or "(none)") for name in pooled} or {"suite": "(all)"}
    factors = [name for name in keys if name not in ("model", "prediction", *pooled)]
    levels = ", ".join(f"{factor.removeprefix('level:')}={row[factor]}" for factor in factors if row[factor])
    last = list(names)[-1]
    return names | {last: f"{names[last]} [{levels}]" if levels else names[last]}


def group_name(row: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The names of a group as one text."""
    return " ".join(group_names(row, keys).values())


def group_heading(keys: Sequence[str]) -> str:
    """The heading of a column of `group_name`."""
    return " ".join(name for name in keys if name in GROUPED) or "suite"
