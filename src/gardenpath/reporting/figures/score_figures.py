"""Figures of mean scores over suites, from a table with a row per model and suite."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts import scores as charts
from gardenpath.reporting.figures.charts.curves import learning_chart
from gardenpath.reporting.figures.charts.heat_maps import agreement_heat_map
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.figure import MAX_PANELS, Figure, exclusion_note, keep_first
from gardenpath.reporting.formula_in_words import enumerate_names
from gardenpath.statistics.accuracy import macro_mean
from gardenpath.statistics.agreement import model_agreement
from gardenpath.statistics.learning_curves import learning_curve
from gardenpath.statistics.published import GENERALIZATION, NOT_AVERAGED
from gardenpath.statistics.regression import score_deltas
from gardenpath.statistics.robustness import modified_suites, modifier_means, modifier_pairs
from gardenpath.statistics.scores import ALL_GROUPS, rows_with, shared_suites
from gardenpath.statistics.surface_predictors import perplexity_and_score
from gardenpath.suites.display import count_noun

SUITE_BOOTSTRAP = "With bootstrap 95 % intervals of the mean over suites."
MAX_CHART_MODELS = 60
"""Models that fit into one chart."""
MAX_CORRELATED = 30
"""Models that fit into a heat map of correlations."""


def averaged_suites(scores: polars.DataFrame) -> tuple[polars.DataFrame, str, str]:
    """The suites whose mean is the score, the name of the score, and a note on suites excluded from it.

    The SG score is the mean over the suites of Hu et al. (2020) without three that they excluded; where none of these
    was run, over all suites that belong to a circuit.
    """
    rows = scores.filter(polars.col("circuit").fill_null("") != "")
    if not rows.height:
        return scores, "Mean accuracy over suites", ""
    published = scores.filter(polars.col("suite").str.starts_with(f"{GENERALIZATION}/"))
    averaged = published.filter(~polars.col("suite").is_in(NOT_AVERAGED))
    if not averaged.height:
        return rows, charts.SG_SCORE, ""
    of = published["suite"].n_unique()
    excluded = of - averaged["suite"].n_unique()
    note = f" Excluded: {excluded} of {of} suites, as in Hu et al. (2020)." if excluded else ""
    return averaged, charts.SG_SCORE, note


def shared_scores(scores: polars.DataFrame) -> tuple[polars.DataFrame, str, str]:
    """Like `averaged_suites`, of suites on which all models were run, so that their means can be compared."""
    rows, measure, note = averaged_suites(scores)
    rows = rows.filter(polars.col("accuracy").is_not_null())
    require_several(rows, "model")
    shared = shared_suites(rows)
    if shared["suite"].n_unique() < 2:
        raise InputError("needs at least 2 suites on which all models were run")
    return shared, measure, note + exclusion_note(rows, shared)


def require_several(table: polars.DataFrame, column: str, least: int = 2) -> None:
    """Refuse a table with too few names in a column."""
    number = table[column].n_unique()
    if number < least:
        raise InputError(f"needs at least {least} {column}s; the runs have {number}")


def score_figure(scores: polars.DataFrame) -> Iterator[Figure]:
    """The mean score of every model."""
    rows, measure, note = shared_scores(scores)
    table = macro_mean(rows).sort("accuracy", descending=True, nulls_last=True)
    shown, more = keep_first(table, "model", MAX_CHART_MODELS)
    suites = rows.unique("suite", maintain_order=True)
    chance = None if suites["chance"].has_nulls() else suites.select(polars.col("chance").mean()).item()
    caption = f"Mean accuracy over {suites.height} suites. {SUITE_BOOTSTRAP}{note}"
    dashed = "" if chance is None else "Dashed line: chance. "
    chart = charts.score_chart(shown, chance=chance, title=measure)
    yield Figure("score-by-model", f"{measure} by model", caption, chart, table, f"{dashed}{more}".strip())


def perplexity_figure(scores: polars.DataFrame) -> Iterator[Figure]:
    """The score of every model against its perplexity."""
    known = scores.filter(polars.col("perplexity").is_finite(), polars.col("perplexity") > 0)
    if known["model"].n_unique() < 2:
        raise InputError("needs at least 2 models of known perplexity")
    rows, measure, note = shared_scores(known)
    table = perplexity_and_score(rows)
    title = f"Perplexity and {measure if measure == charts.SG_SCORE else measure.lower()}"
    caption = f"{SUITE_BOOTSTRAP} Perplexities over different vocabularies are not strictly comparable.{note}"
    shapes = "Each point is a model; shapes are architectures, darker points were trained on more tokens."
    yield Figure("perplexity-and-score", title, caption, charts.perplexity_chart(table, title=measure), table, shapes)


def delta_figures(scores: polars.DataFrame) -> Iterator[Figure]:
    """Scores relative to the mean of all models, by architecture and training size, overall and by circuit."""
    rows, measure, note = shared_scores(scores)
    table = score_deltas(rows).filter(polars.col("level").n_unique().over("factor") > 1)
    if not table.height:
        raise InputError("needs at least two architectures or two training sizes")
    caption = (
        "Difference between the score of a model on a suite and the mean of all models on that suite, averaged. "
        f"With bootstrap 95 % intervals.{note}"
    )
    names = {"architecture": "architecture", "words": "training size"}
    factors = [name for factor, name in names.items() if factor in table["factor"]]
    title = f"{measure} delta"
    overall = table.filter(polars.col("circuit") == ALL_GROUPS)
    chart = charts.delta_chart(overall, title=title)
    yield Figure("score-deltas", f"{title} by {enumerate_names(factors)}", caption, chart, overall)
    by_circuit = table.filter(polars.col("circuit") != ALL_GROUPS)
    if by_circuit["circuit"].n_unique() > 1:
        chart = charts.circuit_delta_chart(by_circuit, title=title)
        by = f"{title} by {enumerate_names(['circuit', *factors])}"
        yield Figure("score-deltas-by-circuit", by, caption, chart, by_circuit)


def circuit_figure(scores: polars.DataFrame) -> Iterator[Figure]:
    """The score of every model in every circuit."""
    rows, measure, note = averaged_suites(scores)
    known = rows.filter(polars.col("circuit").fill_null("") != "", polars.col("accuracy").is_not_null())
    rows = shared_suites(known, ["circuit"])
    require_several(rows, "circuit")
    note += exclusion_note(known, rows, models="models evaluated on the circuit")
    chance = rows.group_by("circuit").agg(polars.col("chance").mean())
    table = macro_mean(rows, ("model", "circuit")).join(chance, on="circuit", how="left", maintain_order="left")
    shown, more = keep_first(table, "model", MAX_CHART_MODELS)
    chart = charts.circuit_chart(shown.sort("circuit", maintain_order=True), title=measure)
    title, ticks = f"{measure} by circuit and model", f"Grey ticks: chance. {more}".strip()
    yield Figure("score-by-circuit", title, f"{SUITE_BOOTSTRAP}{note}", chart, table, ticks)


def stability_figure(scores: polars.DataFrame, manifests: Iterable[Mapping[str, Any]]) -> Iterator[Figure]:
    """Scores with and without modifiers."""
    if not modified_suites(manifests):
        raise InputError("needs suites that add a modifier to the items of other suites")
    _, measure, _ = averaged_suites(scores)
    found = modifier_pairs(scores, manifests)
    pairs = shared_suites(found, unit="modified")
    if not pairs.height:
        raise InputError("needs suites with and without a modifier on which all models were run")
    table = modifier_means(pairs)
    shown, more = keep_first(table, "model", MAX_CHART_MODELS)
    caption = (
        f"Mean over {count_noun(pairs['modified'].n_unique(), 'pair')} of suites that differ in a modifier before the "
        f"critical region. With bootstrap 95 % intervals over pairs.{exclusion_note(found, pairs, column='modified')}"
    )
    title, chart = f"{measure} with and without modifiers", charts.stability_chart(shown, title=measure)
    yield Figure("stability-to-modifiers", title, caption, chart, table, more)


def learning_figure(scores: polars.DataFrame) -> Iterator[Figure]:
    """Accuracy against training size."""
    # Each suite of Hu et al. has its own phenomenon; its circuit is what it shares with others.
    by_circuit = scores["phenomenon"].n_unique() > MAX_PANELS and (scores["circuit"].fill_null("") != "").all()
    rows = rows_with(scores.with_columns(phenomenon="circuit") if by_circuit else scores, "words")
    growing = rows.filter(polars.col("words").n_unique().over(polars.col("architecture").fill_null("")) > 1)
    if not growing.height:
        raise InputError("needs an architecture trained on corpora of at least two sizes")
    shared = shared_suites(growing)  # the curves of all architectures are in the same panels
    table = learning_curve(shared)
    panels, more = keep_first(table.filter(polars.col("phenomenon") != ALL_GROUPS), "phenomenon")
    shown = polars.concat([panels, table.filter(polars.col("phenomenon") == ALL_GROUPS)])
    grey = "" if table["architecture"].n_unique() > 1 else "Grey: the mean over all. "
    caption = (
        f"Mean accuracy over the suites of a {'circuit' if by_circuit else 'phenomenon'}, with standard deviations "
        f"over models of the same architecture and training size.{exclusion_note(growing, shared)}"
    )
    note = f"{grey}{more}".strip()
    yield Figure("learning-curves", "Accuracy by training size", caption, learning_chart(shown), table, note)


def agreement_figure(scores: polars.DataFrame) -> Iterator[Figure]:
    """Correlations of the accuracies of every two models over suites."""
    require_several(scores, "model")
    require_several(scores, "suite", 3)
    table = model_agreement(scores, unit="suite")
    if not table.filter(polars.col("model_a") != polars.col("model_b"))["r"].count():
        raise InputError("no two models were run on three suites of different accuracies")
    first = names_in_order(table, "model_a")[:MAX_CORRELATED]
    shown = table.filter(polars.col("model_a").is_in(first), polars.col("model_b").is_in(first))
    more = f"Only the first {MAX_CORRELATED} models are shown; the table has all of them."
    note = "" if shown.height == table.height else more
    caption = "Pearson correlation of the accuracies of two models over the suites on which both were run."
    title = "Correlation of accuracies between models"
    yield Figure("agreement-of-models", title, caption, agreement_heat_map(shown), table, note)
