"""The look of all charts: fonts, colours, shapes and axes."""

import math
import re
from collections.abc import Iterable
from typing import Any

import altair
import polars
import polars.selectors

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
"""The palette of Okabe and Ito, which colour-blind readers can distinguish."""

SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left"]
"""One more than there are colours, so that pairs of both still differ when they are reused."""

DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2, 1, 2], [10, 4]]
"""Line patterns that can be distinguished in black and white."""

ACCURACY = "Accuracy (%)"
CHANCE = "#888888"
ZERO = "#444444"
"""The line at no difference, which is solid; that at chance is grey and dashed."""
CHART_WIDTH = 420
MAX_TICKS = 6
"""Powers of ten that fit on an axis."""
MIN_TICKS = 3
"""Ticks that an axis needs to be readable."""


def inline_data(table: polars.DataFrame) -> altair.InlineData:
    """The rows of a table as the data of a chart; numbers that are not finite are missing."""
    finite = polars.when(polars.selectors.float().is_finite()).then(polars.selectors.float())
    # As text the rows are one value; as a list they would be copied whenever the chart is.
    return altair.InlineData(values=table.with_columns(finite).write_json(), format=altair.JsonDataFormat(type="json"))


def with_style(chart: Any) -> Any:
    """Give a chart the fonts and lines of all figures."""
    text = {"labelFontSize": 11, "labelLimit": 0}  # cut, two names may look alike; long ones have several lines
    plain = {"titleFontSize": 12, "titleFontWeight": "normal"}
    line = {"domainColor": "#444444", "tickColor": "#444444", "gridColor": "#E4E4E4"}
    symbol = {"symbolLimit": 60, "symbolStrokeWidth": 0, "symbolSize": 60, "symbolOpacity": 1}
    return chart.configure(
        background="white",
        font="Liberation Sans, Arial, sans-serif",
        view=altair.ViewConfig(stroke=None),
        axis=altair.AxisConfig(grid=False, labelFlush=False, **text, **plain, **line),
        legend=altair.LegendConfig(**text, **plain, **symbol),
        header=altair.HeaderConfig(labelFontWeight="bold", **text, **plain),
    )


def percent_axis() -> altair.Axis:
    """An axis that shows shares in per cent."""
    return altair.Axis(labelExpr="format(100 * datum.value, '.0f')")


def chance_rule() -> altair.Chart:
    """The dashed line at chance of all charts."""
    return altair.Chart().mark_rule(color=CHANCE, strokeDash=[5, 4])


def log_axis(values: Iterable[float], title: str, **options: Any) -> dict[str, Any]:
    """Title, scale and axis of a logarithmic axis that spans the values.

    Ticks are at 1, 2 and 5 times powers of ten; on a wide range at as many powers of ten as fit; where this would give
    fewer than three, at all multiples. With a zero, the axis is one of log(1 + value / smallest other value).
    """
    values = list(values)
    if min(values) == 0 < max(values):
        return log_axis_from_zero(values, title, **options)
    low, high = min(values), max(values)
    low, high = low / 1.15, high * 1.15
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    wide = math.log10(high / low) > 2
    step = math.ceil(len(powers) / MAX_TICKS) if wide else 1
    choices = [
        [tick for power in powers[::step] for factor in factors if low <= (tick := factor * 10.0**power) <= high]
        for factors in (((1,),) if wide else ((1, 2, 5), range(1, 10)))
    ]
    ticks = next((choice for choice in choices if len(choice) >= MIN_TICKS), choices[0]) or sorted(set(values))
    return {
        "title": title,
        "scale": altair.Scale(type="log", domain=[low, high], nice=False),
        "axis": altair.Axis(values=ticks, **options),
    }


def log_axis_from_zero(values: Iterable[float], title: str, **options: Any) -> dict[str, Any]:
    """Title, scale and axis of log(1 + value / smallest), with ticks at zero and at the ticks of the other values."""
    positive = [value for value in values if value > 0]
    ticks = [0, *log_axis(positive, title)["axis"].values]
    scale = altair.Scale(type="symlog", constant=min(positive), domain=[0, max(positive) * 1.15], nice=False)
    if "format" in options:  # on such an axis Vega would write all ticks in the unit of the largest: 0k for 10
        options["labelExpr"] = f"format(datum.value, '{options.pop('format')}')"
    return {"title": title, "scale": scale, "axis": altair.Axis(values=ticks, **options)}


def share_domain(table: polars.DataFrame, *columns: str) -> list[float]:
    """The domain from the smallest share, rounded down to ten per cent, to one."""
    least = table.select(polars.min_horizontal(polars.col(*columns).fill_nan(None).min())).item()
    return [max(0.0, math.floor(10 * least) / 10) if least is not None else 0.0, 1.0]


def names_in_order(table: polars.DataFrame, column: str) -> list[str]:
    """The distinct names in a column, in order of appearance."""
    names: list[str] = table[column].drop_nulls().unique(maintain_order=True).to_list()
    return names


def sentence_case(name: str) -> str:
    """Write an identifier as words: subject_verb_agreement as Subject verb agreement."""
    words = name.replace("_", " ").strip()
    return re.sub(r"\bnpi\b", "NPI", words[:1].upper() + words[1:], flags=re.IGNORECASE)
