"""Crossed random slopes: the equations beside dense ones, Laplace's approximation written out, gradients as slopes."""

import numpy as np
import polars
import pytest
from scipy.optimize import minimize
from scipy.stats import binom

from gardenpath.errors import InputError
from gardenpath.statistics.mixed import crossed
from gardenpath.statistics.mixed.crossed_likelihood import MOST_DENSE, CrossedLikelihood, choose_likelihood
from gardenpath.statistics.mixed.effect_blocks import EffectBlock, build_block, split_triangles
from gardenpath.statistics.mixed.laplace import Laplace, count_successes
from gardenpath.statistics.mixed.linear import RandomEffect, fit_linear
from gardenpath.statistics.mixed.logistic import fit_logistic, simulate_logistic
from gardenpath.statistics.mixed.logistic_slopes import maximise_slopes
from gardenpath.statistics.mixed.profiled_likelihood import Likelihood
from gardenpath.statistics.mixed.slopes_laplace import SlopesLaplace

THETA = np.array([0.8, 0.3, 0.5, 0.6, 0.0, -0.4, 0.7])
"""A triangle of participants, one of items, and a slope by participants that is independent of the rest."""
FIXED = np.array([0.4, -0.3])


def answers(seed: int = 1, *, people: int = 7, items: int = 9) -> polars.DataFrame:
    """Single outcomes and scores of participants crossed with items, in two conditions, with a covariate."""
    rng = np.random.default_rng(seed)
    person, item = np.repeat(np.arange(people), items), np.tile(np.arange(items), people)
    c = (person + item) % 2 - 0.5
    effects = rng.normal(size=(people, 2)) * [0.9, 0.8]
    level = 0.4 + 0.5 * c + effects[person, 0] + effects[person, 1] * c + rng.normal(0, 0.7, items)[item]
    return polars.DataFrame(
        {
            "right": rng.random(len(c)) < 1 / (1 + np.exp(-level)),
            "score": level + rng.normal(size=len(c)),
            "c": c,
            "x": rng.normal(size=len(c)),
            "participant": [f"p{number}" for number in person],
            "item": [f"i{number}" for number in item],
        }
    )


def parts(table: polars.DataFrame) -> tuple[np.ndarray, list[EffectBlock]]:
    """The fixed columns, and slopes of c by participant and item with an independent slope of x by participant."""
    columns = np.column_stack([np.ones(len(table)), table["c"].to_numpy()])
    person, item = (table[name].rank("dense").to_numpy().astype(np.int64) - 1 for name in ("participant", "item"))
    blocks = [build_block(columns, person), build_block(columns, item)]
    return columns, [*blocks, build_block(table["x"].to_numpy()[:, None], person)]


def build_laplace(table: polars.DataFrame) -> SlopesLaplace:
    columns, blocks = parts(table)
    y = table["right"].cast(float).to_numpy()
    return SlopesLaplace(count_successes(y, np.ones(len(y))), columns, blocks)


def test_the_approximation_written_out() -> None:
    table = answers()
    columns, blocks = parts(table)
    y = table["right"].cast(float).to_numpy()
    z = np.hstack(
        [
            block.matrix @ np.kron(np.eye(block.groups), triangle)
            for block, triangle in zip(blocks, split_triangles(blocks, THETA), strict=True)
        ]
    )

    def half_deviance(u: np.ndarray) -> float:
        probability = 1 / (1 + np.exp(-(columns @ FIXED + z @ u)))
        return -float(binom.logpmf(y, 1, probability).sum()) + float(u @ u) / 2

    best = minimize(half_deviance, np.zeros(z.shape[1]), method="BFGS", options={"gtol": 1e-6})
    probability = 1 / (1 + np.exp(-(columns @ FIXED + z @ best.x)))
    curvature = z.T @ (z * (probability * (1 - probability))[:, None]) + np.eye(z.shape[1])
    literal = 2 * best.fun + np.linalg.slogdet(curvature)[1]
    assert build_laplace(table).mode(THETA, FIXED).deviance == pytest.approx(literal, abs=1e-6)


