"""Answers: their schema, and the rows they become."""

import math
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.human.answers import response_rows
from gardenpath.human.responses import RESPONSES, response_table
from gardenpath.human.spec import Task
from gardenpath.human.view import shown_answers
from served_study import ANSWERS, small_study

MISSING = {"participant", "session", "time"}
"""What only the caller knows."""


@pytest.mark.parametrize("task", ANSWERS)
def test_rows_have_the_columns_of_responses(task: Task) -> None:
    study = small_study(task)
    rows = response_rows(study, study.lists[0], 0, ANSWERS[task])
    assert all(set(row) == set(RESPONSES) - MISSING for row in rows)
    assert response_table([row | {"participant": "p", "session": "s"} for row in rows]).height == len(rows)


@pytest.mark.parametrize(("version", "choice"), [(1, "good"), (2, "bad")])
def test_a_position_becomes_the_condition_shown_there(version: int, choice: str) -> None:
    study = small_study()
    listed = study.lists[version - 1]
    (row,) = response_rows(study, listed, 0, ANSWERS["choice"])
    assert (row["choice"], row["correct"], row["condition"]) == (choice, choice == "good", None)
    assert row["order"] == list(listed.trials[0].order)
    assert (row["suite"], row["item"], row["list"], row["version"]) == ("keys", "1", "1", str(version))
    assert (row["trial"], row["role"], row["rt"]) == (1, "test", 812.5)


def test_practice_trials_come_first_and_are_marked() -> None:
    study = small_study(practice=True)
    roles = [response_rows(study, study.lists[0], index, ANSWERS["choice"])[0]["role"] for index in range(6)]
    assert roles == ["practice", "test", "test", "test", "catch", "check"]


def test_a_rating_is_right_or_wrong_only_in_a_check() -> None:
    study = small_study("rating")
    test, check = (response_rows(study, study.lists[0], index, ANSWERS["rating"])[0] for index in (0, 4))
    assert (test["rating"], test["correct"], test["condition"]) == (5.0, None, "good")
    assert (check["role"], check["correct"]) == ("check", False)
    (right,) = response_rows(study, study.lists[0], 4, ANSWERS["rating"] | {"rating": 1})
    assert right["correct"] is True


@pytest.mark.parametrize("position", [0, 1])
def test_reading_has_a_row_for_every_word_and_one_for_the_question(position: int) -> None:
    study = small_study("reading")
    given = ANSWERS["reading"] | {"question": {"position": position, "rt": 50}}
    *words, question = response_rows(study, study.lists[0], 0, given)
    found = [(row["word"], row["text"], row["region"], row["rt"], row["correct"]) for row in words]
    assert found == [
        (1, "Key1", "noun", 300, None), (2, "is", "verb", 310.5, None), (3, "lost.", "verb", 290, None),
    ]  # fmt: skip
    chosen = shown_answers(study, study.lists[0], 0)[position]
    assert (question["task"], question["choice"], question["rt"]) == ("question", chosen, 50)
    assert question["correct"] == (chosen == "a key")
    assert question["word"] is None


def test_regions_are_pieces_where_the_study_says_so() -> None:
    study = small_study("reading", window="region")
    rows = response_rows(study, study.lists[0], 0, ANSWERS["reading"] | {"times": [1, 2]})
    assert [(row["text"], row["region"]) for row in rows[:2]] == [("Key1", "noun"), ("is lost.", "verb")]


def test_a_maze_word_is_right_without_mistakes() -> None:
    study = small_study("maze")
    rows = response_rows(study, study.lists[0], 0, ANSWERS["maze"])
    assert [(row["text"], row["correct"], row["rt"]) for row in rows] == [
        ("Key1", True, 500), ("is", False, 700), ("lost.", True, 650),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("task", "change", "message"),
    [
        ("choice", {"position": 2}, r"answer.position is 2; the trial shows 2 sentences"),
        ("choice", {"position": -1}, r"answer.position: input should be greater than or equal to 0"),
        ("choice", {"position": True}, r"answer.position: input should be a valid integer"),
        ("choice", {"position": "0"}, r"answer.position: input should be a valid integer"),
        ("choice", {"rt": math.nan}, r"answer.rt: input should be a finite number"),
        ("choice", {"rt": 1e9}, r"answer.rt: input should be less than or equal to"),
        ("choice", {"by": "eyes"}, r"answer.by: input should be 'key', 'click' or 'touch'"),
        ("choice", {"text": "Key1 is lost."}, r"answer.text: extra inputs are not permitted"),
        ("rating", {"rating": 8}, r"answer.rating is 8; the scale ends at 7"),
        ("rating", {"rating": 0}, r"answer.rating: input should be greater than or equal to 1"),
        ("reading", {"times": [1, 2]}, r"answer.times has 2 times; the sentence has 3 pieces"),
        ("reading", {"question": None}, r"answer.question is missing"),
        ("reading", {"times": [1.0] * 501}, r"answer.times: list should have at most 500 items"),
        ("maze", {"words": []}, r"answer.words has 0 words; the sentence has 3"),
    ],
)
def test_other_answers_are_refused(task: Task, change: dict[str, Any], message: str) -> None:
    study = small_study(task)
    with pytest.raises(InputError, match=message):
        response_rows(study, study.lists[0], 0, ANSWERS[task] | change)


def test_a_trial_beyond_the_list_is_refused() -> None:
    study = small_study()
    with pytest.raises(InputError, match="trials 0 to 4"):
        response_rows(study, study.lists[0], 5, ANSWERS["choice"])
