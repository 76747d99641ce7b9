"""Check whether the words compared are equally frequent."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from gardenpath.auditing.alignment import Words, differing_spans
from gardenpath.auditing.cues import Cue, cue_evidence, hidden_by, judge_cue, measure_cue
from gardenpath.auditing.finding import AuditFinding, Severity, as_percent, finding_with_remedy
from gardenpath.auditing.word_frequencies import Frequencies
from gardenpath.auditing.words import Claim, Material, WordDifference, cut_ending, with_prediction, words_of_sides

FREQUENCY = "frequency"
NOTICEABLE = 0.5
"""Bits from which words differ in frequency: a factor of 1.4."""
OFTEN_DOUBLE = 0.25
"""Share of comparisons with words twice as frequent as others, from which single words are of interest."""
LEAST_KNOWN = 0.8
"""Share of the words of a suite that must be in the table for it to be of the suite's language."""
LEAST_COMPARED = 0.5
"""Share of the comparisons of different words with a side in the table, below which frequency is unknown."""
CHECKED_FIRST: tuple[Severity, ...] = ("unchecked", "ok", "look", "problem")
"""Order in which a prediction that could be checked takes precedence over one that could not."""
REMEDY = "choose words of equal frequency, or expect each word as often as not"


@dataclass(frozen=True, slots=True)
class Asymmetry:
    """How unequal in frequency the words are that differ between the sides of a prediction."""

    cue: Cue
    """Choosing the more frequent words."""
    differ: int
    """Comparisons in which both sides have words of their own."""
    added: int
    """Comparisons in which only one side has words of its own."""
    unknown: int
    """Comparisons with words on both sides that the table does not have."""
    unseen: tuple[int, int]
    """Comparisons with a word that the table does not have on the expected side only, and on the other only."""
    median: float
    """Of the absolute difference in bits, over the comparisons of known frequency."""
    double: float
    """Share of all comparisons in which the words differ by a factor of two or more."""
    pairs: tuple[tuple[str, str, float, int], ...]
    """The most common: expected words, unexpected words, bits by which the expected are more frequent, number."""
    items: tuple[int, ...]
    """The indices of the items with the largest differences."""
    contrasts: int
    """Distinct pairs of words: all items with the same pair are one contrast."""


def advantage(difference: WordDifference, frequencies: Frequencies) -> float | None:
    """By how many bits the expected words are more frequent, with as many words as the shorter side has.

    Of the longer side those count that are forms of words of the shorter one, then those nearest in frequency: words
    that a side has more are a matter of length. None if a side has no word of its own, or if neither is in the table.
    """
    expected, unexpected = difference.expected, difference.unexpected
    if not expected or not unexpected:
        return None
    bits = [np.array(list(map(frequencies.of, side))) for side in (expected, unexpected)]
    forms = [[cut_ending(word) == cut_ending(other) for other in unexpected] for word in expected]
    rows, columns = linear_sum_assignment(np.where(forms, -1.0, np.abs(np.subtract.outer(*bits))))
    if has_unseen((expected[row] for row in rows), frequencies) and has_unseen(
        (unexpected[column] for column in columns), frequencies
    ):
        return None
    return float(bits[1][columns].sum() - bits[0][rows].sum())


def has_unseen(words: Iterable[str], frequencies: Frequencies) -> bool:
    """Whether a word is not in the table."""
    return any(word not in frequencies for word in words)


def exchanged_words(claim: Claim, material: Material) -> list[WordDifference]:
    """The words of each comparison that stand in each other's position; all that differ, where that is unclear."""
    found = []
    for index, comparison in enumerate(claim.comparisons):
        n = len(material.suite.items)
        differences = claim.differences[index * n : (index + 1) * n]
        sides = words_of_sides(comparison, material) or [((), ())] * n
        found += [exchange(row, *words) for row, words in zip(differences, sides, strict=True)]
    return found


def exchange(difference: WordDifference, expected: Words, unexpected: Words) -> WordDifference:
    """Leave out words that only one side has in a position: they make it longer, not rarer."""
    if len(difference.expected) == len(difference.unexpected):
        return difference
    own, other = Counter(difference.expected), Counter(difference.unexpected)
    kept: tuple[list[str], list[str]] = [], []
    for left, right in differing_spans(expected, unexpected):
        sides = list((Counter(left) & own).elements()), list((Counter(right) & other).elements())
        if all(sides):
            kept[0].extend(sides[0])
            kept[1].extend(sides[1])
    return WordDifference(tuple(kept[0]), tuple(kept[1])) if all(kept) else difference


