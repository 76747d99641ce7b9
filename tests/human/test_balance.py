"""The proof of balance: counts of a balanced study, and every imbalance put in by hand is found."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands.study_check import check_study
from gardenpath.human.balance import check_balance
from gardenpath.human.balance_text import balance_table, state_facts
from gardenpath.human.study import Study, StudyList, StudyTrial


def make_study(**fields: Any) -> Study:
    """A study with two cells of two lists, catch items and a check."""
    materials = [
        {"suites": ["blimp/passive_1", "blimp/passive_2"], "items": 4},
        {"suites": ["marvin-linzen/simple_agrmt"], "items": 4, "role": "catch"},
    ]
    checks = [{"right": "Choose this.", "wrong": "Not this."}]
    given = {"title": "Passives", "materials": materials, "checks": checks, "lists": 2, "versions": 2}
    return gp.Study.build(gp.StudySpec(**given | fields))


@pytest.fixture(scope="module")
def study() -> Study:
    return make_study()


def change_list(study: Study, number: int, change: Callable[[list[StudyTrial]], list[StudyTrial]]) -> Study:
    """The study with other trials in all versions of one list."""

    def changed(listed: StudyList) -> StudyList:
        return replace(listed, trials=tuple(change(list(listed.trials)))) if listed.number == number else listed

    return replace(study, lists=tuple(map(changed, study.lists)))


def test_the_counts_of_a_balanced_study(study: Study) -> None:
    balance = check_balance(study)
    assert balance.problems == ()
    assert balance.notes == ()
    first = balance.lists[0]
    assert (first.list, first.version, first.trials) == (1, 1, 7)
    assert first.conditions == {"blimp/passive_1": 2, "blimp/passive_2": 2, "marvin-linzen/simple_agrmt": 2}
    assert first.sides == {"first": 3, "second": 3}
    assert first.roles == {"test": 4, "catch": 2, "check": 1}
    assert [cell.items for cell in balance.cells] == [4, 4, 4]
    assert balance.cells[0].sides == {"first": 4, "second": 4}


def test_facts_for_a_methods_section(study: Study) -> None:
    assert state_facts(study, check_balance(study)) == [
        "2 lists of 7 trials, each in 2 orders; a participant gets one of them.",
        "Test: 2 conditions, 8 items; 2 of each in every list.",
        "Catch: 1 condition, 4 items; 2 items in every list.",
        "Every item is in one list only, and no list shows an item twice.",
        "The right sentence is first in 3 and second in 3 trials of every list.",
        "Over the versions of a list, it is first in half of them for every item.",
        "Orders are random, but at least 1 other trial stands between two of one condition.",
        "Every list has 1 check, never as its first trial.",
    ]


def test_facts_of_a_latin_square() -> None:
    materials = [{"suites": ["syntactic-generalization/number_prep"], "items": 8}]
    study = make_study(task="rating", materials=materials, checks=[], lists=4)
    facts = state_facts(study, check_balance(study))
    assert "Every item is in every list, and no list shows an item twice." in facts
    assert "Latin square: every test item is shown in each of its conditions by equally many lists." in facts
    assert "A list has 2 test trials of each condition." in facts
    assert balance_table(study, check_balance(study)).rows[0][1:] == [
        "test", "8", "8", "match_plural 8, match_sing 8, mismatch_plural 8, mismatch_sing 8",
    ]  # fmt: skip


def test_an_item_shown_twice_is_found(study: Study) -> None:
    wrong = change_list(study, 1, lambda trials: [*trials, trials[0]])
    assert any(
        "list 1, version 1: item" in problem and "2 times" in problem for problem in check_balance(wrong).problems
    )


def test_lists_of_other_sizes_are_found(study: Study) -> None:
    wrong = change_list(study, 2, lambda trials: trials[:4])
    assert "lists have 4 to 7 trials in all; they should differ by at most one" in check_balance(wrong).problems


def test_a_side_preferred_is_found(study: Study) -> None:
    def right_first(trials: list[StudyTrial]) -> list[StudyTrial]:
        first = {id_: (one.correct, *(set(one.sentences) - {one.correct})) for id_, one in study.stimuli.items()}
        return [replace(trial, order=first[trial.stimulus]) for trial in trials]

    problems = check_balance(change_list(study, 2, right_first)).problems
    assert "list 2, version 1: the right sentence of test trials is first 4, second 0" in problems
    assert any("over its versions, the right sentence of 7 items is not first in half" in one for one in problems)


def test_versions_with_other_trials_are_found(study: Study) -> None:
    one, other = study.lists[0], study.lists[2]
    wrong = replace(study, lists=(replace(one, trials=other.trials), *study.lists[1:]))
    assert "list 1: its versions do not have the same trials" in check_balance(wrong).problems


def test_a_check_in_the_beginning_is_found(study: Study) -> None:
    def check_first(trials: list[StudyTrial]) -> list[StudyTrial]:
        return sorted(trials, key=lambda trial: study.stimuli[trial.stimulus].role != "check")

    assert "list 1, version 2 begins with a check" in check_balance(change_list(study, 1, check_first)).problems


def test_trials_too_near_are_a_problem_only_where_they_can_be_avoided(study: Study) -> None:
    def by_cell(trials: list[StudyTrial]) -> list[StudyTrial]:
        return sorted(trials, key=lambda trial: study.stimuli[trial.stimulus].cell)

    balance = check_balance(change_list(study, 1, by_cell))
    assert any("with fewer than 1 others between" in problem for problem in balance.problems)
    alone = make_study(materials=[{"suites": ["agreement"], "items": 8}], checks=[])
    balance = check_balance(alone)
    assert balance.problems == ()
    assert "lists have too few other trials to avoid it" in balance.notes[0]


def test_conditions_shown_unequally_are_found() -> None:
    materials = [{"suites": ["blimp/passive_1"], "items": 8}]
    square = make_study(task="rating", materials=materials, checks=[])
    wrong = change_list(square, 1, lambda trials: [replace(trial, condition="good") for trial in trials])
    problems = check_balance(wrong).problems
    assert "list 1: 'blimp/passive_1' is shown {'good': 8, 'bad': 0} times in its conditions" in problems
    assert "4 items are not shown in each of their conditions by equally many lists" in problems


def test_too_few_versions_are_noted() -> None:
    study = make_study(versions=3, apart=0)
    assert "a multiple of 2 is needed" in check_balance(study).notes[0]


def run_check(folder: Path, *options: str) -> Any:
    """Run `gardenpath study check`."""
    import typer

    app = typer.Typer()
    app.command()(check_study)
    return CliRunner().invoke(app, [str(folder), *options])


def test_the_command_prints_a_table_and_json(study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study.save(tmp_path / "study")
    shown = run_check(tmp_path / "study", "--json")
    assert shown.exit_code == 0
    record = json.loads(shown.stdout)
    assert record["problems"] == []
    assert record["lists"][0]["trials"] == 7
    assert record["lists"][0]["sides"] == {"first": 3, "second": 3}
    assert record["lists"][3]["conditions"]["blimp/passive_1"] == 2


def test_the_command_fails_with_a_problem(study: Study, tmp_path: Path) -> None:
    change_list(study, 2, lambda trials: trials[:4]).save(tmp_path / "study")
    assert run_check(tmp_path / "study").exit_code == 2
