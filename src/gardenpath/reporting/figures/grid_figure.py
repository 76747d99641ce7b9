"""The figures of an experiment's grid: architecture by training size, scores beside coverage, then groups of suites."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars

from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.cell_formatting import format_percent
from gardenpath.reporting.figures.charts.grids import TRAINING_WORDS, GridLayout, grid_chart, grid_panels_chart
from gardenpath.reporting.figures.charts.labels import short_counts
from gardenpath.reporting.figures.charts.style import names_in_order, sentence_case
from gardenpath.reporting.figures.figure import MAX_PANELS, Figure, keep_first
from gardenpath.reporting.short_names import short_names
from gardenpath.statistics.grouping import by_appearance
from gardenpath.statistics.score_grid import score_grid
from gardenpath.statistics.scores import ALL_GROUPS
from gardenpath.suites.display import count_noun

OTHER = "other"
"""The column of models without a training size."""
MAX_ROWS = 60
"""Rows that fit into a figure."""
MANY_ROWS = 15
"""Rows that are as high as is pleasant; if there are more, they are lower."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a grid: `score_grid` with the labels that figures and tables show."""

    table: polars.DataFrame
    """As `score_grid`, with `row`, `column` and `tip`."""
    group: str
    """What groups of suites are: circuit or phenomenon."""
    sizes: tuple[str, ...]
    """The columns, smallest training size first, `other` last."""

    @property
    def overall(self) -> polars.DataFrame:
        """The cells of all suites."""
        return self.table.filter(polars.col("group") == ALL_GROUPS)

    @property
    def chance(self) -> float | None:
        """The mean chance of all suites."""
        chance: float | None = self.overall["chance"][0]
        return chance

    @property
    def suites(self) -> int:
        """How many suites scores are means of."""
        most = self.overall["suites"].max()
        assert isinstance(most, int)
        return most


def build_grid(scores: polars.DataFrame, *, people: Iterable[str] = ()) -> Grid:
    """Compute the grid of the models of an experiment from their scores on the first predictions of suites.

    scores: as `score_grid` takes them, with phenomenon and circuit. people: names of models that are people.
    """
    apart = set(people)
    circuits = (scores["circuit"].fill_null("") != "").any()
    group = "circuit" if circuits else "phenomenon"
    table = order_rows(score_grid(scores, group=group, apart=apart), apart)
    sizes = short_counts(sorted(table["words"].drop_nulls().unique().to_list()))
    short = short_names(names_in_order(table, "architecture"))
    labelled = table.with_columns(
        polars.col("architecture").replace(short).alias("row"),
        polars.col("words").replace_strict(sizes, default=OTHER, return_dtype=polars.String).alias("column"),
    )
    tips = [describe_cell(cell) for cell in labelled.iter_rows(named=True)]
    columns = [*sizes.values(), *([OTHER] if table["words"].null_count() else [])]
    return Grid(labelled.with_columns(polars.Series("tip", tips)), group, tuple(columns))


def order_rows(table: polars.DataFrame, people: set[str]) -> polars.DataFrame:
    """Put architectures with training sizes first, then models from elsewhere, then people."""
    elsewhere = polars.col("words").is_null().all().over("architecture").cast(polars.Int64)
    last = polars.col("architecture").is_in(sorted(people)).cast(polars.Int64)
    return by_appearance(table, ["group"], elsewhere + last)


def describe_cell(cell: dict[str, Any]) -> str:
    """What a cell shows under the mouse: its models, their mean and spread, chance and coverage."""
    where = cell["row"] if cell["column"] == OTHER else f"{cell['row']}, {cell['column']} words"
    spread = ""
    if cell["models"] > 1 and cell["sd"] is not None:
        least, most = format_percent(cell["least"]), format_percent(cell["most"])
        spread = f" ± {format_percent(cell['sd'])} ({count_noun(cell['models'], 'model')}, {least} to {most})"
    return (
        f"{where}: {format_percent(cell['score'])} %{spread}; chance {format_percent(cell['chance'])} %; "
        f"coverage {format_percent(cell['coverage'])} %; {count_noun(cell['suites'], 'suite')}"
    )


