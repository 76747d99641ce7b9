"""The likelihood of a linear mixed model, profiled over all parameters but the covariance of the random effects.

With random effects b = Lambda u, where u has the residual's variance, the best fixed effects and residual variance
for a given Lambda come from one penalised least-squares problem (Bates, Maechler, Bolker & Walker 2015,
J. Stat. Software 67(1), equations 30-36), and the derivatives of the deviance from its solution. The restricted
likelihood (REML) integrates over the fixed effects instead (equations 38-42).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from gardenpath.statistics.mixed.effect_blocks import (
    EffectBlock,
    diagonal_entries,
    entry_spans,
    join_triangles,
    lower_ranks,
    singular_values,
    split_triangles,
)
from gardenpath.statistics.proportions import Floats

STARTS = (1.0, 0.1)
"""Starting values of Lambda: random effects as large as the residual; if that fails, much smaller."""
RESTART = 0.3
"""How much is added to the diagonal of a singular Lambda before the search is repeated from there."""
SINGULAR = 1e-2
"""Singular values of Lambda (spreads of independent effects, relative to the residual) that are tried as 0."""
SAME_DEVIANCE = 1e-5
"""They are 0 if that changes the deviance by less than this."""
FLAT = 1e-2
"""The largest slope of the deviance at a point that counts as its minimum."""
MOST_STEPS = 2_000
LEAST_SQUARES = 1e-15
"""Share of the sum of squares below which the residual is rounding."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """A maximum of the likelihood."""

    theta: Floats
    deviance: float
    slope: float
    """The largest slope that is left."""


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
    by_determinant: Floats
    """The part of the gradient that comes from the determinants."""
    by_squares: Floats
    """The derivative of the penalised sum of squares."""


class Likelihood:
    """The profiled likelihood of one response, as a function of the entries of Lambda."""

    def __init__(self, y: Floats, x: Floats, blocks: Sequence[EffectBlock], *, restricted: bool = False) -> None:
        self.blocks = tuple(blocks)
        self.restricted = restricted
        self.degrees = len(y) - restricted * x.shape[1]
        self.entries = entry_spans(blocks)
        self.prepare(y, x)

    def prepare(self, y: Floats, x: Floats) -> None:
        """Compute what does not depend on Lambda."""
        z = np.hstack([block.matrix for block in self.blocks]) if self.blocks else np.zeros((len(y), 0))
        self.zz, self.zx, self.zy = z.T @ z, z.T @ x, z.T @ y
        self.xx, self.xy, self.yy = x.T @ x, x.T @ y, float(y @ y)
        sizes = [block.groups * block.width for block in self.blocks]
        self.columns = list(pairwise(np.cumsum([0, *sizes]).tolist()))

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
        inverse = np.linalg.inv(information).astype(np.float64)
        fixed: Floats = np.linalg.solve(information, self.xy - zx.T @ by_y).astype(np.float64)
        spherical = by_y - by_x @ fixed
        squares = max(self.yy - float(self.xy @ fixed) - float(zy @ spherical), LEAST_SQUARES * self.yy)
        log_determinant = 2 * float(np.log(np.diag(lower[0])).sum()) if lower else 0.0
        # d log|M| = 2 tr(M^-1 Lambda' Z'Z dLambda); the squares change only through the residual, as u is at its best.
        by_determinant = 2 * self.entry_sums(cho_solve(lower, zz.T) if lower else zz)
        if self.restricted:
            log_determinant += float(np.linalg.slogdet(information)[1])
            # d log|X'V^-1 X| = -2 tr((X'V^-1 X)^-1 X'V^-1 Z dLambda Lambda'Z'V^-1 X), V = I + Z Lambda Lambda'Z'.
            by_determinant -= 2 * self.entry_products((self.zx - zz @ by_x) @ inverse, by_x)
        score = self.zy - self.zx @ fixed - zz @ spherical
        by_squares = -2 * self.entry_products(score[:, None], spherical[:, None])
        variance = squares / self.degrees
        return Solution(
            deviance=log_determinant + self.degrees * (1 + np.log(2 * np.pi * variance)),
            gradient=by_determinant + by_squares / variance,
            fixed=fixed,
            residual_variance=variance,
            covariance=variance * inverse,
            by_determinant=by_determinant,
            by_squares=by_squares,
        )

    def entry_sums(self, matrix: Floats) -> Floats:
        """The trace of a matrix times the derivative of Lambda by each of its entries."""
        parts = [np.zeros(0)]
        for block, columns in zip(self.blocks, self.columns, strict=True):
            part = slice(*columns)
            shape, own = (block.groups, block.width), np.arange(block.groups)
            by_group = matrix[part, part].reshape(*shape, *shape)[own, :, own, :].sum(axis=0).T
            parts.append(by_group[np.tril_indices(block.width)])
        return np.concatenate(parts)

    def entry_products(self, left: Floats, right: Floats) -> Floats:
        """left' dLambda right by each entry of Lambda, summed over columns and over the groups that share the entry."""
        parts = [np.zeros(0)]
        for block, columns in zip(self.blocks, self.columns, strict=True):
            shape = (block.groups, block.width, left.shape[1])
            pair = [side[slice(*columns)].reshape(shape) for side in (left, right)]
            parts.append(np.einsum("gik,gjk->ij", *pair)[np.tril_indices(block.width)])
        return np.concatenate(parts)

    def maximise(self) -> Optimum:
        """The entries of Lambda with the highest likelihood.

        A singular Lambda is searched again from a regular one beside it: the slope in the direction that is 0 is 0 at
        every point, whether or not the likelihood rises from there.
        """
        tries = []
        for start in STARTS:
            tries.append(self.search(self.diagonal(start)))
            if tries[-1].slope < FLAT:
                break
        best = min(tries, key=lambda found: found.deviance)
        if singular_values(self.blocks, best.theta).min(initial=np.inf) < SINGULAR:
            again = self.search(best.theta + self.diagonal(RESTART))
            best = min((best, again), key=lambda found: found.deviance)
        return self.without_small(best)

    def search(self, first: Floats) -> Optimum:
        """The nearest maximum of the likelihood from some entries of Lambda."""

        def target(theta: Floats) -> tuple[float, Floats]:
            solution = self.solve(theta)
            return solution.deviance, solution.gradient

        if not len(first):
            return Optimum(first, self.solve(first).deviance, 0.0)
        limits = {"maxiter": MOST_STEPS, "maxfun": 2 * MOST_STEPS, "ftol": 1e-13, "gtol": 1e-7}
        found = minimize(target, first, jac=True, method="L-BFGS-B", options=limits)
        return Optimum(np.asarray(found.x), float(found.fun), float(np.abs(found.jac).max()))

    def diagonal(self, value: float) -> Floats:
        """The entries of a Lambda that is a multiple of the identity."""
        return diagonal_entries(self.blocks, value)

    def triangles(self, theta: Floats) -> list[Floats]:
        """The triangle of Lambda of each block."""
        return split_triangles(self.blocks, theta)

    def without_small(self, best: Optimum) -> Optimum:
        """The optimum with every singular value of Lambda at 0 that might as well be 0."""
        triangles = self.triangles(best.theta)
        for index, triangle in enumerate(triangles):
            for smaller in lower_ranks(triangle, SINGULAR):
                tried = [*triangles[:index], smaller, *triangles[index + 1 :]]
                theta = join_triangles(tried)
                solution = self.solve(theta)
                if solution.deviance < best.deviance + SAME_DEVIANCE:
                    best, triangles = Optimum(theta, solution.deviance, best.slope), tried
                    break
        return best
