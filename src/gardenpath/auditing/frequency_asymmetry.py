"""Check whether the words compared are equally frequent."""

from collections import Counter
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from scipy.stats import binomtest

from gardenpath.auditing.finding import AuditFinding, Severity, as_percent
from gardenpath.auditing.word_frequencies import Frequencies
from gardenpath.auditing.words import Claim, Material, WordDifference, with_prediction

FREQUENCY = "frequency"
EQUAL_BITS = 0.01
"""Bits within which two words are equally frequent."""
DOUBLE = 1.0
"""Bits between a word and one twice as frequent."""
ONE_SIDED = 0.75
"""Share of items with the more frequent words on one side, from which frequency gives the answer or hides it."""
OFTEN_UNEQUAL = 0.25
"""Share of items with words of unequal frequency, from which accuracies of single words should be examined."""
LEAST_COVERED = 0.8
"""Share of the compared words that must be in the table for the check to be possible."""
CHECKED_FIRST: tuple[Severity, ...] = ("unchecked", "ok", "look", "problem")
"""Order in which a prediction that could be checked takes precedence over one that could not."""


@dataclass(frozen=True, slots=True)
class Asymmetry:
    """How unequal in frequency the words are that differ between the sides of a prediction."""

    prediction: str
    differ: int
    """Comparisons (an item has as many as the formula) in which both sides have words of their own."""
    more: int
    """Comparisons in which the expected words are more frequent."""
    less: int
    median: float
    """Of the absolute difference in bits per word."""
    double: float
    """Share of all comparisons in which the words differ by a factor of two or more."""
    p_value: float
    """Exact two-sided binomial test of more against less."""
    covered: float
    """Share of these words that are in the table."""
    contrasts: int
    """Distinct pairs of words: all items with the same pair are one contrast."""
    pairs: tuple[tuple[str, str, float, int], ...]
    """The most common: expected words, unexpected words, bits by which the expected are more frequent, number."""

    @property
    def share(self) -> float:
        """Share of expected words that are more frequent, among comparisons of unequal frequency."""
        return self.more / (self.more + self.less) if self.more + self.less else 0.5


def advantage(difference: WordDifference, frequencies: Frequencies) -> float | None:
    """By how many bits per word the expected words are more frequent; None if a side has no word of its own."""
    if not difference.expected or not difference.unexpected:
        return None
    return fmean(map(frequencies.of, difference.unexpected)) - fmean(map(frequencies.of, difference.expected))


def measure_asymmetry(claim: Claim, frequencies: Frequencies) -> Asymmetry:
    """Count the comparisons whose expected words are more frequent."""
    kinds = Counter(claim.differences)
    measured = {kind: gain for kind in kinds if (gain := advantage(kind, frequencies)) is not None}
    more = sum(kinds[kind] for kind, gain in measured.items() if gain > EQUAL_BITS)
    less = sum(kinds[kind] for kind, gain in measured.items() if gain < -EQUAL_BITS)
    sizes = [abs(gain) for kind, gain in measured.items() for _ in range(kinds[kind])]
    words = [word for kind in measured for word in (kind.expected + kind.unexpected) * kinds[kind]]
    common = sorted(measured, key=lambda kind: -kinds[kind])[:6]
    return Asymmetry(
        prediction=claim.prediction,
        differ=len(sizes),
        more=more,
        less=less,
        median=median(sizes) if sizes else 0.0,
        double=sum(size >= DOUBLE for size in sizes) / len(claim.differences),
        p_value=float(binomtest(more, more + less).pvalue) if more + less else 1.0,
        covered=sum(word in frequencies for word in words) / max(len(words), 1),
        contrasts=len(measured),
        pairs=tuple(
            (" ".join(kind.expected), " ".join(kind.unexpected), measured[kind], kinds[kind]) for kind in common
        ),
    )


def frequency_finding(material: Material, frequencies: Frequencies) -> AuditFinding:
    """Whether the words compared are equally frequent, and which side has the more frequent ones."""
    if not material.claims:
        return AuditFinding(FREQUENCY, "unchecked", "the suite has no predictions, so nothing is compared")
    asymmetries = [measure_asymmetry(claim, frequencies) for claim in material.claims]
    judged = [(*judge_asymmetry(one), one) for one in asymmetries]
    severity, message, shown = max(judged, key=lambda row: (CHECKED_FIRST.index(row[0]), row[2].double))
    items: tuple[str, ...] = ()
    if severity in ("look", "problem"):
        items = largest_differences(material.claims[asymmetries.index(shown)], material, frequencies)
    if shown.differ:
        message = with_prediction(material, shown.prediction, message)
    evidence = {"frequencies": frequencies.name, "predictions": [asymmetry_evidence(one) for one in asymmetries]}
    return AuditFinding(FREQUENCY, severity, message, evidence, items)


def judge_asymmetry(one: Asymmetry) -> tuple[Severity, str]:
    """How severe the asymmetry of one prediction is, and why."""
    if not one.differ:
        return "ok", "the same words are compared everywhere, so their frequency does not matter"
    if one.covered < LEAST_COVERED:
        return "unchecked", (
            f"only {as_percent(one.covered)} of the words compared are in the table of frequencies; "
            "count words in a text of the language (--frequencies TEXT)"
        )
    direction = (one.share >= ONE_SIDED) - (one.share <= 1 - ONE_SIDED)
    example = max(one.pairs, key=lambda pair: pair[2] * direction if direction else abs(pair[2]))
    size = f"median difference {one.median:.1f} bits; {example[0]!r} : {example[1]!r} {example[2]:+.1f} bits"
    one_sided = one.p_value < 0.01 and one.median >= DOUBLE / 2
    if one_sided and one.share >= ONE_SIDED:
        return "problem", f"the expected words are more frequent in {as_percent(one.share)} of the comparisons ({size})"
    if one_sided and one.share <= 1 - ONE_SIDED:
        return "look", (
            f"the expected words are rarer in {as_percent(1 - one.share)} of the comparisons ({size}): "
            "frequency hides what a model knows"
        )
    if one.double >= OFTEN_UNEQUAL:
        return "look", (
            f"the words compared differ in frequency by a factor of two or more in {as_percent(one.double)} of the "
            f"comparisons ({size}), in favour of the expected ones in {as_percent(one.share)}: "
            "look at the accuracy of each word"
        )
    return "ok", f"the words compared are about equally frequent ({size})"


def largest_differences(claim: Claim, material: Material, frequencies: Frequencies) -> tuple[str, ...]:
    """Ids of the items with the largest differences in frequency."""
    gains = [advantage(difference, frequencies) or 0.0 for difference in claim.differences]
    order = sorted(range(len(gains)), key=lambda row: -abs(gains[row]))[:5]
    return tuple(dict.fromkeys(material.suite.items[claim.item(row)].id for row in order))


def asymmetry_evidence(one: Asymmetry) -> dict[str, Any]:
    """The numbers of one prediction."""
    return {
        "prediction": one.prediction,
        "comparisons of different words": one.differ,
        "expected more frequent": one.more,
        "expected less frequent": one.less,
        "p (exact binomial)": one.p_value,
        "median difference in bits": round(one.median, 3),
        "share twice as frequent or more": round(one.double, 4),
        "distinct contrasts": one.contrasts,
        "words in the table": round(one.covered, 4),
        "most common": [
            {"expected": left, "unexpected": right, "bits": round(bits, 2), "comparisons": n}
            for left, right, bits, n in one.pairs
        ],
    }
