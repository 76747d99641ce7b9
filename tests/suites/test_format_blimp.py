"""BLiMP JSON lines: the published keys, their quirks, the sets that took them over, and the way back."""

from pathlib import Path
from typing import Any

import pytest
from suite_files import Write, essence

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.check import check_suite
from gardenpath.suites.formats.blimp import write_blimp
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.suite import Suite


def line(pair: int = 0, **changes: Any) -> dict[str, Any]:
    """A line as published."""
    return {
        "sentence_good": "Some dogs bark.",
        "sentence_bad": "Some dogs barks.",
        "field": "morphology",
        "linguistics_term": "subject_verb_agreement",
        "UID": "regular_plural_subject_verb_agreement_1",
        "simple_LM_method": True,
        "one_prefix_method": False,
        "two_prefix_method": False,
        "lexically_identical": False,
        "pairID": str(pair),
    } | changes


ONE_PREFIX = {
    "one_prefix_method": True,
    "one_prefix_prefix": "Some dogs",
    "one_prefix_word_good": "bark",
    "one_prefix_word_bad": "barks",
}
TWO_PREFIX = {
    "sentence_good": "Some dogs bark.",
    "sentence_bad": "Some dog bark.",
    "two_prefix_method": True,
    "two_prefix_prefix_good": "Some dogs",
    "two_prefix_prefix_bad": "Some dog",
    "two_prefix_word": "bark",
}


def names(suite: Suite) -> list[str]:
    return [prediction.name for prediction in suite.predictions]


def test_reads_pairs(write: Write) -> None:
    (suite,) = read_suites(write("x.jsonl", [line(0), line(1, dependency_length=3)]))
    assert suite.name == "regular_plural_subject_verb_agreement_1"
    assert suite.phenomenon == "subject_verb_agreement"
    assert [item.id for item in suite.items] == ["0", "1"]
    assert {c: s.text for c, s in suite.items[0].sentences.items()} == {
        "good": "Some dogs bark.",
        "bad": "Some dogs barks.",
    }
    assert names(suite) == ["full-sentence"]
    assert suite.predictions[0].formula.text == "(*;%good%) < (*;%bad%)"
    assert suite.metadata["one_prefix_method"] == "false"
    assert suite.metadata["lexically_identical"] == "false"


@pytest.mark.parametrize(("fields", "method"), [(ONE_PREFIX, "one-prefix"), (TWO_PREFIX, "two-prefix")])
def test_prefix_methods_are_predictions_about_the_word(write: Write, fields: dict[str, Any], method: str) -> None:
    (suite,) = read_suites(write("x.jsonl", [line(**fields)]))
    assert names(suite) == ["full-sentence", method]
    assert suite.predictions[1].formula.text == "(word;%good%) < (word;%bad%)"
    good = suite.items[0].sentences["good"]
    assert [good.content(region) for region in ("prefix", "word", "rest")] == ["Some dogs", "bark", "."]


def test_a_word_at_the_end_leaves_an_empty_rest(write: Write) -> None:
    fields = ONE_PREFIX | {"sentence_good": "Some dogs bark", "sentence_bad": "Some dogs barks now."}
    (suite,) = read_suites(write("x.jsonl", [line(**fields)]))
    assert suite.items[0].sentences["good"].content("rest") == ""
    assert suite.items[0].sentences["bad"].content("rest") == "now."


def test_levels_vary_between_items(write: Write) -> None:
    (suite,) = read_suites(write("x.jsonl", [line(dependency_length=3), line(1, dependency_length=8)]))
    assert [item.levels for item in suite.items] == [{"dependency_length": "3"}, {"dependency_length": "8"}]


SAME_WORDS = {"sentence_good": "Has Mary ever slept?", "sentence_bad": "Mary has ever slept."}
SPACED = TWO_PREFIX | {"two_prefix_word": " bark"}
BOTH = ONE_PREFIX | {"two_prefix_prefix_good": "Some dogs", "two_prefix_prefix_bad": "x", "two_prefix_word": "bark"}


