"""Logistic mixed models of simulated data, whose spreads are known well enough to search from them once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.laplace import Laplace
from gardenpath.statistics.mixed.laplace_search import LARGEST_EFFECT, ROUGH
from gardenpath.statistics.mixed.logistic import require_outcomes, search_spreads
from gardenpath.statistics.proportions import Floats

SMALLEST_START = 0.1
"""The slope of the deviance at a spread of 0 is 0, so that no search can begin there."""


def last_effect_test(
    successes: Floats, x: Floats, codes: Sequence[NDArray[np.int64]], *, spreads: Sequence[float]
) -> tuple[float, float]:
    """The effect of the last column of x in log odds, with the p-value of Wald's test; intercepts by crossed groups.

    `fit_logistic` searches from several starts, since it knows nothing of the spreads, and takes some five times as
    long for the same result. codes: the groups of every row. spreads: where the search begins.
    """
    require_outcomes(successes, np.ones(len(successes)), "the outcome")
    model = Laplace(successes, np.ones(len(successes)), x, codes)
    found = search_spreads(model, np.maximum(np.array(spreads, dtype=float), SMALLEST_START), tolerance=ROUGH)
    error = float(np.sqrt(model.covariance(found.theta, model.mode(found.theta, found.fixed))[-1, -1]))
    estimate = float(found.fixed[-1])
    if not (found.finite and error < LARGEST_EFFECT):
        raise InputError("the effect has no finite estimate: some level is always correct or always wrong")
    return estimate, float(2 * norm.sf(abs(estimate) / error))
