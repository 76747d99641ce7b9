"""Figures of mean scores over suites, from a table with a row per model and suite."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts import scores as charts
from gardenpath.reporting.figures.charts.heat_maps import agreement_heat_map
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.figure import (
    Figure,
    chance_note,
    exclusion_note,
    interval_note,
    keep_first,
    models_note,
)
from gardenpath.reporting.formula_in_words import enumerate_names
from gardenpath.statistics.accuracy import macro_mean
from gardenpath.statistics.agreement import model_agreement
from gardenpath.statistics.published import GENERALIZATION, NOT_AVERAGED
from gardenpath.statistics.robustness import modified_suites, modifier_means, modifier_pairs
from gardenpath.statistics.score_deltas import score_deltas
from gardenpath.statistics.scores import ALL_GROUPS, mean_chance, shared_suites, with_chance
from gardenpath.statistics.surface_predictors import perplexity_and_score
from gardenpath.suites.display import count_noun

SUITE_INTERVAL = "With 95 % intervals of the mean over suites."
DELTA_INTERVALS = "With 95 % intervals over models and suites."
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
    names = shared["suite"].unique(maintain_order=True).to_list()
    if len(names) < 2:
        raise InputError(
            f"needs at least 2 suites{condition_of(scores, rows)} on which all models were run; "
            f"there is {'only ' + repr(names[0]) if names else 'none'}"
        )
    return shared, measure, note + exclusion_note(rows, shared)


def condition_of(scores: polars.DataFrame, averaged: polars.DataFrame) -> str:
    """Say which suites count for a mean, where not all of a table of scores do."""
    counted = averaged["suite"].unique()
    if counted.len() == scores["suite"].n_unique():
        return ""
    collected = counted.str.starts_with(f"{GENERALIZATION}/").all()
    return f" of {GENERALIZATION}" if collected else " that belong to a circuit"


def require_several(table: polars.DataFrame, column: str, least: int = 2, *, of: str = "") -> None:
    """Refuse a table with too few names in a column; `of` describes those that count."""
    number = table[column].n_unique()
    if number < least:
        raise InputError(f"needs at least {least} {column}s{of}; the runs have {number}")


def score_figure(scores: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """The mean score of every model."""
    rows, measure, note = shared_scores(scores)
    table = with_chance(macro_mean(rows), rows)
    shown, more = keep_first(table, "model", MAX_CHART_MODELS)
    caption = f"Mean accuracy over {rows['suite'].n_unique()} suites.{interval_note(table, SUITE_INTERVAL)}{note}"
    chart, chart_note = charts.score_chart(shown, look, title=measure), f"{chance_note(shown)} {more}".strip()
    yield Figure("score-by-model", f"{measure} by model", caption, chart, table, chart_note)


def perplexity_figure(scores: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """The score of every model against its perplexity."""
    finite = polars.col("perplexity").is_finite() & (polars.col("perplexity") > 0)
    known = scores.filter(finite)
    if known["model"].n_unique() < 2:
        raise InputError("needs at least 2 models of known perplexity")
    rows, measure, note = shared_scores(known)
    table = look.in_order(perplexity_and_score(rows))
    title = f"Perplexity and {measure if measure == charts.SG_SCORE else measure.lower()}"
    unknown = set(names_in_order(scores, "model")) - set(names_in_order(known, "model"))
    left_out = models_note("Not shown, as their perplexity is unknown", look.sorted_names(unknown))
    caption = (
        f"Each point is a model.{interval_note(table, SUITE_INTERVAL)} Perplexities over different vocabularies are "
        f"not strictly comparable.{note}{left_out}"
    )
    chance = mean_chance(rows)["chance"][0]
    chart = charts.perplexity_chart(table, look, title=measure, chance=chance)
    dashed = "" if chance is None else "Grey dashed line: chance."
    yield Figure("perplexity-and-score", title, caption, chart, table, dashed)


def delta_figures(scores: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """Scores relative to the mean of all models, by architecture and training size, overall and by circuit."""
    known = scores.filter(polars.any_horizontal(polars.col("architecture", "words").is_not_null()))
    if not known.height:
        raise InputError("neither the architecture nor the training size of any model is known")
    require_several(known, "model", of=" of known architecture or training size")
    rows, measure, note = shared_scores(known)
    table = score_deltas(rows).filter(polars.col("level").n_unique().over("factor") > 1)
    if not table.height:
        raise InputError("needs at least two architectures or two training sizes")
    names = {"architecture": "architecture", "words": "training size"}
    factors = {factor: name for factor, name in names.items() if factor in table["factor"]}
    caption = (
        "Difference between the score of a model on a suite and the mean of "
        f"{rows['model'].n_unique()} models on that suite, averaged.{interval_note(table, DELTA_INTERVALS)}{note}"
        f"{note_left_out(scores, rows, factors, look)}"
    )
    title, by, zero = (
        f"{measure} delta",
        enumerate_names(list(factors.values())),
        "Line at 0: the mean of these models.",
    )
    overall = table.filter(polars.col("circuit") == ALL_GROUPS)
    yield Figure(
        "score-deltas", f"{title} by {by}", caption, charts.delta_chart(overall, look, title=title), overall, zero
    )
    by_circuit = table.filter(polars.col("circuit") != ALL_GROUPS)
    if by_circuit["circuit"].n_unique() > 1:
        chart = charts.circuit_delta_chart(by_circuit, look, title=title)
        by = enumerate_names(["circuit", *factors.values()])
        yield Figure("score-deltas-by-circuit", f"{title} by {by}", caption, chart, by_circuit, zero)


def note_left_out(scores: polars.DataFrame, rows: polars.DataFrame, factors: Mapping[str, str], look: Look) -> str:
    """Sentences on the models that are not in a mean, or in the mean but in no row."""
    left_out = set(names_in_order(scores, "model")) - set(names_in_order(rows, "model"))
    reason = "Left out, as neither their architecture nor their training size is known"
    notes = [models_note(reason, look.sorted_names(left_out))]
    for factor, name in factors.items():
        unknown = rows.filter(polars.col(factor).is_null())["model"].unique().to_list()
        notes.append(models_note(f"In the mean, but in no row, as their {name} is unknown", look.sorted_names(unknown)))
    return "".join(notes)


def circuit_figure(scores: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """The score of every model in every circuit."""
    rows, measure, note = averaged_suites(scores)
    known = rows.filter(polars.col("circuit").fill_null("") != "", polars.col("accuracy").is_not_null())
    rows = shared_suites(known, ["circuit"])
    require_several(rows, "circuit")
    note += exclusion_note(known, rows, models="models evaluated on the circuit")
    table = with_chance(macro_mean(rows, ("model", "circuit")), rows, ["circuit"])
    shown, more = keep_first(table, "model", MAX_CHART_MODELS)
    chart = charts.circuit_chart(shown.sort("circuit", maintain_order=True), look, title=measure)
    caption = f"Mean accuracy over the suites of a circuit.{interval_note(table, SUITE_INTERVAL)}{note}"
    chart_note = f"{chance_note(shown)} {more}".strip()
    yield Figure("score-by-circuit", f"{measure} by circuit and model", caption, chart, table, chart_note)


def stability_figure(scores: polars.DataFrame, manifests: Iterable[Mapping[str, Any]], look: Look) -> Iterator[Figure]:
    """Scores with and without modifiers."""
    if not modified_suites(manifests):
        raise InputError("needs suites that add a modifier to the items of other suites")
    _, measure, _ = averaged_suites(scores)
    found = modifier_pairs(scores, manifests)
    pairs = shared_suites(found, unit="modified")
    if not pairs.height:
        raise InputError("needs suites with and without a modifier on which all models were run")
    chances = {
        modifier: mean_chance(scores.filter(polars.col("suite").is_in(pairs[column].unique().to_list())))[
            "chance"
        ].item()
        for modifier, column in (("without", "suite"), ("with", "modified"))
    }
    chance = polars.col("modifier").replace_strict(chances, return_dtype=polars.Float64).alias("chance")
    table = modifier_means(pairs).with_columns(chance)
    shown, more = keep_first(table, "model", MAX_CHART_MODELS)
    caption = (
        f"Mean over {count_noun(pairs['modified'].n_unique(), 'pair')} of suites that differ in a modifier before the "
        f"critical region.{interval_note(table, 'With 95 % intervals over pairs.')}"
        f"{exclusion_note(found, pairs, column='modified')}"
    )
    title, chart = f"{measure} with and without modifiers", charts.stability_chart(shown, look, title=measure)
    note = f"{chance_note(shown)} {more}".strip()
    yield Figure("stability-to-modifiers", title, caption, chart, table, note)


def agreement_figure(scores: polars.DataFrame, look: Look) -> Iterator[Figure]:
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
    yield Figure("agreement-of-models", title, caption, agreement_heat_map(shown, look), table, note)
