"""How good, and how sure we are."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.suites.suite import Suite

Z95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution."""

Values = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int
    method: str


def wilson(successes: float, n: int) -> Estimate:
    """A share with Wilson's score interval; successes may be fractional, as credit for ties is."""
    if n <= 0:
        raise ValueError("no outcomes to average: the suite is empty or all its items were left out")
    low, high = wilson_bounds(np.array([successes]), np.array([n]))
    return Estimate(successes / n, float(low[0]), float(high[0]), n, "wilson")


def wilson_bounds(successes: Values, n: Counts) -> tuple[Values, Values]:
    """The ends of Wilson's score interval for many shares at once; every n is positive."""
    share = successes / n
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * np.sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2))
    # At the ends the interval touches 0 or 1 exactly; rounding must not push it past the share.
    return np.minimum(share, np.maximum(0.0, middle - half)), np.maximum(share, np.minimum(1.0, middle + half))


def binomial_p(successes: float, n: int, chance: float) -> float:
    """Exact two-sided binomial test: how likely is a count no likelier than this one, were chance at work?

    Fractional successes (credit for ties) are rounded towards what chance expects, so that ties never add evidence.
    """
    if n <= 0 or not 0 <= chance <= 1:
        raise ValueError(f"a test needs items and a chance between 0 and 1, not {n} items and {chance}")
    return float(binomial_tests(np.array([successes]), np.array([n]), np.array([chance]))[0])


def binomial_tests(successes: Values, n: Counts, chance: Values) -> Values:
    """The same for many counts at once; every n is positive and every chance between 0 and 1."""
    from scipy.special import bdtr, bdtrc

    near = np.round(successes, 9)  # sums of credits such as thirds are whole up to rounding
    whole = np.where(near > n * chance, np.floor(near), np.ceil(near)).astype(np.int64)
    # Counts above the mode are mirrored, so that there is one case: the count lies in the lower tail.
    upper = whole > n * chance
    count, share = np.where(upper, n - whole, whole), np.where(upper, 1 - chance, chance)
    first = first_no_likelier(count, n, share)
    p = bdtr(count, n, share) + np.where(first <= n, bdtrc(first - 1, n, share), 0.0)
    return np.asarray(np.minimum(1.0, p))


def first_no_likelier(count: Counts, n: Counts, chance: Values) -> Counts:
    """The smallest number above the mode that is no likelier than a count below it; n + 1 where there is none."""
    likelihood = log_binomial(count, n, chance) + 1e-7  # equally likely numbers differ by rounding
    low, high = np.maximum(np.ceil(n * chance).astype(np.int64), count + 1), n + 1
    while np.any(low < high):
        middle = (low + high) // 2
        found = log_binomial(np.minimum(middle, n), n, chance) <= likelihood
        low, high = np.where(found | (low >= high), low, middle + 1), np.where(found & (low < high), middle, high)
    return low


def log_binomial(count: Counts, n: Counts, chance: Values) -> Values:
    """The logarithm of the probability of a count."""
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(n + 1) - gammaln(count + 1) - gammaln(n - count + 1)
    return np.asarray(ways + xlogy(count, chance) + xlog1py(n - count, -chance))


@dataclass(frozen=True, slots=True)
class Summary:
    """One row of the table of results."""

    model: str
    suite: str
    prediction: str
    n: int
    correct: int
    ties: int
    invalid: int
    accuracy: float
    """Expected credit over n: a tie counts what breaking it at random would give, an invalid item nothing."""
    strict_accuracy: float
    """The same with every tie counted as wrong."""
    chance: float
    low: float
    high: float
    coverage: float
    """Share of the items whose compared regions hold no word unknown to the model."""


def by_level(outcomes: Outcomes, suite: Suite, factor: str) -> list[Outcomes]:
    """The outcomes of a suite split by the level of a factor that varies between items, named after it."""
    levels = np.array([item.levels.get(factor, "") for item in suite.items])
    return [
        replace(outcomes.where(levels == level), suite=f"{outcomes.suite} [{level}]" if level else outcomes.suite)
        for level in dict.fromkeys(levels.tolist())
    ]


def pooled(parts: Sequence[Outcomes], name: str) -> Outcomes:
    """The outcomes of several suites as if they were one; its chance is that of an item drawn from them."""
    sizes = np.array([len(part) for part in parts])
    margin = np.concatenate([part.margin for part in parts])
    return Outcomes(
        suite=name,
        prediction=parts[0].prediction,
        items=tuple(f"{part.suite}/{item}" for part in parts for item in part.items),
        margin=margin,
        margins=margin[:, None],  # formulas of different suites have different numbers of comparisons
        credit=np.concatenate([part.credit for part in parts]),
        strict=np.concatenate([part.strict for part in parts]),
        known=np.concatenate([part.known for part in parts]),
        chance=float(np.average([part.chance for part in parts], weights=sizes)),
    )


def by_group(outcomes: Sequence[Outcomes], groups: Mapping[str, str]) -> list[Outcomes]:
    """The outcomes pooled by the group of their suite (a phenomenon, a circuit), each prediction apart."""
    found: dict[str, dict[str, list[Outcomes]]] = {}
    for part in outcomes:
        found.setdefault(groups[part.suite] or "(none)", {}).setdefault(part.prediction, []).append(part)
    return [pooled(parts, group) for group, predictions in found.items() for parts in predictions.values()]


def summarise(outcomes: Outcomes, *, model: str, leave_out_unknown: bool = False) -> Summary:
    """Accuracy with its interval as a record; see `accuracy.accuracy`, which computes it from tables."""
    import polars

    from gardenpath.statistics.accuracy import accuracy, summary_rows

    rows = polars.DataFrame(
        {
            "model": model,
            "suite": outcomes.suite,
            "prediction": outcomes.prediction,
            "status": [outcomes.status(row) for row in range(len(outcomes))],
            "credit": outcomes.credit,
            "strict": outcomes.strict,
            "known": outcomes.known,
            "chance": outcomes.chance,
        }
    )
    (row,) = summary_rows(accuracy(rows, leave_out_unknown=leave_out_unknown))
    values: dict[str, Any] = {name: math.nan if value is None else value for name, value in row.items()}
    return Summary(**values)
