"""Logistic mixed models: a published fit, and Laplace's approximation written out literally."""

import math

import numpy as np
import polars
import pytest
from scipy.optimize import minimize
from scipy.stats import binom

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.laplace import Laplace
from gardenpath.statistics.mixed.logistic import fit_logistic

HERDS = """
2/14 3/12 4/9 0/5 | 3/22 1/18 1/21 | 8/22 2/16 0/16 2/20 | 2/10 0/10 2/9 0/6 | 5/18 0/25 0/24 1/4
3/17 0/17 0/18 1/20 | 8/16 1/10 3/9 0/5 | 12/34 | 2/9 0/6 0/8 0/6 | 1/22 1/22 0/18 2/22
0/25 5/27 3/22 1/22 | 2/10 1/8 0/6 0/5 | 1/21 2/24 0/19 0/23 | 11/19 0/2 0/3 0/2 | 1/19 1/15 1/15 0/15
"""
"""Cases of a cattle disease in 15 herds over 4 periods (Lesnoff et al. 2004)."""


def herds() -> polars.DataFrame:
    rows = []
    for number, herd in enumerate(HERDS.strip().replace("\n", "|").split("|")):
        for period, cell in enumerate(herd.split()):
            cases, size = cell.split("/")
            rows.append({"herd": f"herd {number}", "period": str(period + 1), "cases": int(cases), "size": int(size)})
    return polars.DataFrame(rows)


def test_one_group_as_published() -> None:
    # The fit that the documentation of lme4 prints for glmer on these data: AIC 194.1, logLik -92.0.
    model = fit_logistic(herds(), "cases", fixed=["period"], groups=["herd"], trials="size")
    assert model.aic == pytest.approx(194.05, abs=0.01)
    estimates = [found.estimate for found in model.coefficients]
    assert estimates == pytest.approx([-1.3985, -0.9923, -1.1287, -1.5803], abs=5e-4)
    assert [found.se for found in model.coefficients] == pytest.approx([0.2279, 0.3054, 0.3260, 0.4288], abs=1e-3)
    assert model.spreads[0].sd == pytest.approx(0.6422, abs=5e-4)
    assert (model.parameters, model.residual_sd) == (5, None)


def items(seed: int = 1) -> tuple[polars.DataFrame, list[np.ndarray]]:
    """Single outcomes crossed by item and model."""
    rng = np.random.default_rng(seed)
    item, model = np.repeat(np.arange(12), 5), np.tile(np.arange(5), 12)
    log_odds = 0.4 + rng.normal(0, 1.0, 12)[item] + rng.normal(0, 0.7, 5)[model]
    right = rng.random(len(item)) < 1 / (1 + np.exp(-log_odds))
    return polars.DataFrame({"right": right, "item": item.astype(str), "model": model.astype(str)}), [model, item]


def test_the_approximation_written_out() -> None:
    table, codes = items()
    y = table["right"].cast(float).to_numpy()
    spreads, fixed = np.array([0.6, 1.1]), np.array([0.3])
    z = np.hstack([(code[:, None] == np.arange(code.max() + 1)) * sd for code, sd in zip(codes, spreads, strict=True)])

    def half_deviance(u: np.ndarray) -> float:
        probability = 1 / (1 + np.exp(-(fixed[0] + z @ u)))
        return -float(binom.logpmf(y, 1, probability).sum()) + float(u @ u) / 2

    best = minimize(half_deviance, np.zeros(z.shape[1]), method="BFGS", options={"gtol": 1e-7})
    probability = 1 / (1 + np.exp(-(fixed[0] + z @ best.x)))
    curvature = z.T @ (z * (probability * (1 - probability))[:, None]) + np.eye(z.shape[1])
    literal = 2 * best.fun + np.linalg.slogdet(curvature)[1]
    laplace = Laplace(y, np.ones(len(y)), np.ones((len(y), 1)), codes)
    assert laplace.mode(spreads, fixed).deviance == pytest.approx(literal, abs=1e-6)


def test_the_fit_is_a_maximum() -> None:
    table, codes = items()
    model = fit_logistic(table, "right", fixed=[], groups=["model", "item"])
    y = table["right"].cast(float).to_numpy()
    laplace = Laplace(y, np.ones(len(y)), np.ones((len(y), 1)), codes)
    point = np.array([*(found.sd for found in model.spreads), model.coefficients[0].estimate])
    best = laplace.mode(point[:2], point[2:]).deviance
    assert best == pytest.approx(-2 * model.log_likelihood, abs=1e-7)
    for step in 0.05 * np.vstack([np.eye(3), -np.eye(3)]):
        assert laplace.mode((point + step)[:2], (point + step)[2:]).deviance > best


