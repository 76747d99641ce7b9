"""Exclusion rules: each leaves out whom it names, in order, and the flow adds up."""

from typing import Any

import polars
import pytest

from gardenpath.human.exclusions import Included, apply_exclusions
from gardenpath.human.spec import Exclusions
from small_responses import choice, collect


def apply(rows: list[dict[str, Any]], about: dict[str, dict[str, Any]] | None = None, /, **rules: Any) -> Included:
    """Apply rules to answers."""
    found = collect(rows, sessions=about)
    return apply_exclusions(found.responses, found.sessions, Exclusions(**rules))


def kept(included: Included) -> set[str]:
    """Who is analysed."""
    return set(included.sessions["participant"])


def step(included: Included, name: str) -> tuple[int, int, int]:
    """Participants, sessions and responses of a step."""
    row = included.flow.filter(polars.col("step") == name).row(0)
    return row[1:]


def answers_of(*participants: str, errors: int = 0, role: str = "test") -> list[dict[str, Any]]:
    """Ten answers of everyone, some of them wrong."""
    return [
        choice(one, f"{role}{n}", right=n >= errors, role=role, rt=1000.0) for one in participants for n in range(10)
    ]


def test_nobody_is_left_out_without_reason() -> None:
    included = apply(answers_of("a", "b"))
    assert kept(included) == {"a", "b"}
    assert step(included, "recruited") == step(included, "analysed") == (2, 2, 20)


@pytest.mark.parametrize(
    ("name", "about", "rules"),
    [
        ("incomplete", {"status": "expired"}, {}),
        ("incomplete", {"status": "active"}, {}),
        ("rejected", {"status": "rejected"}, {}),
        ("hidden field", {"hidden_field": True}, {}),
        ("answers", {"answers": '{"native": "no"}'}, {"answers": {"native": ("yes",)}}),
        ("answers", {"answers": "{}"}, {"answers": {"native": ("yes",)}}),
    ],
)
def test_rules_on_sessions(name: str, about: dict[str, Any], rules: dict[str, Any]) -> None:
    included = apply(answers_of("a", "b"), {"a": {"answers": '{"native": "yes"}'}, "b": about}, **rules)
    assert kept(included) == {"a"}
    assert step(included, name) == (1, 1, 10)


def test_rules_that_a_study_does_not_have_leave_out_nobody() -> None:
    odd = {"a": {"status": "active", "hidden_field": True}}
    answers = [*answers_of("a"), *answers_of("a", errors=3, role="check")]
    assert kept(apply(answers, odd, incomplete=False, hidden_field=False, failed_checks=None)) == {"a"}


def test_more_errors_than_allowed_on_catch_items_and_checks() -> None:
    answers = [*answers_of("one", errors=1, role="catch"), *answers_of("two", errors=2, role="catch")]
    assert kept(apply(answers, catch_errors=1)) == {"one"}
    assert kept(apply(answers)) == {"one", "two"}
    checked = [*answers_of("a", role="check"), *answers_of("b", errors=1, role="check")]
    assert kept(apply(checked)) == {"a"}
    assert kept(apply(checked, failed_checks=1)) == {"a", "b"}


def test_comprehension_and_speed() -> None:
    asked = [
        choice(one, f"q{n}", right=n < right, task="question", rt=10.0)
        for one, right in (("good", 9), ("poor", 7))
        for n in range(10)
    ]
    included = apply([*answers_of("good", "poor"), *asked], question_accuracy=0.8)
    assert kept(included) == {"good"}
    assert step(included, "comprehension") == (1, 1, 20)
    fast = [choice("fast", str(n), right=True, rt=150.0) for n in range(5)]
    assert kept(apply([*answers_of("good"), *fast], fastest_median=200)) == {"good"}


def test_a_session_counts_in_the_first_step_that_leaves_it_out_and_steps_add_up() -> None:
    answers = [*answers_of("a", "b", "c"), *answers_of("b", errors=1, role="check")]
    included = apply(answers, {"b": {"status": "rejected"}, "c": {"status": "expired", "hidden_field": True}})
    assert step(included, "rejected") == (1, 1, 20)
    assert step(included, "failed checks") == (0, 0, 0)
    assert step(included, "hidden field") == (0, 0, 0)
    counts = included.flow.select(polars.exclude("step")).rows()
    between = [sum(column) for column in zip(*counts[1:-1], strict=True)]
    assert [a - b for a, b in zip(counts[0], between, strict=True)] == list(counts[-1])


def test_people_with_one_session_left_still_take_part() -> None:
    answers = [choice("a", "1", right=True), choice("a", "2", right=True, session="a-2")]
    found = collect(answers)
    sessions = found.sessions.with_columns(polars.Series("status", ["rejected", "complete"]))
    included = apply_exclusions(found.responses, sessions, Exclusions())
    assert step(included, "rejected") == (0, 1, 1)
    assert step(included, "analysed") == (1, 1, 1)


def test_practice_does_not_count() -> None:
    included = apply([*answers_of("a"), *answers_of("a", role="practice")])
    assert step(included, "recruited") == (1, 1, 10)
    assert set(included.responses["role"]) == {"test"}


def read(participant: str, times: list[float], *, wrong: int = 0, task: str = "maze") -> list[dict[str, Any]]:
    """A sentence read word by word, with a mistake at one word."""
    return [
        {
            "participant": participant, "session": participant, "trial": 1, "task": task, "suite": "s", "item": "1",
            "cell": "s", "condition": "a", "word": n, "region": "r", "text": "w", "rt": time,
            "correct": n != wrong if task == "maze" else None,
        }
        for n, time in enumerate(times, 1)
    ]  # fmt: skip


def left(included: Included) -> list[int]:
    """The words that are analysed."""
    return included.responses["word"].to_list()


def test_words_after_a_mistake_the_first_word_and_long_times() -> None:
    times = [500.0, 600, 700, 800, 900, 6000]
    rules = {"after_mistake": 2, "first_word": True, "most_ms": 5000, "least_ms": 100}
    included = apply(read("a", times, wrong=2), **rules)
    assert left(included) == [5]
    assert dict(included.trimmed.iter_rows()) == {
        "words": 6, "first word": 1, "mistake in the maze": 1, "after a mistake": 2, "no time": 0, "under 100 ms": 0,
        "over 5000 ms": 1,
    }  # fmt: skip


def test_a_mistake_reaches_no_other_trial() -> None:
    rows = read("a", [500.0, 600], wrong=2) + [{**row, "trial": 2} for row in read("a", [500.0, 600, 700])]
    assert left(apply(rows, after_mistake=2)) == [1, 1, 2, 3]


def test_standard_deviations_are_those_of_the_participant() -> None:
    rows = read("a", [400.0] * 20 + [4000.0], task="reading") + read("slow", [4000.0, 4100, 3900], task="reading")
    included = apply(rows, most_sd=3)
    assert included.responses.height == 23
    assert included.trimmed.rows()[-1] == ("over 3 standard deviations", 1)


def test_answers_have_no_words_to_leave_out() -> None:
    included = apply([choice("a", "1", right=True, rt=None)], least_ms=200)
    assert included.responses.height == 1
    assert included.trimmed.height == 0
