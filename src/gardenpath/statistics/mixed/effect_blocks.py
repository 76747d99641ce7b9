"""Random effects as blocks: columns, the group of every row, and the triangle of their covariance.

All triangles together are Lambda; `theta` has their free entries, block after block, each row by row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gardenpath.statistics.proportions import Floats


@dataclass(frozen=True, slots=True)
class EffectBlock:
    """The columns of one random effect, and the triangle of Lambda of each group."""

    groups: int
    basis: Floats
    """Transforms effects in the orthogonal columns used here back to those of the original columns."""
    columns: Floats
    """Orthogonal, with a mean square of 1: (rows, width)."""
    codes: NDArray[np.int64]
    """The group of every row."""

    @property
    def width(self) -> int:
        """Number of columns: intercept and slopes."""
        return len(self.basis)

    @property
    def size(self) -> int:
        """Number of free entries of the triangle."""
        return self.width * (self.width + 1) // 2

    @property
    def matrix(self) -> Floats:
        """The columns of every group: (rows, groups x width)."""
        result = np.zeros((len(self.codes), self.groups, self.width))
        result[np.arange(len(self.codes)), self.codes] = self.columns
        return result.reshape(len(self.codes), -1)

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
    orthogonal, triangle = np.linalg.qr(columns)
    scale = np.sqrt(len(codes))
    return EffectBlock(int(codes.max()) + 1, np.linalg.inv(triangle) * scale, orthogonal * scale, codes)


def entry_spans(blocks: Sequence[EffectBlock]) -> list[tuple[int, int]]:
    """The span of each block's entries in theta."""
    return list(pairwise(np.cumsum([0, *(block.size for block in blocks)]).tolist()))


def split_triangles(blocks: Sequence[EffectBlock], theta: Floats) -> list[Floats]:
    """The triangle of Lambda of each block."""
    return [block.triangle(theta[slice(*part)]) for block, part in zip(blocks, entry_spans(blocks), strict=True)]


def join_triangles(triangles: Sequence[Floats]) -> Floats:
    """The entries of some triangles: the inverse of `split_triangles`."""
    return np.concatenate([np.zeros(0), *(one[np.tril_indices(len(one))] for one in triangles)])


def diagonal_entries(blocks: Sequence[EffectBlock], value: float) -> Floats:
    """The entries of a Lambda that is a multiple of the identity."""
    return join_triangles([np.eye(block.width) * value for block in blocks])


def singular_values(blocks: Sequence[EffectBlock], theta: Floats) -> Floats:
    """The singular values of the triangles of all blocks: spreads of uncorrelated combinations of effects."""
    parts = [np.linalg.svd(triangle, compute_uv=False) for triangle in split_triangles(blocks, theta)]
    return np.concatenate([np.zeros(0), *parts])


def lower_ranks(triangle: Floats, small: float) -> Iterator[Floats]:
    """The triangle with its small singular values at 0: all of them first, then fewer."""
    u, values, _ = np.linalg.svd(triangle)
    for kept in range(len(values)):
        if values[kept] < small:
            # The lower triangle with the same product with its transpose as u times the values that stay.
            smaller = np.linalg.qr((u[:, :kept] * values[:kept]).T).R.T if kept else triangle[:, :0]
            yield np.pad(smaller, ((0, 0), (0, len(values) - smaller.shape[1])))
