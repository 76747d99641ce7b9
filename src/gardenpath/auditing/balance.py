"""Does every word stand everywhere equally often: on either side, in each position, at each level?"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gardenpath.auditing.finding import Finding, Severity, percent
from gardenpath.auditing.words import Claim, Material, about, split_words
from gardenpath.suites.suite import Suite

CHECK = "counterbalancing"
RECURRING = 4
"""Times a word must set sides apart before its sides can be compared."""
EVEN = 0.5
"""Balance from which words are taken to stand on both sides: at worst three times on one for each on the other."""
ASSOCIATED = 0.3
"""Cramér's V from which a word's place or level is told by the word."""
SHARED = 0.5
"""Part of the larger vocabulary that two positions must share to be taken for positions of the same words."""


@dataclass(frozen=True, slots=True)
class Sides:
    """How often the words that set the sides of a prediction apart stand on each of them."""

    prediction: str
    balance: float
    """1: every word is expected as often as unexpected. 0: every word stands on one side only."""
    recurring: float
    """Share of the differing words that recur often enough to be counted."""
    words: tuple[tuple[str, int, int], ...]
    """The most one-sided: word, times expected, times unexpected."""


@dataclass(frozen=True, slots=True)
class Association:
    """How far the words of a table tell its columns: positions, or levels of a factor."""

    rows: str
    columns: str
    v: float
    """Cramér's V, corrected for its bias (Bergsma 2013): 0 where all columns have the same words equally often."""
    n: int


def sides_of(claim: Claim) -> Sides:
    """Count words on the expected and the unexpected side."""
    expected: Counter[str] = Counter()
    unexpected: Counter[str] = Counter()
    for difference in claim.differences:
        expected.update(difference.expected)
        unexpected.update(difference.unexpected)
    total = expected.total() + unexpected.total()
    counted = [word for word in expected | unexpected if expected[word] + unexpected[word] >= RECURRING]
    mass = sum(expected[word] + unexpected[word] for word in counted)
    uneven = {word: abs(expected[word] - unexpected[word]) for word in counted}
    top = sorted(counted, key=lambda word: -uneven[word])[:5]
    return Sides(
        claim.prediction,
        1 - sum(uneven.values()) / mass if mass else math.nan,
        mass / total if total else 1.0,
        tuple((word, expected[word], unexpected[word]) for word in top if uneven[word]),
    )


def cramers_v(table: NDArray[np.int64]) -> float:
    """Cramér's V of a table of counts, corrected for its bias; NaN where there are fewer counts than cells."""
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


def positions(suite: Suite) -> dict[str, Counter[str]]:
    """What stands in each region, over all sentences, and in each slot, over all items; positions that vary only."""
    found: dict[str, Counter[str]] = {}
    for _, sentence in suite.trials():
        for region in sentence.regions:
            content = split_words(sentence.text[region.start : region.end])
            found.setdefault(f"region {region.name}", Counter()).update(content)
    for item in suite.items:
        for slot, filler in item.fillers.items():
            found.setdefault(f"slot {slot}", Counter())[filler.lower()] += 1
    return {name: counts for name, counts in found.items() if len(counts) > 2}


def over_positions(suite: Suite) -> Iterator[Association]:
    """Positions that share words, and how far the words tell them apart."""
    for (left, left_counts), (right, right_counts) in combinations(positions(suite).items(), 2):
        if left.partition(" ")[0] != right.partition(" ")[0]:
            continue
        shared = left_counts.keys() & right_counts.keys()
        if len(shared) < max(2, SHARED * max(len(left_counts), len(right_counts))):
            continue
        table = np.array([[left_counts[word], right_counts[word]] for word in sorted(shared)], dtype=np.int64)
        yield Association(f"words of {left} and {right}", "position", cramers_v(table), int(table.sum()))


def over_levels(suite: Suite) -> Iterator[Association]:
    """Slots and factors of items, and how far the filler tells the level."""
    slots = dict.fromkeys(slot for item in suite.items for slot in item.fillers)
    factors = dict.fromkeys(factor for item in suite.items for factor in item.levels)
    for slot in slots:
        for factor in factors:
            pairs = Counter((item.fillers.get(slot, ""), item.levels.get(factor, "")) for item in suite.items)
            yield Association(f"slot {slot}", factor, cramers_v(cross(pairs)), len(suite.items))


def cross(pairs: Mapping[tuple[str, str], int]) -> NDArray[np.int64]:
    """The table of counts of pairs."""
    rows = {row: place for place, row in enumerate(dict.fromkeys(row for row, _ in pairs))}
    columns = {column: place for place, column in enumerate(dict.fromkeys(column for _, column in pairs))}
    table = np.zeros((len(rows), len(columns)), dtype=np.int64)
    for (row, column), count in pairs.items():
        table[rows[row], columns[column]] = count
    return table


def balance_finding(material: Material) -> Finding:
    """Whether words are counterbalanced over the sides of comparisons, over positions and over levels."""
    sides = [sides_of(claim) for claim in material.claims]
    tables = [*over_positions(material.suite), *over_levels(material.suite)]
    told = [table for table in tables if table.v >= ASSOCIATED]
    one_sided = [side for side in sides if side.recurring >= EVEN and side.balance < EVEN]
    severity: Severity = "look" if told or one_sided else "ok"
    parts = [
        *(about(material, side.prediction, say_side(side)) for side in one_sided[:1]),
        *(say_table(table) for table in told[:2]),
    ]
    evidence = {
        "sides": [
            {
                "prediction": side.prediction,
                "balance": rounded(side.balance),
                "recurring": rounded(side.recurring),
                "words": [{"word": word, "expected": good, "unexpected": bad} for word, good, bad in side.words],
            }
            for side in sides
        ],
        "tables": [
            {"words": table.rows, "by": table.columns, "cramers v": rounded(table.v), "n": table.n} for table in tables
        ],
    }
    return Finding(CHECK, severity, "; ".join(parts) or in_order(sides, tables), evidence)


def rounded(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if math.isnan(value) else round(value, 4)


def say_side(side: Sides) -> str:
    """Which word gives the answer away."""
    word, good, bad = side.words[0]
    return (
        f"the words compared stand on one side only (balance {percent(side.balance)}): {word!r} is expected {good:,} "
        f"times and unexpected {bad:,} times, so a mere preference among words gives the answer"
    )


def say_table(table: Association) -> str:
    """Which words tell their place."""
    return f"{table.rows}: not equally often at each {table.columns} (Cramér's V {table.v:.2f})"


def in_order(sides: Sequence[Sides], tables: Sequence[Association]) -> str:
    """What to say of a suite in which nothing is uneven."""
    known = [side.balance for side in sides if not math.isnan(side.balance) and side.recurring >= EVEN]
    measured = [table.v for table in tables if not math.isnan(table.v)]
    parts = []
    if known:
        parts.append(
            f"words stand on either side of a comparison equally often (balance at least {percent(min(known))})"
        )
    elif any(side.recurring < EVEN for side in sides):
        parts.append("the words compared hardly recur, so none of them can give the answer away")
    if measured:
        parts.append(f"positions and levels have the same words (Cramér's V at most {max(measured):.2f})")
    return "; ".join(parts) or "no word recurs in a way that would have to be counterbalanced"
