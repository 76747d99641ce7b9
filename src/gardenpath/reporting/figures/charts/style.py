"""How all figures look: colours, shapes, axes, and what keeps many rows readable."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair
    import polars

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
"""Okabe and Ito's, which colour-blind readers can tell apart."""

SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left"]
"""One more than colours: when both begin again, the pairs still differ."""

DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 2, 1, 2], [10, 4]]
"""Lines that can be told apart in grey print."""

ACCURACY = "Accuracy (%)"
CHANCE = "#888888"
WIDTH = 420
LABEL_LIMIT = 320
TICKS = 6
"""Powers of ten that have room on an axis."""
FEWEST_TICKS = 3
"""From which a scale can be read off."""
PANELS = 12
"""More facets than this do not fit on a page."""

PATH = re.compile(r"(?P<folder>[\w.~-]*/(?:[\w.~-]+/)*)[\w.-]+")


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its words and numbers."""

    name: str
    """What its files are called."""
    title: str
    caption: str
    """What the numbers are, and what was left out: as true of the table as of the picture."""
    chart: "altair.TopLevelMixin"
    table: "polars.DataFrame"
    """The numbers drawn, with names in full."""
    drawn: str = ""
    """What only who sees the picture must be told."""

    @property
    def legend(self) -> str:
        """What stands below the picture."""
        return f"{self.caption} {self.drawn}".strip()


def data_of(table: "polars.DataFrame") -> "altair.InlineData":
    """The rows as data of a chart; what is not a finite number is missing."""
    import altair
    import polars
    import polars.selectors as columns

    finite = polars.when(columns.float().is_finite()).then(columns.float())
    # As text the rows are one value; as a list they would be copied by every step that makes the chart.
    return altair.InlineData(values=table.with_columns(finite).write_json(), format=altair.JsonDataFormat(type="json"))


def styled(chart: Any) -> Any:
    """The chart with the fonts and lines of all figures."""
    import altair

    text = {"labelFontSize": 11, "labelLimit": LABEL_LIMIT}
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


def share_axis(**options: Any) -> "altair.Axis":
    """An axis of shares, written in per cent."""
    import altair

    return altair.Axis(labelExpr="format(100 * datum.value, '.0f')", **options)


def colour(field: str, names: Sequence[str], *, title: str | None = None, **options: Any) -> "altair.Color":
    """A colour for each name, beginning again after the last."""
    import altair

    return altair.Color(f"{field}:N", scale=cycled(names, COLOURS), title=title, **options)


def shape(field: str, names: Sequence[str], *, title: str | None = None, **options: Any) -> "altair.Shape":
    """A shape for each name; with the same names and title as the colour there is one legend for both."""
    import altair

    return altair.Shape(f"{field}:N", scale=cycled(names, SHAPES), title=title, **options)


def dash(field: str, names: Sequence[str], *, title: str | None = None, **options: Any) -> "altair.StrokeDash":
    """A kind of line for each name."""
    import altair

    return altair.StrokeDash(f"{field}:N", scale=cycled(names, DASHES), title=title, **options)


def cycled(names: Sequence[str], values: Sequence[Any]) -> "altair.Scale":
    """A scale that gives each name a value, in turn."""
    import altair

    return altair.Scale(domain=list(names), range=[values[place % len(values)] for place in range(len(names))])


def log_axis(values: Iterable[float], title: str, **options: Any) -> dict[str, Any]:
    """Title, scale and axis of a logarithmic axis around some values.

    Ticks stand at 1, 2 and 5 times powers of ten; where they would be too many, at as many powers as have room; where
    they would be one or two, at all multiples.
    """
    import altair

    low, high = min(values := list(values)), max(values)
    low, high = low / 1.15, high * 1.15
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    wide = math.log10(high / low) > 2
    step = math.ceil(len(powers) / TICKS) if wide else 1
    choices = [
        [tick for power in powers[::step] for factor in factors if low <= (tick := factor * 10.0**power) <= high]
        for factors in (((1,),) if wide else ((1, 2, 5), range(1, 10)))
    ]
    ticks = next((choice for choice in choices if len(choice) >= FEWEST_TICKS), choices[0]) or sorted(set(values))
    return {
        "title": title,
        "scale": altair.Scale(type="log", domain=[low, high], nice=False),
        "axis": altair.Axis(values=ticks, **options),
    }


def share_domain(table: "polars.DataFrame", *columns: str) -> list[float]:
    """From the ten per cent below the least share to all."""
    import polars

    least = table.select(polars.min_horizontal(polars.col(*columns).fill_nan(None).min())).item()
    return [max(0.0, math.floor(10 * least) / 10) if least is not None else 0.0, 1.0]


def in_order(table: "polars.DataFrame", column: str) -> list[str]:
    """The names in a column, in the order they appear."""
    names: list[str] = table[column].drop_nulls().unique(maintain_order=True).to_list()
    return names


def shortened(table: "polars.DataFrame", columns: Iterable[str] = ("model", "suite")) -> "polars.DataFrame":
    """The table with its paths without folders, where nothing else is called so."""
    import polars

    changes = {column: short_names(in_order(table, column)) for column in columns if column in table.columns}
    return table.with_columns(polars.col(column).replace(names) for column, names in changes.items())


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names without a folder that several share, and whole paths without all folders, unless two become the same."""
    folders = {name: found["folder"] for name in names if (found := PATH.fullmatch(name))}
    shared = Counter(folders.values())
    short = {
        name: name.removeprefix(folders[name])
        if name in folders and (shared[folders[name]] > 1 or name[0] in "/.~")
        else name
        for name in names
    }
    count = Counter(short.values())
    return {name: brief if count[brief] == 1 else name for name, brief in short.items()}


def first_of(table: "polars.DataFrame", column: str, most: int = PANELS) -> tuple["polars.DataFrame", str]:
    """The rows of the first names in a column, and a note where there are more."""
    import polars

    names = in_order(table, column)
    if len(names) <= most:
        return table, ""
    note = f"Shown are the first {most} of {len(names)}; the table has all."
    return table.filter(polars.col(column).is_in(names[:most])), note


def slug(name: str) -> str:
    """A name that any file system takes."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", name).strip("-.")[:100] or "figure"


def sentence_case(name: str) -> str:
    """A name with underscores as people write it: subject_verb_agreement as Subject verb agreement."""
    words = name.replace("_", " ").strip()
    return re.sub(r"\bnpi\b", "NPI", words[:1].upper() + words[1:], flags=re.IGNORECASE)
