"""Random data sets for mixed models, drawn to be hard: spreads of 0, few groups, perfect correlations, gaps."""

from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import RandomEffect, build_problem, describe_fit
from gardenpath.statistics.mixed.logistic import fit_logistic
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
        bars = [f"({' + '.join(['1', *effect.slopes])} | {effect.group})" for effect in self.random]
        return f"{left} ~ {' + '.join(['1', *self.fixed, *bars])}"


@dataclass(frozen=True, slots=True)
class OurFit:
    """What we make of a data set: a fit, or a message why there is none; numbers by the names R gives them."""

    model: MixedModel | None
    refusal: str
    numbers: dict[str, float]
    factors: dict[str, list[float]]
    """By group, the triangle of its random effects relative to the residual, column by column as lme4 has it."""


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


def fit(data: DataSet) -> OurFit:
    """Fit a data set with our model, and number its results as R does."""
    try:
        if data.family == "linear":
            return fit_by_both_likelihoods(data)
        groups = [effect.group for effect in data.random]
        model = fit_logistic(data.table, "y", fixed=data.fixed, groups=groups, trials="m")
    except InputError as refusal:
        return OurFit(None, str(refusal), {}, {})
    return OurFit(model, "", numbered(model), {spread.group: [spread.sd] for spread in model.spreads})


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
    for effect, block, triangle in zip(data.random, problem.likelihood.blocks, triangles, strict=True):
        upper = np.linalg.qr((block.basis @ triangle).T).R
        upper *= np.where(np.diag(upper) < 0, -1.0, 1.0)[:, None]
        factors[effect.group] = [float(value) for value in upper[np.triu_indices(len(upper))]]
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
