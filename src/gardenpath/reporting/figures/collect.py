"""All figures that some runs support."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures import accuracy_figures, factor_figures, score_figures, surprisal_figures
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.figure import Figure
from gardenpath.runs.results import Runs
from gardenpath.statistics.scores import score_table

Drawing = Mapping[str, Callable[[], Iterator[Figure]]]
"""Draws the figures of each kind, or raises the reason why there is none."""


def all_figures(results: Runs) -> dict[str, Figure]:
    """The figures that the runs support, by name, in the order of the report."""
    return figures_and_reasons(results)[0]


def figures_and_reasons(results: Runs) -> tuple[dict[str, Figure], dict[str, str]]:
    """The figures that the runs support, and the reason why each other kind of figure is missing."""
    outcomes = results.outcomes()
    if not outcomes.height:
        return {}, {"all figures": "the runs have no outcomes"}
    scores = score_table(outcomes, first_only=True)
    return draw_supported(
        {
            "accuracy of suites": lambda: accuracy_figures.suite_figures(outcomes),
            "accuracy of phenomena": lambda: accuracy_figures.phenomenon_figure(outcomes),
            **score_drawing(scores),
            "stability to modifiers": lambda: score_figures.stability_figure(
                scores, [manifest.record() for manifest in results.manifests]
            ),
            "accuracy by factor": lambda: factor_figures.factor_figures(outcomes),
            "comparison of methods": lambda: accuracy_figures.method_figure(results.counted()),
            "surface predictors": lambda: surprisal_figures.surface_figure(results),
            "pronoun asymmetry": lambda: surprisal_figures.reflexive_figures(results),
            "surprisal by region": lambda: surprisal_figures.region_figures(results),
            "log probability by word": lambda: surprisal_figures.word_figures(results),
        }
    )


def figures_of_scores(scores: polars.DataFrame) -> dict[str, Figure]:
    """The figures that a table of suite scores supports, such as one of published scores."""
    return draw_supported(score_drawing(scores))[0]


def score_drawing(scores: polars.DataFrame) -> Drawing:
    """The kinds of figures that are drawn from suite scores."""
    return {
        "score by model": lambda: score_figures.score_figure(scores),
        "perplexity and score": lambda: score_figures.perplexity_figure(scores),
        "score deltas": lambda: score_figures.delta_figures(scores),
        "score by circuit": lambda: score_figures.circuit_figure(scores),
        "learning curves": lambda: score_figures.learning_figure(scores),
        "agreement of models": lambda: score_figures.agreement_figure(scores),
    }


def draw_supported(drawing: Drawing) -> tuple[dict[str, Figure], dict[str, str]]:
    """Draw every kind of figure, under distinct names, and collect the reasons why some cannot be drawn."""
    figures: dict[str, Figure] = {}
    reasons: dict[str, str] = {}
    for kind, draw in drawing.items():
        try:
            for figure in draw():
                names = (figure.name, *(f"{figure.name}-{number}" for number in range(2, len(figures) + 2)))
                name = next(name for name in names if name not in figures)
                figures[name] = replace(with_model(figure), name=name)
        except InputError as error:
            reasons[kind] = str(error)
    return figures, reasons


def with_model(figure: Figure) -> Figure:
    """Name the model in the caption where there is only one."""
    models = names_in_order(figure.table, "model") if "model" in figure.table.columns else []
    return replace(figure, caption=f"{figure.caption} Model: {models[0]}.") if len(models) == 1 else figure
