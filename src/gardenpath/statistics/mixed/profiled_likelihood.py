"""The likelihood of a linear mixed model, profiled over all parameters but the covariance of the random effects.

With random effects b = Lambda u, where u has the residual's variance, the best fixed effects and residual variance
for a given Lambda come from one penalised least-squares problem (Bates, Maechler, Bolker & Walker 2015,
J. Stat. Software 67(1), equations 30-36), and the derivatives of the deviance from its solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from gardenpath.statistics.proportions import Floats

STARTS = (1.0, 0.1)
"""Starting values of Lambda: random effects as large as the residual; if that fails, much smaller."""
MOST_STEPS = 2_000
LEAST_SQUARES = 1e-15
"""Share of the sum of squares below which the residual is rounding."""


@dataclass(frozen=True, slots=True)
class EffectBlock:
    """The columns of one random effect for every group, and the triangle of Lambda of each group."""

    groups: int
    basis: Floats
    """Transforms effects in the orthogonal columns used here back to those of the original columns."""
    matrix: Floats
    """Rows by (groups x width)."""

    @property
    def width(self) -> int:
        """Number of columns: intercept and slopes."""
        return len(self.basis)

    @property
    def size(self) -> int:
        """Number of free entries of the triangle."""
        return self.width * (self.width + 1) // 2

    def triangle(self, theta: Floats) -> Floats:
        """The part of Lambda of one group."""
        result = np.zeros((self.width, self.width))
        result[np.tril_indices(self.width)] = theta
        return result

    def covariance(self, theta: Floats) -> Floats:
        """The covariance of the effects of the original columns, in units of the residual variance."""
        factor = self.basis @ self.triangle(theta)
        return factor @ factor.T


def build_block(columns: Floats, codes: NDArray[np.int64]) -> EffectBlock:
    """Build a block from columns and the group of each row; orthogonal columns make the search easy."""
    groups, rows = int(codes.max()) + 1, len(codes)
    orthogonal, triangle = np.linalg.qr(columns)
    scale = np.sqrt(rows)
    matrix = np.zeros((rows, groups, columns.shape[1]))
    matrix[np.arange(rows), codes] = orthogonal * scale
    return EffectBlock(groups, np.linalg.inv(triangle) * scale, matrix.reshape(rows, -1))


@dataclass(frozen=True, slots=True)
class Solution:
    """The fit for one Lambda."""

    deviance: float
    """Minus twice the log-likelihood."""
    gradient: Floats
    fixed: Floats
    residual_variance: float
    covariance: Floats
    """Of the fixed effects."""


class Likelihood:
    """The profiled likelihood of one response, as a function of the entries of Lambda."""

    def __init__(self, y: Floats, x: Floats, blocks: Sequence[EffectBlock]) -> None:
        self.blocks = tuple(blocks)
        z = np.hstack([block.matrix for block in blocks]) if blocks else np.zeros((len(y), 0))
        self.n = len(y)
        self.zz, self.zx, self.zy = z.T @ z, z.T @ x, z.T @ y
        self.xx, self.xy, self.yy = x.T @ x, x.T @ y, float(y @ y)
        self.columns = list(pairwise(np.cumsum([0, *(block.matrix.shape[1] for block in blocks)]).tolist()))
        self.entries = list(pairwise(np.cumsum([0, *(block.size for block in blocks)]).tolist()))

    def times_factor(self, theta: Floats, matrix: Floats) -> Floats:
        """A matrix times Lambda, which repeats the triangle of each block over its groups."""
        parts = [matrix[:, :0]]
        for block, columns, entries in zip(self.blocks, self.columns, self.entries, strict=True):
            part = matrix[:, slice(*columns)]
            by_group = part.reshape(-1, block.width) @ block.triangle(theta[slice(*entries)])
            parts.append(by_group.reshape(part.shape))
        return np.hstack(parts)

    def solve(self, theta: Floats) -> Solution:
        """Deviance, its gradient, and the best fixed effects for a Lambda."""
        zz = self.times_factor(theta, self.zz)
        inner = self.times_factor(theta, zz.T) + np.eye(len(zz))
        lower = cho_factor(inner, lower=True) if len(zz) else None
        zx, zy = self.times_factor(theta, self.zx.T).T, self.times_factor(theta, self.zy[None])[0]
        by_x = cho_solve(lower, zx) if lower else zx
        by_y = cho_solve(lower, zy) if lower else zy
        information = self.xx - zx.T @ by_x
        fixed: Floats = np.linalg.solve(information, self.xy - zx.T @ by_y).astype(np.float64)
        spherical = by_y - by_x @ fixed
        squares = max(self.yy - float(self.xy @ fixed) - float(zy @ spherical), LEAST_SQUARES * self.yy)
        log_determinant = 2 * float(np.log(np.diag(lower[0])).sum()) if lower else 0.0
        deviance = log_determinant + self.n * (1 + np.log(2 * np.pi * squares / self.n))
        # d log|M| = 2 tr(M^-1 Lambda' Z'Z dLambda); the squares change only through the residual, as u is at its best.
        leverage = cho_solve(lower, zz.T) if lower else zz
        gradient = self.gradient(leverage, self.zy - self.zx @ fixed - zz @ spherical, spherical, squares)
        variance = squares / self.n
        return Solution(deviance, gradient, fixed, variance, (variance * np.linalg.inv(information)).astype(np.float64))

    def gradient(self, leverage: Floats, score: Floats, spherical: Floats, squares: float) -> Floats:
        """The derivative of the deviance by every entry of Lambda, summed over the groups that share it."""
        parts = [np.zeros(0)]
        for block, columns in zip(self.blocks, self.columns, strict=True):
            part = slice(*columns)
            shape, own = (block.groups, block.width), np.arange(block.groups)
            by_group = leverage[part, part].reshape(*shape, *shape)[own, :, own, :].sum(axis=0).T
            fall = score[part].reshape(shape).T @ spherical[part].reshape(shape)
            parts.append((2 * by_group - 2 * self.n / squares * fall)[np.tril_indices(block.width)])
        return np.concatenate(parts)

    def maximise(self) -> Floats:
        """The entries of Lambda with the highest likelihood."""

        def target(theta: Floats) -> tuple[float, Floats]:
            solution = self.solve(theta)
            return solution.deviance, solution.gradient

        if not self.blocks:
            return np.zeros(0)
        tries = []
        for start in STARTS:
            first = np.concatenate([np.eye(block.width)[np.tril_indices(block.width)] * start for block in self.blocks])
            limits = {"maxiter": MOST_STEPS, "maxfun": 2 * MOST_STEPS, "ftol": 1e-13, "gtol": 1e-7}
            tries.append(minimize(target, first, jac=True, method="L-BFGS-B", options=limits))
            if tries[-1].success:
                break
        return np.asarray(min(tries, key=lambda found: float(found.fun)).x)
