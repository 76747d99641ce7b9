"""The exported file, opened from the disk, on the web and under JATOS, and its results read back."""

import json
from pathlib import Path
from typing import Any

import pytest

from gardenpath.human.answers import response_rows
from gardenpath.human.export_page import export_page
from gardenpath.human.formats.jspsych import read_jspsych
from gardenpath.human.spec import Task
from shown_studies import shown_study

from .participant import Participant

JATOS = """
window.calls = [];
const session = JSON.parse(sessionStorage.getItem("batch") || '{"refusals": 1}');
window.jatos = {
    studyResultId: 17, urlQueryParameters: {PROLIFIC_PID: "dora"},
    onLoad: (callback) => setTimeout(callback, 10),
    batchSession: {
        get: (name) => session[name],
        set: async (name, value) => {
            window.calls.push("set");
            if (session.refusals-- > 0) throw new Error("someone else was faster");
            session[name] = value;
        },
    },
    submitResultData: async (text) => { window.result = text; },
    endStudy: async (...given) => { window.calls.push(["end", ...given]); },
};
"""
"""What the page uses of JATOS, with one refused change of the batch session."""


@pytest.mark.parametrize("task", ["choice", "rating", "reading", "maze"])
def test_a_file_works_without_a_server_and_its_results_are_read_back(browser: Any, tmp_path: Path, task: Task) -> None:
    study = shown_study(task)
    path = export_page(study, tmp_path / "study.html")
    person = Participant(browser, path.as_uri(), "key").open("?list=2&PROLIFIC_PID=anna")
    requests: list[str] = []
    person.window.on("request", lambda sent: requests.append(sent.url))
    person.begin()
    for number in (1, 2):
        person.await_trial(number)
        person.answer(task)
        person.between(number)
    person.await_trial(3)
    person.window.reload()
    person.window.wait_for_selector("text=Welcome back")
    person.go("Continue")
    with person.window.expect_download() as download:
        person.take_part(task, first=3)
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    rows = json.loads(saved.read_text())
    assert [row["trial_index"] for row in rows] == list(range(7))
    assert [row["trial_type"].removeprefix("gardenpath-") for row in rows] == [
        "questions", *[task] * 4, "questions", "end",
    ]  # fmt: skip
    assert {(row["participant"], row["list"], row["study"]) for row in rows} == {("anna", 2, study.digest)}
    assert not [url for url in requests if not url.startswith(("file:", "blob:", "data:"))]
    assert not person.wrong
    person.context.close()
    collected = read_jspsych([saved], digest=study.digest)
    assert [session["status"] for session in collected.sessions] == ["complete"]
    assert json.loads(collected.sessions[0]["answers"])["native"] == "yes"
    listed = next(one for one in study.lists if (one.number, one.version) == (2, rows[0]["version"]))
    answers = [row["response"] for row in rows if row["trial_type"] == f"gardenpath-{task}"]
    served = [row for index, answer in enumerate(answers) for row in response_rows(study, listed, index, answer)]
    assert len(collected.responses) == len(served)
    for imported, stored in zip(collected.responses, served, strict=True):
        assert {name: imported.get(name) for name in stored} == stored


def test_a_finished_file_saves_again_and_then_takes_the_next_participant(browser: Any, tmp_path: Path) -> None:
    study = shown_study("choice", consent="", questions=(), break_every=0)
    person = Participant(browser, export_page(study, tmp_path / "study.html").as_uri()).open()
    person.go("Start")
    sessions = []
    for number in range(1, 5):
        person.await_trial(number)
        person.answer("choice")
        person.between(number if number == 1 else 0)
    person.window.wait_for_selector("#code")
    code = person.code
    person.window.reload()
    person.window.wait_for_selector("#code")
    assert person.code == code
    with person.window.expect_download() as download:
        person.go("Save your answers")
    sessions.append(download.value.suggested_filename)
    person.go("New participant")
    person.window.wait_for_selector("text=Instructions")
    stored = person.window.evaluate("Object.values(history.state)[0]")
    assert stored["rows"] == []
    assert f"gardenpath-{stored['session']}.json" not in sessions
    assert not person.wrong
    person.context.close()


