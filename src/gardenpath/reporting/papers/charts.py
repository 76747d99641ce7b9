"""Charts of the papers that put published results beside ours."""

from typing import Any

import polars

from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels, draw_dots
from gardenpath.reporting.figures.charts.scores import SG_SCORE
from gardenpath.reporting.figures.charts.style import ACCURACY, shorten_names, with_style


def class_chart(table: polars.DataFrame, *, chance: float | None) -> Any:
    """Draw the mean score of every model class beside the published one, and a dashed line at chance.

    Columns: model_class, source, accuracy, low, high.
    """
    plot = class_plot(line=chance)
    return with_style(draw_dots(shorten_names(table, ("model_class",)), plot))


def class_circuit_chart(table: polars.DataFrame) -> Any:
    """Draw the score of every model class in every circuit.

    Columns: model_class, source, circuit (a panel each), accuracy, low, high, chance.
    """
    plot = class_plot(tick="chance")
    return with_style(draw_dot_panels(shorten_names(table, ("model_class",)), plot, panels="circuit", columns=2))


def class_plot(*, tick: str = "", line: float | None = None) -> DotPlot:
    """A dot plot of scores with a row for each model class."""
    return DotPlot(
        "model_class", "accuracy", SG_SCORE, series="source", series_title="Results of", domain=(0, 1), tick=tick,
        line=line,
    )  # fmt: skip


def levels_chart(table: polars.DataFrame) -> Any:
    """Draw accuracy by level of a factor for our models, published models and people.

    Columns: model, group (a panel each), level, accuracy, low, high, chance.
    """
    plot = DotPlot(
        "level", "accuracy", ACCURACY, series="model", series_title="Model", domain=(0, 1), percent=True, tick="chance"
    )
    return with_style(draw_dot_panels(shorten_names(table), plot, panels="group", columns=1, shared_rows=False))
