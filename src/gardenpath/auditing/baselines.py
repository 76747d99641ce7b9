"""Check how much an n-gram model gets right."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.auditing.finding import AuditFinding, Severity, as_percent, finding_with_remedy, worst
from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.statistics.proportions import Estimate, agresti_coull

BASELINES = "baselines"
MUCH = 0.5
"""Share of the distance from chance to 1 from which a baseline solves a suite."""
REMEDY = "add items in which the words nearest to the difference do not give the answer"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accuracy of a baseline on one prediction."""

    model: str
    outcomes: Outcomes
    accuracy: Estimate
    margin: float
    """The median of the absolute margins in bits."""


def baseline_finding(outcomes: Mapping[str, Sequence[Outcomes]]) -> AuditFinding:
    """The accuracy of n-gram models, if there are any."""
    rows = [measure_baseline(name, part) for name, parts in outcomes.items() for part in parts]
    if not rows:
        return AuditFinding(BASELINES, "unchecked", "no n-gram model was named (--model)")
    severity = worst(judge_baseline(row) for row in rows)
    shown = [row for row in rows if judge_baseline(row) == severity]
    best = [
        max((row for row in shown if row.model == name), key=lambda row: row.accuracy.value - row.outcomes.chance)
        for name in dict.fromkeys(row.model for row in shown)
    ]
    evidence = {"accuracies": [baseline_evidence(row) for row in rows]}
    return finding_with_remedy(BASELINES, severity, "; ".join(map(describe_baseline, best)), evidence, remedy=REMEDY)


def measure_baseline(name: str, outcomes: Outcomes) -> Baseline:
    """The accuracy of a baseline, and by how many bits it decides."""
    valid = np.abs(outcomes.margin[~outcomes.invalid])
    accuracy = agresti_coull(float(outcomes.credit.sum()), len(outcomes))
    return Baseline(name, outcomes, accuracy, float(np.median(valid)) if len(valid) else 0.0)


def judge_baseline(baseline: Baseline) -> Severity:
    """`look` where an n-gram model solves a suite; it knows much local grammar, so that is no problem by itself."""
    chance, accuracy = baseline.outcomes.chance, baseline.accuracy
    if not 0 < chance < 1 or accuracy.low <= chance:
        return "ok"
    return "look" if accuracy.value >= chance + (1 - chance) * MUCH else "ok"


def describe_baseline(baseline: Baseline) -> str:
    """An accuracy in a sentence."""
    outcomes, accuracy = baseline.outcomes, baseline.accuracy
    return (
        f"{baseline.model} gets {as_percent(accuracy.value)} ({as_percent(accuracy.low)} to "
        f"{as_percent(accuracy.high)}; chance {as_percent(outcomes.chance)}) of {outcomes.prediction!r}, "
        f"by a median of {baseline.margin:.1f} bits"
    )


def baseline_evidence(baseline: Baseline) -> dict[str, Any]:
    """The numbers of one accuracy; NaN, which JSON does not have, is left out."""
    outcomes, accuracy = baseline.outcomes, baseline.accuracy
    values = {
        "model": baseline.model,
        "prediction": outcomes.prediction,
        "n": accuracy.n,
        "accuracy": round(accuracy.value, 4),
        "low": round(accuracy.low, 4),
        "high": round(accuracy.high, 4),
        "chance": round(outcomes.chance, 4),
        "ties": int((outcomes.tied & ~outcomes.invalid).sum()),
        "invalid": int(outcomes.invalid.sum()),
        "coverage": round(float(outcomes.known.mean()), 4),
        "median margin in bits": round(baseline.margin, 3),
    }
    return {name: value for name, value in values.items() if not isinstance(value, float) or not math.isnan(value)}
