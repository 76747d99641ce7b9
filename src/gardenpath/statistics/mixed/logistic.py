"""Logistic mixed-effects regression of single outcomes, with crossed random intercepts, by Laplace's approximation.

The integral over the random effects is replaced by its integrand at the mode and the curvature there (Bates, Maechler,
Bolker & Walker; `glmer` of lme4 with its default nAGQ = 1). The largest group, usually the items, is eliminated first:
its part of the curvature is diagonal, so that tens of thousands of items take no longer than their rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array, hstack
from scipy.special import gammaln

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import MixedModel, Spread, wald
from gardenpath.statistics.mixed.terms import build_design, group_codes, require_complete, require_rank
from gardenpath.statistics.proportions import Floats

MOST_NEWTON_STEPS = 100
MODE_TOLERANCE = 1e-10
"""The mode is found when a step changes the penalised deviance by less than this share."""
LARGEST_EFFECT = 30.0
"""A larger coefficient (in log odds) or standard error means that a level is always correct or always wrong."""


def fit_logistic(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], groups: Sequence[str], trials: str | None = None
) -> MixedModel:
    """Fit the log odds of success on fixed terms and random intercepts by some columns.

    The response is true or false (or 1 or 0), or a number of successes if `trials` names the column of attempts.
    """
    design = build_design(table, fixed)
    require_rank(design)
    successes = require_complete(table, response).cast(float).to_numpy()
    attempts = np.ones(len(table)) if trials is None else require_complete(table, trials).cast(float).to_numpy()
    require_outcomes(successes, attempts, response)
    model = Laplace(successes, attempts, design.matrix, [group_codes(table, group) for group in groups])
    theta, fixed_effects = model.maximise()
    fit = model.mode(theta, fixed_effects)
    covariance = model.covariance(theta, fit)
    errors = np.sqrt(np.diag(covariance))
    if not (np.concatenate([np.abs(fixed_effects), errors]) < LARGEST_EFFECT).all():  # NaN is not smaller either
        worst = design.columns[int(np.argmax(np.nan_to_num(errors, nan=np.inf)))]
        raise InputError(
            f"the effect of {worst} on {response!r} has no finite estimate: some level is always correct or always "
            "wrong; leave the term out, or pool its levels"
        )
    spreads = [Spread(group, "(intercept)", float(abs(value))) for group, value in zip(groups, theta, strict=True)]
    return MixedModel(
        coefficients=wald(design, fixed_effects, covariance),
        spreads=tuple(spreads),
        residual_sd=None,
        log_likelihood=-fit.deviance / 2,
        parameters=len(fixed_effects) + len(theta),
        n=len(table),
    )


def require_outcomes(successes: Floats, attempts: Floats, response: str) -> None:
    """Raise if a row is no count of successes, or if there is no variance."""
    if (successes < 0).any() or (successes > attempts).any():
        raise InputError(f"{response!r} must lie between 0 and the number of attempts in every row")
    if successes.sum() in (0, attempts.sum()):
        which = "never" if successes.sum() == 0 else "always"
        raise InputError(f"{response!r} is {which} true in all {len(successes)} rows: there is nothing to explain")


@dataclass(frozen=True, slots=True)
class Mode:
    """The most probable random effects, for given fixed effects and spreads."""

    deviance: float
    """Minus twice the approximate log-likelihood."""
    effects: Floats
    """Random effects in units of their spread, the largest group first."""
    fixed: Floats
    weights: Floats


class Laplace:
    """The approximate likelihood of successes, as a function of spreads and fixed effects."""

    def __init__(self, y: Floats, m: Floats, x: Floats, codes: Sequence[NDArray[np.int64]]) -> None:
        sizes = [int(code.max()) + 1 for code in codes]
        self.order = sorted(range(len(codes)), key=lambda group: -sizes[group])
        self.y, self.m, self.x = y, m, x
        rows, ones = np.arange(len(y)), np.ones(len(y))
        indicators = [csr_array((ones, (rows, codes[group])), shape=(len(y), sizes[group])) for group in self.order]
        self.first: Any = indicators[0]
        self.rest: Any = hstack([*indicators[1:], csr_array(x)], format="csr")
        self.row_of = np.repeat(rows, np.diff(self.rest.indptr))
        self.first_transposed: Any = self.first.T.tocsr()
        self.rest_transposed: Any = self.rest.T.tocsr()
        self.spans = [sizes[group] for group in self.order]
        self.constant = float((gammaln(m + 1) - gammaln(y + 1) - gammaln(m - y + 1)).sum())
        self.last = np.zeros(sum(sizes))

    def scales(self, theta: Floats) -> Floats:
        """The spread of every random effect, and 1 for the fixed columns."""
        ordered = np.abs(theta)[self.order]
        return np.concatenate([np.repeat(ordered, self.spans), np.ones(self.x.shape[1])])

    def eta(self, scales: Floats, effects: Floats) -> Floats:
        """The log odds of every row."""
        scaled, split = scales * effects, self.spans[0]
        return np.asarray(self.first @ scaled[:split] + self.rest @ scaled[split:], dtype=np.float64)

    def penalised(self, eta: Floats, effects: Floats) -> float:
        """Minus twice the log-likelihood given the random effects, plus their squares."""
        log_likelihood = float((self.y * eta - self.m * np.logaddexp(0, eta)).sum()) + self.constant
        random = effects[: sum(self.spans)]
        return -2 * log_likelihood + float(random @ random)

    def curvature(self, scales: Floats, weights: Floats) -> tuple[Floats, Any, Floats]:
        """Second derivatives: diagonal of the first group, cross terms with the rest, Schur complement of the rest."""
        first, others = scales[: self.spans[0]], scales[self.spans[0] :]
        rest = self.rest
        weighted = csr_array((rest.data * weights[self.row_of], rest.indices, rest.indptr), shape=rest.shape)
        diagonal = first**2 * (self.first_transposed @ weights) + 1
        beside = (self.first_transposed @ weighted).tocsr()
        rows = np.repeat(np.arange(len(first)), np.diff(beside.indptr))
        beside.data *= first[rows] * others[beside.indices]
        divided = csr_array((beside.data / diagonal[rows], beside.indices, beside.indptr), shape=beside.shape)
        inner = others[:, None] * (self.rest_transposed @ weighted).toarray() * others
        penalty = np.arange(len(others)) < sum(self.spans) - len(first)
        return diagonal, beside, inner + np.diag(penalty.astype(float)) - (beside.T @ divided).toarray()

    def mode(self, theta: Floats, fixed: Floats | None = None) -> Mode:
        """The most probable random effects, by Newton's steps; with no fixed effects given, those too."""
        scales = self.scales(theta)
        count = sum(self.spans)
        start = np.zeros(self.x.shape[1]) if fixed is None else fixed
        effects = np.concatenate([self.last, start])
        eta = self.eta(scales, effects)
        value = self.penalised(eta, effects)
        for _ in range(MOST_NEWTON_STEPS):
            change = self.newton(scales, effects, eta, free=fixed is None)
            size = 1.0
            while True:
                tried = effects + size * change
                tried_eta = self.eta(scales, tried)
                tried_value = self.penalised(tried_eta, tried)
                if tried_value <= value + MODE_TOLERANCE * abs(value) or size < MODE_TOLERANCE:
                    break
                size /= 2
            closer = abs(value - tried_value) < MODE_TOLERANCE * (abs(value) + 1)
            effects, eta, value = tried, tried_eta, tried_value
            if closer:
                break
        self.last = effects[:count]
        mu = 1 / (1 + np.exp(-eta))
        weights = self.m * mu * (1 - mu)
        diagonal, _, schur = self.curvature(scales, weights)
        inner = count - self.spans[0]
        # The determinant of no rows is 1.
        log_determinant = float(np.log(diagonal).sum()) + float(np.linalg.slogdet(schur[:inner, :inner])[1])
        return Mode(value + log_determinant, effects[:count], effects[count:], weights)

    def newton(self, scales: Floats, effects: Floats, eta: Floats, *, free: bool) -> Floats:
        """One Newton step towards the mode; the fixed effects only change if they are free."""
        split, count = self.spans[0], sum(self.spans)
        mu = 1 / (1 + np.exp(-eta))
        residual = self.y - self.m * mu
        slope = scales * np.concatenate([self.first_transposed @ residual, self.rest_transposed @ residual])
        slope[:count] -= effects[:count]
        diagonal, beside, schur = self.curvature(scales, self.m * mu * (1 - mu))
        stop = len(schur) if free else count - split
        known = (slope[split:] - beside.T @ (slope[:split] / diagonal))[:stop]
        change = np.zeros(len(effects))
        change[split : split + stop] = np.linalg.solve(schur[:stop, :stop], known) if stop else 0.0
        change[:split] = (slope[:split] - beside @ change[split:]) / diagonal
        return change

    def covariance(self, theta: Floats, mode: Mode) -> Floats:
        """The covariance of the fixed effects, with the spreads taken as known."""
        _, _, schur = self.curvature(self.scales(theta), mode.weights)
        fixed = self.x.shape[1]
        return np.asarray(np.linalg.inv(schur)[-fixed:, -fixed:], dtype=np.float64)

    def maximise(self) -> tuple[Floats, Floats]:
        """The spreads and fixed effects with the highest likelihood."""
        groups = len(self.spans)
        limits: list[tuple[float | None, None]] = [(0.0, None)] * groups
        search: dict[str, Any] = {"method": "L-BFGS-B", "jac": "3-point"}
        rough = minimize(lambda theta: self.mode(theta).deviance, np.ones(groups), bounds=limits, **search)
        start = self.mode(rough.x)
        # In units of their standard errors, all fixed effects are of the same order.
        unit = np.sqrt(np.diag(self.covariance(rough.x, start)))

        def target(point: Floats) -> float:
            return self.mode(point[:groups], start.fixed + unit * point[groups:]).deviance

        first = np.concatenate([rough.x, np.zeros(len(unit))])
        limits += [(None, None)] * len(unit)
        found = minimize(target, first, bounds=limits, options={"ftol": 1e-12, "gtol": 1e-6}, **search)
        return np.asarray(found.x[:groups]), np.asarray(start.fixed + unit * found.x[groups:])
