"""What can so few items show?"""

from dataclasses import dataclass

from gardenpath.evaluation.chance import chance_of
from gardenpath.statistics.audit.finding import Finding, Severity, percent, worst
from gardenpath.suites.suite import Suite

CHECK = "power"
LEVEL = 0.05
POWER = 0.8
WIDE = 0.25
"""Distance from chance below which results cannot be told from it, from which one should know so."""


@dataclass(frozen=True, slots=True)
class Power:
    """What a number of items can tell from chance, with an exact two-sided binomial test at 5 %."""

    n: int
    chance: float
    smallest: float | None
    """The smallest accuracy above chance that is told from it; none where even all items right are not enough."""
    reliable: float | None
    """The smallest true accuracy that is told from chance four times in five."""


def power_of(n: int, chance: float) -> Power:
    """The smallest accuracies that n items tell from chance."""
    from scipy.stats import binom

    if not 0 < chance < 1:
        return Power(n, chance, None, None)
    # Two-sided at 5 %: 2.5 % in the upper tail.
    needed = int(binom.isf(LEVEL / 2, n, chance)) + 1
    if needed > n:
        return Power(n, chance, None, None)
    low, high = chance, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if binom.sf(needed - 1, n, middle) >= POWER else (middle, high)
    return Power(n, chance, needed / n, high)


def power_finding(suite: Suite) -> Finding:
    """The smallest effect that the items of a suite can show, for each of its predictions."""
    powers = [(prediction.name, power_of(len(suite.items), chance_of(prediction))) for prediction in suite.predictions]
    powers = [(name, power) for name, power in powers if 0 < power.chance < 1]
    if not powers:
        return Finding(CHECK, "unchecked", f"{len(suite.items):,} items, and no prediction with a level of chance")
    judged = [(judge(power), power) for _, power in powers]
    severity = worst(level for level, _ in judged)
    power = next(power for level, power in judged if level == severity)
    evidence = {
        "predictions": [
            {
                "prediction": name,
                "n": power.n,
                "chance": round(power.chance, 4),
                "smallest accuracy told from chance": power.smallest and round(power.smallest, 4),
                "accuracy told from chance with power 0.8": power.reliable and round(power.reliable, 4),
            }
            for name, power in powers
        ]
    }
    return Finding(CHECK, severity, say(power), evidence)


def judge(power: Power) -> Severity:
    """Whether so many items can show anything, and anything small."""
    if power.smallest is None:
        return "problem"
    return "look" if power.smallest - power.chance > WIDE + 1e-9 else "ok"


def say(power: Power) -> str:
    """The smallest effect in a sentence."""
    if power.smallest is None or power.reliable is None:
        return f"{power.n:,} items cannot be told from chance ({percent(power.chance)}), even if all of them are right"
    return (
        f"with {power.n:,} items an accuracy below {percent(power.smallest)} cannot be told from chance "
        f"({percent(power.chance)}); one of {percent(power.reliable)} is told four times in five"
    )
