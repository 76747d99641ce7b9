"""Spreads and correlations of random effects from the entries of Lambda."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gardenpath.statistics.mixed.effect_blocks import EffectBlock, split_triangles
from gardenpath.statistics.mixed.result import Correlation, Spread
from gardenpath.statistics.proportions import Floats

ROUNDING = 1e-7
"""A spread this small (relative to the residual, or in log odds) is 0."""

Names = Sequence[tuple[str, tuple[str, ...]]]
"""Of every random effect, its group and the names of its columns."""


def describe_effects(
    names: Names, blocks: Sequence[EffectBlock], theta: Floats, unit: float = 1.0
) -> tuple[tuple[Spread, ...], tuple[Correlation, ...]]:
    """The standard deviations of all random effects, in some unit, and their correlations; rounding is 0."""
    spreads, correlations = [], []
    for (group, columns), block, triangle in zip(names, blocks, split_triangles(blocks, theta), strict=True):
        factor = block.basis @ triangle
        values = np.linalg.norm(factor, axis=1)
        values = np.where(values < ROUNDING, 0.0, values)
        spreads += [Spread(group, name, float(sd)) for name, sd in zip(columns, values * unit, strict=True)]
        for one, other in combinations(range(len(columns)), 2):
            if values[one] > 0 and values[other] > 0:
                value = float(factor[one] @ factor[other]) / float(values[one] * values[other])
                correlations.append(Correlation(group, columns[one], columns[other], min(1.0, max(-1.0, value))))
    return tuple(spreads), tuple(correlations)


def singular_groups(names: Names, blocks: Sequence[EffectBlock], theta: Floats) -> tuple[str, ...]:
    """The groups with an effect whose covariance is singular."""
    smallest = [float(np.linalg.svd(triangle, compute_uv=False).min()) for triangle in split_triangles(blocks, theta)]
    found = [group for (group, _), value in zip(names, smallest, strict=True) if value < ROUNDING]
    return tuple(dict.fromkeys(found))
