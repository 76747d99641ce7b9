"""All figures that some runs support."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from gardenpath.errors import InputError
from gardenpath.reporting.figures import accuracy_figures, score_figures, surprisal_figures
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.learning_figure import learning_figure
from gardenpath.reporting.report_order import in_report_order
from gardenpath.runs.results import Runs
from gardenpath.statistics.grouping import drop_left_out
from gardenpath.statistics.scores import score_table

Part = TypeVar("Part")
"""A figure or a table of a report."""
ACCURACY, MODELS, LEARNING = "Accuracy", "Models compared", "Learning curves"
FACTORS, SURPRISAL = "Factors of items", "Surprisal"


def all_figures(results: Runs) -> dict[str, Figure]:
    """The figures that the runs support, by name, in the order of the report."""
    return figures_and_reasons(results)[0]


def figures_and_reasons(results: Runs) -> tuple[dict[str, Figure], dict[str, str]]:
    """The figures that the runs support, and the reason why each other kind of figure is missing."""
    results, look = in_report_order(results)
    outcomes = results.outcomes()
    if not outcomes.height:  # suites without predictions
        drawn, _ = collect_figures(
            {SURPRISAL: {"surprisal by region": lambda: surprisal_figures.region_figures(results, look)}}
        )
        return name_figures(drawn, look), {f"{'other' if drawn else 'all'} figures": "the runs have no outcomes"}
    scores = score_table(outcomes, first_only=True)
    records = [manifest.record() for manifest in results.manifests]
    figures, reasons = collect_figures(
        {
            ACCURACY: {
                "accuracy of suites": lambda: accuracy_figures.suite_figures(outcomes, look),
                "accuracy of phenomena": lambda: accuracy_figures.phenomenon_figure(outcomes, look),
                "comparison of methods": lambda: accuracy_figures.method_figure(
                    drop_left_out(results.outcomes()), look
                ),
            },
            MODELS: {
                "score by model": lambda: score_figures.score_figure(scores, look),
                "perplexity and score": lambda: score_figures.perplexity_figure(scores, look),
                "score deltas": lambda: score_figures.delta_figures(scores, look),
                "score by circuit": lambda: score_figures.circuit_figure(scores, look),
                "agreement of models": lambda: score_figures.agreement_figure(scores, look),
                "stability to modifiers": lambda: score_figures.stability_figure(scores, records, look),
            },
            LEARNING: {"learning curves": lambda: learning_figure(scores, results.models, look, outcomes=outcomes)},
            FACTORS: {
                "accuracy by factor": lambda: accuracy_figures.factor_figures(outcomes, look),
                "surface predictors": lambda: surprisal_figures.surface_figure(results, look),
            },
            SURPRISAL: {
                "pronoun asymmetry": lambda: surprisal_figures.reflexive_figures(results, look),
                "surprisal by region": lambda: surprisal_figures.region_figures(results, look),
                "log probability by word": lambda: surprisal_figures.word_figures(results, look),
            },
        }
    )
    return name_figures(figures, look), reasons


def collect_figures(
    sections: Mapping[str, Mapping[str, Callable[[], Iterable[Figure]]]],
) -> tuple[list[Figure], dict[str, str]]:
    """Make the figures of every section, and collect the reasons why some kinds cannot be made."""
    figures: list[Figure] = []
    reasons: dict[str, str] = {}
    for section, kinds in sections.items():
        made, missing = collect_supported(kinds)
        figures += (replace(figure, section=section) for figure in made)
        reasons |= missing
    return figures, reasons


def collect_supported(kinds: Mapping[str, Callable[[], Iterable[Part]]]) -> tuple[list[Part], dict[str, str]]:
    """Make the parts of every kind, and collect the reasons why some kinds cannot be made."""
    parts: list[Part] = []
    reasons: dict[str, str] = {}
    for kind, make in kinds.items():
        try:
            parts += list(make())
        except InputError as error:
            reasons[kind] = str(error)
    return parts, reasons


def name_figures(figures: Iterable[Figure], look: Look) -> dict[str, Figure]:
    """Give figures distinct names, and name the model in the caption where there is only one."""
    named: dict[str, Figure] = {}
    for figure in figures:
        names = (figure.name, *(f"{figure.name}-{number}" for number in range(2, len(named) + 2)))
        name = next(name for name in names if name not in named)
        models = names_in_order(figure.table, "model") if "model" in figure.table.columns else []
        short = [look.models.get(model, model) for model in models]
        caption = f"{figure.caption} Model: {short[0]}." if len(short) == 1 else figure.caption
        named[name] = replace(figure, name=name, caption=caption.strip(), look=look)
    return named
