"""How far does one get without any grammar: by the frequency of words, or by the last few of them?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.auditing.finding import Finding, Severity, percent, worst
from gardenpath.auditing.frequencies import Frequencies
from gardenpath.auditing.words import Material, sums
from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.statistics.estimate import Summary, summarise

CHECK = "baselines"
UNIGRAM = "unigram"
NOISE = 1e-6
COVERED = 0.8
"""Share of the words of the suite that must be in the table for the baseline to mean anything."""
LITTLE = 0.1
"""Part of what there is above chance below which frequency is at chance for all that matters."""
MUCH = 0.5
"""Part of it from which a baseline solves a suite."""
SMALL = 0.5
"""Bits below which a decision is too close to outweigh anything a model knows."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a baseline gets right of one prediction."""

    model: str
    summary: Summary
    margin: float
    """The median of the margins in bits, whatever their sign."""


def unigram_outcomes(material: Material, frequencies: Frequencies) -> list[Outcomes]:
    """Every prediction, as a model comes out that knows how frequent words are and nothing else."""
    prices = np.array([frequencies.of(word) for word in material.vocabulary])
    regions = sums(material.suite, material.words, material.text_of, prices[material.words.ids])
    return evaluate(material.suite, regions, noise=NOISE)


def coverage(material: Material, frequencies: Frequencies) -> float:
    """Share of the suite's words, by how often they occur, that a table of frequencies has."""
    known = np.array([word in frequencies for word in material.vocabulary])
    return float(known[material.words.ids].mean())


def baseline_finding(material: Material, frequencies: Frequencies, others: Mapping[str, Sequence[Outcomes]]) -> Finding:
    """The accuracy of the unigram model, and of n-gram models where there are some."""
    if not material.suite.predictions:
        return Finding(CHECK, "unchecked", "the suite has no predictions, so nothing can be got right")
    share = coverage(material, frequencies)
    parts = [(name, part) for name, outcomes in others.items() for part in outcomes]
    if share >= COVERED:
        parts = [*((UNIGRAM, part) for part in unigram_outcomes(material, frequencies)), *parts]
    rows = [result_of(name, part) for name, part in parts]
    evidence: dict[str, Any] = {"frequencies": frequencies.name, "words in the table": round(share, 4)}
    evidence["accuracies"] = [evidence_of(row) for row in rows]
    if not rows:
        return Finding(
            CHECK, "unchecked", f"only {percent(share)} of the words are in the table of frequencies", evidence
        )
    severity = worst(judge(row) for row in rows)
    shown = [row for row in rows if judge(row) == severity]
    best = [
        max((row for row in shown if row.model == name), key=lambda row: row.summary.accuracy - row.summary.chance)
        for name in dict.fromkeys(row.model for row in shown)
    ]
    return Finding(CHECK, severity, "; ".join(map(say, best)), evidence)


def result_of(name: str, outcomes: Outcomes) -> Result:
    """The accuracy of a baseline, and by how much it decides."""
    valid = np.abs(outcomes.margin[np.isfinite(outcomes.margin)])
    return Result(name, summarise(outcomes, model=name), float(np.median(valid)) if len(valid) else 0.0)


def judge(result: Result) -> Severity:
    """Frequency that gets half of what there is above chance solves a suite; an n-gram that does is to be looked at.

    An n-gram model knows much grammar that is local, so what it gets right is no fault of a suite by itself.
    """
    summary = result.summary
    room = 1 - summary.chance
    if not 0 < summary.chance < 1 or summary.low <= summary.chance:
        return "ok"
    much = summary.accuracy >= summary.chance + room * MUCH
    if result.model != UNIGRAM:
        return "look" if much else "ok"
    if much and result.margin >= SMALL:
        return "problem"
    return "look" if summary.accuracy >= summary.chance + room * LITTLE else "ok"


def say(result: Result) -> str:
    """An accuracy in a sentence."""
    summary = result.summary
    what = "word frequency alone" if result.model == UNIGRAM else result.model
    return (
        f"{what} gets {percent(summary.accuracy)} ({percent(summary.low)} to {percent(summary.high)}; chance "
        f"{percent(summary.chance)}) of {summary.prediction!r}, by a median of {result.margin:.1f} bits"
    )


def evidence_of(result: Result) -> dict[str, Any]:
    """The numbers of one accuracy; NaN is left out, which JSON does not have."""
    summary = result.summary
    values = {
        "model": summary.model,
        "prediction": summary.prediction,
        "n": summary.n,
        "accuracy": round(summary.accuracy, 4),
        "low": round(summary.low, 4),
        "high": round(summary.high, 4),
        "chance": round(summary.chance, 4),
        "ties": summary.ties,
        "invalid": summary.invalid,
        "coverage": round(summary.coverage, 4),
        "median margin in bits": round(result.margin, 3),
    }
    return {name: value for name, value in values.items() if not isinstance(value, float) or not math.isnan(value)}
