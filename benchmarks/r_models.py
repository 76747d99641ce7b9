"""Random data sets for mixed models, drawn to be hard: spreads of 0, few groups, perfect correlations, gaps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import RandomEffect, build_problem, describe_fit
from gardenpath.statistics.mixed.logistic import fit_logistic
from gardenpath.statistics.mixed.maximal import write_formula
from gardenpath.statistics.mixed.result import MixedModel
from gardenpath.statistics.mixed.satterthwaite import Uncertainty

SPREADS = (0.0, 0.1, 0.3, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A table and the model to fit to it."""

    name: str
    family: str
    table: polars.DataFrame
    fixed: tuple[str, ...]
    random: tuple[RandomEffect, ...]

    @property
    def formula(self) -> str:
        """The model in lme4's notation."""
        left = "cbind(y, m - y)" if self.family == "logistic" else "y"
        return write_formula(left, self.fixed, self.random)


@dataclass(frozen=True, slots=True)
class OurFit:
    """What we make of a data set: a fit, or a message why there is none; numbers by the names R gives them."""

    model: MixedModel | None
    refusal: str
    numbers: dict[str, float]
    factors: dict[str, list[float]]
    """By group, the triangle of its random effects relative to the residual, column by column as lme4 has it.

    That of a slope of `c` by `item` that is independent of the intercepts is called `item.c`.
    """


def crossed_rows(rng: np.random.Generator) -> polars.DataFrame:
    """Items in suites, read by models of two or three kinds; a third of the tables have gaps."""
    items, models, suites = int(rng.integers(5, 30)), int(rng.integers(4, 9)), int(rng.integers(2, 7))
    item, model = np.repeat(np.arange(items), models), np.tile(np.arange(models), items)
    kept = rng.random(len(item)) > rng.choice([0.0, 0.0, 0.25])
    item, model = item[kept], model[kept]
    kinds = int(rng.integers(2, 4))
    return polars.DataFrame(
        {
            "item": [f"i{index}" for index in item],
            "model": [f"m{index}" for index in model],
            "suite": [f"s{index % suites}" for index in item],
            "x": rng.normal(size=models)[model],
            "kind": [f"k{index % kinds}" for index in model],
        }
    )


def effects_of(column: polars.Series, spread: float, rng: np.random.Generator) -> np.ndarray:
    """A random effect for every row, by the groups of a column."""
    codes = column.rank("dense").to_numpy() - 1
    return spread * rng.normal(size=int(codes.max()) + 1)[codes]


def fixed_terms(rng: np.random.Generator) -> tuple[str, ...]:
    """The fixed effects of a model."""
    return [(), ("x",), ("kind",), ("x", "kind")][int(rng.integers(4))]


def draw_logistic(seed: int) -> DataSet:
    """Successes of single trials or of a few, with one to three crossed groups."""
    rng = np.random.default_rng([1, seed])
    table = crossed_rows(rng)
    groups = ("item", "model", "suite")[: int(rng.integers(1, 4))]
    log_odds = rng.normal() + rng.normal(0, 0.5) * table["x"].to_numpy()
    for group in ("item", "model", "suite"):
        log_odds = log_odds + effects_of(table[group], float(rng.choice(SPREADS)), rng)
    attempts = np.ones(len(table), dtype=int) if rng.random() < 0.7 else rng.integers(1, 12, len(table))
    successes = rng.binomial(attempts, 1 / (1 + np.exp(-log_odds)))
    table = table.with_columns(y=successes, m=attempts)
    random = tuple(RandomEffect(group) for group in groups)
    return DataSet(f"logistic {seed}", "logistic", table, fixed_terms(rng), random)