def test_without_variance_between_groups_it_is_plain_logistic_regression() -> None:
    # Every group has the same share of successes: the spread is 0 and the fit is that of one binomial.
    table = polars.DataFrame({"right": [True, True, True, False] * 6, "item": [str(index // 4) for index in range(24)]})
    model = fit_logistic(table, "right", fixed=[], groups=["item"])
    assert (model.spreads[0].sd, model.singular, model.converged) == (0.0, ("item",), True)
    assert model.notes == ("singular fit: the spread of (intercept) by item is 0",)
    assert model.coefficients[0].estimate == pytest.approx(math.log(3), abs=1e-5)
    assert model.coefficients[0].se == pytest.approx(1 / math.sqrt(24 * 0.75 * 0.25), rel=1e-4)
    assert model.log_likelihood == pytest.approx(18 * math.log(0.75) + 6 * math.log(0.25), abs=1e-6)


def test_the_gradient_is_the_slope() -> None:
    table, codes = items()
    y = table["right"].cast(float).to_numpy()
    x = np.column_stack([np.ones(len(y)), np.arange(len(y)) % 3])
    laplace = Laplace(y, np.ones(len(y)), x, [*codes, np.arange(len(y)) // 20])
    point, step = np.array([0.4, 1.2, 0.05, 0.3, -0.2]), 1e-4 * np.eye(5)
    slopes = [
        (laplace.mode((point + move)[:3], (point + move)[3:]).deviance
         - laplace.mode((point - move)[:3], (point - move)[3:]).deviance) / 2e-4
        for move in step
    ]  # fmt: skip
    gradient = laplace.gradient(point[:3], laplace.mode(point[:3], point[3:]))
    assert gradient == pytest.approx(slopes, rel=1e-4, abs=1e-4)


def test_a_small_spread_is_found_although_the_slope_at_0_is_0() -> None:
    # Shares of successes vary a little more between groups than by chance: the maximum is close to 0, but not there.
    cases = [30, 25, 33, 28, 36, 23, 31, 27, 35, 24, 29, 37]
    table = polars.DataFrame({"cases": cases, "size": [60] * 12, "herd": [str(index) for index in range(12)]})
    model = fit_logistic(table, "cases", fixed=[], groups=["herd"], trials="size")
    assert 0.02 < model.spreads[0].sd < 0.3
    assert not model.notes
    pooled = sum(cases) / (12 * 60)
    assert model.log_likelihood > float(binom.logpmf(cases, 60, pooled).sum()) + 1e-4


def test_the_unit_of_a_column_does_not_matter() -> None:
    table = herds().with_columns(grams=polars.col("period").cast(float) / 1000)
    model = fit_logistic(table, "cases", fixed=["grams"], groups=["herd"], trials="size")
    same = fit_logistic(
        table.with_columns(polars.col("grams") * 1e6), "cases", fixed=["grams"], groups=["herd"], trials="size"
    )
    assert abs(model.coefficients[1].estimate) > 100
    assert same.coefficients[1].estimate * 1e6 == pytest.approx(model.coefficients[1].estimate, rel=1e-4)


def test_a_likelihood_that_rises_towards_infinite_spreads_is_noted() -> None:
    # One wrong answer of 29: Laplace's approximation has a finite maximum, and higher values at huge spreads.
    rows = [(f"i{index % 5}", f"m{index % 7}", f"s{index % 6}", index != 3) for index in range(29)]
    table = polars.DataFrame(rows, schema=["item", "model", "suite", "right"], orient="row")
    model = fit_logistic(table, "right", fixed=[], groups=["item", "model", "suite"])
    assert not model.converged
    assert model.notes[-1] == "not converged: a higher likelihood lies at spreads too large to be estimated"


def test_huge_log_odds_do_not_overflow() -> None:
    laplace = Laplace(np.array([1.0, 0.0, 1.0]), np.ones(3), np.ones((3, 1)), [np.array([0, 1, 1])])
    mode = laplace.mode(np.array([50.0]), np.array([-2000.0]))
    assert np.isfinite(mode.deviance)
    assert np.isfinite(laplace.gradient(np.array([50.0]), mode)).all()


def test_invalid_models_are_refused() -> None:
    table, _ = items()
    with pytest.raises(InputError, match="'right' is always true in all 60 rows"):
        fit_logistic(table.with_columns(right=True), "right", fixed=[], groups=["item"])
    with pytest.raises(InputError, match="between 0 and the number of attempts"):
        fit_logistic(table.with_columns(right=2), "right", fixed=[], groups=["item"])
    separated = table.with_columns(
        kind=polars.when(polars.col("right")).then(polars.lit("x")).otherwise(polars.lit("y"))
    )
    with pytest.raises(InputError, match=r"kind\[y\] on 'right' has no finite estimate"):
        fit_logistic(separated, "right", fixed=["kind"], groups=["item"])
