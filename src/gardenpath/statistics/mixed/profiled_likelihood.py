"""The likelihood of a linear mixed model, profiled over everything but the shape of the random effects.

With random effects b = Lambda u, where u has the residual's variance, the best fixed effects and residual variance
for a given Lambda come from one penalised least-squares problem (Bates, Maechler, Bolker & Walker 2015,
J. Stat. Software 67(1), equations 30-36), and the derivatives of the deviance from its solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gardenpath.statistics.estimate import Values

STARTS = (1.0, 0.1)
"""Where the search for Lambda begins: random effects as large as the residual; if that fails, much smaller."""
ENOUGH_STEPS = 2_000
LEAST = 1e-15
"""The share of the sum of squares below which what is left is rounding."""


@dataclass(frozen=True, slots=True)
class Block:
    """The columns of one random effect, group by group, and the triangle of Lambda that belongs to each group."""

    groups: int
    basis: Values
    """Takes effects in the orthogonal columns used here back to the columns that were asked for."""
    matrix: Values
    """Rows by (groups x width)."""

    @staticmethod
    def of(columns: Values, codes: NDArray[np.int64]) -> "Block":
        """From a few columns and the number of the group of each row; made orthogonal, so that the search is easy."""
        groups, rows = int(codes.max()) + 1, len(codes)
        orthogonal, triangle = np.linalg.qr(columns)
        scale = np.sqrt(rows)
        matrix = np.zeros((rows, groups, columns.shape[1]))
        matrix[np.arange(rows), codes] = orthogonal * scale
        return Block(groups, np.linalg.inv(triangle) * scale, matrix.reshape(rows, -1))

    @property
    def width(self) -> int:
        """Intercept and slopes."""
        return len(self.basis)

    @property
    def size(self) -> int:
        """Number of entries that are searched."""
        return self.width * (self.width + 1) // 2

    def triangle(self, theta: Values) -> Values:
        """The part of Lambda of one group."""
        result = np.zeros((self.width, self.width))
        result[np.tril_indices(self.width)] = theta
        return result

    def covariance(self, theta: Values) -> Values:
        """Of the effects in the columns that were asked for, in units of the residual variance."""
        factor = self.basis @ self.triangle(theta)
        return factor @ factor.T


@dataclass(frozen=True, slots=True)
class Solution:
    """What follows from one Lambda."""

    deviance: float
    """Minus twice the log-likelihood."""
    gradient: Values
    fixed: Values
    residual_variance: float
    covariance: Values
    """Of the fixed effects."""


class Likelihood:
    """The profiled likelihood of one response, as a function of the entries of Lambda."""

    def __init__(self, y: Values, x: Values, blocks: Sequence[Block]) -> None:
        self.blocks = tuple(blocks)
        z = np.hstack([block.matrix for block in blocks]) if blocks else np.zeros((len(y), 0))
        self.n = len(y)
        self.zz, self.zx, self.zy = z.T @ z, z.T @ x, z.T @ y
        self.xx, self.xy, self.yy = x.T @ x, x.T @ y, float(y @ y)
        self.columns = list(pairwise(np.cumsum([0, *(block.matrix.shape[1] for block in blocks)]).tolist()))
        self.entries = list(pairwise(np.cumsum([0, *(block.size for block in blocks)]).tolist()))

    def times_factor(self, theta: Values, matrix: Values) -> Values:
        """A matrix times Lambda, which repeats the triangle of each block over its groups."""
        parts = [matrix[:, :0]]
        for block, columns, entries in zip(self.blocks, self.columns, self.entries, strict=True):
            part = matrix[:, slice(*columns)]
            by_group = part.reshape(-1, block.width) @ block.triangle(theta[slice(*entries)])
            parts.append(by_group.reshape(part.shape))
        return np.hstack(parts)

    def solve(self, theta: Values) -> Solution:
        """Deviance, its derivatives, and the best fixed effects for some Lambda."""
        from scipy.linalg import cho_factor, cho_solve

        zz = self.times_factor(theta, self.zz)
        inner = self.times_factor(theta, zz.T) + np.eye(len(zz))
        lower = cho_factor(inner, lower=True) if len(zz) else None
        zx, zy = self.times_factor(theta, self.zx.T).T, self.times_factor(theta, self.zy[None])[0]
        by_x = cho_solve(lower, zx) if lower else zx
        by_y = cho_solve(lower, zy) if lower else zy
        information = self.xx - zx.T @ by_x
        fixed: Values = np.linalg.solve(information, self.xy - zx.T @ by_y).astype(np.float64)
        spherical = by_y - by_x @ fixed
        squares = max(self.yy - float(self.xy @ fixed) - float(zy @ spherical), LEAST * self.yy)
        log_determinant = 2 * float(np.log(np.diag(lower[0])).sum()) if lower else 0.0
        deviance = log_determinant + self.n * (1 + np.log(2 * np.pi * squares / self.n))
        # d log|M| = 2 tr(M^-1 Lambda' Z'Z dLambda); the squares change only through the residual, as u is at its best.
        leverage = cho_solve(lower, zz.T) if lower else zz
        score = self.zy - self.zx @ fixed - zz @ spherical
        gradient = self.gradient(leverage, score, spherical, squares)
        variance = squares / self.n
        covariance = (variance * np.linalg.inv(information)).astype(np.float64)
        return Solution(deviance, gradient, fixed, variance, covariance)

    def gradient(self, leverage: Values, score: Values, spherical: Values, squares: float) -> Values:
        """The derivative of the deviance by every entry of Lambda, summed over the groups that share it."""
        parts = [np.zeros(0)]
        for block, columns in zip(self.blocks, self.columns, strict=True):
            part = slice(*columns)
            shape = (block.groups, block.width)
            own = np.arange(block.groups)
            by_group = leverage[part, part].reshape(*shape, *shape)[own, :, own, :].sum(axis=0).T
            fall = score[part].reshape(shape).T @ spherical[part].reshape(shape)
            parts.append((2 * by_group - 2 * self.n / squares * fall)[np.tril_indices(block.width)])
        return np.concatenate(parts)

    def maximise(self) -> Values:
        """The entries of Lambda with the highest likelihood."""
        from scipy.optimize import minimize

        def target(theta: Values) -> tuple[float, Values]:
            solution = self.solve(theta)
            return solution.deviance, solution.gradient

        if not self.blocks:
            return np.zeros(0)
        tries = []
        for start in STARTS:
            first = np.concatenate([np.eye(block.width)[np.tril_indices(block.width)] * start for block in self.blocks])
            limits = {"maxiter": ENOUGH_STEPS, "maxfun": 2 * ENOUGH_STEPS, "ftol": 1e-13, "gtol": 1e-7}
            tries.append(minimize(target, first, jac=True, method="L-BFGS-B", options=limits))
            if tries[-1].success:
                break
        return np.asarray(min(tries, key=lambda found: float(found.fun)).x)