def measure_asymmetry(claim: Claim, material: Material, frequencies: Frequencies) -> Asymmetry:
    """Count the comparisons whose expected words are more frequent."""
    rows = exchanged_words(claim, material)
    kinds = Counter(rows)
    gains = {kind: gain for kind in kinds if (gain := advantage(kind, frequencies)) is not None}
    both = [kind for kind in kinds if kind.expected and kind.unexpected]
    added = [kind for kind in kinds if bool(kind.expected) != bool(kind.unexpected)]
    margins = np.array([gains.get(row, math.nan) for row in rows])
    rare = (
        sum(kinds[kind] for kind in gains if has_unseen(kind.expected, frequencies)),
        sum(kinds[kind] for kind in gains if has_unseen(kind.unexpected, frequencies)),
    )
    common = sorted(gains, key=lambda kind: -kinds[kind])[:6]
    return Asymmetry(
        cue=measure_cue("more frequent words", claim.prediction, margins, items=claim.items, least=NOTICEABLE),
        differ=sum(kinds[kind] for kind in both),
        added=sum(kinds[kind] for kind in added),
        unknown=sum(kinds[kind] for kind in both if kind not in gains),
        unseen=rare,
        median=median(abs(gains[kind]) for kind in gains for _ in range(kinds[kind])) if gains else 0.0,
        double=float((np.abs(margins) >= 1.0).mean()),
        pairs=tuple((" ".join(kind.expected), " ".join(kind.unexpected), gains[kind], kinds[kind]) for kind in common),
        items=tuple(claim.item(row) for row in np.argsort(-np.abs(np.nan_to_num(margins)), kind="stable")[:5].tolist()),
        contrasts=len(both),
    )


def frequency_finding(material: Material, frequencies: Frequencies) -> AuditFinding:
    """Whether the words compared are equally frequent, and which side has the more frequent ones."""
    if not material.claims:
        return AuditFinding(FREQUENCY, "unchecked", "the suite has no predictions, so nothing is compared")
    known = np.array([word in frequencies for word in material.vocabulary])
    share = float(known[material.words.ids].mean())  # of the words of the suite, by occurrences
    asymmetries = [measure_asymmetry(claim, material, frequencies) for claim in material.claims]
    judged = [(*judge_asymmetry(one, share), one) for one in asymmetries]
    severity, message, shown = max(
        judged, key=lambda row: (CHECKED_FIRST.index(row[0]), abs(row[2].cue.accuracy - 0.5), row[2].differ)
    )
    items = tuple(dict.fromkeys(material.suite.items[row].id for row in shown.items))
    if shown.differ:
        message = with_prediction(material, shown.cue.prediction, message)
    about = {"frequencies": frequencies.name, "words in the table": round(share, 4)}
    evidence = about | {"predictions": [asymmetry_evidence(one) for one in asymmetries]}
    return finding_with_remedy(FREQUENCY, severity, message, evidence, items, REMEDY)


def judge_asymmetry(one: Asymmetry, known: float) -> tuple[Severity, str]:
    """How severe the asymmetry of one prediction is, and why."""
    if not one.differ and not one.added:
        return "ok", "both sides of every comparison have the same words, so their frequency does not matter"
    if not one.differ:
        return "ok", (
            f"in {one.added:,} of {one.cue.n:,} comparisons one side has a word more and otherwise the same words: "
            "their frequencies cannot differ (see length and counterbalancing)"
        )
    if known < LEAST_KNOWN or one.differ - one.unknown < LEAST_COMPARED * one.differ:
        return "unchecked", (
            f"{as_percent(known)} of the words are in the table of frequencies, and in {one.unknown:,} of "
            f"{one.differ:,} comparisons neither side is; count words in a text of the language (--frequencies TEXT)"
        )
    return judge_cue(one.cue), describe_asymmetry(one)


def describe_asymmetry(one: Asymmetry) -> str:
    """The asymmetry in a sentence."""
    cue = one.cue
    best, worst = (choose(one.pairs, key=lambda pair: pair[2]) for choose in (max, min))
    shown = [best] if worst[2] > -NOTICEABLE else [worst] if best[2] < NOTICEABLE else [best, worst]
    examples = ", ".join(f"{left!r} : {right!r} " + f"{bits:+.1f}".replace("-", "−") for left, right, bits, _ in shown)
    rare = " and ".join(
        f"the {side} side in {as_percent(count / cue.n)}"
        for side, count in zip(("expected", "other"), one.unseen, strict=True)
        if count
    )
    unseen = f"; a word too rare for the table is on {rare}" if rare else ""
    by_word = "; it differs from word to word, so report the accuracy of each" if is_word_bound(one) else ""
    return (
        f"the expected words are more frequent in {as_percent(cue.favours / cue.n)} of the comparisons and rarer in "
        f"{as_percent(cue.against / cue.n)}, by a median of {one.median:.1f} bits ({examples}): "
        f"frequency alone gets {as_percent(cue.accuracy)}{hidden_by(cue)}{by_word}{unseen}"
    )


def is_word_bound(one: Asymmetry) -> bool:
    """Whether frequency helps with some words and hinders with others, often by a factor of two or more."""
    return judge_cue(one.cue) == "ok" and one.double >= OFTEN_DOUBLE


def asymmetry_evidence(one: Asymmetry) -> dict[str, Any]:
    """The numbers of one prediction."""
    return cue_evidence(one.cue) | {
        "comparisons of different words": one.differ,
        "comparisons in which one side only adds words": one.added,
        "comparisons of words not in the table": one.unknown,
        "expected word not in the table": one.unseen[0],
        "unexpected word not in the table": one.unseen[1],
        "median difference in bits": round(one.median, 3),
        "share twice as frequent or more": round(one.double, 4),
        "distinct contrasts": one.contrasts,
        "most common": [
            {"expected": left, "unexpected": right, "bits": round(bits, 2), "comparisons": n}
            for left, right, bits, n in one.pairs
        ],
    }
