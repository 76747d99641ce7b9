"""Tests of fixed effects whose degrees of freedom follow from how well the variances are estimated.

The variance of a contrast of fixed effects is a function of the spreads and the residual. Satterthwaite's degrees of
freedom are those of a chi-squared distribution with the same relative variance, 2 V^2 / Var(V), where Var(V) follows
from the curvature of the restricted likelihood (Giesbrecht & Burns 1985). Several contrasts are tested together by the
mean of their squared independent t values (Fai & Cornelius 1996).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars
from scipy.stats import f as f_distribution

from gardenpath.statistics.mixed.linear import RandomEffect, build_problem, describe_fit
from gardenpath.statistics.mixed.profiled_likelihood import Likelihood
from gardenpath.statistics.mixed.result import MixedModel
from gardenpath.statistics.proportions import Floats

STEP = 1e-4
"""Of the entries of Lambda in numerical derivatives."""
MOST_DEGREES = 1e6
"""Degrees of freedom above which Student's distribution is the normal one."""
FEWEST_DEGREES = 1.0
"""Degrees of freedom where the likelihood does not tell how well a variance is known."""
UNKNOWN_DEGREES = (
    "the likelihood does not tell how well the variances are known: some tests have the fewest degrees of freedom, 1"
)


@dataclass(frozen=True, slots=True)
class ContrastTest:
    """An F test of contrasts of fixed effects."""

    f: float
    df: int
    df_error: float
    p: float


@dataclass(frozen=True, slots=True)
class TestedModel:
    """A regression by restricted likelihood, with a test of every term."""

    model: MixedModel
    terms: dict[str, ContrastTest]
    notes: tuple[str, ...] = ()
    """Cautions about the tests."""


def fit_and_test(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], random: Sequence[RandomEffect]
) -> TestedModel:
    """Fit by restricted likelihood; test coefficients (t) and terms (F) with Satterthwaite's degrees of freedom."""
    problem = build_problem(table, response, fixed=fixed, random=random, restricted=True)
    best = problem.likelihood.maximise()
    uncertainty = Uncertainty(problem.likelihood, best.theta)
    every = np.eye(len(problem.design.columns))
    terms = np.array(problem.design.terms)
    degrees = np.array([uncertainty.degrees(contrast) for contrast in every])
    model = describe_fit(problem, best, degrees)
    tests = {term: uncertainty.test(every[terms == term]) for term in fixed}
    unknown = FEWEST_DEGREES in (*degrees, *(test.df_error for test in tests.values()))
    return TestedModel(model, tests, (UNKNOWN_DEGREES,) if unknown else ())


class Uncertainty:
    """How certain the covariance of the fixed effects is, at the maximum of a restricted likelihood."""

    def __init__(self, likelihood: Likelihood, theta: Floats) -> None:
        solution = likelihood.solve(theta)
        variance = solution.residual_variance
        self.fixed, self.covariance = solution.fixed, solution.covariance
        steps = [
            (likelihood.solve(theta + STEP * unit), likelihood.solve(theta - STEP * unit))
            for unit in np.eye(len(theta))
        ]
        # Minus twice the restricted log-likelihood with the residual variance v as a parameter of its own is
        # log determinants + degrees * log(v) + squares / v.
        size = len(theta) + 1
        second = np.zeros((size, size))
        for row, (above, below) in enumerate(steps):
            slopes = [end.by_determinant + end.by_squares / variance for end in (above, below)]
            second[row, :-1] = (slopes[0] - slopes[1]) / (2 * STEP)
        second[-1, :-1] = second[:-1, -1] = -solution.by_squares / variance**2
        second[-1, -1] = likelihood.degrees / variance**2
        self.of_parameters = 2 * np.linalg.pinv((second + second.T) / 2, rcond=1e-9, hermitian=True)
        by_theta = [
            (above.covariance / above.residual_variance - below.covariance / below.residual_variance)
            * (variance / (2 * STEP))
            for above, below in steps
        ]
        self.derivatives = np.array([*by_theta, self.covariance / variance])  # (parameters, fixed, fixed)

    def degrees(self, contrast: Floats) -> float:
        """Satterthwaite's degrees of freedom of the variance of a contrast."""
        slope = np.einsum("i,kij,j->k", contrast, self.derivatives, contrast)
        noise = float(slope @ self.of_parameters @ slope)
        size = float(contrast @ self.covariance @ contrast)
        return min(2 * size**2 / noise, MOST_DEGREES) if noise > 0 else FEWEST_DEGREES

    def test(self, contrasts: Floats) -> ContrastTest:
        """Test that all rows of a matrix of contrasts are 0."""
        values, directions = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        rows = directions.T @ contrasts
        statistic = float(np.mean((rows @ self.fixed) ** 2 / values))
        degrees = joint_degrees([self.degrees(row) for row in rows])
        return ContrastTest(statistic, len(rows), degrees, float(f_distribution.sf(statistic, len(rows), degrees)))


def joint_degrees(degrees: list[float]) -> float:
    """The error degrees of freedom of a mean of squared t values with some degrees of freedom each."""
    if len(degrees) == 1:
        return degrees[0]
    # The mean of F(1, v) is v / (v - 2); below that it does not exist, and the smallest v is the cautious choice.
    expected = sum(one / (one - 2) if one > 2 else np.inf for one in degrees)
    return 2 * expected / (expected - len(degrees)) if np.isfinite(expected) else min(2.0, *degrees)
