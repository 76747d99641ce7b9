"""The highest likelihood of a logistic mixed model with random slopes."""

from collections.abc import Sequence

import numpy as np

from gardenpath.statistics.mixed.effect_blocks import (
    diagonal_entries,
    join_triangles,
    lower_ranks,
    split_triangles,
)
from gardenpath.statistics.mixed.laplace_search import (
    FLAT,
    LARGEST_SPREAD,
    NOT_FLAT,
    ROUGH,
    SAME_DEVIANCE,
    TOO_LARGE,
    Optimum,
    better,
    search,
)
from gardenpath.statistics.mixed.slopes_laplace import SlopesLaplace
from gardenpath.statistics.proportions import Floats

STARTS = (0.5, 2.0)
"""Spreads of uncorrelated effects from which the search begins."""
PROBES = (0.05, 0.1, 0.2, 0.4)
"""Singular values of a triangle that are tried in place of smaller ones."""


def maximise_slopes(model: SlopesLaplace) -> tuple[Optimum, str]:
    """The highest likelihood at finite spreads, and the reason if it may not be the maximum.

    The search begins from several starts, and again from above for every triangle that became nearly singular: the
    slope in a direction that is 0 is 0 at every point, whether or not the likelihood rises from there.
    """
    bounds = [(-LARGEST_SPREAD, LARGEST_SPREAD)] * len(diagonal_entries(model.blocks, 1.0))
    found = [search(model, diagonal_entries(model.blocks, start), bounds=bounds, tolerance=ROUGH) for start in STARTS]
    best = better(found)
    for index in range(len(model.blocks)):
        triangles = split_triangles(model.blocks, best.theta)
        tried = [
            replace_triangle(triangles, index, raise_small(triangles[index], probe))
            for probe in PROBES
            if np.linalg.svd(triangles[index], compute_uv=False).min() < probe
        ]
        if tried:
            raised = min(tried, key=lambda theta: model.mode(theta, best.fixed).deviance)
            best = better((best, search(model, raised, best.fixed, bounds=bounds, tolerance=ROUGH)))
    best = without_small(model, better((best, search(model, best.theta, best.fixed, bounds=bounds))))
    if min(optimum.deviance for optimum in found) < best.deviance - SAME_DEVIANCE:
        return best, TOO_LARGE
    return best, "" if best.slope < FLAT else NOT_FLAT


def replace_triangle(triangles: Sequence[Floats], index: int, triangle: Floats) -> Floats:
    """The entries of Lambda with another triangle for one random effect."""
    return join_triangles([*triangles[:index], triangle, *triangles[index + 1 :]])


def raise_small(triangle: Floats, least: float) -> Floats:
    """The triangle with its small singular values raised."""
    u, values, _ = np.linalg.svd(triangle)
    return np.asarray(np.linalg.qr((u * np.maximum(values, least)).T).R.T)


def without_small(model: SlopesLaplace, best: Optimum) -> Optimum:
    """The optimum with every singular value of Lambda at 0 that might as well be 0."""
    lowered = best.theta
    for index in range(len(model.blocks)):
        triangles = split_triangles(model.blocks, lowered)
        for smaller in lower_ranks(triangles[index], max(PROBES)):
            tried = replace_triangle(triangles, index, smaller)
            if model.mode(tried, best.fixed).deviance < best.deviance + SAME_DEVIANCE:
                lowered = tried
                break
    if lowered is best.theta:
        return best
    # Columns of a triangle that are 0 stay: the others have all that is left of its covariance.
    empty = [np.broadcast_to(~one.any(axis=0), one.shape) for one in split_triangles(model.blocks, lowered)]
    held = join_triangles([one.astype(float) for one in empty]) > 0
    bounds = [(0.0, 0.0) if still else (-LARGEST_SPREAD, LARGEST_SPREAD) for still in held]
    return search(model, lowered, best.fixed, bounds=bounds)
