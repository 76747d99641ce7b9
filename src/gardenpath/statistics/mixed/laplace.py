"""Laplace's approximation to the likelihood of a logistic mixed model with crossed random intercepts.

With random effects b = Lambda u, where Lambda has the spreads on its diagonal, minus twice the log-likelihood is the
penalised deviance d(u) = -2 log p(y | u) + u'u at its minimum, plus log|H|, where H = Lambda Z'WZ Lambda + I is half
the second derivative of d (Bates, Maechler, Bolker & Walker; `glmer` of lme4 with nAGQ = 1). The largest group, usually
the items, is eliminated first: its part of H is diagonal, so that tens of thousands of items take no longer than their
rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from scipy.special import expit, gammaln

from gardenpath.statistics.proportions import Floats

MOST_NEWTON_STEPS = 100
MODE_TOLERANCE = 1e-10
"""The mode is found when a step changes the penalised deviance by less than this share."""
CHUNK = 1 << 22
"""Numbers in memory at once where every row has one for every level of the smaller groups."""


@dataclass(frozen=True, slots=True)
class Mode:
    """The most probable random effects, for given fixed effects and spreads."""

    deviance: float
    """Minus twice the approximate log-likelihood."""
    effects: Floats
    """Random effects in units of their spread, the largest group first."""
    fixed: Floats
    eta: Floats
    """The log odds of every row."""
    weights: Floats


@dataclass(frozen=True, slots=True)
class Curvature:
    """Half the second derivatives of the penalised deviance."""

    diagonal: Floats
    """Of the effects of the first group, which are independent of each other."""
    beside: Any
    """Between the first group and all others: (first, others), sparse."""
    schur: Floats
    """Of the others with the first group eliminated: (others, others)."""


@dataclass(frozen=True, slots=True)
class Successes:
    """Successes among the attempts of every row."""

    y: Floats
    m: Floats
    constant: float
    """The part of the log-likelihood that does not depend on the log odds."""

    def penalised(self, eta: Floats, random: Floats) -> float:
        """Minus twice the log-likelihood given the log odds, plus the squares of the random effects."""
        log_likelihood = float((self.y * eta - self.m * np.logaddexp(0, eta)).sum()) + self.constant
        return -2 * log_likelihood + float(random @ random)

    def weights(self, eta: Floats) -> Floats:
        """The variance of the number of successes of every row."""
        return np.asarray(self.m * expit(eta) * expit(-eta), dtype=np.float64)

    def residual(self, eta: Floats) -> Floats:
        """Successes less those expected."""
        return np.asarray(self.y - self.m * expit(eta), dtype=np.float64)


def count_successes(y: Floats, m: Floats) -> Successes:
    """Successes among attempts."""
    return Successes(y, m, float((gammaln(m + 1) - gammaln(y + 1) - gammaln(m - y + 1)).sum()))


class Laplace:
    """The approximate likelihood of successes, as a function of spreads and fixed effects."""

    def __init__(self, y: Floats, m: Floats, x: Floats, codes: Sequence[NDArray[np.int64]]) -> None:
        sizes = [int(code.max()) + 1 for code in codes]
        self.order = sorted(range(len(codes)), key=lambda group: -sizes[group])
        self.data, self.x = count_successes(y, m), x
        rows, ones = np.arange(len(y)), np.ones(len(y))
        indicators = [csr_array((ones, (rows, codes[group])), shape=(len(y), sizes[group])) for group in self.order]
        self.codes = [codes[group] for group in self.order]
        self.first: Any = indicators[0]
        self.rest: Any = hstack([*indicators[1:], csr_array(x)], format="csr")
        self.row_of = np.repeat(rows, np.diff(self.rest.indptr))
        self.first_transposed: Any = self.first.T.tocsr()
        self.rest_transposed: Any = self.rest.T.tocsr()
        self.spans = [sizes[group] for group in self.order]
        self.last = np.zeros(sum(sizes))

    def scales(self, theta: Floats) -> Floats:
        """The spread of every random effect, and 1 for the fixed columns."""
        return np.concatenate([np.repeat(theta[self.order], self.spans), np.ones(self.x.shape[1])])

    def eta(self, scales: Floats, effects: Floats) -> Floats:
        """The log odds of every row."""
        scaled, split = scales * effects, self.spans[0]
        return np.asarray(self.first @ scaled[:split] + self.rest @ scaled[split:], dtype=np.float64)

    def transposed(self, rows: Floats) -> Floats:
        """Sums of a number per row, for every random effect and fixed column."""
        return np.concatenate([self.first_transposed @ rows, self.rest_transposed @ rows])

    def evaluate(self, scales: Floats, effects: Floats) -> tuple[Floats, float]:
        """The log odds of every row, and the penalised deviance."""
        eta = self.eta(scales, effects)
        return eta, self.data.penalised(eta, effects[: sum(self.spans)])

    def curvature(self, scales: Floats, weights: Floats) -> Curvature:
        """Second derivatives by random effects and fixed effects, the first group eliminated from the others."""
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
        schur = inner + np.diag(penalty.astype(float)) - (beside.T @ divided).toarray()
        return Curvature(diagonal, beside, schur)

    def mode(self, theta: Floats, fixed: Floats | None = None) -> Mode:
        """The most probable random effects, by Newton's steps; with no fixed effects given, those too."""
        scales = self.scales(theta)
        count = sum(self.spans)
        start = np.zeros(self.x.shape[1]) if fixed is None else fixed
        effects, eta, value = descend(
            np.concatenate([self.last, start]),
            partial(self.evaluate, scales),
            partial(self.newton, scales, free=fixed is None),
        )
        self.last = effects[:count]
        weights = self.data.weights(eta)
        curvature = self.curvature(scales, weights)
        inner = count - self.spans[0]
        # The determinant of no rows is 1.
        log_determinant = float(np.log(curvature.diagonal).sum())
        log_determinant += float(np.linalg.slogdet(curvature.schur[:inner, :inner])[1])
        return Mode(value + log_determinant, effects[:count], effects[count:], eta, weights)

    def newton(self, scales: Floats, effects: Floats, eta: Floats, *, free: bool) -> Floats:
        """One Newton step towards the mode; the fixed effects only change if they are free."""
        count = sum(self.spans)
        slope = scales * self.transposed(self.data.residual(eta))
        slope[:count] -= effects[:count]
        stop = len(effects) if free else count
        change = np.zeros(len(effects))
        change[:stop] = solve(self.curvature(scales, self.data.weights(eta)), slope[:stop])
        return change

    def covariance(self, theta: Floats, mode: Mode) -> Floats:
        """The covariance of the fixed effects, with the spreads taken as known."""
        schur = self.curvature(self.scales(theta), mode.weights).schur
        fixed = self.x.shape[1]
        return np.asarray(np.linalg.pinv(schur, hermitian=True)[-fixed:, -fixed:], dtype=np.float64)

    def gradient(self, theta: Floats, mode: Mode) -> Floats:
        """The derivative of the deviance by every spread and fixed effect.

        By the chain rule over the log odds: those change with the parameters and, through the mode, with the effects.
        """
        scales, count = self.scales(theta), sum(self.spans)
        curvature = self.curvature(scales, mode.weights)
        leverage, own = self.leverages(scales, curvature)
        residual = self.data.residual(mode.eta)
        skew = mode.weights * (1 - 2 * expit(mode.eta)) * leverage
        shift = np.zeros(len(scales))
        shift[:count] = solve(curvature, scales[:count] * self.transposed(skew)[:count])
        by_row = skew - 2 * residual - mode.weights * self.eta(scales, shift)
        by_effect, of_residual = self.transposed(by_row), self.transposed(residual)
        parts, begin = np.zeros(len(self.spans)), 0
        for group, span, mine in zip(self.order, self.spans, own, strict=True):
            part = slice(begin, begin + span)
            parts[group] = mode.effects[part] @ by_effect[part] + shift[part] @ of_residual[part]
            parts[group] += 2 * float(mode.weights @ mine)
            begin += span
        return np.concatenate([parts, by_effect[count:]])

    def leverages(self, scales: Floats, curvature: Curvature) -> tuple[Floats, list[Floats]]:
        """z'H^-1 z of every row z of Z Lambda; and for every group the part of H^-1 z of the row's own effect."""
        inner = sum(self.spans) - self.spans[0]
        inverse = np.linalg.inv(curvature.schur[:inner, :inner])
        first = (scales[: self.spans[0]] / curvature.diagonal)[self.codes[0]]  # (rows,)
        leverage = first * scales[: self.spans[0]][self.codes[0]]
        own = [first.copy(), *(np.zeros(len(self.x)) for _ in self.spans[1:])]
        inner_scales = scales[self.spans[0] :][:inner]
        step = max(1, CHUNK // max(inner, 1)) if inner else len(self.x)
        for begin in range(0, len(self.x) if inner else 0, step):
            rows = slice(begin, begin + step)
            across = curvature.beside[self.codes[0][rows]].toarray()[:, :inner]
            v = self.rest[rows].toarray()[:, :inner] * inner_scales - first[rows, None] * across  # (rows, inner)
            solved = v @ inverse
            leverage[rows] += (v * solved).sum(axis=1)
            own[0][rows] -= (across * solved).sum(axis=1) / curvature.diagonal[self.codes[0][rows]]
            offset = 0
            for group, (codes, span) in enumerate(zip(self.codes[1:], self.spans[1:], strict=True), start=1):
                own[group][rows] = solved[np.arange(len(solved)), offset + codes[rows]]
                offset += span
        return leverage, own


def descend(
    effects: Floats, evaluate: Callable[[Floats], tuple[Floats, float]], step: Callable[[Floats, Floats], Floats]
) -> tuple[Floats, Floats, float]:
    """The effects of the least penalised deviance, by Newton's steps that never raise it; log odds and deviance there.

    evaluate: log odds and penalised deviance of some effects; step: Newton's step from effects and their log odds.
    """
    eta, value = evaluate(effects)
    for _ in range(MOST_NEWTON_STEPS):
        change = step(effects, eta)
        size = 1.0
        while True:
            tried = effects + size * change
            tried_eta, tried_value = evaluate(tried)
            if tried_value <= value + MODE_TOLERANCE * abs(value) or size < MODE_TOLERANCE:
                break
            size /= 2
        closer = abs(value - tried_value) < MODE_TOLERANCE * (abs(value) + 1)
        effects, eta, value = tried, tried_eta, tried_value
        if closer:
            break
    return effects, eta, value


def solve(curvature: Curvature, right: Floats) -> Floats:
    """Solve the curvature of the first effects (as many as the right side has) for a right side."""
    split = len(curvature.diagonal)
    inner = len(right) - split
    beside = curvature.beside[:, :inner]
    known = right[split:] - beside.T @ (right[:split] / curvature.diagonal)
    later = np.linalg.solve(curvature.schur[:inner, :inner], known) if inner else known
    return np.concatenate([(right[:split] - beside @ later) / curvature.diagonal, later])
