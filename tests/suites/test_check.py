"""Findings: each kind on a suite made to have it, and none on a suite that is as it should be."""

from collections.abc import Mapping, Sequence

import pytest
from suite_files import Write

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.check import check_suite
from gardenpath.suites.formats.whole_sentence import GOOD_AND_BAD, conditions_called, whole_sentence_predictions
from gardenpath.suites.load import load_suite
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Item, Sentence, Suite, join_regions
from test_cli import gardenpath_command


def pairs(*texts: tuple[str, str], ids: Sequence[str] = ()) -> Suite:
    """A suite of minimal pairs."""
    items = [
        Item(id_, dict(zip(GOOD_AND_BAD, map(Sentence, pair), strict=True)))
        for id_, pair in zip(ids or [str(n) for n in range(1, len(texts) + 1)], texts, strict=True)
    ]
    return Suite("s", conditions_called(GOOD_AND_BAD), tuple(items), whole_sentence_predictions(GOOD_AND_BAD))


def messages(suite: Suite) -> Mapping[str, str]:
    """The findings by kind."""
    return {finding.kind: finding.message for finding in check_suite(suite)}


GOOD = ("Dogs bark.", "Dogs barks.")


def test_suites_as_they_should_be() -> None:
    for suite in (pairs(GOOD, ("Cats sleep.", "Cats sleeps.")), design(USUAL, USUAL, USUAL), *find_suites("agreement")):
        assert check_suite(suite) == []


def test_cells_of_a_table_that_were_forgotten_are_found_without_formulas(write: Write) -> None:
    rows = [f"{item},{condition},dogs,bark" for item in "123" for condition in ("match", "mismatch")]
    path = write(
        "table.csv", "\n".join(["item,condition,noun,verb", *rows]).replace("3,match,dogs,bark", "3,match,dogs,")
    )
    assert messages(load_suite(path))["empty cell"] == (
        "1 of 3 items (33.3%): a region is empty that has words in most items; item 3; for example, verb in match"
    )


def test_findings_are_one_per_kind() -> None:
    suite = pairs(GOOD, *[(f"It is {n}.", f"It is {n}.") for n in range(9)])
    (finding,) = check_suite(suite)
    assert (finding.suite, finding.item, finding.kind) == ("s", "2", "identical")
    assert finding.message == (
        "9 of 10 items (90.0%): conditions are identical up to the end of the regions compared; "
        "items 2, 3, 4, 5, 6 …; for example, bad = good: 'It is 0.'"
    )


@pytest.mark.parametrize(
    ("pair", "kind", "example"),
    [
        (("He ran  off.", "He run off."), "blanks", "'He ran  off.'"),
        ((" He ran.", "He run."), "blanks", "' He ran.'"),
        (("He\u00a0ran.", "He run."), "blanks", r"'He\xa0ran.'"),
        (("He ran .", "He run ."), "punctuation", "'He ran .'"),
        (("The cafe\u0301 is open.", "The cafe\u0301 are open."), "unicode", "'The cafe\u0301 is open.'"),
        (("He ran off.", "He run."), "length", "bad 2, good 3"),
        (("Did he run?", "Did he ran."), "ending", "'Did he ran.' / 'Did he run?'"),
        (("He ran.", "He run"), "ending", "'He run' / 'He ran.'"),
        (("Who did he see.", "Who did he saw."), "question", "'Who did he see.'"),
        (("Who did he see?", "He did who saw."), "pairing", "'He did who saw.' / 'Who did he see?'"),
    ],
)
def test_kinds(pair: tuple[str, str], kind: str, example: str) -> None:
    found = messages(pairs(GOOD, pair))
    assert found[kind].startswith("1 of 2 items (50.0%)")
    assert found[kind].endswith(f"for example, {example}")


def test_scripts_without_spaces_share_characters() -> None:
    assert "pairing" not in messages(pairs(("太郎が来た。", "太郎を来た。")))
    assert "pairing" in messages(pairs(("太郎が来た。", "花子を行く。")))


def test_statements_with_a_question_word_are_no_questions() -> None:
    assert messages(pairs(("Who saw it?", "Who see it?"), ("What he saw is there.", "What he see is there."))) == {}


def test_renamed_ids_and_repeated_sentences_are_found() -> None:
    found = messages(pairs(GOOD, ("Dogs bark.", "Dogs barked to."), ids=["7", "7#2"]))
    assert found["duplicate id"].endswith("item 7#2; for example, '7' also exists")
    assert found["repeated"].endswith("for example, 'Dogs bark.' is also in item '7'")
    assert "duplicate id" not in messages(pairs(GOOD, ids=["7#2"]))  # a mark of its own


