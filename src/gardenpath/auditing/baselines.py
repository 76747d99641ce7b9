"""Check how much word frequency or an n-gram model gets right."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.auditing.finding import AuditFinding, Severity, as_percent, worst
from gardenpath.auditing.word_frequencies import Frequencies
from gardenpath.auditing.words import Material, sum_regions
from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.statistics.proportions import Estimate, wilson

BASELINES = "baselines"
UNIGRAM = "unigram"
LEAST_KNOWN = 0.8
"""Share of the words of the suite that must be in the table for the unigram baseline to be meaningful."""
LITTLE = 0.1
"""Share of the distance from chance to 1 below which frequency does as well as chance."""
MUCH = 0.5
"""Share of that distance from which a baseline solves a suite."""
SMALL_MARGIN = 0.5
"""Bits below which a decision is too close to outweigh what a model knows."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The accuracy of a baseline on one prediction."""

    model: str
    outcomes: Outcomes
    accuracy: Estimate
    margin: float
    """The median of the absolute margins in bits."""


def unigram_outcomes(material: Material, frequencies: Frequencies) -> list[Outcomes]:
    """Evaluate every prediction with the unigram surprisal of words."""
    bits = np.array([frequencies.of(word) for word in material.vocabulary])
    regions = sum_regions(material.suite, material.words, material.text_of, bits[material.words.ids])
    return evaluate(material.suite, regions, noise=1e-6)


def baseline_finding(
    material: Material, frequencies: Frequencies, others: Mapping[str, Sequence[Outcomes]]
) -> AuditFinding:
    """The accuracy of the unigram model, and of n-gram models if there are any."""
    if not material.suite.predictions:
        return AuditFinding(BASELINES, "unchecked", "the suite has no predictions to evaluate")
    known = np.array([word in frequencies for word in material.vocabulary])
    share = float(known[material.words.ids].mean())  # of the words of the suite, by occurrences
    parts = [(name, part) for name, outcomes in others.items() for part in outcomes]
    if share >= LEAST_KNOWN:
        parts = [*((UNIGRAM, part) for part in unigram_outcomes(material, frequencies)), *parts]
    rows = [measure_baseline(name, part) for name, part in parts]
    about = {"frequencies": frequencies.name, "words in the table": round(share, 4)}
    evidence = about | {"accuracies": [baseline_evidence(row) for row in rows]}
    if not rows:
        message = f"only {as_percent(share)} of the words are in the table of frequencies"
        return AuditFinding(BASELINES, "unchecked", message, evidence)
    severity = worst(judge_baseline(row) for row in rows)
    shown = [row for row in rows if judge_baseline(row) == severity]
    best = [
        max((row for row in shown if row.model == name), key=lambda row: row.accuracy.value - row.outcomes.chance)
        for name in dict.fromkeys(row.model for row in shown)
    ]
    return AuditFinding(BASELINES, severity, "; ".join(map(describe_baseline, best)), evidence)


def measure_baseline(name: str, outcomes: Outcomes) -> Baseline:
    """The accuracy of a baseline, and by how many bits it decides."""
    valid = np.abs(outcomes.margin[~outcomes.invalid])
    accuracy = wilson(float(outcomes.credit.sum()), len(outcomes))
    return Baseline(name, outcomes, accuracy, float(np.median(valid)) if len(valid) else 0.0)


def judge_baseline(baseline: Baseline) -> Severity:
    """A problem where frequency solves the suite; an n-gram model knows much local grammar, so its success is none."""
    chance, accuracy = baseline.outcomes.chance, baseline.accuracy
    if not 0 < chance < 1 or accuracy.low <= chance:
        return "ok"
    solved = accuracy.value >= chance + (1 - chance) * MUCH
    if baseline.model != UNIGRAM:
        return "look" if solved else "ok"
    if solved and baseline.margin >= SMALL_MARGIN:
        return "problem"
    return "look" if accuracy.value >= chance + (1 - chance) * LITTLE else "ok"


def describe_baseline(baseline: Baseline) -> str:
    """An accuracy in a sentence."""
    outcomes, accuracy = baseline.outcomes, baseline.accuracy
    name = "word frequency alone" if baseline.model == UNIGRAM else baseline.model
    return (
        f"{name} gets {as_percent(accuracy.value)} ({as_percent(accuracy.low)} to {as_percent(accuracy.high)}; chance "
        f"{as_percent(outcomes.chance)}) of {outcomes.prediction!r}, by a median of {baseline.margin:.1f} bits"
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
