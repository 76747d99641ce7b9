"""A figure: a chart with its title, caption and numbers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import altair
import polars

from gardenpath.reporting.figures.charts.dots import single_chance
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.formula_in_words import enumerate_names
from gardenpath.suites.display import count_noun

MAX_PANELS = 12
"""Panels that fit on a page."""
CUT = "Bars that would reach beyond 0 or 100 % are cut there."
MAX_NAMED = 6
"""Models that a caption names."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its title, caption and numbers."""

    name: str
    """The name of its files."""
    title: str
    caption: str
    """What the numbers are and what was left out, of the chart and of the table."""
    chart: altair.TopLevelMixin
    table: polars.DataFrame
    """The numbers of the chart, with names in full."""
    chart_note: str = ""
    """The part of the caption that only concerns the chart."""
    table_note: str = ""
    """The part of the caption that only concerns the table, such as intervals that the chart does not show."""
    look: Look = field(default_factory=Look)
    """The short names of models and suites, for tables where space is scarce."""
    section: str = ""
    """The heading of the page under which it stands, with others of its kind."""

    @property
    def legend(self) -> str:
        """The text below the chart."""
        return f"{self.caption} {self.chart_note}".strip()

    @property
    def table_caption(self) -> str:
        """The text of the table, with the title."""
        return " ".join(filter(None, (f"{self.title}.", self.caption, self.table_note)))


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


def interval_note(table: polars.DataFrame, text: str) -> str:
    """A sentence on intervals, if any is drawn; with the number of means that have none, and the reasons."""
    drawn = (polars.col("low") < polars.col("high")).fill_null(value=False)
    without = table.filter(~drawn)
    if without.height == table.height:
        return ""
    if not without.height:
        return f" {text}"
    notes = without["note"].fill_null("").unique(maintain_order=True).to_list() if "note" in table.columns else []
    reasons = "; ".join(note.removeprefix("no interval: ") for note in notes if note)
    return f" {text} None for {without.height} of {table.height} means{f' ({reasons})' if reasons else ''}."


def chance_note(table: polars.DataFrame, *, ticks: bool = True) -> str:
    """How the chart shows chance: as a dashed line, as ticks, or not at all."""
    if single_chance(table) is not None:
        return "Grey dashed line: chance."
    return "Grey ticks: chance." if ticks and table["chance"].count() else ""


def models_note(text: str, names: Iterable[str]) -> str:
    """A sentence that names models that a figure leaves out; empty if there are none."""
    found = list(names)
    if not found:
        return ""
    shown = enumerate_names(found) if len(found) <= MAX_NAMED else f"{len(found)} models"
    return f" {text}: {shown}."


def any_beyond(table: polars.DataFrame, mean: str, spread: str) -> bool:
    """Whether a bar of a mean and its standard deviation reaches beyond 0 or 1."""
    low, high = polars.col(mean) - polars.col(spread), polars.col(mean) + polars.col(spread)
    return table.filter((low < 0) | (high > 1)).height > 0