@pytest.mark.parametrize(
    ("lines", "message", "look", "expected"),
    [
        ([line(field="syntax/semantics")], r"x\.jsonl, suite '\w+': the field 'syntax/semantics' is read as 'syntax_",
         lambda suite: suite.metadata["field"], "syntax_semantics"),
        ([line(n, field="syntax-semantics") for n in (0, 1)], "the field 'syntax-semantics' is read as 'syntax_sem",
         lambda suite: suite.metadata["field"], "syntax_semantics"),
        ([line(linguistics_term="s-selection")], "'s-selection' counts as 'argument_structure'",
         lambda suite: (suite.phenomenon, suite.metadata["linguistics_term"]), ("argument_structure", "s-selection")),
        ([line(0, **SPACED), line(1, **TWO_PREFIX), line(2, **SPACED)], "2 prefixes or words have leading or trailing",
         lambda suite: [item.sentences["bad"].content("word") for item in suite.items], ["bark"] * 3),
        ([line(0), line(105, sentence_bad="Some dogs bark."), line(2)], "1 pairs .* twice, always a tie: '105'",
         lambda suite: (len(suite.items), [f.kind for f in check_suite(suite)].count("identical")), (3, 1)),
        ([line(n, lexically_identical=True) for n in (0, 1)], "is true, but 2 of 2 pairs have different words",
         lambda suite: suite.metadata["lexically_identical"], "true"),
        ([line(n, **SAME_WORDS) for n in (0, 1)], "is false, but 0 of 2 pairs have different words",
         lambda suite: suite.metadata["lexically_identical"], "false"),
        ([line(7), line(7)], r"x\.jsonl: item ids used more than once: '7'",
         lambda suite: [item.id for item in suite.items], ["7", "7#2"]),
        ([line(sentence_good=" Some dogs bark.")], "1 texts begin or end with spaces",
         lambda suite: suite.items[0].sentences["good"].text, "Some dogs bark."),
        ([line(**BOTH)], "both prefix methods are present; only one-prefix is read",
         names, ["full-sentence", "one-prefix"]),
    ],
)  # fmt: skip
def test_quirks_are_corrected_and_reported(write: Write, lines: Any, message: str, look: Any, expected: Any) -> None:
    path = write("x.jsonl", lines)
    with pytest.warns(InputWarning, match=message):
        (suite,) = read_suites(path)
    assert look(suite) == expected


def test_right_flags_are_not_reported(write: Write) -> None:
    """Order, capitals and the last mark do not make other words; one pair of the same words does not make a set."""
    read_suites(write("x.jsonl", [line(lexically_identical=True, **SAME_WORDS)]))
    read_suites(write("y.jsonl", [line(0, **SAME_WORDS), line(1)]))
    chinese = {"sentence_good": "张三把书读了。", "sentence_bad": "张三书把读了。"}
    read_suites(write("z.jsonl", [line(lexically_identical=True, **chinese)]))


def test_a_folder_with_all_quirks_is_read_and_each_is_reported_once(write: Write) -> None:
    island = {
        "sentence_good": "Who has Mary's hiding trucks annoyed.",
        "sentence_bad": "Who has Mary's hiding annoyed trucks.",
    }
    files: dict[str, list[dict[str, Any]]] = {
        "animate": [
            line(n, UID="animate", linguistics_term="s-selection", **TWO_PREFIX | {"two_prefix_word": " bark"})
            for n in range(3)
        ],
        "case": [line(n, UID="case", field="syntax/semantics", sentence_bad="Some dogs bark.") for n in range(3)],
        "determiner": [line(n, UID="determiner", lexically_identical=True) for n in range(3)],
        "island": [line(n, UID="island", lexically_identical=True, **island) for n in range(3)],
        "question": [line(n, UID="question", lexically_identical=True, **SAME_WORDS) for n in range(3)],
    }
    for name, lines in files.items():
        folder = write(f"data/{name}.jsonl", lines).parent
    with pytest.warns(InputWarning) as told:
        suites = read_suites(folder)
    assert [suite.name for suite in suites] == [*files]
    assert [
        (Path(str(note.message).partition(",")[0]).stem, str(note.message).partition("': ")[2][:24]) for note in told
    ] == [
        ("animate", "'s-selection' counts as "),
        ("animate", "3 prefixes or words have"),
        ("case", "3 pairs consist of the s"),
        ("case", "the field 'syntax/semant"),
        ("case", "lexically_identical is f"),
        ("determiner", "lexically_identical is t"),
    ]
    findings = {suite.name: {finding.kind for finding in check_suite(suite)} - {"repeated"} for suite in suites}
    assert findings == {
        "animate": set(),
        "case": {"identical"},
        "determiner": set(),
        "island": {"question"},
        "question": {"ending"},
    }


def test_flags_without_fields_give_no_prefix_method(write: Write) -> None:
    """The Hugging Face copy keeps the flags, drops the fields and calls the id pair_id."""
    record = {key: value for key, value in line(one_prefix_method=True).items() if key != "pairID"}
    (suite,) = read_suites(write("x.jsonl", [record | {"pair_id": 17}]))
    assert names(suite) == ["full-sentence"]
    assert suite.items[0].id == "17"


