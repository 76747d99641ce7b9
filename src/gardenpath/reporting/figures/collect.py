"""All figures that some runs support."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.figures import accuracy_figures, factor_figures, score_figures, surprisal_figures
from gardenpath.reporting.figures.charts.style import Figure, in_order

if TYPE_CHECKING:
    import polars

    from gardenpath.runs.results import Runs

Made = tuple[dict[str, Figure], dict[str, str]]
"""Figures by name; and by the kind of figure, why there is none."""


def all_figures(results: "Runs") -> dict[str, Figure]:
    """The figures that the runs support, by name, in the order of a report."""
    return figures_and_reasons(results)[0]


def figures_and_reasons(results: "Runs") -> Made:
    """The figures that the runs support, and why others are missing."""
    from gardenpath.statistics.scores import score_table

    outcomes = results.outcomes()
    if not outcomes.height:
        return {}, {"all figures": "the runs have no outcomes"}
    scores = score_table(outcomes, first_only=True)
    return make(
        {
            "accuracy of suites": lambda: accuracy_figures.draw_accuracy(outcomes),
            "accuracy of phenomena": lambda: accuracy_figures.draw_phenomena(outcomes),
            **score_makers(scores),
            "stability to modifiers": lambda: score_figures.draw_stability(
                scores, [manifest.record() for manifest in results.manifests]
            ),
            "accuracy by factor": lambda: factor_figures.draw_levels(outcomes),
            "comparison of methods": lambda: accuracy_figures.draw_methods(results.counted()),
            "shallow predictors": lambda: surprisal_figures.draw_shallow(results),
            "pronoun asymmetry": lambda: surprisal_figures.draw_pronouns(results),
            "surprisal by region": lambda: surprisal_figures.draw_regions(results),
            "log probability by word": lambda: surprisal_figures.draw_traces(results),
        }
    )


def figures_of_scores(scores: "polars.DataFrame") -> dict[str, Figure]:
    """The figures that a table of suite scores supports, such as one of published scores."""
    return make(score_makers(scores))[0]


def score_makers(scores: "polars.DataFrame") -> dict[str, Callable[[], Iterator[Figure]]]:
    """The kinds of figures that suite scores may support."""
    return {
        "score by model": lambda: score_figures.draw_scores(scores),
        "perplexity and score": lambda: score_figures.draw_perplexity(scores),
        "score deltas": lambda: score_figures.draw_deltas(scores),
        "score by circuit": lambda: score_figures.draw_circuits(scores),
        "learning curves": lambda: score_figures.draw_learning(scores),
        "agreement of models": lambda: score_figures.draw_agreement(scores),
    }


def make(makers: dict[str, Callable[[], Iterator[Figure]]]) -> Made:
    """Draw what can be drawn; two figures of one name are numbered."""
    figures: dict[str, Figure] = {}
    reasons: dict[str, str] = {}
    for kind, draw in makers.items():
        try:
            for figure in draw():
                named = with_model(with_name(figure, figures))
                figures[named.name] = named
        except InputError as error:
            reasons[kind] = str(error)
    return figures, reasons


def with_model(figure: Figure) -> Figure:
    """The figure with its model in the caption, where there is but one."""
    models = in_order(figure.table, "model") if "model" in figure.table.columns else []
    return replace(figure, caption=f"{figure.caption} Model: {models[0]}.") if len(models) == 1 else figure


def with_name(figure: Figure, taken: dict[str, Figure]) -> Figure:
    """The figure under a name that no other has."""
    if figure.name not in taken:
        return figure
    return replace(figure, name=next(name for n in count(2) if (name := f"{figure.name}-{n}") not in taken))