def test_the_gradient_is_the_slope() -> None:
    laplace = build_laplace(answers())
    point = np.concatenate([THETA, FIXED])

    def deviance(at: np.ndarray) -> float:
        return laplace.mode(at[: len(THETA)], at[len(THETA) :]).deviance

    slopes = [(deviance(point + step) - deviance(point - step)) / 2e-4 for step in 1e-4 * np.eye(len(point))]
    gradient = laplace.gradient(THETA, laplace.mode(THETA, FIXED))
    assert gradient == pytest.approx(slopes, rel=1e-4, abs=1e-4)


def test_standard_errors_know_that_the_spreads_are_uncertain() -> None:
    # Beside the inverse of the second differences of the deviance itself.
    table = answers(3, people=24, items=12)
    columns, blocks = parts(table)
    y = table["right"].cast(float).to_numpy()
    laplace = SlopesLaplace(count_successes(y, np.ones(len(y))), columns, blocks[:1])
    best, reason = maximise_slopes(laplace)
    assert reason == ""
    point = np.concatenate([best.theta, best.fixed])
    steps = 0.02 * np.eye(len(point))

    def deviance(at: np.ndarray) -> float:
        return laplace.mode(at[: len(best.theta)], at[len(best.theta) :]).deviance

    second = [
        [sum(a * b * deviance(point + a * one + b * other) for a in (1, -1) for b in (1, -1)) for other in steps]
        for one in steps
    ]
    literal = 2 * np.linalg.inv(np.array(second) / (4 * 0.02**2))[-2:, -2:]
    mode = laplace.mode(best.theta, best.fixed)
    found, known = laplace.uncertain_covariance(best.theta, mode), laplace.covariance(best.theta, mode)
    assert found == pytest.approx(literal, rel=0.01, abs=2e-4)
    assert (np.diag(found) > 1.02 * np.diag(known)).all()
    # Without random effects nothing is uncertain but the fixed ones.
    nothing = np.zeros(3)
    plain = laplace.mode(nothing, best.fixed)
    assert laplace.uncertain_covariance(nothing, plain) == pytest.approx(laplace.covariance(nothing, plain), rel=1e-5)


def test_with_intercepts_only_it_is_the_model_of_intercepts() -> None:
    table = answers()
    columns, blocks = parts(table)
    codes = [blocks[0].codes, blocks[1].codes]
    y = table["right"].cast(float).to_numpy()
    plain = Laplace(y, np.ones(len(y)), columns, codes)
    ones = np.ones((len(y), 1))
    general = SlopesLaplace(count_successes(y, np.ones(len(y))), columns, [build_block(ones, code) for code in codes])
    # The sign of an orthogonal column is arbitrary, and so is that of its spread.
    spreads = np.array([0.7, 1.1])
    here, there = plain.mode(spreads, FIXED), general.mode(spreads, FIXED)
    assert there.deviance == pytest.approx(here.deviance, abs=1e-9)
    assert general.gradient(spreads, there) == pytest.approx(plain.gradient(spreads, here), abs=1e-8)
    assert general.covariance(spreads, there) == pytest.approx(plain.covariance(spreads, here), abs=1e-9)


@pytest.mark.parametrize("restricted", [False, True])
def test_the_large_linear_model_is_the_small_one(restricted: bool) -> None:
    table = answers()
    columns, blocks = parts(table)
    y = table["score"].to_numpy()
    dense = Likelihood(y, columns, blocks, restricted=restricted).solve(THETA)
    found = CrossedLikelihood(y, columns, blocks, restricted=restricted).solve(THETA)
    assert found.deviance == pytest.approx(dense.deviance, abs=1e-9)
    for name in ("gradient", "fixed", "covariance", "by_determinant", "by_squares"):
        assert getattr(found, name) == pytest.approx(getattr(dense, name), abs=1e-8)