def test_the_supplement_has_sentences_only(write: Write) -> None:
    pair = {"sentence_good": "A: Who? B: Me.", "sentence_bad": "A: Who? B: Tree."}
    (suite,) = read_suites(write("qa_congruence_easy.jsonl", [pair, pair]))
    assert suite.name == "qa_congruence_easy"
    assert [item.id for item in suite.items] == ["1", "2"]


def test_zhoblimp(write: Write) -> None:
    record = {
        "UID": "ba",
        "phenomenon": "BA",
        "sentence_good": "张三把书读了。",
        "sentence_bad": "张三书把读了。",
        "pairID": 3,
    }
    (suite,) = read_suites(write("ba.jsonl", [record]))
    assert (suite.name, suite.phenomenon, suite.items[0].id) == ("ba", "BA", "3")


@pytest.mark.parametrize("keys", [("phenomenon", "paradigm"), ("Phenomenon", "Paradigm")])
def test_sling_goes_by_the_file(write: Write, keys: tuple[str, str]) -> None:
    record = {
        "sentence_good": "她自己来了。",
        "sentence_bad": "她我自己来了。",
        keys[0]: "Anaphor",
        keys[1]: "blocking_effect",
        "pair_ID": "4",
        "field": "syntax",
    }
    (suite,) = read_suites(write("SLING_Data/Anaphor/natural_blocking.jsonl", [record]))
    assert (suite.name, suite.phenomenon, suite.items[0].id) == ("natural_blocking", "Anaphor", "4")
    assert suite.metadata == {"field": "syntax", "paradigm": "blocking_effect"}


def test_several_paradigms_in_one_file_are_several_suites(write: Write) -> None:
    suites = read_suites(write("x.jsonl", [line(UID="a"), line(UID="b", **ONE_PREFIX), line(1, UID="a")]))
    assert [(suite.name, len(suite.items), len(suite.predictions)) for suite in suites] == [("a", 2, 1), ("b", 1, 2)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            [line(), {"sentence_good": "x"}],
            r"x\.jsonl, line 2: column 'sentence_bad' is missing; there is 'sentence_good'",
        ),
        ([line(), line(sentence_bad=" ")], r"line 2, column 'sentence_bad': this is empty"),
        ([line(), line(sentence_bad=None)], r"line 2, column 'sentence_bad': this is empty"),
        ([{"good": 1}], r"x\.jsonl: the keys of the good and the bad sentences are unknown; there are 'good'"),
        ([line(), ["x"]], r"line 2: a JSON object is expected, not list \['x'\]"),
        ('{"sentence_good": "a"}\n\n{"sentence_good": }\n', r"line 3, column 19: this is not JSON \(Expecting value\)"),
        ("", r"x\.jsonl: the file is empty"),
        (b'{"sentence_good": "a"}\n"\xe9"', r"x\.jsonl, line 2: the byte 0xe9 is not UTF-8"),
        (
            [line(**ONE_PREFIX | {"one_prefix_prefix": "Some cats"})],
            r"line 1: 'Some dogs bark.' does not start with the prefix 'Some cats' and the word 'bark'",
        ),
        ([line(**ONE_PREFIX), line(1)], r"line 2: column 'one_prefix_prefix' is missing"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*begin or end with spaces")
def test_errors_name_the_line(write: Write, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suites(write("x.jsonl", content))


@pytest.mark.parametrize("fields", [{}, ONE_PREFIX, TWO_PREFIX, {"crucial_item": "at least", "field": "semantics"}])
def test_writing_and_reading_gives_the_same_suite(write: Write, fields: dict[str, Any]) -> None:
    (suite,) = read_suites(write("x.jsonl", [line(0, **fields), line(1, **fields)]))
    path = write("again.jsonl", "")
    write_blimp(suite, path)
    (again,) = read_suites(path)
    assert essence(again) == essence(suite)
    assert again.hash() == suite.hash()
    assert again.metadata == suite.metadata
    assert [item.levels for item in again.items] == [item.levels for item in suite.items]


def test_predictions_that_cannot_be_written_are_named(write: Write) -> None:
    (suite,) = read_suites(write("x.jsonl", [line(**ONE_PREFIX)]))
    prediction = suite.predictions[1]
    other = Suite(suite.name, suite.conditions, suite.items, (prediction.__class__("word", prediction.formula),))
    with pytest.warns(InputWarning, match="cannot hold these predictions: 'word'"):
        write_blimp(other, write("y.jsonl", ""))
