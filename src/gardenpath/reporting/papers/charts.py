"""Charts of the papers that put published results beside ours."""

from dataclasses import replace
from typing import Any

import polars

from gardenpath.reporting.figures.charts.accuracy import plot_by_model
from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels, draw_dots
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.scores import SG_SCORE
from gardenpath.reporting.figures.charts.style import with_style


def class_chart(table: polars.DataFrame) -> Any:
    """Draw the mean score of every model class beside the published one, and chance.

    Columns: model_class, source, accuracy, low, high, chance.
    """
    return with_style(draw_dots(table, CLASS_PLOT))


def class_circuit_chart(table: polars.DataFrame) -> Any:
    """Draw the score of every model class in every circuit.

    Columns: model_class, source, circuit (a panel each), accuracy, low, high, chance.
    """
    return with_style(draw_dot_panels(table, CLASS_PLOT, panels="circuit", columns=2))


CLASS_PLOT = DotPlot(
    "model_class", "accuracy", SG_SCORE, series="source", series_title="Results of", domain=(0, 1), chance="chance"
)
"""Scores with a row for each model class."""


def size_chart(table: polars.DataFrame) -> Any:
    """Draw the mean score of model classes at every training size.

    Columns: size, model_class, accuracy, low, high, chance.
    """
    return with_style(draw_dots(table, replace(CLASS_PLOT, rows="size", series="model_class", series_title="Models")))


def levels_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw accuracy by level of a factor for our models, published models and people.

    Columns: model, group (a panel each), level, accuracy, low, high, chance.
    """
    plot = plot_by_model("level", look)
    return with_style(draw_dot_panels(look.shorten(table), plot, panels="group", columns=1, shared_rows=False))
