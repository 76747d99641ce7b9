"""Words, frequencies, and what they say of comparisons: against counts made by hand."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from gardenpath.auditing.balance import balance_finding, cramers_v
from gardenpath.auditing.baselines import baseline_finding
from gardenpath.auditing.frequency_asymmetry import frequency_finding
from gardenpath.auditing.lengths import length_finding
from gardenpath.auditing.repetition import repetition_finding
from gardenpath.auditing.spelling import spelling_finding
from gardenpath.auditing.unknown_words import unknown_finding
from gardenpath.auditing.word_frequencies import (
    Frequencies,
    count_frequencies,
    count_frequencies_in_file,
    english,
    zipf_bits,
)
from gardenpath.auditing.word_order import order_finding
from gardenpath.auditing.words import TokenizedSuite, WordDifference, encode_words, lowercase_words, split_suite
from gardenpath.errors import InputError
from gardenpath.evaluation.evaluate import evaluate
from gardenpath.evaluation.region_bits import measured_regions
from gardenpath.statistics.proportions import agresti_coull
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Suite, join_regions

PAIR = "(*;%good%) < (*;%bad%)"
TABLE = Frequencies("toy", {"common": 2.0, "usual": 3.0, "rare": 8.0, "the": 1.0, "dog": 6.0}, 12.0)


def suite_of(formula: str, *items: dict[str, str], levels: list[dict[str, str]] | None = None) -> Suite:
    """A suite of sentences whose regions are set apart by strokes and numbered from 1."""
    made = []
    for n, item in enumerate(items):
        fillers = {"noun": item["good"].split()[-1]} if levels else {}
        sentences = {
            name: join_regions([(str(index), part) for index, part in enumerate(text.split("|"), 1)])
            for name, text in item.items()
        }
        made.append(Item(str(n), sentences, levels=levels[n] if levels else {}, fillers=fillers))
    predictions = (Prediction.parse("claim", formula),) if formula else ()
    return Suite("toy", tuple(map(Condition, items[0])), tuple(made), predictions)


def pairs(*texts: tuple[str, str]) -> Suite:
    return suite_of(PAIR, *({"good": good, "bad": bad} for good, bad in texts))


def test_words_are_split_alike_everywhere() -> None:
    assert lowercase_words("The author's friends hadn’t left, had they?") == [
        "the", "author", "'s", "friends", "hadn't", "left", ",", "had", "they", "?",
    ]  # fmt: skip
    encoded, vocabulary = encode_words(["The dog.", "the cat"])
    assert [vocabulary[word] for word in encoded.ids] == ["the", "dog", ".", "the", "cat"]
    assert encoded.starts.tolist() == [0, 4, 7, 0, 4]


def test_counts_become_bits() -> None:
    table = count_frequencies(["a a", "b"], "text")
    assert table.of("a") == pytest.approx(-math.log2(2 / 3))
    assert table.of("c") == pytest.approx(-math.log2(1 / 6))
    assert "a" in table
    assert "c" not in table
    # A Zipf value of 6 is a word in a thousand.
    assert zipf_bits(6.0) == pytest.approx(math.log2(1000))


def test_the_table_of_english_knows_the_pronouns() -> None:
    table = english()
    assert table.of("himself") < table.of("themselves") < table.of("herself") < table.of("xyzzy") == table.unseen


@pytest.mark.parametrize(
    ("content", "message"), [(None, "no such file"), (b"\n \n", "has no words"), (b"caf\xe9", "not UTF-8")]
)
def test_frequencies_that_cannot_be_counted(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "text.txt").write_bytes(content)
    with pytest.raises(InputError, match=message):
        count_frequencies_in_file(tmp_path / "text.txt")


def test_words_of_both_sides_cancel() -> None:
    material = split_suite(pairs(("the dog barks", "the dog bark"), ("a a b", "a b b")))
    assert material.claims[0].differences == (WordDifference(("barks",), ("bark",)), WordDifference(("a",), ("b",)))


def test_words_of_a_difference_of_differences_cancel() -> None:
    # (b - a) > (d - c): what stands in a and d is expected, what stands in b and c is not.
    formula = "[(1;%good%) - (1;%a%)] > [(1;%d%) - (1;%c%)]"
    material = split_suite(suite_of(formula, {"a": "x y", "good": "x z", "c": "u", "d": "v z"}))
    assert material.claims[0].differences == (WordDifference(("y", "v"), ("u",)),)


def test_frequency_on_one_side_is_a_problem() -> None:
    material = split_suite(pairs(*[("the common dog", "the rare dog")] * 10))
    finding = frequency_finding(material, TABLE)
    assert finding.severity == "problem"
    [evidence] = finding.evidence["predictions"]
    assert (evidence["in favour"], evidence["against"]) == (10, 0)
    assert evidence["p (exact binomial)"] == pytest.approx(2 * 0.5**10)
    assert evidence["median difference in bits"] == 6.0
    assert evidence["distinct contrasts"] == 1


def test_frequency_against_the_suite_gets_look() -> None:
    finding = frequency_finding(split_suite(pairs(*[("the rare dog", "the common dog")] * 10)), TABLE)
    assert finding.severity == "look"
    assert "hides" in finding.message


def test_frequency_of_words_that_change_sides_is_no_confound_but_is_reported() -> None:
    material = split_suite(pairs(*[("the common", "the rare"), ("the rare", "the common")] * 5))
    finding = frequency_finding(material, TABLE)
    assert finding.severity == "ok"
    assert "frequency alone gets 50 %; it differs from word to word, so report the accuracy of each" in finding.message
    assert balance_finding(material).severity == "ok"


def test_the_comparisons_of_an_item_are_no_independent_trials() -> None:
    formula = "[(2;%good%) < (2;%bad%)] & [(2;%good2%) < (2;%bad2%)]"
    item = {"good": "the|common", "bad": "the|rare", "good2": "dog|common", "bad2": "dog|rare"}
    for n, severity in ((5, "ok"), (8, "problem")):
        finding = frequency_finding(split_suite(suite_of(formula, *[item] * n)), TABLE)
        [evidence] = finding.evidence["predictions"]
        assert (evidence["in favour"], evidence["items in favour"]) == (2 * n, n)
        assert evidence["p (exact binomial)"] == pytest.approx(2 * 0.5**n)
        assert finding.severity == severity


def test_a_conjunction_of_both_directions_prefers_no_word() -> None:
    formula = "[(2;%good%) < (2;%bad%)] & [(2;%good2%) < (2;%bad2%)]"
    item = {"good": "the|common", "bad": "the|rare", "good2": "dog|rare", "bad2": "dog|common"}
    material = split_suite(suite_of(formula, *[item] * 12))
    finding = frequency_finding(material, TABLE)
    assert finding.severity == "ok"
    assert finding.evidence["predictions"][0]["in favour"] == 12
    assert finding.evidence["predictions"][0]["against"] == 12
    assert balance_finding(material).evidence["sides"][0]["accuracy"] == 0.5


def test_the_same_words_in_other_contexts_are_in_order() -> None:
    material = split_suite(suite_of("(2;%good%) < (2;%bad%)", *[{"good": "he|common", "bad": "they|common"}] * 3))
    assert frequency_finding(material, TABLE).severity == "ok"
    assert "same words" in frequency_finding(material, TABLE).message


def test_a_language_the_table_does_not_have_is_not_judged() -> None:
    material = split_suite(pairs(*[("der Hund bellt", "der Hund bellen")] * 10))
    assert frequency_finding(material, TABLE).severity == "unchecked"


def test_an_ngram_model_that_succeeds_gets_look() -> None:
    suite = suite_of("(2;%good%) < (2;%bad%)", *[{"good": "he|common", "bad": "they|common"}] * 20)
    good, bad = suite.predictions[0].formula.references
    right = evaluate(suite, measured_regions({good: np.full(20, 2.0), bad: np.full(20, 8.0)}), noise=0.0)
    finding = baseline_finding({"5-gram": right})
    assert finding.severity == "look"
    assert "5-gram gets 100 %" in finding.message
    [row] = finding.evidence["accuracies"]
    expected = agresti_coull(row["n"], row["n"])  # the interval of accuracies everywhere
    assert (row["low"], row["high"]) == (round(expected.low, 4), 1.0)
    assert baseline_finding({}).severity == "unchecked"


def test_words_on_one_side_only_are_not_counterbalanced() -> None:
    finding = balance_finding(split_suite(pairs(*[("often", "ever")] * 8)))
    assert finding.severity == "look"
    assert finding.evidence["sides"][0]["accuracy"] == 1.0
    assert "'often' is expected 8 times and unexpected 0 times" in finding.message
    both = balance_finding(split_suite(pairs(*[("often", "ever"), ("ever", "often")] * 8)))
    assert (both.severity, both.evidence["sides"][0]["accuracy"]) == ("ok", 0.5)
    # A word that never occurs again cannot be preferred.
    assert "at most 50 %" in balance_finding(split_suite(pairs(("a", "b"), ("c", "d")))).message


def test_cramers_v() -> None:
    assert cramers_v(np.full((3, 2), 10)) == 0.0
    assert cramers_v(np.array([[50, 0], [0, 50]])) == pytest.approx(1.0, abs=0.01)
    assert math.isnan(cramers_v(np.array([[1, 0], [0, 1]])))  # fewer counts than cells
    assert math.isnan(cramers_v(np.array([[5, 5]])))


def test_cramers_v_by_another_route() -> None:
    table = np.array([[20, 5, 3], [6, 14, 9]])
    n, (rows, columns) = table.sum(), table.shape
    phi = chi2_contingency(table, correction=False).statistic / n - (rows - 1) * (columns - 1) / (n - 1)
    width = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    assert cramers_v(table) == pytest.approx(math.sqrt(phi / width))


def test_fillers_that_tell_the_level_are_found() -> None:
    texts = [{"good": f"the {noun}", "bad": f"a {noun}"} for noun in ["dog", "cat"] * 10]
    confounded = suite_of(PAIR, *texts, levels=[{"number": level} for level in ["one", "two"] * 10])
    crossed = suite_of(PAIR, *texts, levels=[{"number": level} for level in ["one", "one", "two", "two"] * 5])
    assert "slot noun: not equally often at each number" in balance_finding(split_suite(confounded)).message
    assert "slot noun" not in balance_finding(split_suite(crossed)).message


def test_nouns_that_prefer_a_position_are_found() -> None:
    nouns = ["boy", "girl", "man"]
    formula = "(3;%good%) < (3;%bad%)"

    def suite(first: list[str], second: list[str]) -> Suite:
        sentences = [f"{a}|{b}" for a, b in zip(first, second, strict=True)]
        return suite_of(formula, *({"good": f"{s}|saw", "bad": f"{s}|saw"} for s in sentences))

    balanced = suite(nouns * 4, nouns[1:] * 4 + nouns[:1] * 4)
    skewed = suite(["boy"] * 8 + nouns, ["girl"] * 8 + nouns)
    assert balance_finding(split_suite(balanced)).severity == "ok"
    assert "region 1 and region 2" in balance_finding(split_suite(skewed)).message


def test_lengths_by_hand() -> None:
    material = split_suite(pairs(("a b", "a b c"), ("a b", "a b c"), ("a b c", "a b"), ("a b", "b a")))
    finding = length_finding(material, [])
    words, characters = finding.evidence["cues"]
    assert (words["in favour"], words["against"], words["accuracy"]) == (2, 1, 0.625)
    assert words["mean difference"] == 0.25
    assert characters["mean difference"] == 0.5
    assert finding.severity == "ok"
    assert length_finding(split_suite(pairs(*[("a", "a b")] * 8)), []).severity == "problem"
    assert length_finding(split_suite(pairs(*[("a", "b")] * 8)), []).severity == "ok"


def read(suite: Suite, unknown: set[str]) -> TokenizedSuite:
    """How a model reads a suite whose tokens are words, some of them unknown to it."""
    texts = list(dict.fromkeys(sentence.text for _, sentence in suite.trials()))
    encoded, vocabulary = encode_words(texts)
    known = np.array([vocabulary[word] not in unknown for word in encoded.ids])
    rows = {text: row for row, text in enumerate(texts)}
    return TokenizedSuite("toy", type(encoded)(encoded.ids, encoded.starts, encoded.ends, known, encoded.offsets), rows)


def test_unknown_words_matter_most_where_they_are_compared() -> None:
    suite = pairs(("the dog barks", "the dog bark"), ("the cat sleeps", "the cat sleep"))
    material = split_suite(suite)
    elsewhere = unknown_finding(material, [read(suite, {"dog"})])
    compared = unknown_finding(material, [read(suite, {"bark"})])
    assert elsewhere.severity == "look"
    assert elsewhere.evidence["toy"]["items with an unknown word that sets sides apart"] == 0
    assert elsewhere.evidence["toy"]["unknown words, by items"] == {"dog": 1}
    assert compared.severity == "problem"
    assert compared.items == ("0",)
    assert unknown_finding(material, [read(suite, set())]).severity == "ok"
    assert unknown_finding(material, []).severity == "unchecked"


def test_tokens_of_a_model_are_counted() -> None:
    suite = pairs(*[("the dog", "the cat")] * 4)
    finding = length_finding(split_suite(suite), [read(suite, set())])
    names = ["fewer words", "fewer characters", "fewer tokens of toy"]
    assert [row["cue"] for row in finding.evidence["cues"]] == names
    assert finding.severity == "ok"


def test_a_suite_without_predictions_is_not_judged_by_them() -> None:
    material = split_suite(suite_of("", {"good": "a", "bad": "b"}))
    assert frequency_finding(material, TABLE).severity == "unchecked"
    for finding in (length_finding(material, []), spelling_finding(material), order_finding(material)):
        assert finding.severity == "unchecked"
    assert repetition_finding(material, TABLE).severity == "unchecked"
    assert balance_finding(material).severity == "ok"
