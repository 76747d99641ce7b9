"""The figures and tables of a grid: what is in which cell, and that every shape can be drawn."""

import json
from typing import Any
from xml.etree import ElementTree

import polars
import pytest

from gardenpath.reporting.figures.charts.grids import panel_columns, scale_of_colours
from gardenpath.reporting.figures.files import chart_to_svg
from gardenpath.reporting.figures.grid_figure import build_grid, grid_analyses, grid_figures
from gardenpath.reporting.page.svg import SVG, inline_svg
from gardenpath.reporting.page.tooltips import with_tooltips
from small_figures import walk

CIRCUITS = ("Agreement", "Licensing")


def scores_of(*models: tuple[str, str | None, int | None, float], circuits: tuple[str, ...] = CIRCUITS) -> Any:
    """Scores of models (name, architecture, words, accuracy) on a suite of each circuit."""
    rows = [
        {
            "model": model, "architecture": architecture, "words": words, "suite": f"s{circuit}", "circuit": circuit,
            "phenomenon": circuit, "accuracy": accuracy, "n": 4, "invalid": 0, "chance": 0.25, "coverage": 0.5,
        }
        for model, architecture, words, accuracy in models
        for circuit in circuits
    ]  # fmt: skip
    schema = {"architecture": polars.String, "words": polars.Int64}
    return polars.DataFrame(rows, schema_overrides=schema)


MIXED = scores_of(
    ("people", None, None, 0.95), ("smollm2", "Llama", None, 0.9), ("l1", "LSTM", 60_000, 0.5),
    ("l2", "LSTM", 60_000, 0.7), ("l3", "LSTM", 125_000, 0.75), ("g", "GPT-2", 125_000, 0.8),
)  # fmt: skip


def test_rows_and_columns_are_in_order() -> None:
    """Trained models first, then those from elsewhere, people last, whatever the order of the runs."""
    grid = build_grid(MIXED, people=["people"])
    assert grid.sizes == ("60k", "125k", "other")
    overall, coverage = (analysis.table for analysis in grid_analyses(grid))
    assert overall.rows() == [
        ("LSTM", "60.0 ± 14.1", "75.0", ""),
        ("GPT-2", "", "80.0", ""),
        ("smollm2", "", "", "90.0"),
        ("people", "", "", "95.0"),
    ]
    assert coverage.row(0) == ("LSTM", "50.0", "50.0", "")


def test_the_caption_says_what_is_averaged() -> None:
    figure, by_circuit = grid_figures(build_grid(MIXED, people=["people"]))
    assert "over 2 suites (first prediction of each), averaged over 1 to 2 models" in figure.legend
    assert "Other: models without a recorded training size." in figure.legend
    assert by_circuit.name == "grid-by-circuit"
    assert figure.table.columns[:3] == ["group", "architecture", "words"]  # in full, without labels of the chart


def test_a_cell_tells_its_spread_under_the_mouse() -> None:
    figure = next(iter(grid_figures(build_grid(MIXED, people=["people"]))))
    page = inline_svg(with_tooltips(chart_to_svg(figure.chart)), prefix="grid-", label="Grid")
    titles = [title.text for title in ElementTree.fromstring(page).iter(f"{{{SVG}}}title")]
    expected = "LSTM, 60k words: 60.0 % ± 14.1 (2 models, 50.0 to 70.0); chance 25.0 %; coverage 50.0 %; 2 suites"
    assert titles.count(expected) == 4  # the cell and its number, of scores and of coverage
    assert "aria-label" not in page.replace('aria-label="Grid"', "")
    assert ">60.0</text>" in page


def test_chance_is_a_mark_on_the_scale() -> None:
    legend = scale_of_colours(0.3).to_dict()
    assert legend["values"] == [0.0, 0.3, 0.5, 0.75, 1.0]  # 0.25 would be in the way
    assert scale_of_colours(None).to_dict()["values"] == [0.0, 0.25, 0.5, 0.75, 1.0]
    figure = next(iter(grid_figures(build_grid(MIXED))))
    labels = [part["labelExpr"] for part in walk(figure.chart.to_dict()) if "gradientLength" in part]
    assert sum("chance" in label for label in labels) == 1  # coverage has none


SHAPES = {
    "one model": [("l", "LSTM", 60_000, 0.5)],
    "no sizes": [("a", None, None, 0.5), ("b", "GPT-2", None, 0.6)],
    "people only": [("people", None, None, 0.9)],
    "forty rows": [(f"m{number}", f"kind {number}", 60_000, number / 40) for number in range(40)],
    "many sizes": [(f"m{number}", "LSTM", 1000 * 2**number, 0.5) for number in range(12)],
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_drawn(name: str) -> None:
    grid = build_grid(scores_of(*SHAPES[name]), people=["people"])
    for figure in grid_figures(grid):
        svg = chart_to_svg(figure.chart)
        rows = json.loads(next(iter(figure.chart.to_dict()["datasets"].values())))
        assert len({row["row"] for row in rows}) == figure.table["architecture"].n_unique()
        assert "NaN" not in svg
        assert svg.count("rect mark") > 0


def test_one_group_of_suites_has_no_panels() -> None:
    grid = build_grid(scores_of(("l", "LSTM", 60_000, 0.5), circuits=("Agreement",)))
    assert [figure.name for figure in grid_figures(grid)] == ["grid"]


def test_wide_panels_are_below_one_another() -> None:
    assert [panel_columns(6, sizes) for sizes in (2, 6, 12)] == [3, 2, 1]
    assert panel_columns(4, 2) == 2
    assert panel_columns(1, 2) == 1