def test_a_session_cannot_be_continued_too_late_but_its_answers_are_saved(browser: Any, tmp_path: Path) -> None:
    path = export_page(shown_study("choice"), tmp_path / "study.html")
    person = Participant(browser, path.as_uri()).open()
    person.begin()
    person.await_trial(1)
    person.answer("choice")
    person.between(1)
    person.window.evaluate(
        "() => {"
        "  const [[key, text]] = Object.entries(localStorage);"
        "  const record = {...JSON.parse(text), seen: Date.now() - 61 * 60000};"
        "  localStorage.setItem(key, JSON.stringify(record));"
        "  history.replaceState({[key]: record}, ''); }"
    )
    person.window.reload()
    person.window.wait_for_selector("text=too late")
    with person.window.expect_download() as download:
        person.go("Save your answers")
    assert len(json.loads(Path(download.value.path()).read_text())) == 2
    person.context.close()


def test_a_session_is_kept_when_the_browser_loses_its_local_storage(browser: Any, tmp_path: Path) -> None:
    person = Participant(browser, export_page(shown_study("choice"), tmp_path / "study.html").as_uri()).open()
    person.begin()
    person.await_trial(1)
    person.answer("choice")
    person.between(1)
    person.await_trial(2)
    person.window.evaluate("localStorage.clear()")
    person.window.reload()
    person.window.wait_for_selector("text=Welcome back")
    person.go("Continue")
    person.await_trial(2)
    person.context.close()


def test_a_session_is_continued_in_another_tab(browser: Any, tmp_path: Path) -> None:
    # On the web: of a file opened from the disk, Chromium sometimes finds the storage empty.
    text = export_page(shown_study("choice"), tmp_path / "study.html").read_text()
    person = Participant(browser, "http://study.test/")
    person.context.route("http://study.test/", lambda route: route.fulfill(body=text, content_type="text/html"))
    person.open()
    person.begin()
    person.await_trial(1)
    person.answer("choice")
    person.between(1)
    person.await_trial(2)
    person.window.close()
    person.window = person.context.new_page()
    person.open()
    assert person.title == "Welcome back"
    person.context.close()


def test_answers_are_sent_to_an_address_in_order_and_once_it_answers(browser: Any, tmp_path: Path) -> None:
    study = shown_study("rating", break_every=0)
    text = export_page(study, tmp_path / "study.html", save_to="http://study.test/collect").read_text()
    person = Participant(browser, "http://study.test/")
    received: list[Any] = []
    down = [True]

    def collect(route: Any) -> None:
        if down[0] and len(received) >= 2:
            down[0] = False
            route.fulfill(status=503)
            return
        received.extend(json.loads(route.request.post_data))
        route.fulfill(status=204)

    person.window.route("http://study.test/", lambda route: route.fulfill(body=text, content_type="text/html"))
    person.window.route("http://study.test/collect", collect)
    person.open()
    person.begin()
    for number in range(1, 5):
        person.await_trial(number)
        person.answer("rating")
        person.between(number if number == 1 else 0)
    person.window.wait_for_selector("text=anything you would like")
    person.go("Continue")
    person.window.wait_for_selector("#code")
    assert not down[0]
    assert [row["trial_index"] for row in received] == list(range(7))
    person.context.close()


def test_under_jatos_the_batch_session_gives_the_list_and_the_result_is_one_array(browser: Any, tmp_path: Path) -> None:
    study = shown_study("choice", consent="", questions=(), break_every=0)
    text = export_page(study, tmp_path / "study.html").read_text()
    person = Participant(browser, "http://jatos.test/publix/abc/study.html")
    begun = "session.gardenpath_lists = {1: 5, 2: 3};"  # list 2 has fewer participants, and its second version is next
    person.window.route("**/study.html", lambda route: route.fulfill(body=text, content_type="text/html"))
    person.window.route(
        "**/jatos.js",
        lambda route: route.fulfill(body=JATOS + begun, content_type="text/javascript"),
    )
    person.open()
    person.go("Start")
    for number in range(1, 5):
        person.await_trial(number)
        person.answer("choice")
        person.between(number if number == 1 else 0)
    person.window.wait_for_selector("#code")
    rows = json.loads(person.window.evaluate("window.result"))
    assert {(row["participant"], row["list"], row["version"]) for row in rows} == {("dora", 2, 2)}
    assert len(rows) == 6
    assert person.window.evaluate("window.calls") == ["set", "set", ["end", True, "complete", False]]
    assert person.window.evaluate("session.gardenpath_lists") == {"1": 5, "2": 4}
    assert not person.wrong
    person.context.close()
