"""Laplace's approximation to the likelihood of a logistic mixed model with crossed random intercepts and slopes.

As in `laplace`, which is faster where there are only intercepts; Lambda has a triangle for every random effect.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import expit

from gardenpath.statistics.mixed.crossed import CrossedEffects, Factors, Rows
from gardenpath.statistics.mixed.effect_blocks import EffectBlock
from gardenpath.statistics.mixed.laplace import Mode, Successes, descend
from gardenpath.statistics.proportions import Floats

STEP = 1e-3
"""Of the entries of Lambda and of fixed effects (in standard errors) in second derivatives."""


@dataclass(frozen=True, slots=True)
class SlopesMode(Mode):
    """The most probable random effects, and the equations there."""

    factors: Factors


class SlopesLaplace:
    """The approximate likelihood of successes, as a function of the entries of Lambda and the fixed effects."""

    def __init__(self, data: Successes, x: Floats, blocks: Sequence[EffectBlock]) -> None:
        self.data, self.blocks = data, tuple(blocks)
        self.effects = CrossedEffects(blocks, x)
        self.last = np.zeros(self.effects.size)

    def mode(self, theta: Floats, fixed: Floats | None = None) -> SlopesMode:
        """The most probable random effects, by Newton's steps; with no fixed effects given, those too."""
        rows, size = self.effects.rows(theta), self.effects.size
        start = np.zeros(self.effects.x.shape[1]) if fixed is None else fixed
        effects, eta, value = descend(
            np.concatenate([self.last, start]),
            partial(self.evaluate, rows),
            partial(self.newton, rows, free=fixed is None),
        )
        self.last = effects[:size]
        weights = self.data.weights(eta)
        factors = self.effects.factors(rows, weights)
        deviance = value + factors.log_determinant
        return SlopesMode(deviance, effects[:size], effects[size:], eta, weights, factors)

    def evaluate(self, rows: Rows, effects: Floats) -> tuple[Floats, float]:
        """The log odds of every row, and the penalised deviance."""
        eta = rows.times(effects)
        return eta, self.data.penalised(eta, effects[: self.effects.size])

    def newton(self, rows: Rows, effects: Floats, eta: Floats, *, free: bool) -> Floats:
        """One Newton step towards the mode; the fixed effects only change if they are free."""
        slope = rows.sums(self.data.residual(eta))
        slope[: self.effects.size] -= effects[: self.effects.size]
        stop = len(effects) if free else self.effects.size
        change = np.zeros(len(effects))
        change[:stop] = self.effects.factors(rows, self.data.weights(eta)).solve(slope[:stop])
        return change

    def covariance(self, theta: Floats, mode: SlopesMode) -> Floats:
        """The covariance of the fixed effects, with Lambda taken as known."""
        fixed = self.effects.x.shape[1]
        schur = self.effects.factors(self.effects.rows(theta), mode.weights).schur
        inverse = np.linalg.pinv(schur, hermitian=True)
        return np.asarray(inverse[-fixed:, -fixed:], dtype=np.float64)

    def uncertain_covariance(self, theta: Floats, mode: SlopesMode) -> Floats:
        """The covariance of the fixed effects, with what the uncertainty of Lambda adds to it.

        From the second derivatives of the deviance, as lme4's. Entries of Lambda that are 0 are taken as known; so are
        all where the deviance is not curved upwards in every direction.
        """
        point = np.concatenate([theta, mode.fixed])
        free = np.flatnonzero((point != 0) | (np.arange(len(point)) >= len(theta)))
        units = np.eye(len(point))[free]
        # The unit of a fixed effect is its standard error: columns may be of any size.
        known = self.covariance(theta, mode)
        sizes = np.concatenate([np.ones(len(theta)), np.sqrt(np.diag(known))])[free]
        second = np.array(
            [
                (self.slope_at(point + STEP * unit * size) - self.slope_at(point - STEP * unit * size))[free]
                / (2 * STEP * size)
                for unit, size in zip(units, sizes, strict=True)
            ]
        )
        scaled = (second + second.T) * np.outer(sizes, sizes) / 4  # the deviance is twice minus the log-likelihood
        if not (np.isfinite(scaled).all() and np.linalg.eigvalsh(scaled)[0] > 0):
            return known
        fixed = len(mode.fixed)
        return np.asarray((np.linalg.inv(scaled) * np.outer(sizes, sizes))[-fixed:, -fixed:], dtype=np.float64)

    def slope_at(self, point: Floats) -> Floats:
        """The gradient at some entries of Lambda and fixed effects."""
        theta, fixed = point[: -self.effects.x.shape[1]], point[-self.effects.x.shape[1] :]
        return self.gradient(theta, self.mode(theta, fixed))

    def gradient(self, theta: Floats, mode: SlopesMode) -> Floats:
        """The derivative of the deviance by every entry of Lambda and every fixed effect.

        By the chain rule over the log odds: those change with the parameters and, through the mode, with the effects.
        """
        crossed, rows, size = self.effects, self.effects.rows(theta), self.effects.size
        own = crossed.own_parts(rows, mode.factors)
        leverage = (own * rows.values).sum(axis=1)
        residual = self.data.residual(mode.eta)
        skew = mode.weights * (1 - 2 * expit(mode.eta)) * leverage
        shift = mode.factors.solve(rows.sums(skew)[:size])
        by_row = skew - 2 * residual - mode.weights * rows.times(shift)
        by_value = (
            mode.effects[crossed.positions] * by_row[:, None]
            + shift[crossed.positions] * residual[:, None]
            + 2 * mode.weights[:, None] * own
        )
        return np.concatenate([crossed.entry_slopes(by_value), crossed.x.T @ by_row])
