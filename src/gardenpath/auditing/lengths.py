"""Check whether the sides of a comparison are equally long, in words, characters and tokens."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.auditing.finding import SEVERITIES, AuditFinding, Severity, as_percent
from gardenpath.auditing.words import Material, TokenizedSuite, claim_margins, sum_regions, with_prediction
from gardenpath.suites.prediction import Reference, Values
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Encoded

LENGTH = "length"
MOST_UNEQUAL = 0.05
"""Share of items of unequal length up to which nothing is reported."""
MOSTLY_SHORTER = 0.75
"""Share of items with a shorter expected side from which length gives the answer."""


@dataclass(frozen=True, slots=True)
class Length:
    """How the sides of a prediction's comparisons differ in length."""

    unit: str
    """`words`, `characters`, or the tokens of a model."""
    prediction: str
    unequal: float
    """Share of comparisons with sides of unequal length."""
    shorter: float
    """Share of comparisons with a shorter expected side."""
    longer: float
    mean: float
    """By how much the unexpected side is longer, over all comparisons."""
    rows: tuple[int, ...]
    """The first few items of unequal length."""


def count_tokens(suite: Suite, encoded: Encoded, text_of: Mapping[str, int]) -> Mapping[Reference, Values]:
    """The number of tokens of every region that a formula names."""
    return sum_regions(suite, encoded, text_of, np.ones(len(encoded.ids))).bits


def count_characters(suite: Suite) -> dict[Reference, Values]:
    """The number of characters of every region that a formula names."""
    references = dict.fromkeys(r for prediction in suite.predictions for r in prediction.formula.references)
    return {
        one: np.array([float(len(item.sentences[one.condition].content(one.region))) for item in suite.items])
        for one in references
    }


def compare_lengths(material: Material, unit: str, values: Mapping[Reference, Values]) -> list[Length]:
    """The lengths of the sides of every prediction, in one unit."""
    found = []
    for claim in material.claims:
        excess = claim_margins(claim, values, len(material.suite.items))
        valid = excess[np.isfinite(excess)]
        if not len(valid):
            continue
        rows = tuple(claim.item(row) for row in np.flatnonzero(np.isfinite(excess) & (excess != 0))[:5].tolist())
        unequal, shorter, longer, mean = (float(row.mean()) for row in (valid != 0, valid > 0, valid < 0, valid))
        found.append(Length(unit, claim.prediction, unequal, shorter, longer, mean, rows))
    return found


def length_finding(material: Material, tokenized: Sequence[TokenizedSuite]) -> AuditFinding:
    """Whether the sides compared are equally long; shorter sentences are more probable, whatever they say."""
    if not material.claims:
        return AuditFinding(LENGTH, "unchecked", "the suite has no predictions, so nothing is compared")
    suite = material.suite
    counts = {"words": count_tokens(suite, material.words, material.text_of), "characters": count_characters(suite)}
    counts |= {f"tokens of {one.model}": count_tokens(suite, one.encoded, one.text_of) for one in tokenized}
    lengths = [length for unit, values in counts.items() for length in compare_lengths(material, unit, values)]
    judged = [(judge_length(length), length) for length in lengths if length.unit != "characters"]
    severity, shown = max(judged, key=lambda row: (SEVERITIES.index(row[0]), row[1].unequal))
    items = tuple(suite.items[row].id for row in shown.rows) if severity != "ok" else ()
    evidence = {"predictions": [length_evidence(length) for length in lengths]}
    message = describe_length(shown, dict.fromkeys(length.unit for _, length in judged))
    if shown.unequal:
        message = with_prediction(material, shown.prediction, message)
    return AuditFinding(LENGTH, severity, message, evidence, items)


def judge_length(length: Length) -> Severity:
    """How severe a difference in length is; tokens depend on the model, so they are never a problem of the suite."""
    if length.unequal <= MOST_UNEQUAL:
        return "ok"
    return "problem" if length.shorter >= MOSTLY_SHORTER and length.unit == "words" else "look"


def describe_length(length: Length, units: Iterable[str]) -> str:
    """The difference in a sentence."""
    if not length.unequal:
        return f"both sides of every comparison have equally many {' and '.join(sorted(units, key=len))}"
    return (
        f"{as_percent(length.unequal)} of the comparisons have unequal numbers of {length.unit}: the expected side is "
        f"shorter in {as_percent(length.shorter)}, longer in {as_percent(length.longer)} "
        f"(mean difference {length.mean:+.2f})"
    )


def length_evidence(length: Length) -> dict[str, Any]:
    """The numbers of one prediction."""
    return {
        "unit": length.unit,
        "prediction": length.prediction,
        "unequal": round(length.unequal, 4),
        "expected shorter": round(length.shorter, 4),
        "expected longer": round(length.longer, 4),
        "mean difference": round(length.mean, 4),
    }
