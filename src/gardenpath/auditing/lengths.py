"""Check whether the sides of a comparison are equally long, in words, characters and tokens."""

from collections.abc import Mapping, Sequence

import numpy as np

from gardenpath.auditing.cues import Cue, CueCheck, compare_counts, judge_cue
from gardenpath.auditing.finding import AuditFinding, Severity
from gardenpath.auditing.words import Material, TokenizedSuite, sum_regions
from gardenpath.suites.prediction import Reference, Values
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Encoded

FEWER_WORDS = "fewer words"
FEW_CHARACTERS = 2.0
"""Characters by which sides must differ to count as unequal: an ending such as -s is shorter than that."""


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


def length_finding(material: Material, tokenized: Sequence[TokenizedSuite]) -> AuditFinding:
    """Whether the sides compared are equally long; shorter sentences are more probable, whatever they say."""
    suite = material.suite
    words = compare_counts(material, FEWER_WORDS, count_tokens(suite, material.words, material.text_of))
    others = compare_counts(material, "fewer characters", count_characters(suite), least=FEW_CHARACTERS)
    for one in tokenized:
        tokens = count_tokens(suite, one.encoded, one.text_of)
        others += compare_counts(material, f"fewer tokens of {one.model}", tokens)
    return LENGTH.finding(material, words, more=others)


def judge_length(cue: Cue) -> Severity:
    """Bits add up over words, so a shorter side is a problem; of characters and tokens of a model one should know."""
    severity = judge_cue(cue)
    return severity if cue.name == FEWER_WORDS or severity == "ok" else "look"


LENGTH = CueCheck(
    "length",
    "both sides of every comparison have equally many words and about equally many characters",
    "give both sides equally many words and characters, or expect the longer side as often as the shorter",
    judge_length,
)
