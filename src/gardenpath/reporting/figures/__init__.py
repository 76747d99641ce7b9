"""Figures for papers: `charts` draws tables, the other modules choose what to draw and write the captions."""

from gardenpath.reporting.figures.charts.accuracy import accuracy_chart
from gardenpath.reporting.figures.collect import all_figures
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import chart_to_svg, write_chart, write_figures

__all__ = ["Figure", "accuracy_chart", "all_figures", "chart_to_svg", "write_chart", "write_figures"]
