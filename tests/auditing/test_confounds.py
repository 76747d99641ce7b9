"""One planted confound at a time is named by its own check, and statements about clean pairs are true."""

from collections.abc import Sequence
from itertools import cycle

import pytest

from gardenpath.auditing.audit import audit
from gardenpath.auditing.finding import AuditFinding
from gardenpath.auditing.frequency_asymmetry import exchange
from gardenpath.auditing.word_order import inversions
from gardenpath.auditing.words import WordDifference
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Suite, join_regions

NOUNS = ("king", "teacher", "farmer", "doctor", "pilot", "lawyer", "singer", "baker")
OBJECTS = ("house", "garden", "river", "table", "window", "church", "market", "bridge", "school", "castle", "forest")
VERBS = (("sees", "see"), ("likes", "like"), ("helps", "help"), ("knows", "know"), ("wants", "want"), ("hears", "hear"))
ADJECTIVES = ("old", "young", "tall", "happy", "quiet", "loud", "rich", "poor", "tired", "angry", "clever", "strong")

Pair = tuple[str, str]


def clean_pairs(n: int = 48) -> list[Pair]:
    """Subject-verb agreement, in which each form of a verb is expected as often as not."""
    found = []
    for index, noun, thing, adjective in zip(range(n), cycle(NOUNS), cycle(OBJECTS), cycle(ADJECTIVES), strict=False):
        singular, plural = VERBS[index // 2 % len(VERBS)]
        subject = f"The {adjective} {noun}" if index % 2 else f"The {adjective} {noun}s"
        good, bad = (singular, plural) if index % 2 else (plural, singular)
        found.append((f"{subject} {good} the {thing}.", f"{subject} {bad} the {thing}."))
    return found


def replace_last(sentence: str, word: str) -> str:
    return f"{sentence.rsplit(' ', 1)[0]} {word}."


def findings(pairs: Sequence[Pair]) -> dict[str, AuditFinding]:
    return {finding.check: finding for finding in audit(Suite.from_pairs(pairs, name="toy")).findings}


def raised(pairs: Sequence[Pair]) -> dict[str, str]:
    return {check: one.severity for check, one in findings(pairs).items() if one.severity in ("look", "problem")}


def subject_of(sentence: str) -> str:
    return sentence.split()[2]


CLEAN = clean_pairs()
OF = [(good, bad.replace(" the ", " of the ")) for good, bad in CLEAN]
COMMA = [(good.replace(" the ", ", the "), bad) for good, bad in CLEAN]
ONLY_COMMA = [(good, good.replace(" the ", ", the ")) for good, _ in CLEAN]
INSIDE = [(good, replace_last(bad, bad[:-1].split()[-1].capitalize())) for good, bad in CLEAN]
SMALL = [(good, bad[0].lower() + bad[1:]) for good, bad in CLEAN]
REPEATED = [(good, replace_last(bad, subject_of(bad))) for good, bad in CLEAN]
REPEATED_FORM = [(good, replace_last(bad, subject_of(bad).removesuffix("s"))) for good, bad in CLEAN]
FIRST = [(good.replace(".", " today."), "Today t" + bad[1:]) for good, bad in CLEAN]
ORDER = [(f"{good[:-1]} today.", f"Today t{good[1:]}") for good, _ in CLEAN]
LONG = ("photograph", "instrument", "newspaper", "television", "helicopter", "microphone")
CHARACTERS = [(good, replace_last(bad, long)) for (good, bad), long in zip(CLEAN, cycle(LONG), strict=False)]
UNSEEN = ("zymurg", "quern", "sutler", "gimlet", "psalte", "ferrule", "thurib", "caltrop")
RARE = [(good, replace_last(bad, rare)) for (good, bad), rare in zip(CLEAN, cycle(UNSEEN), strict=False)]
SINGULAR = CLEAN[1::2]


def test_a_clean_suite_of_pairs_is_ok() -> None:
    assert raised(CLEAN) == {}
    found = findings(CLEAN)
    assert "100 % differ in one span of words (1 word in the median)" in found["differences"].message
    assert not any(finding.remedy for finding in found.values() if finding.severity == "ok")


@pytest.mark.parametrize(
    ("pairs", "check", "severity", "message"),
    [
        (OF, "counterbalancing", "look", "'of' is expected 0 times and unexpected 48 times"),
        (OF, "length", "problem", "fewer words in 100 %"),
        (COMMA, "spelling", "look", "fewer ',' in 0 % of the comparisons, the other side in 100 %"),
        (INSIDE, "spelling", "problem", "fewer capital letters in 100 %"),
        (INSIDE, "differences", "look", "100 % differ in several spans"),
        (SMALL, "spelling", "problem", "fewer capital letters in 0 % of the comparisons, the other side in 100 %"),
        (SMALL, "differences", "look", "100 % differ in several spans"),
        (REPEATED, "repetition", "look", "more repeated words in 0 % of the comparisons, the other side in 100 %"),
        (REPEATED_FORM, "repetition", "look", "the other side in 100 %"),
        (FIRST, "word order", "look", "another order in 100 % of the comparisons, and nothing else differs in 0 %"),
        (ORDER, "word order", "look", "and nothing else differs in 100 %"),
        (CHARACTERS, "length", "look", "fewer characters in 100 %"),
        (RARE, "frequency", "problem", "a word too rare for the table is on the other side in 100 %"),
        (SINGULAR, "counterbalancing", "look", "is expected 4 times and unexpected 0 times"),
    ],
)
def test_a_planted_confound_is_named(pairs: list[Pair], check: str, severity: str, message: str) -> None:
    found = findings(pairs)[check]
    assert found.severity == severity
    assert found.remedy
    assert message in found.message


def test_words_that_only_one_side_has_are_no_difference_in_frequency() -> None:
    """What a side has more makes it longer; the words exchanged are equally often the more frequent ones."""
    for pairs in (OF, COMMA):
        found = findings(pairs)["frequency"]
        assert found.severity == "ok"
        assert "frequency alone gets 50 %" in found.message
    message = findings(ONLY_COMMA)["frequency"].message
    assert "in 48 of 48 comparisons one side has a word more" in message
    assert "same words are compared" not in message


def test_added_words_are_told_from_exchanged_ones_by_their_position() -> None:
    difference = WordDifference(("are",), ("that", "is"))
    left, right = ("I", "know", "he", "are"), ("I", "know", "that", "he", "is")
    assert exchange(difference, left, right) == WordDifference(("are",), ("is",))
    # Where one side exchanges nothing, all that differs is compared.
    assert exchange(difference, (), ()) == difference


def test_inversions_by_hand() -> None:
    assert inversions(["a", "b", "c"], ["a", "b", "c"]) == []
    assert inversions(["a", "b", "c"], ["c", "a", "b"]) == [("a", "c"), ("b", "c")]
    assert inversions(["a", "b", "c", "d"], ["a", "x", "c", "b"]) == [("b", "c")]
    # A word that a side has twice has no position.
    assert inversions(["the", "dog", "sees", "the", "cat"], ["the", "cat", "sees", "the", "dog"]) == [
        ("dog", "sees"), ("dog", "cat"), ("sees", "cat"),
    ]  # fmt: skip


def test_orders_that_are_each_expected_as_often_as_not_are_balanced() -> None:
    pairs = [("he is here", "is he here"), ("is he there", "he is there")] * 10
    pairs = [(f"{good} {index}", f"{bad} {index}") for index, (good, bad) in enumerate(pairs)]
    found = findings(pairs)["word order"]
    assert (found.severity, "each order is expected as often as not" in found.message) == ("ok", True)
    assert (
        findings([pair if index % 2 else pair[::-1] for index, pair in enumerate(pairs)])["word order"].severity
        == "look"
    )


def test_the_capital_of_another_first_word_is_no_difference() -> None:
    """Names keep their capitals, other words lose that of the beginning."""
    pairs = [(f"Who did {name} see?", f"{name} did who see?") for name in ("John", "Mary", "Anna", "Paul")] * 4
    found = findings(pairs)
    assert found["spelling"].severity == "ok"
    assert "100 % differ only in word order" in found["differences"].message


def test_a_region_that_stands_much_later_on_one_side_is_found() -> None:
    def suite(early: str, late: str) -> Suite:
        made = [
            Item(str(n), {
                "good": join_regions([("before", f"{early} number {n}"), ("verb", "left")]),
                "bad": join_regions([("before", f"{late} number {n}"), ("verb", "left")]),
            })
            for n in range(20)
        ]  # fmt: skip
        claim = Prediction.parse("claim", "(verb;%good%) < (verb;%bad%)")
        return Suite("toy", (Condition("good"), Condition("bad")), tuple(made), (claim,))

    far = audit(suite("the man", "the man that we all saw"))
    found = next(finding for finding in far.findings if finding.check == "word order")
    assert found.severity == "look"
    assert "the region compared earlier in 100 %" in found.message
    near = audit(suite("the man", "the old man"))
    assert next(finding for finding in near.findings if finding.check == "word order").severity == "ok"
