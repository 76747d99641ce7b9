"""Logistic mixed-effects regression of single outcomes, with crossed random intercepts, by Laplace's approximation.

The integral over the random effects is replaced by its integrand at the mode and the curvature there (Bates, Maechler,
Bolker & Walker; `glmer` of lme4 with its default nAGQ = 1). The largest group, usually the items, is eliminated first:
its part of the curvature is diagonal, so tens of thousands of items cost no more than the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.statistics.estimate import Values
from gardenpath.statistics.mixed.linear import MixedModel, Spread, wald
from gardenpath.statistics.mixed.terms import build_design, check_rank, complete, group_codes

if TYPE_CHECKING:
    import polars

STEPS = 100
CLOSE = 1e-10
"""The mode is found when a step changes the penalised deviance by less than this share."""
BEYOND = 30.0
"""A coefficient (in log odds) or standard error beyond this means that a level is always right or always wrong."""


def fit_logistic(
    table: "polars.DataFrame",
    response: str,
    *,
    fixed: Sequence[str],
    groups: Sequence[str],
    trials: str | None = None,
) -> MixedModel:
    """The fit of the log odds of success on fixed terms and random intercepts by some columns.

    The response is true or false (or 1 or 0), or a number of successes where `trials` names the column of attempts.
    """
    design = build_design(table, fixed)
    check_rank(design)
    successes = complete(table, response).cast(float).to_numpy()
    attempts = np.ones(len(table)) if trials is None else complete(table, trials).cast(float).to_numpy()
    check_outcomes(successes, attempts, response)
    grouped = [group_codes(table, group) for group in groups]
    model = Laplace(successes, attempts, design.matrix, [codes for _, codes in grouped])
    theta, fixed_effects = model.maximise()
    fit = model.mode(theta, fixed_effects)
    covariance = model.covariance(theta, fit)
    errors = np.sqrt(np.diag(covariance))
    if not (np.isfinite(errors).all() and (np.abs(fixed_effects) < BEYOND).all() and (errors < BEYOND).all()):
        worst = design.columns[int(np.argmax(np.nan_to_num(errors, nan=np.inf)))]
        raise InputError(
            f"the effect of {worst} on {response!r} has no finite estimate: some level is always right or always "
            "wrong; leave the term out, or pool its levels"
        )
    return MixedModel(
        coefficients=wald(design, fixed_effects, covariance),
        spreads=tuple(
            Spread(group, "(intercept)", float(abs(value))) for group, value in zip(groups, theta, strict=True)
        ),
        residual_sd=None,
        log_likelihood=-fit.deviance / 2,
        parameters=len(fixed_effects) + len(theta),
        n=len(table),
    )


def check_outcomes(successes: Values, attempts: Values, response: str) -> None:
    """Refuse what is no count of successes, and what has no variance."""
    if (successes < 0).any() or (successes > attempts).any():
        raise InputError(f"{response!r} must lie between 0 and the number of attempts in every row")
    if successes.sum() in (0, attempts.sum()):
        which = "never" if successes.sum() == 0 else "always"
        raise InputError(f"{response!r} is {which} true in all {len(successes)} rows: there is nothing to explain")


@dataclass(frozen=True, slots=True)
class Mode:
    """Where the random effects are most probable, for given fixed effects and spreads."""

    deviance: float
    """Minus twice the approximate log-likelihood."""
    effects: Values
    """Random effects in units of their spread, the largest group first."""
    fixed: Values
    weights: Values


class Laplace:
    """The approximate likelihood of successes, as a function of spreads and fixed effects."""

    def __init__(self, y: Values, m: Values, x: Values, codes: Sequence[NDArray[np.int64]]) -> None:
        from scipy.sparse import csr_array, hstack
        from scipy.special import gammaln

        sizes = [int(code.max()) + 1 for code in codes]
        self.order = sorted(range(len(codes)), key=lambda place: -sizes[place])
        self.y, self.m, self.x = y, m, x
        rows = np.arange(len(y))
        ones = np.ones(len(y))
        indicators = [csr_array((ones, (rows, codes[place])), shape=(len(y), sizes[place])) for place in self.order]
        self.first: Any = indicators[0]
        self.rest: Any = hstack([*indicators[1:], csr_array(x)], format="csr")
        self.row_of = np.repeat(rows, np.diff(self.rest.indptr))
        self.first_turned: Any = self.first.T.tocsr()
        self.rest_turned: Any = self.rest.T.tocsr()
        self.spans = [sizes[place] for place in self.order]
        self.constant = float((gammaln(m + 1) - gammaln(y + 1) - gammaln(m - y + 1)).sum())
        self.last = np.zeros(sum(sizes))

    def scales(self, theta: Values) -> Values:
        """The spread of every random effect, and 1 for the fixed columns."""
        ordered = np.abs(theta)[self.order]
        return np.concatenate([np.repeat(ordered, self.spans), np.ones(self.x.shape[1])])

    def eta(self, scales: Values, effects: Values) -> Values:
        """The log odds of every row."""
        scaled, split = scales * effects, self.spans[0]
        return np.asarray(self.first @ scaled[:split] + self.rest @ scaled[split:], dtype=np.float64)

    def penalised(self, eta: Values, effects: Values) -> float:
        """Minus twice the log-likelihood given the random effects, and their squares."""
        log_likelihood = float((self.y * eta - self.m * np.logaddexp(0, eta)).sum()) + self.constant
        random = effects[: sum(self.spans)]
        return -2 * log_likelihood + float(random @ random)

    def curvature(self, scales: Values, weights: Values) -> tuple[Values, Any, Values]:
        """Second derivatives: diagonal of the first group, its rows beside the rest, the rest once it is eliminated."""
        from scipy.sparse import csr_array

        first, others = scales[: self.spans[0]], scales[self.spans[0] :]
        rest = self.rest
        weighted = csr_array((rest.data * weights[self.row_of], rest.indices, rest.indptr), shape=rest.shape)
        diagonal = first**2 * (self.first_turned @ weights) + 1
        beside = (self.first_turned @ weighted).tocsr()
        rows = np.repeat(np.arange(len(first)), np.diff(beside.indptr))
        beside.data *= first[rows] * others[beside.indices]
        divided = csr_array((beside.data / diagonal[rows], beside.indices, beside.indptr), shape=beside.shape)
        inner = others[:, None] * (self.rest_turned @ weighted).toarray() * others
        penalty = np.arange(len(others)) < sum(self.spans) - len(first)
        return diagonal, beside, inner + np.diag(penalty.astype(float)) - (beside.T @ divided).toarray()

    def mode(self, theta: Values, fixed: Values | None = None) -> Mode:
        """The most probable random effects, by Newton's steps; with no fixed effects given, those too."""
        scales = self.scales(theta)
        count = sum(self.spans)
        start = np.zeros(self.x.shape[1]) if fixed is None else fixed
        effects = np.concatenate([self.last, start])
        eta = self.eta(scales, effects)
        value = self.penalised(eta, effects)
        for _ in range(STEPS):
            change = self.newton(scales, effects, eta, free=fixed is None)
            size = 1.0
            while True:
                tried = effects + size * change
                tried_eta = self.eta(scales, tried)
                tried_value = self.penalised(tried_eta, tried)
                if tried_value <= value + CLOSE * abs(value) or size < CLOSE:
                    break
                size /= 2
            closer = abs(value - tried_value) < CLOSE * (abs(value) + 1)
            effects, eta, value = tried, tried_eta, tried_value
            if closer:
                break
        self.last = effects[:count]
        mu = 1 / (1 + np.exp(-eta))
        weights = self.m * mu * (1 - mu)
        diagonal, _, schur = self.curvature(scales, weights)
        inner = count - self.spans[0]
        log_determinant = float(np.log(diagonal).sum())
        if inner:
            log_determinant += float(np.linalg.slogdet(schur[:inner, :inner])[1])
        return Mode(value + log_determinant, effects[:count], effects[count:], weights)

    def newton(self, scales: Values, effects: Values, eta: Values, *, free: bool) -> Values:
        """One step towards the mode; the fixed effects move only if they are free."""
        split, count = self.spans[0], sum(self.spans)
        mu = 1 / (1 + np.exp(-eta))
        residual = self.y - self.m * mu
        slope = scales * np.concatenate([self.first_turned @ residual, self.rest_turned @ residual])
        slope[:count] -= effects[:count]
        diagonal, beside, schur = self.curvature(scales, self.m * mu * (1 - mu))
        stop = len(schur) if free else count - split
        known = (slope[split:] - beside.T @ (slope[:split] / diagonal))[:stop]
        change = np.zeros(len(effects))
        change[split : split + stop] = np.linalg.solve(schur[:stop, :stop], known) if stop else 0.0
        change[:split] = (slope[:split] - beside @ change[split:]) / diagonal
        return change

    def covariance(self, theta: Values, mode: Mode) -> Values:
        """Of the fixed effects, the spreads taken as known."""
        _, _, schur = self.curvature(self.scales(theta), mode.weights)
        fixed = self.x.shape[1]
        return np.asarray(np.linalg.inv(schur)[-fixed:, -fixed:], dtype=np.float64)

    def maximise(self) -> tuple[Values, Values]:
        """The spreads and fixed effects with the highest likelihood."""
        from scipy.optimize import minimize

        groups = len(self.spans)
        limits = [(0.0, None)] * groups
        rough = minimize(
            lambda theta: self.mode(theta).deviance, np.ones(groups), method="L-BFGS-B", bounds=limits, jac="3-point"
        )
        start = self.mode(rough.x)
        # In units of their standard errors the fixed effects are all of one size.
        unit = np.sqrt(np.diag(self.covariance(rough.x, start)))

        def target(place: Values) -> float:
            return self.mode(place[:groups], start.fixed + unit * place[groups:]).deviance

        found = minimize(
            target,
            np.concatenate([rough.x, np.zeros(len(unit))]),
            method="L-BFGS-B",
            bounds=[*limits, *[(None, None)] * len(unit)],
            jac="3-point",
            options={"ftol": 1e-12, "gtol": 1e-6},
        )
        return np.asarray(found.x[:groups]), np.asarray(start.fixed + unit * found.x[groups:])
