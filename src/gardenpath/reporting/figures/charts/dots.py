"""The plot most figures are: a row for each name, in it a point with its interval for each series."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gardenpath.reporting.figures.charts.style import CHANCE, WIDTH, colour, data_of, in_order, shape, share_axis

if TYPE_CHECKING:
    import altair
    import polars


HEADING: dict[str, Any] = {"anchor": "start", "fontSize": 12, "fontWeight": "normal", "offset": 6}


@dataclass(frozen=True, slots=True)
class Dots:
    """Which columns of a table are drawn, and what the axes are called."""

    rows: str
    """The column whose names stand at the left."""
    value: str
    """The column of the points; `low` and `high` are the ends of their intervals."""
    title: str
    """What the values are, with their unit."""
    series: str = ""
    """The column whose names share a row and are told apart by colour and shape."""
    series_title: str = ""
    rows_title: str = ""
    """What the rows are, where their names do not say it."""
    domain: tuple[float, float] | None = None
    per_cent: bool = False
    """Whether the values are shares to be written in per cent."""
    tick: str = ""
    """A column marked with a grey tick in every row: chance."""
    line: float | None = None
    """A value marked with a dashed line over all rows."""


def plot_dots(table: "polars.DataFrame", dots: Dots, *, width: int = WIDTH) -> "altair.LayerChart":
    """One panel, without the style of all figures."""
    import altair

    chart = altair.layer(*layers(table, dots), data=data_of(table)).properties(width=width, height=step(table, dots))
    return chart.properties(title=altair.Title(dots.rows_title, **HEADING)) if dots.rows_title else chart


def plot_panels(
    table: "polars.DataFrame", dots: Dots, *, panels: str, columns: int = 2, shared_rows: bool = True
) -> "altair.FacetChart":
    """A panel for each name in a column, without the style of all figures."""
    import altair

    number = table[panels].n_unique()
    columns = min(columns, number)
    inner = altair.layer(*layers(table, dots)).properties(
        width=WIDTH if columns == 1 else 240, height=step(table, dots)
    )
    facet = altair.Facet(f"{panels}:N", title=dots.rows_title or None, sort=in_order(table, panels))
    chart = inner.facet(facet=facet, columns=columns, data=data_of(table))
    if number % columns:  # the axis of a column would stand below an empty panel
        chart = chart.resolve_axis(x="independent")
    return chart if shared_rows else chart.resolve_scale(y="independent").resolve_axis(x="independent")


def layers(table: "polars.DataFrame", dots: Dots) -> list[Any]:
    """From back to front: the line, the ticks, the intervals, the points."""
    import altair

    scale = altair.Scale(domain=list(dots.domain)) if dots.domain else altair.Scale(zero=False, padding=10)
    several = has_several(table, dots)
    # Thin lines between the rows keep their series together.
    between = altair.Axis(grid=True, tickBand="extent", ticks=False) if several else altair.Axis()
    rows = altair.Y(
        f"{dots.rows}:N", title=None, sort=in_order(table, dots.rows), scale=altair.Scale(paddingInner=0), axis=between
    )
    where: dict[str, Any] = {"y": rows}
    tint: dict[str, Any] = {"color": altair.value("#0072B2")}
    form: dict[str, Any] = {}
    if several:
        names = in_order(table, dots.series)
        where["yOffset"] = altair.YOffset(f"{dots.series}:N", sort=names, scale=altair.Scale(paddingOuter=0.5))
        tint = {"color": colour(dots.series, names, title=dots.series_title or None)}
        form = {"shape": shape(dots.series, names, title=dots.series_title or None)}
    axis = share_axis() if dots.per_cent else altair.Axis()
    drawn: list[Any] = []
    if dots.line is not None:
        rule = altair.Chart().mark_rule(color=CHANCE, strokeDash=[5, 4])
        drawn.append(rule.encode(x=altair.X(datum=dots.line, scale=scale)))
    if dots.tick:
        tick = altair.Chart().mark_tick(color=CHANCE, thickness=2, size=9 if several else 14)
        drawn.append(tick.encode(x=altair.X(f"{dots.tick}:Q", scale=scale), **where))
    interval = altair.Chart().mark_rule(strokeWidth=1.5, clip=True)
    point = altair.Chart().mark_point(filled=True, size=45, opacity=1)
    low = altair.X("low:Q", scale=scale, title=dots.title, axis=axis)
    drawn.append(interval.encode(x=low, x2="high:Q", **where, **tint))
    drawn.append(point.encode(x=altair.X(f"{dots.value}:Q", scale=scale), **where, **tint, **form))
    return drawn


def step(table: "polars.DataFrame", dots: Dots) -> "altair.Step":
    """The height of a row, or of a series within it."""
    import altair

    return altair.Step(11 if has_several(table, dots) else 18)


def has_several(table: "polars.DataFrame", dots: Dots) -> bool:
    """Whether there is more than one series to tell apart."""
    return bool(dots.series) and table[dots.series].n_unique() > 1


def around(table: "polars.DataFrame", *columns: str) -> tuple[float, float]:
    """A domain for differences, as wide to the left of zero as to the right."""
    import polars

    widest = table.select(polars.max_horizontal(polars.col(*columns).abs().fill_nan(None).max())).item()
    return (-1.05 * widest, 1.05 * widest) if widest else (-0.1, 0.1)
