"""Preferences for words: how far one learnt from other items of a suite would give the answer."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gardenpath.auditing.cues import Cue, measure_cue

Sides = tuple[Sequence[str], Sequence[str]]
"""What only the expected side of a comparison has, and what only the other side has."""

LEARNT = "the words preferred in the other items"
CLEAR = 0.5
"""Log odds from which words are preferred: 1.65 to 1. Words on either side equally often are preferred on neither."""


@dataclass(frozen=True, slots=True)
class OneSided:
    """How often a word is on the expected side only, and on the other side only."""

    word: str
    expected: int
    unexpected: int


def count_sides(rows: Sequence[Sides]) -> list[OneSided]:
    """Count what is on one side only, the most one-sided first."""
    expected = Counter(one for row in rows for one in row[0])
    unexpected = Counter(one for row in rows for one in row[1])
    found = [OneSided(one, expected[one], unexpected[one]) for one in expected | unexpected]
    return sorted(found, key=lambda one: -abs(one.expected - one.unexpected))


def learn_preference(prediction: str, rows: Sequence[Sides], *, items: int) -> Cue:
    """The accuracy of preferring, in every item, what all other items expect (log odds of every word, added up).

    rows: of every item in the first inequality, then in the second, …
    """
    expected = Counter(one for row in rows for one in row[0])
    unexpected = Counter(one for row in rows for one in row[1])
    margins = np.zeros(len(rows))
    for item in range(items):
        own = rows[item::items]
        here = Counter(one for row in own for one in row[0]), Counter(one for row in own for one in row[1])
        odds = {
            one: math.log((expected[one] - here[0][one] + 0.5) / (unexpected[one] - here[1][one] + 0.5))
            for one in here[0] | here[1]
        }
        margins[item::items] = [sum(odds[one] for one in row[0]) - sum(odds[one] for one in row[1]) for row in own]
    return measure_cue(LEARNT, prediction, margins, items=items, least=CLEAR)