def draw_linear(seed: int) -> DataSet:
    """Scores with correlated slopes by item, and perhaps intercepts by model or suite."""
    rng = np.random.default_rng([2, seed])
    table = crossed_rows(rng)
    score = rng.normal(size=len(table)) + rng.normal() * table["x"].to_numpy()
    slopes = [(), ("x",), ("x",), ("kind",)][int(rng.integers(4))]
    intercepts = effects_of(table["item"], float(rng.choice(SPREADS)), rng)
    steep = effects_of(table["item"], float(rng.choice(SPREADS)), rng)
    if rng.random() < 0.3:
        steep = 0.7 * intercepts  # perfectly correlated
    score = score + intercepts + steep * (table["x"].to_numpy() if slopes == ("x",) else 0.0)
    others = ("model", "suite")[: int(rng.integers(0, 3))]
    for group in others:
        score = score + effects_of(table[group], float(rng.choice(SPREADS)), rng)
    random = (RandomEffect("item", slopes), *(RandomEffect(group) for group in others))
    return DataSet(f"linear {seed}", "linear", table.with_columns(y=score, m=1), fixed_terms(rng), random)


def crossed_effects(column: polars.Series, slope: np.ndarray, rng: np.random.Generator, *, hard: bool) -> np.ndarray:
    """Random intercepts and slopes, correlated somehow, for every row, by the groups of a column."""
    codes = column.rank("dense").to_numpy() - 1
    intercepts, own = rng.normal(size=(2, int(codes.max()) + 1))
    correlation = float(rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0] if hard else [-0.5, 0.0, 0.5]))
    steep = correlation * intercepts + np.sqrt(1 - correlation**2) * own
    first, second = rng.choice(SPREADS if hard else (0.7, 1.0, 1.5), 2)
    return np.asarray(first * intercepts[codes] + second * steep[codes] * slope)


def draw_slopes(family: str, seed: int) -> DataSet:
    """Answers of participants to items in two conditions: crossed, with slopes by both, correlated or independent.

    Every other one is hard: small, with spreads of 0 and perfect correlations; the others are ordinary experiments.
    """
    rng = np.random.default_rng([3, seed])
    hard = seed % 2 == 1
    people, items = int(rng.integers(8 if hard else 30, 40)), int(rng.integers(8 if hard else 24, 40))
    participant, item = np.repeat(np.arange(people), items), np.tile(np.arange(items), people)
    kept = rng.random(len(item)) > rng.choice([0.0, 0.0, 0.25])
    participant, item = participant[kept], item[kept]
    condition = (participant + item) % 2 - 0.5  # a Latin square
    condition = condition - condition.mean()  # as our independent slopes are of deviations from the mean
    frame = polars.DataFrame(
        {
            "participant": [f"p{index}" for index in participant],
            "item": [f"i{index}" for index in item],
            "c": condition,
            "x": rng.normal(size=len(item)),
        }
    )
    level = rng.normal(0.5, 1.0) + rng.normal(0, 0.7) * condition + rng.normal(0, 0.3) * frame["x"].to_numpy()
    for group in ("participant", "item"):
        level = level + crossed_effects(frame[group], condition, rng, hard=hard)
    attempts = np.ones(len(frame), dtype=int)
    if family == "logistic":
        attempts = attempts if rng.random() < 0.8 else rng.integers(1, 6, len(frame))
        y = rng.binomial(attempts, 1 / (1 + np.exp(-level))).astype(float)
    else:
        y = level + rng.normal(size=len(frame))
    wide = ("c", "x") if rng.random() < 0.2 else ("c",)
    random = [RandomEffect("participant", wide), RandomEffect("item", ("c",))]
    if rng.random() < 0.25:
        random = [
            effect
            for group in ("participant", "item")
            for effect in (RandomEffect(group), RandomEffect(group, ("c",), intercept=False))
        ]
    fixed = ("c", "x") if rng.random() < 0.5 else ("c",)
    return DataSet(f"{family} slopes {seed}", family, frame.with_columns(y=y, m=attempts), fixed, tuple(random))


