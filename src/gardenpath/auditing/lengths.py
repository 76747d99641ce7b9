"""Are the sides of a comparison equally long, in words, characters and tokens?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.auditing.finding import Finding, Severity, percent
from gardenpath.auditing.words import Material, Reading, about, margins, sums
from gardenpath.suites.prediction import Reference, Values
from gardenpath.suites.suite import Suite

CHECK = "length"
SELDOM = 0.05
"""Share of items of unequal length up to which one need not look."""
MOSTLY = 0.75
"""Share of items with the expected side shorter from which length gives the answer."""


@dataclass(frozen=True, slots=True)
class Length:
    """How the sides of a prediction's comparisons differ in length."""

    unit: str
    """`words`, `characters`, or the tokens of a model."""
    prediction: str
    unequal: float
    """Share of comparisons with sides of unequal length."""
    shorter: float
    """Share of comparisons where the expected side is the shorter one."""
    longer: float
    mean: float
    """By how much the unexpected side is longer, over all comparisons."""
    rows: tuple[int, ...]
    """The first few items of unequal length."""


def characters(suite: Suite) -> dict[Reference, Values]:
    """The number of characters of every region a formula names."""
    references = dict.fromkeys(r for prediction in suite.predictions for r in prediction.formula.references)
    return {
        reference: np.array(
            [float(len(item.sentences[reference.condition].content(reference.region))) for item in suite.items]
        )
        for reference in references
    }


def lengths(material: Material, unit: str, values: Mapping[Reference, Values]) -> list[Length]:
    """The lengths in every prediction, in one unit."""
    found = []
    for claim in material.claims:
        longer = margins(claim, values, len(material.suite.items))
        valid = longer[np.isfinite(longer)]
        if not len(valid):
            continue
        rows = np.flatnonzero(np.isfinite(longer) & (longer != 0))[:5]
        found.append(
            Length(
                unit,
                claim.prediction,
                float((valid != 0).mean()),
                float((valid > 0).mean()),
                float((valid < 0).mean()),
                float(valid.mean()),
                tuple(claim.item(row) for row in rows.tolist()),
            )
        )
    return found


def token_lengths(material: Material, reading: Reading) -> list[Length]:
    """The lengths in every prediction, in the tokens of a model."""
    counts = sums(material.suite, reading.encoded, reading.text_of, np.ones(len(reading.encoded.ids)))
    return lengths(material, f"tokens of {reading.model}", counts.bits)


def length_finding(material: Material, readings: Sequence[Reading]) -> Finding:
    """Whether what is compared is equally long; shorter sentences are likelier, whatever they say."""
    if not material.claims:
        return Finding(CHECK, "unchecked", "the suite has no predictions, so nothing is compared")
    words = sums(material.suite, material.words, material.text_of, np.ones(len(material.words.ids))).bits
    in_words = lengths(material, "words", words)
    in_characters = lengths(material, "characters", characters(material.suite))
    in_tokens = [length for reading in readings for length in token_lengths(material, reading)]
    judged = [(judge(length), length) for length in [*in_words, *in_tokens]]
    order = ("ok", "look", "problem")
    severity, shown = max(judged, key=lambda row: (order.index(row[0]), row[1].unequal))
    items = tuple(material.suite.items[row].id for row in shown.rows) if severity != "ok" else ()
    evidence = {"predictions": [evidence_of(length) for length in [*in_words, *in_characters, *in_tokens]]}
    said = say(shown, {length.unit for _, length in judged})
    message = about(material, shown.prediction, said) if shown.unequal else said
    return Finding(CHECK, severity, message, evidence, items)


def judge(length: Length) -> Severity:
    """What a difference in length means; the tokens of one model are the suite's business only in part."""
    if length.unequal <= SELDOM:
        return "ok"
    return "problem" if length.shorter >= MOSTLY and length.unit == "words" else "look"


def say(length: Length, units: set[str]) -> str:
    """The difference in a sentence."""
    if not length.unequal:
        return f"both sides of every comparison have equally many {' and '.join(sorted(units, key=len))}"
    return (
        f"{percent(length.unequal)} of the comparisons are of unequal numbers of {length.unit}: the expected side is "
        f"shorter in {percent(length.shorter)}, longer in {percent(length.longer)} (mean difference {length.mean:+.2f})"
    )


def evidence_of(length: Length) -> dict[str, Any]:
    """The numbers of one prediction."""
    return {
        "unit": length.unit,
        "prediction": length.prediction,
        "unequal": round(length.unequal, 4),
        "expected shorter": round(length.shorter, 4),
        "expected longer": round(length.longer, 4),
        "mean difference": round(length.mean, 4),
    }
