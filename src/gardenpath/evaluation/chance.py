"""The probability that a formula holds by chance, from the formula alone."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from gardenpath.suites.prediction import BitsComparison, Formula, Prediction

MOST_ORDERED = 8
"""The most quantities whose orders are all enumerated (8! = 40,320)."""

MOST_ENUMERATED = 10
"""The most undecided comparisons whose outcomes are all enumerated (2 to the power of 10); more are simulated."""
SIMULATED_DRAWS = 20_000

Truths = tuple[bool | None, ...]


def chance_of(prediction: Prediction) -> float:
    """Return the probability that a prediction holds by chance: its source's figure, or else that of its formula."""
    return chance(prediction.formula) if prediction.chance is None else prediction.chance


def chance(formula: Formula) -> float:
    """Compute the probability that the formula holds for independent surprisals; NaN where their scale would matter."""
    if any(fixed_truth(comparison) is None and comparison.difference.constant for comparison in formula.comparisons):
        return math.nan
    return probability(formula, (None,) * len(formula.comparisons))


@lru_cache(maxsize=4096)
def probability(formula: Formula, known: Truths) -> float:
    """Compute the probability that the formula holds, given the truth of some comparisons; others (None) are random.

    Random comparisons are taken without their constants: they are tied, or have none.
    Where every random comparison sets one quantity against one other, only their order matters, and all orders are
    equally likely: the result is exact. Otherwise it is for independent Gaussian quantities of equal variance.
    """
    pairs = zip(formula.comparisons, known, strict=True)
    truths = [fixed_truth(comparison) if truth is None else truth for comparison, truth in pairs]
    undecided = [index for index, truth in enumerate(truths) if truth is None]
    chosen = [formula.comparisons[index] for index in undecided]
    names = {reference: column for column, reference in enumerate(formula.references)}
    weights = np.zeros((len(chosen), len(names)))
    for row, comparison in enumerate(chosen):
        for reference, weight in comparison.difference.terms:
            weights[row, names[reference]] = weight
    weights = weights[:, np.any(weights != 0, axis=0)]
    if len(undecided) > MOST_ENUMERATED:
        return simulated_probability(formula, truths, weights)
    total = 0.0
    for answers in product((True, False), repeat=len(undecided)):
        for index, answer in zip(undecided, answers, strict=True):
            truths[index] = answer
        if holds(formula, [bool(truth) for truth in truths]):
            total += signs_probability(weights, answers)
    return total


def simulated_probability(formula: Formula, truths: Sequence[bool | None], weights: NDArray[np.float64]) -> float:
    """Estimate the probability from seeded draws of Gaussian quantities; `weights`: a row per undecided comparison."""
    draws = np.random.default_rng(0).standard_normal((SIMULATED_DRAWS, weights.shape[1]))
    drawn = iter((draws @ weights.T > 0).T)
    columns = iter([next(drawn) if truth is None else np.full(SIMULATED_DRAWS, truth) for truth in truths])
    holding = formula.combine(lambda _: next(columns), np.logical_and, np.logical_or)
    return float(np.mean(holding))


def fixed_truth(comparison: BitsComparison) -> bool | None:
    """Return the truth of a comparison that chance does not affect: `=` between quantities, or between two numbers."""
    difference = comparison.difference
    if comparison.operator == "=":
        return False
    if not difference.terms:
        return difference.constant > 0 or (difference.constant == 0 and "=" in comparison.operator)
    return None


def holds(formula: Formula, truths: Sequence[bool]) -> bool:
    """Whether the formula holds, given the truth of its comparisons from left to right."""
    answers = iter(truths)
    return bool(formula.combine(lambda _: next(answers), lambda a, b: a and b, lambda a, b: a or b))


def signs_probability(weights: NDArray[np.float64], positive: Sequence[bool]) -> float:
    """Compute P(every row of weights @ x has its given sign) for independent, identically distributed x."""
    if not len(weights):
        return 1.0
    signed = weights * np.where(positive, 1.0, -1.0)[:, None]
    only_order = all(sorted(row[row != 0]) == [-1.0, 1.0] for row in signed)
    if only_order and weights.shape[1] <= MOST_ORDERED:
        orders = np.array(list(permutations(range(weights.shape[1]))))
        return float(np.mean(np.all(orders @ signed.T > 0, axis=1)))
    return orthant(signed @ signed.T)


def orthant(covariance: NDArray[np.float64]) -> float:
    """Compute P(x > 0 in every coordinate) for a centred Gaussian; in closed form up to three dimensions."""
    spread = np.sqrt(np.diag(covariance))
    correlation = np.clip(covariance / np.outer(spread, spread), -1.0, 1.0)
    size = len(correlation)
    angles = float(np.sum(np.arcsin(correlation[np.triu_indices(size, k=1)])))
    match size:
        case 1:
            return 0.5
        case 2:
            return 0.25 + angles / (2 * math.pi)
        case 3:
            return 0.125 + angles / (4 * math.pi)
    from scipy.stats import multivariate_normal

    # Symmetric about 0, so the mass above 0 is the mass below it; the integration is seeded.
    gaussian = multivariate_normal(np.zeros(size), correlation, allow_singular=True, seed=0)
    return float(gaussian.cdf(np.zeros(size)))
