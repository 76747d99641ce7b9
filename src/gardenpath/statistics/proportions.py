"""Proportions: Wilson's interval and the exact binomial test."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, gammaln, xlog1py, xlogy

Z95 = 1.959963984540054
"""The 97.5th percentile of the standard normal distribution."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int
    method: str


def wilson(successes: float, n: int) -> Estimate:
    """A proportion with Wilson's score interval; successes may be fractional, as the credit for ties is."""
    if n <= 0:
        raise ValueError("no outcomes to average: the suite is empty or all its items were left out")
    low, high = wilson_bounds(np.array([successes]), np.array([n]))
    return Estimate(successes / n, float(low[0]), float(high[0]), n, "wilson")


def wilson_bounds(successes: Floats, n: Integers) -> tuple[Floats, Floats]:
    """The bounds of Wilson's score interval for many proportions; every n is positive."""
    proportion = successes / n
    middle = (proportion + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * np.sqrt(proportion * (1 - proportion) / n + Z95**2 / (4 * n**2))
    # At the ends the interval touches 0 or 1 exactly; rounding must not move it past the proportion.
    low, high = np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)
    return np.minimum(proportion, low), np.maximum(proportion, high)


def binomial_tests(successes: Floats, n: Integers, chance: Floats) -> Floats:
    """The p-values of exact two-sided binomial tests: the probability of all counts no likelier than the one given.

    Every n is positive and every chance between 0 and 1. Fractional successes (credit for ties) are rounded towards the
    count expected by chance, so that ties never add evidence.
    """
    near = np.round(successes, 9)  # sums of credits such as thirds are integers up to rounding
    whole = np.where(near > n * chance, np.floor(near), np.ceil(near)).astype(np.int64)
    # Integers above the mode are mirrored, so that there is one case: the count lies in the lower tail.
    upper = whole > n * chance
    count, share = np.where(upper, n - whole, whole), np.where(upper, 1 - chance, chance)
    first = first_no_likelier(count, n, share)
    p = bdtr(count, n, share) + np.where(first <= n, bdtrc(first - 1, n, share), 0.0)
    return np.asarray(np.minimum(1.0, p))


def first_no_likelier(count: Integers, n: Integers, chance: Floats) -> Integers:
    """The smallest count above the mode that is no likelier than a count below it; n + 1 if there is none."""
    likelihood = log_binomial(count, n, chance) + 1e-7  # equally likely counts differ by rounding
    low, high = np.maximum(np.ceil(n * chance).astype(np.int64), count + 1), n + 1
    while np.any(low < high):
        middle = (low + high) // 2
        found = log_binomial(np.minimum(middle, n), n, chance) <= likelihood
        low, high = np.where(found | (low >= high), low, middle + 1), np.where(found & (low < high), middle, high)
    return low


def log_binomial(count: Integers, n: Integers, chance: Floats) -> Floats:
    """The logarithm of the probability of a count."""
    ways = gammaln(n + 1) - gammaln(count + 1) - gammaln(n - count + 1)
    return np.asarray(ways + xlogy(count, chance) + xlog1py(n - count, -chance))
