"""A figure: a chart with its title, caption and numbers."""

import re
from dataclasses import dataclass

import altair
import polars

from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.suites.display import count_noun

MAX_PANELS = 12
"""Panels that fit on a page."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its title, caption and numbers."""

    name: str
    """The name of its files."""
    title: str
    caption: str
    """What the numbers are and what was left out, for the chart and for the table."""
    chart: altair.TopLevelMixin
    table: polars.DataFrame
    """The numbers of the chart, with names in full."""
    chart_note: str = ""
    """The part of the caption that only concerns the chart."""

    @property
    def legend(self) -> str:
        """The text below the chart."""
        return f"{self.caption} {self.chart_note}".strip()


def keep_first(table: polars.DataFrame, column: str, most: int = MAX_PANELS) -> tuple[polars.DataFrame, str]:
    """Keep the rows of the first names in a column, and return a note where there are more."""
    names = names_in_order(table, column)
    if len(names) <= most:
        return table, ""
    note = f"Only the first {most} of {len(names)} are shown; the table has all of them."
    return table.filter(polars.col(column).is_in(names[:most])), note


def file_name(name: str) -> str:
    """Turn a name into one that any file system accepts."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-.")[:100] or "figure"


def exclusion_note(
    rows: polars.DataFrame, kept: polars.DataFrame, *, models: str = "models", column: str = "suite"
) -> str:
    """A sentence on how many suites were excluded because not all models were run on them."""
    missing = rows[column].n_unique() - kept[column].n_unique()
    return f" Excluded: {count_noun(missing, 'suite')} on which not all {models} were run." if missing else ""