def grid_figures(grid: Grid) -> Iterator[Figure]:
    """The grid over all suites with coverage beside it, and one with a panel for each circuit or phenomenon."""
    shown, more = keep_first(grid.overall, "row", MAX_ROWS)
    chart = grid_chart(shown, layout_of(grid, shown), chance=grid.chance)
    notes = (marked_chance(grid), more)
    yield Figure(
        "grid", "Architecture and training size", describe_grid(grid), chart, numbers_of(grid.overall),
        " ".join(filter(None, notes)),
    )  # fmt: skip
    groups = grid.table.filter(polars.col("group") != ALL_GROUPS)
    if groups["group"].n_unique() < 2:
        return
    panel = polars.col("group").map_elements(sentence_case, return_dtype=polars.String).alias("panel")
    kept, more = keep_first(groups.with_columns(panel), "row", MAX_ROWS)
    kept, more_panels = keep_first(kept, "panel", MAX_PANELS)
    layout = replace(layout_of(grid, kept), decimals=0)
    chart = grid_panels_chart(kept, layout, chance=grid.chance)
    caption = f"Mean accuracy in per cent over the suites of a {grid.group}, averaged over the models in a cell."
    note = " ".join(filter(None, (marked_chance(grid), "Above each panel: its own chance.", more, more_panels)))
    title = f"Architecture and training size by {grid.group}"
    yield Figure(f"grid-by-{grid.group}", title, caption, chart, numbers_of(groups), note)


def layout_of(grid: Grid, shown: polars.DataFrame) -> GridLayout:
    """Rows and columns of the cells that a figure shows; many rows are lower."""
    names, rows = set(shown["column"]), tuple(names_in_order(shown, "row"))
    columns = tuple(column for column in grid.sizes if column in names)
    title = None if columns == (OTHER,) else TRAINING_WORDS
    many = len(rows) > MANY_ROWS
    return GridLayout(rows, columns, title, cell=(42, 17 if many else 24), font_size=10 if many else 11)


def describe_grid(grid: Grid) -> str:
    """The caption of the grid: what a score is, how many models are averaged, what is in the column `other`."""
    cells = grid.overall
    suites = count_noun(grid.suites, "suite")
    numbers = sorted({str(number) for number in cells["models"]}, key=int)
    several = " to ".join(dict.fromkeys((numbers[0], numbers[-1])))
    averaged = "" if several == "1" else f", averaged over {several} models in a cell"
    fewer = cells.filter(polars.col("suites") < grid.suites)
    partial = "".join(f" {row}: over {number} of these." for row, number in fewer.select("row", "suites").iter_rows())
    other = " Other: models without a recorded training size." if OTHER in grid.sizes and len(grid.sizes) > 1 else ""
    return (
        f"Mean accuracy in per cent over {suites} (first prediction of each){averaged}. Coverage is the share of items "
        f"without a word that the model does not know.{other}{partial}"
    )


def marked_chance(grid: Grid) -> str:
    """How the scale of colours shows chance."""
    return "" if grid.chance is None else "The mark on the scale is mean chance."


def numbers_of(cells: polars.DataFrame) -> polars.DataFrame:
    """The numbers of cells, with names in full."""
    return cells.drop("row", "column", "tip", "panel", strict=False)


def grid_analyses(grid: Grid) -> Iterator[Analysis]:
    """The grid as tables with a column for each training size: scores with their spread, and coverage."""
    caption = describe_grid(grid)
    spread = " ±: standard deviation over models." if grid.overall["sd"].count() else ""
    yield Analysis("table-grid", "Scores by architecture and training size", caption + spread, widen(grid, score_text))
    covered = "Share of items in per cent without a word that the model does not know."
    yield Analysis("table-coverage", "Coverage by architecture and training size", covered, widen(grid, coverage_text))


def widen(grid: Grid, text: Callable[[dict[str, Any]], str]) -> polars.DataFrame:
    """The cells of all suites as a row for each architecture and a column for each size."""
    cells = {(cell["architecture"], cell["column"]): text(cell) for cell in grid.overall.iter_rows(named=True)}
    names = names_in_order(grid.overall, "architecture")
    columns = {size: [cells.get((name, size), "") for name in names] for size in grid.sizes}
    return polars.DataFrame({"architecture": names, **columns})


def score_text(cell: dict[str, Any]) -> str:
    """The score of a cell, with its spread where it has one."""
    spread = "" if cell["sd"] is None else f" ± {format_percent(cell['sd'])}"
    return f"{format_percent(cell['score'])}{spread}"


def coverage_text(cell: dict[str, Any]) -> str:
    """The coverage of a cell."""
    return format_percent(cell["coverage"])
