"""Check which accuracies the number of items can distinguish from chance."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import binom

from gardenpath.auditing.finding import SEVERITIES, AuditFinding, Severity, as_percent, count_items, finding_with_remedy
from gardenpath.auditing.shared_words import FewestItems, fewest_items
from gardenpath.evaluation.chance import chance_of
from gardenpath.statistics.proportions import binomial_tests
from gardenpath.suites.suite import Suite

POWER = "power"
WIDE = 0.25
"""Distance from chance that should be detectable; where only larger ones are, one should know."""


@dataclass(frozen=True, slots=True)
class Power:
    """The accuracies that n items can distinguish from chance, by an exact two-sided binomial test at 5 %."""

    n: int
    chance: float
    smallest: float | None
    """The smallest accuracy that is significantly above chance; none if even all items right are not enough."""
    reliable: float | None
    """The smallest true accuracy that is significant with power 0.8."""


def power_of(n: int, chance: float) -> Power:
    """The smallest accuracies that n items distinguish from chance."""
    counts = np.arange(int(n * chance) + 1, n + 1)
    significant = binomial_tests(counts.astype(float), np.full(len(counts), n), np.full(len(counts), chance)) <= 0.05
    if not significant.any():
        return Power(n, chance, None, None)
    needed = int(counts[np.argmax(significant)])
    low, high = chance, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if binom.sf(needed - 1, n, middle) >= 0.8 else (middle, high)
    return Power(n, chance, needed / n, high)


def power_finding(suite: Suite) -> AuditFinding:
    """The smallest effect that the items of a suite can show, for each of its predictions."""
    chances = {prediction.name: chance_of(prediction) for prediction in suite.predictions}
    powers = {name: power_of(len(suite.items), chance) for name, chance in chances.items() if 0 < chance < 1}
    if not powers:
        message = f"{count_items(len(suite.items))}, and no prediction with a level of chance"
        return AuditFinding(POWER, "unchecked", message)
    shown = max(powers.values(), key=lambda power: SEVERITIES.index(judge_power(power)))
    evidence: dict[str, Any] = {
        "predictions": [
            {
                "prediction": name,
                "n": power.n,
                "chance": round(power.chance, 4),
                "smallest accuracy distinguishable from chance": power.smallest and round(power.smallest, 4),
                "accuracy distinguishable from chance with power 0.8": power.reliable and round(power.reliable, 4),
            }
            for name, power in powers.items()
        ]
    }
    message = describe_power(shown)
    if fewest := fewest_items(suite.items):
        evidence["fewest items"] = asdict(fewest)
        message = f"{message}; {describe_fewest(fewest, shown.chance)}"
    return finding_with_remedy(POWER, judge_power(shown), message, evidence, remedy="add items")


def judge_power(power: Power) -> Severity:
    """Whether the items can show anything, and anything small."""
    if power.smallest is None:
        return "problem"
    return "look" if power.smallest - power.chance > WIDE + 1e-9 else "ok"


def describe_fewest(fewest: FewestItems, chance: float) -> str:
    """What the items can show if those that share a word always have the same result, which no one knows before."""
    smallest = power_of(fewest.items, chance).smallest
    shown = "too few for any accuracy" if smallest is None else f"which need an accuracy of {as_percent(smallest)}"
    return (
        f"but if items with the same word in {fewest.slot!r} ({fewest.words:,} words) always had the same result, they "
        f"would count as {count_items(fewest.items)}, {shown}"
    )


def describe_power(power: Power) -> str:
    """The smallest effect in a sentence."""
    chance = f"chance ({as_percent(power.chance)})"
    if power.smallest is None or power.reliable is None:
        right = "it is right" if power.n == 1 else "all of them are right"
        return f"{count_items(power.n)} cannot be distinguished from {chance}, even if {right}"
    needed = f"{round(power.smallest * power.n):,} of {count_items(power.n)} ({as_percent(power.smallest)})"
    return (
        f"at least {needed} must be right to be significantly above {chance}; a model whose true accuracy is "
        f"{as_percent(power.reliable)} gets there four times in five"
    )
