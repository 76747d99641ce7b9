"""What a score depends on: model class or training size, over all suites and circuit by circuit (Hu et al. 2020)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.mixed.linear import MixedModel, RandomEffect, fit_linear, likelihood_ratio
from gardenpath.statistics.scores import NOTHING_SHARED, distinct, rows_with, shared_suites, with_unit

if TYPE_CHECKING:
    import polars

ALL = "all"
"""Stands where a table has a mean over all circuits or phenomena."""
SIZE = "log10 words"
"""The logarithm of the number of training words: a coefficient is per ten times as many."""
NOTHING = "(none)"
FACTS = ("architecture", "words")


@dataclass(frozen=True, slots=True)
class Regression:
    """A regression of suite scores with each of its factors left out in turn."""

    table: "polars.DataFrame"
    """term, estimate, se, p: fixed effects with Wald's test, beside the first architecture and circuit by name."""
    ablations: "polars.DataFrame"
    """term, aic, delta_aic, chi2, df, p: what is left out, the AIC without it, how much higher, and the test."""
    spreads: "polars.DataFrame"
    """group, term, sd: how much intercepts and slopes vary between suites and models."""
    residual_sd: float | None
    n: int
    method: str
    """The regression in words."""


def score_deltas(scores: "polars.DataFrame", *, seed: int = 0) -> "polars.DataFrame":
    """Scores beside the mean of all models on a suite, by model class and training size (Hu et al. 2020, Figures 3, 4).

    [factor, level, circuit, delta, low, high, n, note]: factor is `architecture` or `words`; circuit is `all` or one
    circuit; the interval is a bootstrap over the scores of all models and suites of the level. Suites that not all
    models were run on are left out.
    """
    import polars

    rows = with_deltas(scores)
    tables = []
    for factor in ("architecture", "words"):
        if factor not in rows.columns:
            continue
        told = rows.filter(polars.col(factor).is_not_null()).sort(factor)
        for part in (told.with_columns(polars.lit(ALL).alias("circuit")), circuits_of(told)):
            if len(part):
                means = grouped_bootstrap(part, "delta", [factor, "circuit"], seed=seed)
                level = polars.col(factor).cast(polars.String).alias("level")
                tables.append(means.select(polars.lit(factor).alias("factor"), level, polars.exclude(factor)))
    if not tables:
        raise InputError(
            "neither the architecture nor the training size of any model is known; give them in a table of model facts"
        )
    return polars.concat(tables)


def with_deltas(scores: "polars.DataFrame") -> "polars.DataFrame":
    """The scores with `delta`: how far each lies above the mean of all models on the same suite.

    Suites that not all models were run on are left out: their means would be of other models.
    """
    import polars

    rows = with_unit(rows_with(scores))
    distinct(rows, "model", least=2, purpose="a score relative to the mean of all models")
    rows = shared_suites(rows, unit="unit")
    if not len(rows):
        raise InputError(NOTHING_SHARED)
    return rows.with_columns((polars.col("accuracy") - polars.col("accuracy").mean().over("unit")).alias("delta"))


def circuits_of(rows: "polars.DataFrame") -> "polars.DataFrame":
    """The rows whose circuit is told, by circuit."""
    import polars

    if "circuit" not in rows.columns:
        return rows.clear()
    return rows.filter(polars.col("circuit").is_not_null() & (polars.col("circuit") != "")).sort(
        "circuit", maintain_order=True
    )


def architecture_and_size(scores: "polars.DataFrame") -> Regression:
    """Suite scores on architecture and log training size, either left out in turn (Hu et al. 2020, section 4.2)."""
    rows = regression_rows(scores, *FACTS)
    check_models(rows, rows["architecture"].n_unique() + 1)
    return linear(rows, [SIZE, "architecture"], ablated=[SIZE, "architecture"])


def circuit_interactions(scores: "polars.DataFrame") -> Regression:
    """Do architecture and training size matter more in some circuits than in others (Hu et al. 2020, section 4.3)?"""
    rows = regression_rows(scores, *FACTS, "circuit")
    distinct(rows, "circuit", least=2, purpose="an interaction with the circuit")
    check_models(rows, rows["architecture"].n_unique() + 1)
    by_size, by_class = f"{SIZE}:circuit", "architecture:circuit"
    terms = [SIZE, "architecture", "circuit", by_size, by_class]
    return linear(rows, terms, ablated=[by_size, by_class])


