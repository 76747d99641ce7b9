"""Figures for papers: one specification, written as PNG, SVG, PDF or interactive HTML by the ending of the file.

Each function takes a table and gives a chart; `all_figures` makes those that some runs support.
"""

from gardenpath.reporting.figures.charts.accuracy import accuracy_figure, label
from gardenpath.reporting.figures.charts.style import COLOURS, Figure
from gardenpath.reporting.figures.collect import all_figures, figures_and_reasons, figures_of_scores
from gardenpath.reporting.figures.files import svg_of, write_figure, write_figures

__all__ = [
    "COLOURS",
    "Figure",
    "accuracy_figure",
    "all_figures",
    "figures_and_reasons",
    "figures_of_scores",
    "label",
    "svg_of",
    "write_figure",
    "write_figures",
]
