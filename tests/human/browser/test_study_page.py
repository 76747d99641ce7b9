"""The participant's page against the real server: all tasks by all means, resuming, losing the connection."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gardenpath.human.spec import Task
from gardenpath.human.study import Study
from shown_studies import shown_study

from .conftest import Served
from .participant import Means, Participant

Serve = Callable[[Study], Served]


FIRST = {("choice", "click"), ("rating", "key"), ("reading", "touch"), ("maze", "key")}
"""Every task and every means once; `make test-all` has all combinations."""


@pytest.mark.parametrize(
    ("task", "means"),
    [
        pytest.param(task, means, marks=() if (task, means) in FIRST else pytest.mark.slow)
        for task in ("choice", "rating", "reading", "maze")
        for means in ("click", "key", "touch")
    ],
)
def test_a_study_is_done_from_consent_to_code(browser: Any, serve: Serve, task: Task, means: Means) -> None:
    served = serve(shown_study(task))
    person = Participant(browser, served.address, means).open("?PROLIFIC_PID=anna&list=2")
    person.begin()
    person.take_part(task)
    assert [person.code] == [code for (code,) in served.rows("SELECT code FROM sessions WHERE state = 'complete'")]
    assert served.answered == [0, 1, 2, 3]
    answers = [json.loads(text) for (text,) in served.rows("SELECT answer FROM answers ORDER BY trial")]
    for answer in answers:
        if task == "choice":
            assert (answer["position"], answer["by"]) == (1, means)
        elif task == "rating":
            assert (answer["rating"], answer["by"]) == (2, means)
        elif task == "reading":
            assert len(answer["times"]) == 8
            assert min(answer["times"]) > 0
        else:
            assert [word["mistakes"] for word in answer["words"]] == [0] * 8
            assert [word["side"] for word in answer["words"]].count("left") == 4
    assert served.rows("SELECT list, hidden_field FROM sessions") == [(2, 0)]
    asked = dict(served.rows("SELECT asked, answers FROM questions"))
    assert json.loads(asked["before"])["native"] == "yes"
    assert not person.wrong
    person.context.close()


def test_a_reload_resumes_at_the_next_trial_and_going_back_answers_nothing_twice(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("choice"))
    person = Participant(browser, served.address).open()
    person.begin()
    for number in (1, 2):
        person.await_trial(number)
        person.answer("choice")
        person.between(number)
    person.await_trial(3)
    before = person.window.locator(".options").inner_text()
    person.window.reload()
    person.window.wait_for_selector("text=Welcome back")
    person.go("Continue")
    person.await_trial(3)
    assert person.window.locator(".options").inner_text() == before
    person.window.go_back()
    person.window.go_forward()
    person.window.wait_for_selector("text=Welcome back")
    assert served.answered == [0, 1]
    person.go("Continue")
    person.take_part("choice", first=3)
    code = person.code
    person.window.reload()
    person.window.wait_for_selector("#code")
    assert person.code == code
    assert served.answered == [0, 1, 2, 3]
    assert served.rows("SELECT count(*) FROM sessions") == [(1,)]
    person.context.close()


def test_two_keys_at_once_and_keys_held_down_are_one_answer(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("choice", break_every=0))
    person = Participant(browser, served.address, "key").open()
    person.begin()
    person.await_trial(1)
    person.pick(0)
    person.between(1)
    person.await_trial(2)
    # The page presses "2" itself, for these moments are too short to be hit from outside: together with "1", and when
    # the next trial is shown, too soon for anybody to have read its sentences.
    person.window.evaluate(
        """() => {
            const press = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "2", code: "Digit2" }));
            document.addEventListener("keydown", press, { once: true });
            new MutationObserver((changes, observer) => {
                if (document.querySelector("#progress span").textContent !== "3 of 4") return;
                observer.disconnect();
                press();
                window.pressed = true;
            }).observe(document.getElementById("stage"), { childList: true });
        }"""
    )
    person.window.keyboard.down("1")
    person.window.keyboard.down("1")  # a repetition of the held key
    person.window.wait_for_selector("#progress >> text='3 of 4'")
    person.window.keyboard.down("1")
    person.window.wait_for_timeout(400)
    assert person.window.evaluate("window.pressed")
    assert served.answered == [0, 1]
    assert person.window.locator("#progress span").inner_text() == "3 of 4"
    person.context.close()


def test_an_answer_survives_a_lost_connection_and_a_lost_acknowledgement(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("choice", break_every=0))
    person = Participant(browser, served.address).open()
    person.begin()
    person.await_trial(1)
    attempts = []

    def lose(route: Any) -> None:
        attempts.append(json.loads(route.request.post_data)["key"])
        if len(attempts) == 2:
            route.fetch()  # it arrives, but the page never hears of it
        if len(attempts) < 3:
            route.abort()
        else:
            route.continue_()

    person.window.route("**/api/answer", lose)
    person.answer("choice")
    person.window.wait_for_selector("#connection >> text=Connection lost")
    person.window.wait_for_selector("text=The practice is over")
    assert person.window.locator("#connection").inner_text() == ""
    assert len(attempts) == 3
    assert len(set(attempts)) == 1
    assert served.answered == [0]
    person.context.close()


def test_an_answer_that_waits_is_sent_after_a_reload(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("choice", break_every=0))
    person = Participant(browser, served.address).open("?PROLIFIC_PID=bert")
    person.begin()
    person.await_trial(1)
    person.window.route("**/api/answer", lambda route: route.abort())
    person.answer("choice")
    person.window.wait_for_selector("#connection >> text=Connection lost")
    assert served.answered == []
    person.window.unroute("**/api/answer")
    person.window.reload()
    person.window.wait_for_selector("text=Welcome back")
    assert served.answered == [0]
    person.context.close()


def test_who_took_part_and_who_does_not_agree_sees_why_there_is_nothing_to_do(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("rating", questions=(), consent="", break_every=0))
    person = Participant(browser, served.address).open("?PROLIFIC_PID=carl")
    person.go("Start")
    for number in range(1, 5):
        person.await_trial(number)
        person.answer("rating")
        person.between(number if number == 1 else 0)
    person.window.wait_for_selector("#code")
    assert served.rows("SELECT answers FROM questions") == [("{}",)]
    again = Participant(browser, served.address).open("?PROLIFIC_PID=carl")
    assert again.title == "This study cannot be continued"
    assert "already" in again.window.locator("#stage").inner_text()
    missing = Participant(browser, served.address).open("?list=9")
    assert "no list 9" in missing.window.locator("#stage").inner_text()
    other = Participant(browser, serve(shown_study("choice")).address).open()
    other.go("Do not agree")
    assert "nothing was saved" in other.window.locator("#stage").inner_text()
    for one in (person, again, missing, other):
        one.context.close()


def test_people_do_not_meet_the_hidden_field_and_must_answer_required_questions(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("choice"))
    person = Participant(browser, served.address, "key").open()
    person.go("Agree")
    person.window.wait_for_selector("fieldset")
    seen = set()
    for _ in range(12):
        person.window.keyboard.press("Tab")
        seen.add(person.window.evaluate("document.activeElement.id"))
    assert "website" not in seen
    box = person.window.locator("#website").bounding_box()
    assert box
    assert box["x"] + box["width"] < 0
    assert person.window.get_by_role("textbox").count() == 1  # the age; the hidden one is not announced
    person.go("Continue")
    assert person.window.locator(".wrong").all_inner_texts() == ["Please answer this question.", ""]
    assert person.window.evaluate("document.activeElement.type") == "radio"
    assert served.rows("SELECT * FROM questions") == []
    person.window.evaluate("document.getElementById('website').value = 'buy now'")  # as a program does
    person.fill_in("no")
    person.window.wait_for_selector("text=Instructions")
    assert served.rows("SELECT hidden_field FROM sessions") == [(1,)]
    assert json.loads(served.rows("SELECT answers FROM questions")[0][0])["native"] == "no"
    person.context.close()


def test_a_maze_counts_mistakes_and_says_so(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("maze", break_every=0))
    person = Participant(browser, served.address).open()
    person.begin()
    person.await_trial(1)
    left, _ = person.window.locator(".word").all_inner_texts()
    person.choose_word("left" if left in {"– – –"} else "right")
    assert "Try again" in person.window.locator(".wrong").inner_text()
    person.answer_maze(mistakes=1)
    person.window.wait_for_selector("text=The practice is over")
    (text,) = served.rows("SELECT answer FROM answers")[0]
    assert [word["mistakes"] for word in json.loads(text)["words"]] == [2, *[0] * 7]
    person.context.close()


def test_words_appear_one_by_one_and_what_was_read_is_covered_again(browser: Any, serve: Serve) -> None:
    person = Participant(browser, serve(shown_study("reading", window="region")).address, "key").open()
    person.begin()
    person.await_trial(1)
    shown = [person.window.locator(".moving").inner_text()]
    width = person.window.locator(".moving").bounding_box()
    for _ in range(3):
        person.window.keyboard.press("Space")
        shown.append(person.window.locator(".moving").inner_text())
    person.window.keyboard.press("Backspace")
    person.window.keyboard.press("ArrowLeft")
    shown.append(person.window.locator(".moving").inner_text())
    assert [" ".join(text.split()) for text in shown] == [
        "", "The author", "near the old gates", "looks tired.", "looks tired.",
    ]  # fmt: skip
    assert person.window.locator(".moving").bounding_box() == width
    person.context.close()


def test_a_page_in_hebrew_runs_from_right_to_left_in_its_own_words(browser: Any, serve: Serve) -> None:
    phrases = {"Agree": "מסכים", "Start": "התחל", "{trial} of {trials}": "{trial} מתוך {trials}", "Continue": "המשך"}
    study = shown_study("maze", language="he", direction="rtl", phrases=phrases, questions=(), prompt="איזו מילה?")
    person = Participant(browser, serve(study).address, "touch").open()
    person.go("מסכים")
    person.go("התחל")
    person.window.wait_for_selector("text=1 מתוך 4")
    left, right = (person.window.locator(f".word.{side}").bounding_box() for side in ("left", "right"))
    assert left["x"] + left["width"] <= right["x"]
    assert person.window.evaluate("getComputedStyle(document.body).direction") == "rtl"
    assert person.window.evaluate("document.documentElement.lang") == "he"
    person.context.close()


@pytest.mark.parametrize("task", ["choice", "rating", "maze"])
def test_buttons_are_large_enough_for_fingers_and_nothing_is_wider_than_a_phone(
    browser: Any, serve: Serve, task: Task
) -> None:
    study = shown_study(task, points=11, layout="side-by-side")
    person = Participant(browser, serve(study).address, "touch", viewport={"width": 320, "height": 568}).open()
    person.begin()
    person.await_trial(1)
    sizes = person.window.evaluate(
        "[...document.querySelectorAll('main button')].map(b => [b.offsetWidth, b.offsetHeight])"
    )
    assert sizes
    assert min(min(size) for size in sizes) >= 44
    assert person.window.evaluate("document.documentElement.scrollWidth") <= 320
    person.context.close()


def test_looking_away_is_counted(browser: Any, serve: Serve) -> None:
    served = serve(shown_study("choice", break_every=0))
    person = Participant(browser, served.address).open()
    person.begin()
    person.await_trial(1)
    for event in ("blur", "blur", "focus", "blur", "focus"):
        person.window.evaluate(f"window.dispatchEvent(new Event('{event}'))")
    person.answer("choice")
    person.window.wait_for_selector("text=The practice is over")
    assert served.rows("SELECT lost_focus FROM sessions") == [(2,)]
    person.context.close()