def fit(data: DataSet) -> OurFit:
    """Fit a data set with our model, and number its results as R does."""
    try:
        if data.family == "linear":
            return fit_by_both_likelihoods(data)
        model = fit_logistic(data.table, "y", fixed=data.fixed, random=data.random, trials="m")
    except InputError as refusal:
        return OurFit(None, str(refusal), {}, {})
    factors = {}
    for name, effect in zip(effect_names(data.random), data.random, strict=True):
        columns = [*(["(intercept)"] if effect.intercept else []), *effect.slopes]
        factors[name] = triangle_entries(covariance_root(model, effect.group, columns))
    return OurFit(model, "", numbered(model), factors)


def effect_names(random: Sequence[RandomEffect]) -> list[str]:
    """The groups of some random effects, with the slope where there is no intercept: lme4 may reorder the effects."""
    return [effect.group if effect.intercept else f"{effect.group}.{effect.slopes[0]}" for effect in random]


def covariance_root(model: MixedModel, group: str, columns: Sequence[str]) -> np.ndarray:
    """A square root of the covariance of random effects."""
    spreads = {spread.term: spread.sd for spread in model.spreads if spread.group == group}
    correlation = np.eye(len(columns))
    for found in model.correlations:
        if found.group == group and {found.term, found.other} <= set(columns):
            pair = columns.index(found.term), columns.index(found.other)
            correlation[pair] = correlation[pair[::-1]] = found.value
    values, vectors = np.linalg.eigh(correlation)
    return np.diag([spreads[name] for name in columns]) @ vectors * np.sqrt(np.maximum(values, 0))


def triangle_entries(root: np.ndarray) -> list[float]:
    """The entries, column by column, of the lower triangle with the same product with its transpose as a matrix."""
    upper = np.linalg.qr(root.T).R
    upper = upper * np.where(np.diag(upper) < 0, -1.0, 1.0)[:, None]
    return [float(value) for value in upper[np.triu_indices(len(upper))]]


def numbered(model: MixedModel) -> dict[str, float]:
    """The numbers that both kinds of model have."""
    numbers = {"log_likelihood": model.log_likelihood}
    for index, coefficient in enumerate(model.coefficients, start=1):
        numbers |= {f"b{index}": coefficient.estimate, f"se{index}": coefficient.se}
    return numbers


def fit_by_both_likelihoods(data: DataSet) -> OurFit:
    """The linear model by maximum likelihood, and the tests of the restricted likelihood."""
    problem = build_problem(data.table, "y", fixed=data.fixed, random=data.random)
    best = problem.likelihood.maximise()
    model = describe_fit(problem, best)
    factors = {}
    triangles = problem.likelihood.triangles(best.theta)
    for name, block, triangle in zip(effect_names(data.random), problem.likelihood.blocks, triangles, strict=True):
        factors[name] = triangle_entries(block.basis @ triangle)
    return OurFit(model, "", numbered(model) | satterthwaite(data), factors)


def satterthwaite(data: DataSet) -> dict[str, float]:
    """Degrees of freedom and p-values of all fixed effects, alone and together, from the restricted likelihood."""
    problem = build_problem(data.table, "y", fixed=data.fixed, random=data.random, restricted=True)
    best = problem.likelihood.maximise()
    restricted = describe_fit(problem, best)
    uncertainty = Uncertainty(problem.likelihood, best.theta)
    numbers = {"restricted": restricted.log_likelihood, "restricted_singular": float(bool(restricted.singular))}
    contrasts = np.eye(len(problem.design.columns))
    for index, contrast in enumerate(contrasts[1:], start=2):
        tested = uncertainty.test(contrast[None])
        numbers |= {f"df{index}": tested.df_error, f"p{index}": tested.p}
    if len(contrasts) > 1:
        together = uncertainty.test(contrasts[1:])
        numbers |= {"f": together.f, "df_error": together.df_error, "p_f": together.p}
    return numbers
