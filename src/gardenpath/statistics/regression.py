"""Regressions of scores on architecture and training size, over all suites and by circuit (Hu et al. 2020)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import MixedModel, RandomEffect, fit_linear, likelihood_ratio
from gardenpath.statistics.mixed.logistic import fit_logistic
from gardenpath.statistics.scores import require_values, rows_with, with_unit

LOG_WORDS = "log10 words"
"""The logarithm of the number of training words: a coefficient is per tenfold increase."""
MAIN_EFFECTS = (LOG_WORDS, "architecture")
MODEL_FACTORS = ("architecture", "words")


@dataclass(frozen=True, slots=True)
class Regression:
    """A regression of suite scores with each of its factors left out in turn."""

    table: polars.DataFrame
    """term, estimate, se, p: fixed effects with Wald's test, relative to the first architecture and circuit by name."""
    ablations: polars.DataFrame
    """term, aic, delta_aic, chi2, df, p: the term left out, the AIC without it, its increase, and the test."""
    spreads: polars.DataFrame
    """group, term, sd: how much intercepts and slopes vary between suites and models."""
    residual_sd: float | None
    n: int
    method: str
    """The regression in words."""


def architecture_and_size(scores: polars.DataFrame) -> Regression:
    """Regress suite scores on architecture and log training size; ablate either (Hu et al. 2020, section 4.2)."""
    return regress(regression_rows(scores), MAIN_EFFECTS, ablated=MAIN_EFFECTS)


def circuit_interactions(scores: polars.DataFrame) -> Regression:
    """Test the interactions of architecture and training size with the circuit (Hu et al. 2020, section 4.3)."""
    rows = regression_rows(scores, "circuit")
    interactions = [f"{term}:circuit" for term in MAIN_EFFECTS]
    return regress(rows, [*MAIN_EFFECTS, "circuit", *interactions], ablated=interactions)


def item_regression(outcomes: polars.DataFrame) -> Regression:
    """Regress the log odds of a correct item on architecture and log training size: logistic, with mixed effects.

    Random intercepts by item, suite and model; ties and invalid items are wrong. Laplace's approximation.
    """
    rows = regression_rows(outcomes.with_columns(polars.col("strict").cast(float).alias("accuracy")))
    rows = rows.with_columns(polars.concat_str(["unit", "item"], separator=" / ").alias("item"))

    def fit(terms: Sequence[str]) -> MixedModel:
        return fit_logistic(rows, "strict", fixed=terms, groups=["item", "unit", "model"])

    method = "log odds of a correct item on {}; random intercepts by item, suite, model; Laplace's approximation"
    return ablate(fit, MAIN_EFFECTS, ablated=MAIN_EFFECTS, method=method)


def regression_rows(scores: polars.DataFrame, *needed: str) -> polars.DataFrame:
    """The rows of models with known architecture and training size, with the logarithm of the size.

    Raise if there are as many effects as models, so that variation between models could not be estimated.
    """
    rows = with_unit(rows_with(scores, *MODEL_FACTORS, *needed))
    for column in ("unit", *MODEL_FACTORS):
        require_values(rows, column, least=2, purpose="a regression on architecture and training size")
    if (rows["words"] <= 0).any():
        raise InputError("a model has 0 training words, which has no logarithm; correct `words`")
    for column in needed:
        require_values(rows, column, least=2, purpose=f"an interaction with the {column}")
    effects, models = rows["architecture"].n_unique() + 1, rows["model"].n_unique()
    if models <= effects:
        raise InputError(
            f"{effects} effects (intercept, size, architectures) cannot be estimated from {models} models; "
            "add models: other training sizes or seeds of the same architectures"
        )
    return rows.with_columns(polars.col("words").cast(float).log(10).alias(LOG_WORDS))


def regress(rows: polars.DataFrame, terms: Sequence[str], *, ablated: Sequence[str]) -> Regression:
    """A linear mixed-effects regression of the accuracy."""
    random = random_effects(rows)
    described = "; ".join(
        f"random intercepts{' and slopes of ' + ', '.join(effect.slopes) if effect.slopes else ''} by "
        f"{'suite' if effect.group == 'unit' else effect.group}"
        for effect in random
    )

    def fit(fixed: Sequence[str]) -> MixedModel:
        return fit_linear(rows, "accuracy", fixed=fixed, random=random)

    return ablate(fit, terms, ablated=ablated, method=f"accuracy on {{}}; {described}; maximum likelihood")


def ablate(
    fit: Callable[[Sequence[str]], MixedModel], terms: Sequence[str], *, ablated: Sequence[str], method: str
) -> Regression:
    """Fit all terms, and again without each of the ablated ones."""
    full = fit(terms)
    lines: list[Mapping[str, object]] = [{"term": "(none)", "aic": full.aic, "delta_aic": 0.0}]
    for name in ablated:
        reduced = fit([term for term in terms if term != name])
        ratio = asdict(likelihood_ratio(full, reduced))
        lines.append({"term": name, "aic": reduced.aic, "delta_aic": reduced.aic - full.aic} | ratio)
    schema = ["term", "aic", "delta_aic", "chi2", "df", "p"]
    spreads = polars.DataFrame([asdict(spread) for spread in full.spreads])
    return Regression(
        table=polars.DataFrame([asdict(coefficient) for coefficient in full.coefficients]),
        ablations=polars.DataFrame(lines, schema=schema),
        spreads=spreads.with_columns(polars.col("group").replace("unit", "suite")),
        residual_sd=full.residual_sd,
        n=full.n,
        method=method.format(", ".join(terms)),
    )


def random_effects(rows: polars.DataFrame) -> list[RandomEffect]:
    """Intercepts by suite and by model; by suite also slopes of size and architecture if there are enough rows."""
    per_suite = 1 + rows["architecture"].n_unique()  # intercept, size, all architectures but the first
    enough = rows["unit"].n_unique() * per_suite < len(rows)
    return [RandomEffect("unit", MAIN_EFFECTS if enough else ()), RandomEffect("model")]
