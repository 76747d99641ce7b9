"""Dot plots: a row for each name, with a point and its interval for each series."""

from dataclasses import dataclass
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style

PANEL_TITLE: dict[str, Any] = {"anchor": "start", "fontSize": 12, "fontWeight": "normal", "offset": 6}


@dataclass(frozen=True, slots=True)
class DotPlot:
    """The columns of a table that a dot plot shows, and the titles of its axes."""

    rows: str
    """The column of the names on the left."""
    value: str
    """The column of the points; `low` and `high` are the ends of their intervals."""
    title: str
    """The title of the values, with their unit."""
    series: str = ""
    """The column of names that share a row and differ in colour and shape."""
    series_title: str = ""
    rows_title: str = ""
    """A title above the rows."""
    domain: tuple[float, float] | None = None
    percent: bool = False
    """Whether the axis shows shares in per cent."""
    tick: str = ""
    """A column marked by a grey tick in every row, such as chance."""
    line: float | None = None
    """A value marked by a dashed line across all rows."""


def draw_dots(table: polars.DataFrame, plot: DotPlot, *, width: int = style.CHART_WIDTH) -> altair.LayerChart:
    """Draw one panel, without the common style."""
    chart = altair.layer(*dot_layers(table, plot), data=style.inline_data(table))
    chart = chart.properties(width=width, height=row_height(table, plot))
    return chart.properties(title=altair.Title(plot.rows_title, **PANEL_TITLE)) if plot.rows_title else chart


def draw_dot_panels(
    table: polars.DataFrame, plot: DotPlot, *, panels: str, columns: int = 2, shared_rows: bool = True
) -> altair.FacetChart:
    """Draw a panel for each name in a column, without the common style."""
    number = table[panels].n_unique()
    columns = min(columns, number)
    width = style.CHART_WIDTH if columns == 1 else 240
    inner = altair.layer(*dot_layers(table, plot)).properties(width=width, height=row_height(table, plot))
    facet = altair.Facet(f"{panels}:N", title=plot.rows_title or None, sort=style.names_in_order(table, panels))
    chart = inner.facet(facet=facet, columns=columns, data=style.inline_data(table))
    if number % columns:  # a shared axis would be drawn below an empty panel
        chart = chart.resolve_axis(x="independent")
    return chart if shared_rows else chart.resolve_scale(y="independent").resolve_axis(x="independent")


def dot_layers(table: polars.DataFrame, plot: DotPlot) -> list[Any]:
    """The layers from back to front: line, ticks, intervals, points."""
    scale = altair.Scale(domain=list(plot.domain)) if plot.domain else altair.Scale(zero=False, padding=10)
    several = has_several_series(table, plot)
    # Thin lines between the rows keep the series of a row together.
    axis = altair.Axis(grid=True, tickBand="extent", ticks=False) if several else altair.Axis()
    names, tight = style.names_in_order(table, plot.rows), altair.Scale(paddingInner=0)
    position: dict[str, Any] = {"y": altair.Y(f"{plot.rows}:N", title=None, sort=names, scale=tight, axis=axis)}
    colour: dict[str, Any] = {"color": altair.value(style.COLOURS[0])}
    shape: dict[str, Any] = {}
    if several:
        series, title = style.names_in_order(table, plot.series), plot.series_title or None
        position["yOffset"] = altair.YOffset(f"{plot.series}:N", sort=series, scale=altair.Scale(paddingOuter=0.5))
        colour = {"color": style.colour_by(plot.series, series, title=title)}
        shape = {"shape": style.shape_by(plot.series, series, title=title)}
    layers: list[Any] = []
    if plot.line is not None:
        rule = altair.Chart().mark_rule(color=style.CHANCE, strokeDash=[5, 4])
        layers.append(rule.encode(x=altair.X(datum=plot.line, scale=scale)))
    if plot.tick:
        tick = altair.Chart().mark_tick(color=style.CHANCE, thickness=2, size=9 if several else 14)
        layers.append(tick.encode(x=altair.X(f"{plot.tick}:Q", scale=scale), **position))
    interval = altair.Chart().mark_rule(strokeWidth=1.5, clip=True)
    point = altair.Chart().mark_point(filled=True, size=45, opacity=1)
    low = altair.X("low:Q", scale=scale, title=plot.title, axis=style.percent_axis() if plot.percent else altair.Axis())
    layers.append(interval.encode(x=low, x2="high:Q", **position, **colour))
    layers.append(point.encode(x=altair.X(f"{plot.value}:Q", scale=scale), **position, **colour, **shape))
    return layers


def row_height(table: polars.DataFrame, plot: DotPlot) -> altair.Step:
    """The height of a row, or of a series within it."""
    return altair.Step(11 if has_several_series(table, plot) else 18)


def has_several_series(table: polars.DataFrame, plot: DotPlot) -> bool:
    """Whether a row has more than one series."""
    return bool(plot.series) and table[plot.series].n_unique() > 1


def symmetric_domain(table: polars.DataFrame, *columns: str) -> tuple[float, float]:
    """A domain for differences, as wide below zero as above."""
    widest = table.select(polars.max_horizontal(polars.col(*columns).abs().fill_nan(None).max())).item()
    return (-1.05 * widest, 1.05 * widest) if widest else (-0.1, 0.1)
