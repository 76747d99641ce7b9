"""Regressions of scores on architecture and training size, over all suites and by circuit (Hu et al. 2020)."""

from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.ablations import BootstrapOptions, ItemModel, Regression, ScoreModel, ablate
from gardenpath.statistics.grouping import drop_left_out, with_unit
from gardenpath.statistics.mixed.linear import RandomEffect
from gardenpath.statistics.scores import require_values, rows_with

LOG_WORDS = "log10 words"
"""The logarithm of the number of training words: a coefficient is per tenfold increase."""
MAIN_EFFECTS = (LOG_WORDS, "architecture")
MODEL_FACTORS = ("architecture", "words")
SUITE_AND_ARCHITECTURE = "suite and architecture"
FEWEST_MODELS = 5
"""Models of one architecture below which a regression carries a caution."""
FEWEST_SUITES = 5
"""Suites below which no effect can vary between suites."""


def architecture_and_size(scores: polars.DataFrame, *, bootstrap: BootstrapOptions | None = None) -> Regression:
    """Regress suite scores on architecture and log training size; ablate either (Hu et al. 2020, section 4.2).

    bootstrap: add the p-values of a parametric bootstrap.
    """
    return regress(regression_rows(scores), MAIN_EFFECTS, ablated=MAIN_EFFECTS, bootstrap=bootstrap)


def circuit_interactions(scores: polars.DataFrame, *, bootstrap: BootstrapOptions | None = None) -> Regression:
    """Test the interactions of architecture and training size with the circuit (Hu et al. 2020, section 4.3).

    bootstrap: add the p-values of a parametric bootstrap.
    """
    rows = regression_rows(scores, "circuit")
    interactions = [f"{term}:circuit" for term in MAIN_EFFECTS]
    return regress(rows, [*MAIN_EFFECTS, "circuit", *interactions], ablated=interactions, bootstrap=bootstrap)


def item_regression(outcomes: polars.DataFrame, *, bootstrap: BootstrapOptions | None = None) -> Regression:
    """Regress the log odds of a correct item on architecture and log training size: logistic, with mixed effects.

    Random intercepts by item, suite and model; ties and invalid items are wrong, those that a run left out do not
    count. Laplace's approximation.
    bootstrap: add the p-values of a parametric bootstrap.
    """
    rows = regression_rows(drop_left_out(outcomes).with_columns(polars.col("strict").cast(float).alias("accuracy")))
    rows = rows.with_columns(polars.concat_str(["suite", "item"], separator=" / ").alias("item"))
    model = ItemModel(rows, ("item", "suite", "model"), rows["model"].n_unique() - between_models(rows))
    method = (
        "log odds of a correct item on {}; random intercepts by item, suite, model; maximum likelihood by Laplace's "
        "approximation; F is chi2 / df with as many error degrees of freedom as there are more models than effects"
    )
    return ablate(model, MAIN_EFFECTS, ablated=MAIN_EFFECTS, method=method, notes=few_models(rows), bootstrap=bootstrap)


def regression_rows(scores: polars.DataFrame, *needed: str) -> polars.DataFrame:
    """The rows of models with known architecture and training size, with the logarithm of the size.

    Every prediction of a suite with several counts as a suite of its own. Raise if there are as many effects as models,
    so that variation between models could not be estimated.
    """
    rows = with_unit(rows_with(scores, *MODEL_FACTORS, *needed))
    for column in ("unit", *MODEL_FACTORS):
        require_values(rows, column, least=2, purpose="a regression on architecture and training size")
    if (rows["words"] <= 0).any():
        raise InputError("a model has 0 training words, which has no logarithm; correct `words`")
    for column in needed:
        require_values(rows, column, least=2, purpose=f"an interaction with the {column}")
    effects, models = between_models(rows), rows["model"].n_unique()
    if models <= effects:
        raise InputError(
            f"{effects} effects (intercept, size, architectures) cannot be estimated from {models} models; "
            "add models: other training sizes or seeds of the same architectures"
        )
    return rows.with_columns(
        polars.col("unit").alias("suite"),
        polars.col("words").cast(float).log(10).alias(LOG_WORDS),
        polars.concat_str(["unit", "architecture"], separator=" / ").alias(SUITE_AND_ARCHITECTURE),
    )


def between_models(rows: polars.DataFrame) -> int:
    """The effects that vary between models: intercept, size, all architectures but the first."""
    return int(rows["architecture"].n_unique()) + 1


def few_models(rows: polars.DataFrame) -> list[str]:
    """A caution if an architecture has few models."""
    models = rows.select("model", "architecture").unique().group_by("architecture").len().sort("architecture")
    few = [f"{name} ({count})" for name, count in models.filter(polars.col("len") < FEWEST_MODELS).iter_rows()]
    if not few:
        return []
    return [
        f"fewer than {FEWEST_MODELS} models of {', '.join(few)}: how much models of one architecture differ is poorly "
        "known, so that only large effects can be found"
    ]


def regress(
    rows: polars.DataFrame, terms: Sequence[str], *, ablated: Sequence[str], bootstrap: BootstrapOptions | None = None
) -> Regression:
    """A linear mixed-effects regression of the accuracy."""
    random, simplified = random_effects(rows)
    described = "; ".join(map(describe_effect, random))
    method = (
        f"accuracy on {{}}; {described}; AIC and chi2 by maximum likelihood; coefficients, spreads, F and p by "
        "restricted likelihood with Satterthwaite's degrees of freedom"
    )
    notes = [*few_models(rows), *simplified]
    model = ScoreModel(rows, random)
    return ablate(model, terms, ablated=ablated, method=method, notes=notes, bootstrap=bootstrap)


def describe_effect(effect: RandomEffect) -> str:
    """A random effect in words."""
    parts = [
        *(["intercepts"] if effect.intercept else []),
        *([f"slopes of {', '.join(effect.slopes)}"] if effect.slopes else []),
    ]
    return f"random {' and '.join(parts)} by {effect.group}"


def random_effects(rows: polars.DataFrame) -> tuple[tuple[RandomEffect, ...], list[str]]:
    """The random effects that the scores can tell apart, and a note if they are fewer than those of Hu et al. 2020.

    Theirs are intercepts by model, and by suite intercepts and slopes of size and architecture, all correlated.
    """
    suites, columns = rows["suite"].n_unique(), between_models(rows)
    entries = columns * (columns + 1) // 2
    if suites > entries and suites * columns < len(rows):
        return (RandomEffect("suite", MAIN_EFFECTS), RandomEffect("model")), []
    reason = f"{suites} suites do not determine the {entries} (co)variances of correlated slopes by suite"
    if suites > entries:
        reason = f"{len(rows)} scores do not determine {columns} correlated effects for each of {suites} suites"
    cells = rows[SUITE_AND_ARCHITECTURE].n_unique()
    if suites >= FEWEST_SUITES and max(cells, 2 * suites) < len(rows):
        independent = (
            RandomEffect("suite"),
            RandomEffect("suite", (LOG_WORDS,), intercept=False),
            RandomEffect(SUITE_AND_ARCHITECTURE),
            RandomEffect("model"),
        )
        return independent, [
            f"{reason}: differences between suites in the effects of size and architecture are independent"
        ]
    return (RandomEffect("suite"), RandomEffect("model")), [
        f"{reason}: size and architecture have the same effect in all suites, and p is about these suites only"
    ]