def test_many_random_effects_are_eliminated() -> None:
    codes = np.arange(2 * MOST_DENSE + 2) // 2
    block = build_block(np.ones((len(codes), 1)), codes)
    likelihood = choose_likelihood(np.arange(float(len(codes))), np.ones((len(codes), 1)), [block])
    assert isinstance(likelihood, CrossedLikelihood)
    assert not isinstance(choose_likelihood(np.arange(3.0), np.ones((3, 1)), []), CrossedLikelihood)


def test_equations_that_do_not_fit_in_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossed, "MOST_OTHERS", 10)
    with pytest.raises(InputError, match="18 random effects of the largest group and 14 of the others are too many"):
        fit_logistic(
            answers(), "right", fixed=["c"], random=[RandomEffect("participant", ("c",)), RandomEffect("item", ("c",))]
        )


def test_the_fit_is_a_maximum_and_reports_its_covariance() -> None:
    table = answers(3, people=24, items=12)
    model = fit_logistic(table, "right", fixed=["c"], groups=["item"], random=[RandomEffect("participant", ("c",))])
    assert model.converged
    assert [(found.group, found.term) for found in model.spreads] == [
        ("item", "(intercept)"), ("participant", "(intercept)"), ("participant", "c")
    ]  # fmt: skip
    assert model.parameters == 2 + 1 + 3
    assert [(found.term, found.other) for found in model.correlations] == [("(intercept)", "c")]
    intercepts = fit_logistic(table, "right", fixed=["c"], groups=["item", "participant"])
    independent = fit_logistic(
        table, "right", fixed=["c"], groups=["item", "participant"],
        random=[RandomEffect("participant", ("c",), intercept=False)],
    )  # fmt: skip
    assert intercepts.log_likelihood < independent.log_likelihood <= model.log_likelihood + 1e-6
    assert independent.correlations == ()


def test_the_unit_of_a_slope_does_not_matter() -> None:
    table = answers(3, people=24, items=12)
    random = [RandomEffect("participant", ("c",)), RandomEffect("item")]
    model = fit_logistic(table, "right", fixed=["c"], random=random)
    same = fit_logistic(table.with_columns(polars.col("c") * 1000), "right", fixed=["c"], random=random)
    assert same.log_likelihood == pytest.approx(model.log_likelihood, abs=1e-6)
    assert same.spreads[1].sd * 1000 == pytest.approx(model.spreads[1].sd, rel=1e-3)
    assert same.correlations[0].value == pytest.approx(model.correlations[0].value, abs=1e-3)


def test_slopes_that_do_not_vary_are_0() -> None:
    # Every participant gives the same answers to the same conditions: there is nothing for a slope to explain.
    table = polars.DataFrame(
        {
            "right": [True, True, False, True, False, False] * 8,
            "c": [0.5, 0.5, 0.5, -0.5, -0.5, -0.5] * 8,
            "participant": [f"p{index // 6}" for index in range(48)],
        }
    )
    model = fit_logistic(table, "right", fixed=["c"], random=[RandomEffect("participant", ("c",))])
    assert [found.sd for found in model.spreads] == [0.0, 0.0]
    assert model.notes == ("singular fit: the spread of (intercept), c by participant is 0",)
    assert model.coefficients[1].estimate == pytest.approx(2 * np.log(2), abs=1e-4)


def test_two_crossed_slopes_of_the_linear_model_are_a_maximum() -> None:
    table = answers(5, people=40, items=30)
    random = [RandomEffect("participant", ("c",)), RandomEffect("item", ("c",))]
    model = fit_linear(table, "score", fixed=["c"], random=random)
    fewer = fit_linear(table, "score", fixed=["c"], random=[random[0], RandomEffect("item")])
    assert model.converged
    assert model.log_likelihood >= fewer.log_likelihood - 1e-6
    assert {found.group for found in model.correlations} <= {"participant", "item"}


def test_outcomes_with_slopes_are_not_drawn() -> None:
    table = answers(3, people=24, items=12)
    model = fit_logistic(table, "right", fixed=["c"], random=[RandomEffect("participant", ("c",))])
    with pytest.raises(InputError, match="random slope"):
        simulate_logistic(table, model, fixed=["c"], rng=np.random.default_rng(0))
