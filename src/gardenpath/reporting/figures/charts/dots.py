"""Dot plots: a row for each name, with a point and its interval for each series."""

from dataclasses import dataclass, field
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style
from gardenpath.reporting.figures.charts.labels import LINE, distinct_labels, label_expression
from gardenpath.reporting.figures.charts.look import Look

PANEL_TITLE: dict[str, Any] = {"anchor": "start", "fontSize": 12, "fontWeight": "normal", "offset": 6}
ROW_CHARACTERS, PANEL_CHARACTERS = 72, 36
"""Characters on a line of the name of a row, and of a panel."""


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
    chance: str = ""
    """The column of chance: a dashed line where it is one number, else a grey tick in every row."""
    zero: bool = False
    """Whether a solid line marks zero, such as the mean of all models."""
    look: Look = field(default_factory=Look)
    """The colours and shapes of the series, and of rows that are models."""


def draw_dots(table: polars.DataFrame, plot: DotPlot, *, width: int = style.CHART_WIDTH) -> altair.LayerChart:
    """Draw one panel, without the common style."""
    chart = altair.layer(*dot_layers(table, plot), data=style.inline_data(table))
    chart = chart.properties(width=width, height=row_height(table, plot))
    return chart.properties(title=altair.Title(plot.rows_title, **PANEL_TITLE)) if plot.rows_title else chart


def draw_dot_panels(
    table: polars.DataFrame, plot: DotPlot, *, panels: str, columns: int = 2, shared_rows: bool = True
) -> altair.FacetChart:
    """Draw a panel for each name in a column, without the common style."""
    names = style.names_in_order(table, panels)
    number = len(names)
    columns = min(columns, number)
    width = style.CHART_WIDTH if columns == 1 else 240
    inner = altair.layer(*dot_layers(table, plot)).properties(width=width, height=row_height(table, plot))
    header = altair.Header(**label_expression(names, PANEL_CHARACTERS))
    facet = altair.Facet(f"{panels}:N", title=plot.rows_title or None, sort=names, header=header)
    chart = inner.facet(facet=facet, columns=columns, data=style.inline_data(table))
    if number % columns:  # a shared axis would be drawn below an empty panel
        chart = chart.resolve_axis(x="independent")
    return chart if shared_rows else chart.resolve_scale(y="independent").resolve_axis(x="independent")


def dot_layers(table: polars.DataFrame, plot: DotPlot) -> list[Any]:
    """The layers from back to front: lines, ticks, intervals, points."""
    scale = altair.Scale(domain=list(plot.domain)) if plot.domain else altair.Scale(zero=False, padding=10)
    several = has_several_series(table, plot)
    # Thin lines between the rows keep the series of a row together.
    lines: dict[str, Any] = {"grid": True, "tickBand": "extent", "ticks": False} if several else {}
    names, tight = style.names_in_order(table, plot.rows), altair.Scale(paddingInner=0)
    axis = altair.Axis(labelPadding=6, **lines, **label_expression(names, ROW_CHARACTERS))
    position: dict[str, Any] = {"y": altair.Y(f"{plot.rows}:N", title=None, sort=names, scale=tight, axis=axis)}
    if several:
        series = style.names_in_order(table, plot.series)
        position["yOffset"] = altair.YOffset(f"{plot.series}:N", sort=series, scale=altair.Scale(paddingOuter=0.5))
    colour, shape = marks_of_points(table, plot)
    interval = altair.Chart().mark_rule(strokeWidth=1.5, clip=True)
    point = altair.Chart().mark_point(filled=True, size=45, opacity=1)
    low = altair.X("low:Q", scale=scale, title=plot.title, axis=style.percent_axis() if plot.percent else altair.Axis())
    return [
        *reference_layers(table, plot, scale, position),
        interval.encode(x=low, x2="high:Q", **position, **colour),
        point.encode(x=altair.X(f"{plot.value}:Q", scale=scale), **position, **colour, **shape),
    ]


def marks_of_points(table: polars.DataFrame, plot: DotPlot) -> tuple[dict[str, Any], dict[str, Any]]:
    """The colours and the shapes of the points: of the series, or of models in rows or on their own."""
    several = has_several_series(table, plot)
    styled = plot.series if several else "model" if "model" in table.columns else ""
    if not styled:
        return {"color": altair.value(style.COLOURS[0])}, {}
    names = style.names_in_order(table, styled)
    options: dict[str, Any] = {"title": plot.series_title or None} if several else {"legend": None}
    return (
        {"color": plot.look.colour_by(styled, names, **options)},
        {"shape": plot.look.shape_by(styled, names, **options)},
    )


def reference_layers(
    table: polars.DataFrame, plot: DotPlot, scale: altair.Scale, position: dict[str, Any]
) -> list[Any]:
    """A solid line at zero, a dashed line at chance where it is one number, else a tick in every row."""
    layers = []
    if plot.zero:
        layers.append(altair.Chart().mark_rule(color=style.ZERO).encode(x=altair.X(datum=0, scale=scale)))
    if plot.chance and (chance := single_chance(table, plot.chance)) is not None:
        layers.append(style.chance_rule().encode(x=altair.X(datum=chance, scale=scale)))
    elif plot.chance:
        tick = altair.Chart().mark_tick(color=style.CHANCE, thickness=2, size=9 if "yOffset" in position else 14)
        layers.append(tick.encode(x=altair.X(f"{plot.chance}:Q", scale=scale), **position))
    return layers


def single_chance(table: polars.DataFrame, column: str = "chance") -> float | None:
    """The chance of all rows, if it is one number."""
    if column not in table.columns:
        return None
    values = table[column].cast(polars.Float64).fill_nan(None).round(9).unique().to_list()
    return values[0] if len(values) == 1 else None


def row_height(table: polars.DataFrame, plot: DotPlot) -> altair.Step:
    """The height of a row, or of a series within it."""
    if has_several_series(table, plot):
        return altair.Step(11)
    labels = distinct_labels(style.names_in_order(table, plot.rows), ROW_CHARACTERS).values()
    return altair.Step(5 + 13 * max((1 + label.count(LINE) for label in labels), default=1))


def has_several_series(table: polars.DataFrame, plot: DotPlot) -> bool:
    """Whether a row has more than one series."""
    return bool(plot.series) and table[plot.series].n_unique() > 1


def symmetric_domain(table: polars.DataFrame, *columns: str) -> tuple[float, float]:
    """A domain for differences, as wide below zero as above."""
    widest = table.select(polars.max_horizontal(polars.col(*columns).abs().fill_nan(None).max())).item()
    return (-1.05 * widest, 1.05 * widest) if widest else (-0.1, 0.1)