def item_regression(outcomes: "polars.DataFrame") -> Regression:
    """The log odds that an item is right on architecture and log training size: a logistic mixed-effects regression.

    Random intercepts by item, suite and model; a tie or an invalid item is wrong. Laplace's approximation.
    """
    import polars

    from gardenpath.statistics.mixed.logistic import fit_logistic

    rows = regression_rows(outcomes.with_columns(polars.col("strict").cast(float).alias("accuracy")), *FACTS)
    check_models(rows, rows["architecture"].n_unique() + 1)
    rows = rows.with_columns(polars.concat_str(["unit", "item"], separator=" / ").alias("item"))

    def fit(terms: Sequence[str]) -> MixedModel:
        return fit_logistic(rows, "strict", fixed=terms, groups=["item", "unit", "model"])

    method = "log odds of a right item on {}; random intercepts by item, suite, model; Laplace's approximation"
    return ablate(fit, [SIZE, "architecture"], ablated=[SIZE, "architecture"], method=method)


def regression_rows(scores: "polars.DataFrame", *needed: str) -> "polars.DataFrame":
    """The rows of models whose class and training are known, with the logarithm of the training size."""
    import polars

    rows = with_unit(rows_with(scores, *needed))
    for column, least in (("unit", 2), ("architecture", 2), ("words", 2)):
        distinct(rows, column, least=least, purpose="a regression on architecture and training size")
    if (rows["words"] <= 0).any():
        raise InputError("a model has a training size of no words; its logarithm cannot be taken: correct `words`")
    return rows.with_columns(polars.col("words").cast(float).log(10).alias(SIZE))


def check_models(rows: "polars.DataFrame", effects: int) -> None:
    """Refuse as many effects as models: nothing would be left to tell chance between models from."""
    models = rows["model"].n_unique()
    if models <= effects:
        raise InputError(
            f"{effects} effects (intercept, size, architectures) cannot be judged from {models} models; "
            "take in more models: other training sizes or seeds of the same architectures"
        )


def linear(rows: "polars.DataFrame", terms: Sequence[str], *, ablated: Sequence[str]) -> Regression:
    """A linear mixed-effects regression of the accuracy."""
    random = random_effects(rows)

    def fit(fixed: Sequence[str]) -> MixedModel:
        return fit_linear(rows, "accuracy", fixed=fixed, random=random)

    return ablate(fit, terms, ablated=ablated, method=f"accuracy on {{}}; {describe(random)}; maximum likelihood")


def ablate(
    fit: Callable[[Sequence[str]], MixedModel], terms: Sequence[str], *, ablated: Sequence[str], method: str
) -> Regression:
    """The regression with all terms, and without each of some."""
    import polars

    full = fit(terms)
    lines: list[Mapping[str, object]] = [{"term": NOTHING, "aic": full.aic, "delta_aic": 0.0}]
    for name in ablated:
        reduced = fit([term for term in terms if term != name])
        ratio = likelihood_ratio(full, reduced)
        lines.append({"term": name, "aic": reduced.aic, "delta_aic": reduced.aic - full.aic} | asdict(ratio))
    schema = {
        "term": polars.String, "aic": polars.Float64, "delta_aic": polars.Float64, "chi2": polars.Float64,
        "df": polars.Int64, "p": polars.Float64,
    }  # fmt: skip
    spreads = polars.DataFrame([asdict(spread) for spread in full.spreads])
    return Regression(
        table=polars.DataFrame([asdict(coefficient) for coefficient in full.coefficients]),
        ablations=polars.DataFrame(lines, schema=schema),
        spreads=spreads.with_columns(polars.col("group").replace("unit", "suite")),
        residual_sd=full.residual_sd,
        n=full.n,
        method=method.format(", ".join(terms)),
    )


def random_effects(rows: "polars.DataFrame") -> list[RandomEffect]:
    """Intercepts by suite and by model; by suite also slopes of size and architecture, where there are rows enough."""
    architectures = rows["architecture"].n_unique()
    per_suite = 1 + 1 + architectures - 1  # intercept, size, architectures but the first
    enough = rows["unit"].n_unique() * per_suite < len(rows)
    return [RandomEffect("unit", (SIZE, "architecture") if enough else ()), RandomEffect("model")]


def describe(random: Sequence[RandomEffect]) -> str:
    """The random effects in words."""
    return "; ".join(
        f"random intercepts{' and slopes of ' + ', '.join(effect.slopes) if effect.slopes else ''} by "
        f"{'suite' if effect.group == 'unit' else effect.group}"
        for effect in random
    )
