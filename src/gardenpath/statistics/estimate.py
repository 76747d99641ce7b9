"""How good, and how sure we are."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.suites.suite import Suite

Z95 = 1.959963984540054
"""The 97.5 % point of the standard normal distribution."""


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
    share = successes / n
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n**2))
    # At the ends the interval touches 0 or 1 exactly; rounding must not push it past the share.
    return Estimate(share, min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half)), n, "wilson")


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
    """Accuracy with its interval; items with unknown words are left out on request, and counted in the coverage."""
    counted = outcomes.where(outcomes.known) if leave_out_unknown else outcomes
    n = len(counted)
    if n == 0:
        return Summary(
            model, outcomes.suite, outcomes.prediction, 0, 0, 0, 0, math.nan, math.nan, outcomes.chance, math.nan,
            math.nan, float(outcomes.known.mean()),
        )  # fmt: skip
    estimate = wilson(float(counted.credit.sum()), n)
    invalid = counted.invalid
    return Summary(
        model=model,
        suite=outcomes.suite,
        prediction=outcomes.prediction,
        n=n,
        correct=int((counted.credit == 1).sum()),
        ties=int((counted.tied & ~invalid).sum()),
        invalid=int(invalid.sum()),
        accuracy=estimate.value,
        strict_accuracy=float(counted.strict.mean()),
        chance=outcomes.chance,
        low=estimate.low,
        high=estimate.high,
        coverage=float(outcomes.known.mean()),
    )
