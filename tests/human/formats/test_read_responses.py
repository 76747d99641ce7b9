"""Responses by format, from folders, and beside their study; the command `study import`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.human.formats.read import read_responses
from gardenpath.human.responses import Responses
from gardenpath.human.spec import Exclusions, Materials, StudySpec
from gardenpath.human.study import ComprehensionQuestion, Stimulus, Study, StudyList, StudyTrial
from gardenpath.suites.suite import Region, Sentence, Suite

DATA = Path(__file__).parents[2] / "data" / "human"
GOOD = Sentence("The keys are here.", (Region("noun", 0, 8), Region("rest", 9, 18)))
BAD = Sentence("The keys is here.", (Region("noun", 0, 8), Region("rest", 9, 17)))


def small_study(**fields: Any) -> Study:
    """A catch item of one cell, in one list."""
    spec = StudySpec(
        title="Keys", materials=[Materials(suites=["agreement"])], exclusions=Exclusions(catch_errors=1), **fields
    )
    questions = {"good": ComprehensionQuestion("What is here?", "keys", "cats")} if spec.task == "reading" else {}
    stimulus = Stimulus("s1", "catch", "keys", "7", "easy", {"good": GOOD, "bad": BAD}, "good", questions)
    trial = StudyTrial("s1", "", ("good", "bad")) if spec.task == "choice" else StudyTrial("s1", "good")
    suite = Suite.from_pairs([(GOOD.text, BAD.text)], name="keys")
    return Study(spec, {"s1": stimulus}, (), (StudyList(1, 1, (trial,)),), (suite,))


def test_a_study_gives_roles_cells_right_answers_and_rules(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("participant,item,choice\na,7,The keys are here.\nb,s1,bad\nc,9,x\n")
    found = read_responses(path, format="table", study=small_study())
    columns = ("suite", "item", "cell", "role", "choice", "correct")
    assert found.responses.select(columns).rows() == [
        ("keys", "7", "easy", "catch", "good", True),
        ("keys", "7", "easy", "catch", "bad", False),
    ]
    assert found.exclusions == Exclusions(catch_errors=1)
    assert [suite.name for suite in found.suites] == ["keys"]
    assert found.skipped == {"responses to items that the study does not have": 1}


def study_of_two_suites() -> Study:
    """A rating study whose suites both have an item 1: of the conditions good and bad, and of good and odd."""
    spec = StudySpec(title="Keys", task="rating", materials=[Materials(suites=["agreement"])])
    stimuli = {
        "s1": Stimulus("s1", "test", "keys", "1", "keys", {"good": GOOD, "bad": BAD}),
        "s2": Stimulus("s2", "filler", "odd", "1", "odd", {"good": GOOD, "odd": BAD}),
    }
    return Study(spec, stimuli, (), (StudyList(1, 1, (StudyTrial("s1", "good"),)),), ())


@pytest.mark.parametrize("name", ["ratings", "keys"])
def test_items_that_two_suites_have_are_told_apart_by_conditions(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.csv"  # the name of a file is not that of a suite
    path.write_text("participant;item;condition;rating\na;1;bad;2\nb;1;odd;3\n")
    found = read_responses(path, format="table", study=study_of_two_suites())
    assert found.responses.select("suite", "role").rows() == [("keys", "test"), ("odd", "filler")]
    path.write_text("participant;item;condition;rating\na;1;good;2\n")
    with pytest.raises(InputError, match=r"'a', item '1', condition 'good': the study has .* 'keys', 'odd'; add a"):
        read_responses(path, format="table", study=study_of_two_suites())
    path.write_text("participant;item;condition;rating;suite\na;1;good;2;odd\n")
    assert read_responses(path, format="table", study=study_of_two_suites()).responses["suite"].to_list() == ["odd"]


def test_responses_to_other_items_alone_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("participant,item,rating\na,9,2\n")
    with pytest.raises(InputError, match=r"t\.csv: all responses are to items that the study does not have"):
        read_responses(path, format="table", study=study_of_two_suites())


def test_a_study_gives_words_and_regions(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "participant,item,condition,word_number,rt,task,choice\na,7,good,2,300,reading,\na,7,good,3,310,reading,\n"
        "a,7,good,,900,question,cats\n"
    )
    found = read_responses(path, format="table", study=small_study(task="reading"))
    assert found.responses.select("trial", "word", "text", "region", "correct").rows() == [
        (1, 2, "keys", "noun", None), (1, 3, "are", "rest", None), (1, None, None, None, False),
    ]  # fmt: skip


def test_a_folder_of_responses_is_read_without_a_format(tmp_path: Path) -> None:
    found = read_responses(DATA / "batch.csv", format="mturk")
    found.save(tmp_path)
    assert read_responses(tmp_path).responses.equals(found.responses)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("batch.csv", "name its format, one of mturk"),
        ("nothing.csv", "no such file or folder"),
        ("", "holds no responses"),
    ],
)
def test_without_a_format(name: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_responses(DATA / name)


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(InputError, match="known formats: mturk, jspsych, ibex, pcibex, table"):
        read_responses(DATA / "batch.csv", format="excel")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="name at least one"):
        read_responses([], format="table")


@pytest.fixture
def runner() -> Iterator[CliRunner]:
    return CliRunner()


def test_the_command(tmp_path: Path, runner: CliRunner) -> None:
    arguments = ["study", "import", str(DATA / "batch.csv"), "--format", "mturk", "--out", str(tmp_path / "r")]
    named = ("--columns", "nothing=WorkerId", "--columns", "participant=WorkerId")
    assert "'nothing' is not FIELD=COLUMN" in str(runner.invoke(app, [*arguments, *named]).exception)
    result = runner.invoke(app, arguments)
    assert result.exit_code == 0, result.output
    shown = re.sub(r"\s+", " ", result.output)
    assert "8 responses of 3 participants in 3 sessions, to 3 items of 3 suites" in shown
    assert "not used: 1 trials without an answer" in shown
    assert f"gardenpath study analyse {tmp_path / 'r'}" in shown
    assert Responses.read(tmp_path / "r").responses.height == 8
    again = runner.invoke(app, arguments)
    assert again.exit_code != 0
    assert runner.invoke(app, [*arguments, "--overwrite"]).exit_code == 0
