"""Check whether words are counterbalanced over sides, positions and levels."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from gardenpath.auditing.cues import BY_CHANCE, LITTLE, Cue, cue_evidence
from gardenpath.auditing.finding import AuditFinding, as_percent, finding_with_remedy
from gardenpath.auditing.preferences import count_sides, learn_preference
from gardenpath.auditing.words import Claim, Material, lowercase_words, with_prediction
from gardenpath.suites.suite import Suite

ASSOCIATED = 0.3
"""Cramér's V from which a word predicts its position or level."""
REMEDY = "expect every word as often as not, in every position and at every level"
SHARED = 0.5
"""Share of the larger vocabulary that two positions must have in common to be compared."""


@dataclass(frozen=True, slots=True)
class Association:
    """How well the words of a table predict its columns: positions, or levels of a factor."""

    rows: str
    columns: str
    v: float
    """Cramér's V with bias correction (Bergsma 2013): 0 if all columns have the same words equally often."""
    n: int


@dataclass(frozen=True, slots=True)
class SidesOfWords:
    """How far words give the answer because they are mostly on one side of a prediction's comparisons."""

    preference: Cue
    """Choosing by the words that the other items expect."""
    words: tuple[tuple[str, int, int], ...]
    """The most one-sided: word, times expected, times unexpected."""


def cramers_v(table: NDArray[np.int64]) -> float:
    """Cramér's V of a table of counts with bias correction; NaN if there are fewer counts than cells."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    n = int(table.sum())
    rows, columns = table.shape
    if rows < 2 or columns < 2 or n < rows * columns:
        return math.nan
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi = float(((table - expected) ** 2 / expected).sum()) / n
    corrected = max(0.0, phi - (rows - 1) * (columns - 1) / (n - 1))
    width = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    return math.sqrt(corrected / width) if width > 0 else math.nan


def count_by_position(suite: Suite) -> dict[str, Counter[str]]:
    """Count the words of each region, over all sentences, and of each slot, over all items, if they vary."""
    found: dict[str, Counter[str]] = {}
    for _, sentence in suite.trials():
        for region in sentence.regions:
            content = lowercase_words(sentence.text[region.start : region.end])
            found.setdefault(f"region {region.name}", Counter()).update(content)
    for item in suite.items:
        for slot, filler in item.fillers.items():
            found.setdefault(f"slot {slot}", Counter())[filler.lower()] += 1
    return {name: counts for name, counts in found.items() if len(counts) > 2}


def position_associations(suite: Suite) -> Iterator[Association]:
    """The association of words with pairs of positions that share words."""
    for (left, left_counts), (right, right_counts) in combinations(count_by_position(suite).items(), 2):
        if left.partition(" ")[0] != right.partition(" ")[0]:
            continue
        shared = left_counts.keys() & right_counts.keys()
        if len(shared) < max(2, SHARED * max(len(left_counts), len(right_counts))):
            continue
        table = np.array([[left_counts[word], right_counts[word]] for word in sorted(shared)], dtype=np.int64)
        yield Association(f"words of {left} and {right}", "position", cramers_v(table), int(table.sum()))


def level_associations(suite: Suite) -> Iterator[Association]:
    """The association of the fillers of every slot with the levels of every factor."""
    slots = dict.fromkeys(slot for item in suite.items for slot in item.fillers)
    factors = dict.fromkeys(factor for item in suite.items for factor in item.levels)
    for slot, factor in product(slots, factors):
        pairs = Counter((item.fillers.get(slot, ""), item.levels.get(factor, "")) for item in suite.items)
        fillers, levels = (dict.fromkeys(values) for values in zip(*pairs, strict=True))
        table = np.array([[pairs[filler, level] for level in levels] for filler in fillers], dtype=np.int64)
        yield Association(f"slot {slot}", factor, cramers_v(table), len(suite.items))


def balance_finding(material: Material) -> AuditFinding:
    """Whether words are counterbalanced over the sides of comparisons, over positions and over levels."""
    sides = [measure_sides(claim, items=len(material.suite.items)) for claim in material.claims]
    tables = [*position_associations(material.suite), *level_associations(material.suite)]
    associated = [table for table in tables if table.v >= ASSOCIATED]
    one_sided = [side for side in sides if is_one_sided(side.preference)]
    worst = max(one_sided, key=lambda side: side.preference.accuracy, default=None)
    parts = [with_prediction(material, worst.preference.prediction, describe_side(worst))] if worst else []
    parts += [f"{one.rows}: not equally often at each {one.columns} (Cramér's V {one.v:.2f})" for one in associated[:2]]
    evidence = {
        "sides": [
            cue_evidence(side.preference)
            | {"words": [{"word": w, "expected": good, "unexpected": bad} for w, good, bad in side.words]}
            for side in sides
        ],
        "tables": [
            {"words": table.rows, "by": table.columns, "cramers v": round_or_none(table.v), "n": table.n}
            for table in tables
        ],
    }
    message = "; ".join(parts) or describe_balance(sides, tables)
    return finding_with_remedy("counterbalancing", "look" if parts else "ok", message, evidence, remedy=REMEDY)


def measure_sides(claim: Claim, *, items: int) -> SidesOfWords:
    """Count the words on each side, and learn which of them other items expect."""
    rows = [(row.expected, row.unexpected) for row in claim.differences]
    words = tuple((one.word, one.expected, one.unexpected) for one in count_sides(rows)[:5])
    return SidesOfWords(learn_preference(claim.prediction, rows, items=items), words)


def is_one_sided(preference: Cue) -> bool:
    """Whether what other items expect gives the answer more often than chance would."""
    return preference.accuracy >= LITTLE and preference.p_value < BY_CHANCE


def round_or_none(value: float) -> float | None:
    """A rounded number, or None for NaN, which JSON does not have."""
    return None if math.isnan(value) else round(value, 4)


def describe_side(side: SidesOfWords) -> str:
    """The most one-sided word in a sentence."""
    word, good, bad = side.words[0]
    return (
        f"{word!r} is expected {good:,} times and unexpected {bad:,} times: choosing the words expected in other items "
        f"gets {as_percent(side.preference.accuracy)} right"
    )


def describe_balance(sides: Sequence[SidesOfWords], tables: Sequence[Association]) -> str:
    """The message for a suite in which everything is balanced."""
    measured = [table.v for table in tables if not math.isnan(table.v)]
    parts = []
    if sides:
        most = as_percent(max(side.preference.accuracy for side in sides))
        parts.append(f"no word gives the answer: choosing the words expected in other items gets at most {most} right")
    if measured:
        parts.append(
            f"words are about equally often at all positions and levels (Cramér's V at most {max(measured):.2f})"
        )
    return "; ".join(parts) or "no word recurs in a way that needs counterbalancing"
