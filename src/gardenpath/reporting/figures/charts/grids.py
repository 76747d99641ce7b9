"""Charts of the grid of an experiment: heat maps of architecture by training size."""

from dataclasses import dataclass
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.heat_maps import BARE, cells_with_numbers
from gardenpath.reporting.figures.charts.labels import LINE, expression_table, label_expression, wrap
from gardenpath.reporting.figures.charts.style import ACCURACY, inline_data, names_in_order, with_style

ROW_CHARACTERS, PANEL_CHARACTERS = 36, 30
"""Characters on a line of the name of a row, and of a panel."""
TRAINING_WORDS, COVERAGE = "Training words", "Coverage (%)"
SCHEMES = {"score": "blues", "coverage": "greens"}
TITLES = {"score": ACCURACY, "coverage": COVERAGE}
DARK = 0.72
"""The share from which numbers are white."""
BESIDE = 8
"""Sizes up to which two maps fit beside each other; of more, one is below the other."""
PANEL_COLUMNS = 3
GRADIENT = 150
"""The length of the scale of colours in pixels."""
APART = 0.09
"""Shares closer than this to chance are not on the scale, where their labels would overlap."""
TITLE: dict[str, Any] = {"anchor": "middle", "fontSize": 12, "fontWeight": "bold", "offset": 8}


@dataclass(frozen=True, slots=True)
class GridLayout:
    """Rows and columns of a grid, and how its cells are drawn."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    axis_title: str | None = TRAINING_WORDS
    cell: tuple[int, int] = (46, 24)
    """Width and height in pixels."""
    font_size: int = 11
    decimals: int = 1

    @property
    def labelled(self) -> bool:
        """Whether columns have labels; a single column without a title has none."""
        return len(self.columns) > 1 or self.axis_title is not None


def grid_chart(table: polars.DataFrame, layout: GridLayout, *, chance: float | None) -> Any:
    """Draw scores and, beside them, coverage.

    Columns: row, column, score, coverage, tip (what is shown of a cell under the mouse).
    """
    below = len(layout.columns) > BESIDE
    maps = [
        heat_map(layout, value, chance=chance if value == "score" else None, named=below or value == "score")
        .properties(data=inline_data(table), title=altair.Title(TITLES[value], **TITLE))
        .properties(width=altair.Step(layout.cell[0]), height=altair.Step(layout.cell[1]))
        for value in ("score", "coverage")
    ]
    joined = altair.vconcat(*maps) if below else altair.hconcat(*maps, spacing=30)
    return with_style(joined.resolve_scale(color="independent"))


def grid_panels_chart(table: polars.DataFrame, layout: GridLayout, *, chance: float | None) -> Any:
    """Draw a small heat map of scores for each group of suites.

    Columns: panel, chance (of the panel), row, column, score, tip.
    """
    panels = names_in_order(table, "panel")
    columns = panel_columns(len(panels), len(layout.columns))
    header = altair.Header(labelExpr=f"{expression_table(panel_titles(table))}[datum.value]")
    facet = altair.Facet("panel:N", title=None, sort=panels, header=header)
    width, height = layout.cell[0] * len(layout.columns), layout.cell[1] * len(layout.rows)
    inner = heat_map(layout, "score", chance=chance, named=True, scale_title=ACCURACY)
    inner = inner.properties(width=width, height=height)
    chart = inner.facet(facet=facet, columns=columns, data=inline_data(table), spacing={"row": 20, "column": 16})
    return with_style(chart.resolve_axis(x="independent") if len(panels) % columns else chart)


def panel_columns(panels: int, sizes: int) -> int:
    """How many panels are beside each other: fewer where they are wide, and so that the last row is not short."""
    most = 1 if sizes > BESIDE else 2 if sizes > BESIDE // 2 or panels == 2 * 2 else PANEL_COLUMNS
    return min(most, panels)


def panel_titles(table: polars.DataFrame) -> dict[str, list[str]]:
    """The lines above each panel: its name, and its chance where that is known."""
    rows = table.select("panel", "chance").unique("panel", keep="first", maintain_order=True).iter_rows()
    return {
        panel: [*wrap(panel, PANEL_CHARACTERS).split(LINE), *([] if chance is None else [f"chance {100 * chance:.0f}"])]
        for panel, chance in rows
    }


def heat_map(
    layout: GridLayout, value: str, *, chance: float | None, named: bool, scale_title: str | None = None
) -> altair.LayerChart:
    """Draw one heat map, without its data; `named`: whether rows have their names."""
    rows, columns = list(layout.rows), list(layout.columns)
    bottom = altair.Axis(labelAngle=0, labels=layout.labelled, **BARE, **label_expression(columns, 10))
    left = altair.Axis(labels=named, labelPadding=6, **BARE, **label_expression(rows, ROW_CHARACTERS))
    base = altair.Chart().encode(
        x=altair.X(
            "column:N",
            title=layout.axis_title,
            sort=columns,
            scale=altair.Scale(domain=columns, padding=0),
            axis=bottom,
        ),
        y=altair.Y("row:N", title=None, sort=rows, scale=altair.Scale(domain=rows, padding=0), axis=left),
        tooltip=altair.Tooltip("tip:N"),
        description=altair.Description("tip:N"),
    )
    shade = altair.Color(
        f"{value}:Q", title=scale_title, scale=altair.Scale(domain=[0, 1], scheme=SCHEMES[value]),
        legend=scale_of_colours(chance),
    )  # fmt: skip
    number = f"isValid(datum.{value}) ? format(100 * datum.{value}, '.{layout.decimals}f') : '–'"
    return cells_with_numbers(base, shade, number=number, dark=f"datum.{value} > {DARK}", font_size=layout.font_size)


def scale_of_colours(chance: float | None) -> altair.Legend:
    """The legend of shares in per cent, with a mark at chance."""
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    label = "format(100 * datum.value, '.0f')"
    if chance is not None:
        ticks = sorted([*(tick for tick in ticks if abs(tick - chance) >= APART), chance])
        label = f"abs(datum.value - {chance!r}) < 1e-9 ? ['▲', 'chance ' + format(100 * {chance!r}, '.0f')] : {label}"
    return altair.Legend(
        orient="bottom", direction="horizontal", gradientLength=GRADIENT, gradientThickness=10, values=ticks,
        labelExpr=label, labelOverlap=False, titleOrient="top",
    )  # fmt: skip