def design(*cells: tuple[str, str, str], formula: str = "(verb;%a%) < (verb;%b%)") -> Suite:
    """Items in two conditions: subject, verb and end, given for the second; the first is always the same."""
    items = [
        Item(
            str(number),
            {
                "a": join_regions([("subject", f"The dog {number}"), ("verb", "barks"), ("end", "today.")]),
                "b": join_regions([("subject", f"{subject} {number}"), ("verb", verb), ("end", end)]),
            },
        )
        for number, (subject, verb, end) in enumerate(cells, 1)
    ]
    return Suite("s", conditions_called("ab"), tuple(items), (Prediction.parse("p", formula),))


USUAL = ("The dogs", "barks", "today.")


def test_other_differences_than_usual_are_found() -> None:
    found = messages(design(USUAL, USUAL, USUAL, ("The dogs", "barks", "")))
    assert found == {
        "design": "1 of 4 items (25.0%): conditions differ in other regions than in most items; item 4; "
        "for example, a and b differ in subject + end, elsewhere in subject"
    }


def test_without_a_usual_pattern_nothing_is_found() -> None:
    assert "design" not in messages(design(USUAL, ("The dog", "bark", "today."), ("The dog", "barks", "now.")))


def test_an_empty_critical_region_is_found() -> None:
    found = messages(design(USUAL, USUAL, ("The dogs", "", "today.")))
    assert found["empty region"].endswith("item 3; for example, (verb;%b%)")


def test_same_text_up_to_the_region_can_only_tie() -> None:
    found = messages(design(USUAL, USUAL, ("The dog", "barks", "now.")))
    assert found["identical"].endswith("for example, b = a: 'The dog 3 barks'")


def test_without_predictions_all_conditions_are_compared() -> None:
    suite = pairs(("He ran.", "He ran."))
    assert "identical" in messages(Suite("s", suite.conditions, suite.items, ()))


def test_items_without_a_sentence_for_a_condition(write: Write) -> None:
    path = write("keys.csv", "item,condition,noun,verb\n1,a,Keys,are\n1,b,Keys,is\n2,a,A key,is\n")
    (finding,) = check_suite(load_suite(path))
    assert (finding.kind, finding.item, finding.source) == ("incomplete", "2", str(path))
    assert finding.message.endswith("for example, item '2' has 'a', but not 'b'")
    with pytest.raises(InputError, match=r"keys\.csv: suite 'keys', item '2': no sentence for the condition 'b'"):
        load_suite(path, predictions="(verb, a) < (verb, b)")


def test_suites_are_printed_one_by_one(write: Write) -> None:
    for name in ("one", "two"):
        write(f"folder/{name}.csv", "good,bad\nHe  ran .,He  run .\n")
    folder = write("folder/three.csv", "good,bad\nHe runs.,He run.\n").parent
    done = gardenpath_command("suites", "check", folder)
    first, second = done.stdout.split("\n\n")
    for name, text in (("one", first), ("two", second)):
        heading, *findings = text.strip().splitlines()
        assert heading == f"{name} ({folder / name}.csv)"
        assert [line.split()[0] for line in findings] == ["blanks", "punctuation"]
    assert "three" not in done.stdout


def misspelt(write: Write) -> str:
    """A table of which one row misspells its condition."""
    rows = [f"{item},{one},Dogs,{item}{one[:3]}" for item in "abcd" for one in ("match", "mismatch")]
    text = "\n".join(["item,condition,noun,verb", *rows]).replace("c,mismatch", "c,mismacth")
    return str(write("rows.csv", text))


def test_a_condition_misspelt_in_one_row_is_named_with_its_line(write: Write) -> None:
    path = misspelt(write)
    with pytest.warns(InputWarning, match=r"line 7: 'mismacth' occurs in one item only; did you mean 'mismatch'\?"):
        found = messages(load_suite(path))
    assert found.keys() == {"rare condition", "incomplete"}
    assert found["rare condition"].startswith("1 of 4 items")
    assert found["incomplete"].startswith("1 of 4 items")
    with pytest.warns(InputWarning), pytest.raises(InputError, match=r"'mismatch', .* is 'mismacth' misspelt\?"):
        load_suite(path, predictions="(verb, match) < (verb, mismatch)")


def test_levels_that_are_missing_or_differ_in_case(write: Write) -> None:
    rows = ["a,b c,b d,sing", "b,e c,e d,plur", "c,f c,f d,plur", "d,g c,g d,Plur", "e,h c,h d,"]
    found = messages(load_suite(write("pairs.csv", "\n".join(["item,good,bad,number", *rows]))))
    assert found["level"].endswith("item d; for example, number: 'Plur' beside 'plur'")
    assert found["no level"].endswith("for example, item 'e' has no 'number'")
