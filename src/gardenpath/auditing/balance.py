"""Check whether words are counterbalanced over sides, positions and levels."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from gardenpath.auditing.finding import AuditFinding, as_percent
from gardenpath.auditing.words import Claim, Material, lowercase_words, with_prediction
from gardenpath.suites.suite import Suite

RECURRING = 4
"""Differences in which a word must occur for its sides to be compared."""
BALANCED = 0.5
"""Balance from which words count as balanced: at worst three times on one side for each time on the other."""
ASSOCIATED = 0.3
"""Cramér's V from which a word predicts its position or level."""
SHARED = 0.5
"""Share of the larger vocabulary that two positions must have in common to be compared."""


@dataclass(frozen=True, slots=True)
class Sides:
    """How often the words that differ between the sides of a prediction are on each side."""

    prediction: str
    balance: float
    """1: every word is expected as often as unexpected. 0: every word is on one side only."""
    recurring: float
    """Share of the differing words that occur often enough to be counted."""
    words: tuple[tuple[str, int, int], ...]
    """The most one-sided: word, times expected, times unexpected."""


@dataclass(frozen=True, slots=True)
class Association:
    """How well the words of a table predict its columns: positions, or levels of a factor."""

    rows: str
    columns: str
    v: float
    """Cramér's V with bias correction (Bergsma 2013): 0 if all columns have the same words equally often."""
    n: int


def count_sides(claim: Claim) -> Sides:
    """Count words on the expected and the unexpected side."""
    expected = Counter(word for difference in claim.differences for word in difference.expected)
    unexpected = Counter(word for difference in claim.differences for word in difference.unexpected)
    both = expected + unexpected
    counted = [word for word in expected | unexpected if both[word] >= RECURRING]
    mass = sum(both[word] for word in counted)
    uneven = {word: abs(expected[word] - unexpected[word]) for word in counted}
    top = sorted(counted, key=lambda word: -uneven[word])[:5]
    return Sides(
        claim.prediction,
        1 - sum(uneven.values()) / mass if mass else math.nan,
        mass / both.total() if both else 1.0,
        tuple((word, expected[word], unexpected[word]) for word in top if uneven[word]),
    )


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
    sides = [count_sides(claim) for claim in material.claims]
    tables = [*position_associations(material.suite), *level_associations(material.suite)]
    associated = [table for table in tables if table.v >= ASSOCIATED]
    one_sided = [side for side in sides if side.recurring >= BALANCED and side.balance < BALANCED]
    parts = [with_prediction(material, side.prediction, describe_side(side)) for side in one_sided[:1]]
    parts += [f"{one.rows}: not equally often at each {one.columns} (Cramér's V {one.v:.2f})" for one in associated[:2]]
    evidence = {
        "sides": [
            {
                "prediction": side.prediction,
                "balance": round_or_none(side.balance),
                "recurring": round_or_none(side.recurring),
                "words": [{"word": word, "expected": good, "unexpected": bad} for word, good, bad in side.words],
            }
            for side in sides
        ],
        "tables": [
            {"words": table.rows, "by": table.columns, "cramers v": round_or_none(table.v), "n": table.n}
            for table in tables
        ],
    }
    message = "; ".join(parts) or describe_balance(sides, tables)
    return AuditFinding("counterbalancing", "look" if parts else "ok", message, evidence)


def round_or_none(value: float) -> float | None:
    """A rounded number, or None for NaN, which JSON does not have."""
    return None if math.isnan(value) else round(value, 4)


def describe_side(side: Sides) -> str:
    """The most one-sided word in a sentence."""
    word, good, bad = side.words[0]
    return (
        f"the words compared are mostly on one side (balance {as_percent(side.balance)}): {word!r} is expected "
        f"{good:,} times and unexpected {bad:,} times, so a preference for words is enough to give the answer"
    )


def describe_balance(sides: Sequence[Sides], tables: Sequence[Association]) -> str:
    """The message for a suite in which everything is balanced."""
    known = [side.balance for side in sides if not math.isnan(side.balance) and side.recurring >= BALANCED]
    measured = [table.v for table in tables if not math.isnan(table.v)]
    parts = []
    if known:
        least = as_percent(min(known))
        parts.append(f"words are on either side of a comparison equally often (balance at least {least})")
    elif any(side.recurring < BALANCED for side in sides):
        parts.append("the words compared hardly recur, so none of them gives the answer away")
    if measured:
        parts.append(f"positions and levels have the same words (Cramér's V at most {max(measured):.2f})")
    return "; ".join(parts) or "no word recurs in a way that needs counterbalancing"
