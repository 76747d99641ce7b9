"""Proportions and their paired differences: intervals from counts, and the exact binomial test."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, gammaln, stdtrit, xlog1py, xlogy

Z95 = 1.959963984540054
"""The 97.5th percentile of the standard normal distribution."""
ROUNDING = 1e-9
"""A spread below it is rounding: all values are equal."""

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


def t_quantile(degrees: Floats | Integers) -> Floats:
    """The 97.5th percentile of Student's distribution; degrees of freedom below 1 count as 1."""
    return np.asarray(stdtrit(np.maximum(degrees, 1.0), 0.975), dtype=np.float64)


def agresti_coull(successes: float, n: int) -> Estimate:
    """A proportion with the interval of Agresti and Coull; successes may be fractional, as the credit for ties is."""
    low, high = agresti_coull_bounds(np.array([successes]), np.array([n]))
    return Estimate(successes / n, float(low[0]), float(high[0]), n, "agresti-coull")


def agresti_coull_bounds(
    successes: Floats, n: Floats | Integers, *, degrees: Floats | Integers | None = None
) -> tuple[Floats, Floats]:
    """The bounds of the interval of Agresti and Coull (1998) for many proportions, with Student's t instead of z.

    m ± t √(m(1 − m) / (n + t²)), m = (successes + t²/2) / (n + t²): t²/2 successes and failures are added. t has n − 1
    degrees of freedom, or those given; n may be an effective number of items. Fractional successes (credit for ties)
    have less variance than the formula assumes, so that ties make the interval a little too wide.
    """
    require_counts(successes, n)
    t = t_quantile(n - 1 if degrees is None else degrees)
    middle = (successes + t**2 / 2) / (n + t**2)
    half = t * np.sqrt(middle * (1 - middle) / (n + t**2))
    return within_range(successes / n, middle - half, middle + half, least=0.0)


def wilson(successes: float, n: int) -> Estimate:
    """A proportion with Wilson's score interval; successes may be fractional, as the credit for ties is."""
    low, high = wilson_bounds(np.array([successes]), np.array([n]))
    return Estimate(successes / n, float(low[0]), float(high[0]), n, "wilson")


def wilson_bounds(successes: Floats, n: Floats | Integers) -> tuple[Floats, Floats]:
    """The bounds of Wilson's score interval for many proportions; every n is positive."""
    require_counts(successes, n)
    proportion = successes / n
    middle = (proportion + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * np.sqrt(proportion * (1 - proportion) / n + Z95**2 / (4 * n**2))
    return within_range(proportion, middle - half, middle + half, least=0.0)


def paired_difference_bounds(a_only: Floats, b_only: Floats, n: Floats | Integers) -> tuple[Floats, Floats]:
    """The bounds of the difference of two paired proportions, (a_only − b_only) / n (Bonett and Price 2012).

    x − y ± z √((x + y − (x − y)²) / (n + 2)), x = (a_only + 1) / (n + 2), y = (b_only + 1) / (n + 2): one pair in
    favour of either is added. n may be an effective number of pairs. Counts with ties are those expected when ties
    are broken at random; the formula adds the variance of breaking them, so that ties make the interval too wide.
    """
    require_counts(a_only + b_only, n)
    require_counts(np.minimum(a_only, b_only), n)
    x, y = (a_only + 1) / (n + 2), (b_only + 1) / (n + 2)
    half = Z95 * np.sqrt((x + y - (x - y) ** 2) / (n + 2))
    return within_range((a_only - b_only) / n, x - y - half, x - y + half, least=-1.0)


def within_range(value: Floats, low: Floats, high: Floats, *, least: float) -> tuple[Floats, Floats]:
    """Bounds cut at the smallest possible value and at 1; rounding must not move them past the value itself."""
    return np.minimum(value, np.maximum(least, low)), np.maximum(value, np.minimum(1.0, high))


def require_counts(successes: Floats, n: Floats | Integers) -> None:
    """Raise unless there are items and every count lies between 0 and their number."""
    if not np.all(n > 0):
        raise ValueError("no outcomes to average: the suite is empty or all its items were left out")
    # Sums of credits such as thirds may exceed a whole number by rounding. NaN is refused, too.
    possible = (successes >= -1e-9) & (successes <= n + 1e-9)
    if not np.all(possible):
        count, of = float(successes[~possible][0]), float(n[~possible][0])
        raise ValueError(f"{count:g} of {of:g} items is not a possible count; it must lie between 0 and {of:g}")


def binomial_tests(successes: Floats, n: Integers, chance: Floats) -> Floats:
    """The p-values of exact two-sided binomial tests: the probability of all counts no likelier than the one given.

    Every n is positive and every chance between 0 and 1. Fractional successes (credit for ties) are rounded towards the
    count expected by chance, so that ties never add evidence.
    """
    require_counts(successes, n)
    if not np.all((chance >= 0) & (chance <= 1)):
        raise ValueError("a chance is not a probability; it must lie between 0 and 1")
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
