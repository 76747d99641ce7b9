"""Line plots: points with intervals, and a colour, line pattern and shape for each series."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.labels import label_expression
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import inline_data, names_in_order

PIXELS = 6.5
"""The width of a character in the title of a panel."""


def line_layers(
    table: polars.DataFrame, *, series: str, title: str, x: altair.X, y: altair.Y, look: Look | None = None
) -> list[Any]:
    """The layers from back to front: intervals (from `low` to `high`), lines, points."""
    names, look = names_in_order(table, series), look or Look()
    options: dict[str, Any] = {"title": title} if len(names) > 1 else {"legend": None}
    base = altair.Chart().encode(x=x, color=look.colour_by(series, names, **options))
    line = base.mark_line(strokeWidth=1.5).encode(y=y, strokeDash=look.dash_by(series, names, **options))
    point = base.mark_point(filled=True, size=36, opacity=1).encode(y=y, shape=look.shape_by(series, names, **options))
    return [base.mark_rule(strokeWidth=1, clip=True).encode(y=altair.Y("low:Q"), y2="high:Q"), line, point]


def line_panels(layers: list[Any], table: polars.DataFrame, *, panels: str, columns: int, size: tuple[int, int]) -> Any:
    """Draw the layers once for each name in a column; a single panel has no title."""
    names = names_in_order(table, panels)
    inner = altair.layer(*layers).properties(width=size[0], height=size[1])
    if len(names) == 1:
        return inner.properties(data=inline_data(table))
    header = altair.Header(**label_expression(names, int(size[0] / PIXELS)))
    facet = altair.Facet(f"{panels}:N", title=None, sort=names, header=header)
    columns = min(columns, len(names))
    chart = inner.facet(facet=facet, columns=columns, data=inline_data(table))
    # A shared axis would be drawn below an empty panel.
    return chart.resolve_axis(x="independent") if len(names) % columns else chart
