"""Check whether the sides of a comparison differ in capital letters or punctuation marks."""

from collections import Counter

import numpy as np

from gardenpath.auditing.cues import MUCH, Cue, CueCheck, compare_counts, judge_cue, measure_cue
from gardenpath.auditing.finding import AuditFinding, Severity
from gardenpath.auditing.words import Claim, Material, is_word, spellings, sum_regions
from gardenpath.suites.prediction import Values

CAPITALS = "fewer capital letters"


def capital_letters(material: Material) -> Values:
    """The number of capital letters of every word, without the one that begins a sentence.

    The first word of a sentence counts its capital only if it has one inside sentences too, as names do; a sentence
    that begins with a small letter counts as one capital too few.
    """
    sentences = list(spellings(material))
    first = [next((index for index, unit in enumerate(units) if is_word(unit)), 0) for units in sentences]
    inside = {
        unit
        for begin, units in zip(first, sentences, strict=True)
        for index, unit in enumerate(units)
        if index != begin and unit[0].isupper()
    }
    counts = [
        sum(map(str.isupper, unit)) - (index == begin and unit not in inside)
        for begin, units in zip(first, sentences, strict=True)
        for index, unit in enumerate(units)
    ]
    return np.array(counts, dtype=np.float64)


def compare_marks(claim: Claim) -> list[Cue]:
    """How often each punctuation mark is on the expected side only, and on the other side only."""
    sides = [(Counter(row.expected), Counter(row.unexpected)) for row in claim.differences]
    marks = dict.fromkeys(unit for expected, unexpected in sides for unit in expected | unexpected if not is_word(unit))
    margins = {mark: np.array([float(b[mark] - a[mark]) for a, b in sides]) for mark in marks}
    return [measure_cue(f"fewer {mark!r}", claim.prediction, own, items=claim.items) for mark, own in margins.items()]


def judge_spelling(cue: Cue) -> Severity:
    """Grammar needs no capital letter, so one on either side is a problem; a comma may be needed."""
    capitals = cue.name == CAPITALS and max(cue.accuracy, 1 - cue.accuracy) >= MUCH
    return "ok" if judge_cue(cue) == "ok" else "problem" if capitals else "look"


def spelling_finding(material: Material) -> AuditFinding:
    """Whether capital letters or punctuation marks tell the expected side from the other."""
    letters = sum_regions(material.suite, material.words, material.text_of, capital_letters(material)).bits
    cues = compare_counts(material, CAPITALS, letters)
    return SPELLING.finding(material, [*cues, *(cue for claim in material.claims for cue in compare_marks(claim))])


SPELLING = CueCheck(
    "spelling",
    "both sides of every comparison have equally many capital letters and the same punctuation marks",
    "spell both sides alike: neither capital letters nor punctuation marks should tell them apart",
    judge_spelling,
    directed=False,
)
