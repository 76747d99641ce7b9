"""A study for PCIbex Farm: every row of the table becomes a trial, for which a stub of PennController stands in."""

import csv
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.human.export_pcibex import export_pcibex
from gardenpath.human.spec import Task
from gardenpath.human.view import participant_view
from shown_studies import QUESTIONS, shown_study

TASKS: tuple[Task, ...] = ("choice", "rating", "reading")
STUB = Path(__file__).with_name("pcibex_stub.js")
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node; on Debian: apt-get install nodejs")


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "items.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def run_script(folder: Path, counter: int) -> dict[str, Any]:
    """Run main.js as PCIbex does for the participant with this counter."""
    arguments = [str(STUB), str(folder / "main.js"), json.dumps(rows_of(folder)), str(counter)]
    done = subprocess.run(["node", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def calls_of(trial: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [element for element in trial["elements"] if element["kind"] == kind]


@pytest.mark.parametrize("task", TASKS)
def test_a_row_for_every_trial_of_every_list_and_groups_that_alternate_between_lists(
    tmp_path: Path, task: Task
) -> None:
    study = shown_study(task)
    items, script = export_pcibex(study, tmp_path / "farm")
    rows = rows_of(tmp_path / "farm")
    assert (items.name, script.name) == ("items.csv", "main.js")
    assert [row["TYPE"] for row in rows if not row["Group"]] == ["practice"]
    groups = list(dict.fromkeys(row["Group"] for row in rows if row["Group"]))
    assert groups == ["list1-version1", "list2-version1", "list1-version2", "list2-version2"]
    for listed in study.lists:
        own = [row for row in rows if row["Group"] == f"list{listed.number}-version{listed.version}"]
        assert [row["ITEM"] for row in own] == [study.stimuli[trial.stimulus].item for trial in listed.trials]
        assert [row["BREAK"] for row in own] == ["", "", "yes"]


@node
@pytest.mark.parametrize("task", TASKS)
def test_the_script_is_javascript(tmp_path: Path, task: Task) -> None:
    _, script = export_pcibex(shown_study(task, thanks="`${1}`\n'\"</script>\u2028"), tmp_path)
    subprocess.run(["node", "--check", str(script)], check=True)


@node
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("counter", range(4))
def test_every_row_of_a_group_makes_a_trial(tmp_path: Path, task: Task, counter: int) -> None:
    study = shown_study(task)
    export_pcibex(study, tmp_path)
    listed = sorted(study.lists, key=lambda one: (one.version, one.number))[counter]
    run = run_script(tmp_path, counter)
    assert run["sequence"] == [
        "counter", "consent", "before", "instructions", "practice", "begin", "trial", "after", "send", "end",
    ]  # fmt: skip
    assert set(run["sequence"]) == {trial["label"] for trial in run["trials"]}
    trials = [trial for trial in run["trials"] if trial["label"] in ("practice", "trial")]
    assert [trial["label"] for trial in trials] == ["practice"] + ["trial"] * 3
    assert [trial["log"]["item"] for trial in trials[1:]] == [study.stimuli[t.stimulus].item for t in listed.trials]
    assert {(trial["log"]["list"], trial["log"]["version"]) for trial in trials[1:]} == {
        (str(listed.number), str(listed.version))
    }
    assert trials[1]["log"]["participant"] == "value of PROLIFIC_PID"


@node
def test_a_choice_shows_the_sentences_in_their_order_and_records_conditions(tmp_path: Path) -> None:
    study = shown_study("choice", prompt="Which < other?")
    export_pcibex(study, tmp_path)
    trial = next(trial for trial in run_script(tmp_path, 0)["trials"] if trial["label"] == "trial")
    prompt, *sentences = calls_of(trial, "Text")
    shown = participant_view(study, study.lists[0])["trials"][1]["options"]
    assert prompt["arguments"] == ["prompt", "<p>Which &lt; other?</p>"]
    assert [text["arguments"] for text in sentences] == [["mismatch", f"1. {shown[0]}"], ["match", f"2. {shown[1]}"]]
    (selector,) = calls_of(trial, "Selector")
    calls = dict(selector["calls"])
    assert calls["add"] == ["Text mismatch", "Text match"]
    assert calls["keys"] == ["1", "2"]
    assert {"log", "wait"} <= set(calls)


@node
def test_ratings_reading_and_questions_use_the_controllers_of_ibex(tmp_path: Path) -> None:
    export_pcibex(shown_study("rating", points=5), tmp_path / "rating")
    rated = next(trial for trial in run_script(tmp_path / "rating", 0)["trials"] if trial["label"] == "trial")
    (judgment,) = calls_of(rated, "Controller")
    assert judgment["arguments"][0] == "AcceptabilityJudgment"
    assert judgment["arguments"][1]["s"] == "The pilot near the old gates look tired."
    assert judgment["arguments"][1]["as"] == ["1", "2", "3", "4", "5"]
    study = shown_study("reading", window="region")
    export_pcibex(study, tmp_path / "reading")
    read = [trial for trial in run_script(tmp_path / "reading", 0)["trials"] if trial["label"] == "trial"][1]
    dashes, question = calls_of(read, "Controller")
    shown = participant_view(study, study.lists[0])["trials"][2]
    assert dashes["arguments"] == ["DashedSentence", {"s": shown["pieces"]}]
    assert len(shown["pieces"]) == 3
    asked = question["arguments"][1]
    assert asked["as"] == shown["question"]["answers"]
    assert asked["as"][asked["hasCorrect"]] == "the farmer"


@node
def test_required_questions_must_be_answered(tmp_path: Path) -> None:
    export_pcibex(shown_study("choice"), tmp_path)
    trials = {trial["label"]: trial for trial in run_script(tmp_path, 0)["trials"]}
    (menu,) = calls_of(trials["before"], "DropDown")
    assert menu["arguments"][0] == QUESTIONS[0].name
    assert dict(menu["calls"])["add"] == ["yes", "no"]
    assert dict(calls_of(trials["before"], "Button")[0]["calls"])["wait"] == ["DropDown native"]
    assert dict(calls_of(trials["after"], "Button")[0]["calls"])["wait"] == []


def test_what_pcibex_cannot_do_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no controller for the maze"):
        export_pcibex(shown_study("maze"), tmp_path)
    study = shown_study("reading")
    sentence = study.stimuli["s1"].sentences["match"]
    study.stimuli["s1"].sentences["mismatch"] = type(sentence)("a | b")  # type: ignore[index]
    with pytest.raises(InputError, match=r"'\|'"):
        export_pcibex(study, tmp_path)
    assert not list(tmp_path.iterdir())
