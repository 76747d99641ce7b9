"""Check whether the sides of a comparison have the same words in another order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gardenpath.auditing.cues import compare_counts, cue_evidence, describe_cue, judge_cue
from gardenpath.auditing.finding import SEVERITIES, AuditFinding, Severity, as_percent, finding_with_remedy
from gardenpath.auditing.preferences import count_sides
from gardenpath.auditing.words import Claim, Material, with_prediction, word_ranges, words_of_sides
from gardenpath.scoring.surprisals import TextScores
from gardenpath.suites.prediction import Reference, Values

WORD_ORDER = "word order"
MOST_MOVED = 0.25
"""Share of comparisons with moved words up to which nothing is reported."""
FAR = 3.0
"""Words from which a region stands later: an added auxiliary or complementizer is less."""
RECURRING = 4
"""Comparisons in which two words must be in another order for their orders to be counted."""
BALANCED = 0.5
"""Balance from which either order counts as expected equally often."""
REMEDY = "expect each order as often as not; if order is what is tested, compare with an n-gram model (--model)"


def inversions(expected: Sequence[str], unexpected: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of words, once on each side, that stand in the other order on the unexpected side."""
    counts, others = Counter(expected), Counter(unexpected)
    position = {word: index for index, word in enumerate(unexpected) if counts[word] == others[word] == 1}
    shared = [word for word in expected if word in position]
    return [(left, right) for left, right in combinations(shared, 2) if position[left] > position[right]]


@dataclass(frozen=True, slots=True)
class Order:
    """How the order of shared words differs between the sides of a prediction's comparisons."""

    prediction: str
    n: int
    """Comparisons of one region (or sentence) with another."""
    moved: int
    """Comparisons in which words that both sides have stand in another order."""
    only: int
    """Comparisons of the same words in another order: nothing else differs."""
    balance: float
    """1: two words are expected in either order equally often. 0: always in the same order, or they do not recur."""
    example: str
    """The order that is expected most one-sidedly."""

    @property
    def share(self) -> float:
        """Share of comparisons with moved words."""
        return self.moved / max(self.n, 1)


def measure_order(claim: Claim, material: Material) -> Order:
    """Count the comparisons whose sides have words in another order."""
    rows = [row for comparison in claim.comparisons for row in words_of_sides(comparison, material)]
    inverted = [inversions(expected, unexpected) for expected, unexpected in rows]
    only = [expected != unexpected and sorted(expected) == sorted(unexpected) for expected, unexpected in rows]
    orders = [(list(map(name_order, pairs)), [name_order(pair[::-1]) for pair in pairs]) for pairs in inverted]
    counted = count_sides(orders)
    recurring = [one for one in counted if one.expected + one.unexpected >= RECURRING]
    total = sum(one.expected + one.unexpected for one in counted)
    even = sum(2 * min(one.expected, one.unexpected) for one in recurring)
    example = next((one.word for one in counted if one.expected > one.unexpected), "")
    moved = sum(bool(pairs) or same for pairs, same in zip(inverted, only, strict=True))
    return Order(claim.prediction, len(rows), moved, sum(only), even / total if total else 0.0, example)


def name_order(pair: tuple[str, str]) -> str:
    """The order of two words in words."""
    return " before ".join(map(repr, pair))


def judge_order(order: Order) -> Severity:
    """Whether one order is expected in many comparisons."""
    return "look" if order.share > MOST_MOVED and order.balance < BALANCED else "ok"


def region_positions(material: Material) -> dict[Reference, Values]:
    """The number of words before every region that a formula names."""
    scores = TextScores(material.words, np.ones(len(material.words.ids)))
    found = {}
    for reference in dict.fromkeys(r for one in material.suite.predictions for r in one.formula.references):
        rows = [material.text_of[item.sentences[reference.condition].text] for item in material.suite.items]
        starts, _ = word_ranges(material.suite, scores, material.text_of, reference)
        found[reference] = (starts - material.words.offsets[rows]).astype(np.float64)
    return found


def order_finding(material: Material) -> AuditFinding:
    """Whether the sides have the same words in another order, or the regions compared in another position."""
    if not material.claims:
        return AuditFinding(WORD_ORDER, "unchecked", "the suite has no predictions, so nothing is compared")
    orders = [measure_order(claim, material) for claim in material.claims]
    shown = max(orders, key=lambda order: (SEVERITIES.index(judge_order(order)), order.share))
    cues = compare_counts(material, "the region compared earlier", region_positions(material), least=FAR)
    shifted = max(cues, key=lambda cue: abs(cue.accuracy - 0.5))
    parts = [with_prediction(material, shown.prediction, describe_order(shown))] if shown.moved else []
    if judge_cue(shifted) != "ok":
        parts.append(with_prediction(material, shifted.prediction, describe_cue(shifted)))
    severity: Severity = "ok" if judge_order(shown) == judge_cue(shifted) == "ok" else "look"
    message = "; ".join(parts) or "words that both sides have stand in the same order"
    evidence = {
        "predictions": [order_evidence(order) for order in orders],
        "positions": [cue_evidence(cue) for cue in cues],
    }
    return finding_with_remedy(WORD_ORDER, severity, message, evidence, remedy=REMEDY)


def describe_order(order: Order) -> str:
    """The difference in order in a sentence."""
    expected = f"; expected is {order.example}" if order.example else ""
    even = "; each order is expected as often as not" if order.balance >= BALANCED else expected
    return (
        f"shared words stand in another order in {as_percent(order.share)} of the comparisons, "
        f"and nothing else differs in {as_percent(order.only / order.n)}{even}"
    )


def order_evidence(order: Order) -> dict[str, Any]:
    """The numbers of one prediction."""
    return {
        "prediction": order.prediction,
        "comparisons": order.n,
        "words in another order": order.moved,
        "nothing but order differs": order.only,
        "balance of orders": round(order.balance, 4),
        "most one-sided": order.example,
    }
