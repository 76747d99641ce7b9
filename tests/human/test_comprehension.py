"""Comprehension questions from a table."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.human.comprehension import add_questions
from gardenpath.human.study import ComprehensionQuestion, Stimulus
from gardenpath.suites.suite import Sentence

HEADER = "suite,item,condition,question,right,wrong\n"


def stimulus(item: str, suite: str = "keys") -> Stimulus:
    sentences = {"good": Sentence("The keys are here."), "bad": Sentence("The keys is here.")}
    return Stimulus(f"s{item}", "test", suite, item, suite, sentences)


STIMULI = {one.id: one for one in (stimulus("1"), stimulus("2"), stimulus("12"))}


def table(folder: Path, *lines: str, header: str = HEADER) -> Path:
    path = folder / "questions.csv"
    path.write_text(header + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_question_of_all_conditions_and_one_of_a_condition(tmp_path: Path) -> None:
    path = table(tmp_path, "keys,1,,Where?,here,there", "keys,1,bad,What?,keys,locks", "keys,12,good,Who?,I,you")
    found = add_questions(STIMULI, path)
    assert found["s1"].questions == {
        "good": ComprehensionQuestion("Where?", "here", "there"),
        "bad": ComprehensionQuestion("What?", "keys", "locks"),
    }
    assert found["s2"] == STIMULI["s2"]
    assert found["s12"].questions == {"good": ComprehensionQuestion("Who?", "I", "you")}
    assert list(found) == list(STIMULI)
    assert not STIMULI["s1"].questions


def test_the_column_condition_may_be_missing(tmp_path: Path) -> None:
    path = table(tmp_path, "keys,2,Where?,here,there", header="suite,item,question,right,wrong\n")
    assert set(add_questions(STIMULI, path)["s2"].questions) == {"good", "bad"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("kays,1,,Where?,here,there", r"line 3: the study has no suite 'kays' \(did you mean 'keys'\?\)"),
        ("keys,2,,Where?,here,here", r"line 3: both answers are 'here'"),
        ("keys,2,,,here,there", r"line 3, column 'question': this is empty"),
        ("keys,1,,Why?,this,that", r"line 3: suite 'keys', item '1' has a row already, in line 2"),
        ("keys,,,Why?,this,that", r"line 3: 'item' is empty"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        add_questions(STIMULI, table(tmp_path, "keys,1,,Where?,here,there", line))


def test_rows_about_items_that_are_not_shown_are_reported(tmp_path: Path) -> None:
    path = table(tmp_path, "keys,1,,Where?,here,there", "keys,112,,Where?,here,there")
    with pytest.warns(InputWarning, match=r"1 of 2 rows .* line 3, suite 'keys', item '112' \(did you mean '12'\?\)"):
        assert add_questions(STIMULI, path)["s1"].questions
    with pytest.raises(
        InputError, match=r"no row is about a sentence of this study; the first is line 2.*'god'.*'good'"
    ):
        add_questions(STIMULI, table(tmp_path, "keys,1,god,Where?,here,there"))
