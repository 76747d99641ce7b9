"""The profiled likelihood of a linear mixed model with many random effects.

The same function as in `profiled_likelihood`, from equations whose largest group is eliminated: with 700 items and 80
participants, each with a slope, a hundred times faster.
"""

from collections.abc import Sequence

import numpy as np

from gardenpath.statistics.mixed.crossed import CrossedEffects
from gardenpath.statistics.mixed.effect_blocks import EffectBlock
from gardenpath.statistics.mixed.profiled_likelihood import LEAST_SQUARES, Likelihood, Solution
from gardenpath.statistics.proportions import Floats

MOST_DENSE = 500
"""Random effects up to which one matrix of all of them is fast."""


class CrossedLikelihood(Likelihood):
    """The profiled likelihood of one response, as a function of the entries of Lambda."""

    def prepare(self, y: Floats, x: Floats) -> None:
        """Keep the rows: no matrix of all random effects is built."""
        self.y, self.weights = y, np.ones(len(y))
        self.effects = CrossedEffects(self.blocks, x)

    def solve(self, theta: Floats) -> Solution:
        """Deviance, its gradient, and the best fixed effects for a Lambda."""
        crossed = self.effects
        rows = crossed.rows(theta)
        factors = crossed.factors(rows, self.weights)
        best = factors.solve(rows.sums(self.y))
        spherical, fixed = best[: crossed.size], best[crossed.size :]
        residual = self.y - rows.times(best)
        squares = float(residual @ residual) + float(spherical @ spherical)
        squares = max(squares, LEAST_SQUARES * float(self.y @ self.y))
        own = crossed.own_parts(rows, factors, fixed=self.restricted)
        # The squares change only through the residual, as the effects are at their best.
        by_determinant = 2 * crossed.entry_slopes(own)
        by_squares = -2 * crossed.entry_slopes(spherical[crossed.positions] * residual[:, None])
        log_determinant = factors.log_determinant
        if self.restricted:
            log_determinant = factors.log_first + float(np.linalg.slogdet(factors.schur)[1])
        variance = squares / self.degrees
        return Solution(
            deviance=log_determinant + self.degrees * (1 + np.log(2 * np.pi * variance)),
            gradient=by_determinant + by_squares / variance,
            fixed=fixed,
            residual_variance=variance,
            covariance=variance * np.linalg.inv(factors.schur)[factors.inner :, factors.inner :],
            by_determinant=by_determinant,
            by_squares=by_squares,
        )


def choose_likelihood(y: Floats, x: Floats, blocks: Sequence[EffectBlock], *, restricted: bool = False) -> Likelihood:
    """The likelihood of a response, by the algebra that is faster for as many random effects."""
    effects = sum(block.groups * block.width for block in blocks)
    kind = CrossedLikelihood if effects > MOST_DENSE else Likelihood
    return kind(y, x, blocks, restricted=restricted)
