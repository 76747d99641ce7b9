"""The participant's side of the server, over HTTP in process."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gardenpath.human.server.app import build_app
from gardenpath.human.server.database import read_database
from gardenpath.human.server.security import HEADERS, LARGEST_BODY
from gardenpath.human.spec import Task
from gardenpath.human.view import participant_view
from served_study import ANSWERS, PANEL, Clock, answer, answer_all, key_of, small_study, start, take_part


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "study.db")


@pytest.fixture
def client(database: str, clock: Clock) -> Iterator[TestClient]:
    with TestClient(build_app(small_study(), database, clock=clock)) as found:
        yield found


def refused(response: Any, status: int, words: str, **more: Any) -> None:
    """Check that a request was refused with one sentence and nothing else."""
    assert response.status_code == status, response.text
    body = response.json()
    assert words in body.pop("error")
    assert body == more


@pytest.mark.parametrize("task", ANSWERS)
def test_from_start_to_code(database: str, task: Task) -> None:
    study = small_study(task, practice=True)
    with TestClient(build_app(study, database)) as client:
        started = start(client.post, panel_id="P1")
        assert started["view"] == json.loads(json.dumps(participant_view(study, study.lists[0])))
        assert (started["next"], started["state"], started["code"], started["questions_answered"]) == (
            0,
            "active",
            None,
            [],
        )
        answer_all(client.post, started, task)
        done = client.post("/api/finish", json={"token": started["token"]}).json()
        assert len(done["code"]) == 10
        assert done["redirect"] is None
        assert client.post("/api/finish", json={"token": started["token"]}).json() == done
    responses, sessions = read_database(study, database)
    (session,) = sessions.to_dicts()
    assert (session["status"], session["answers"]) == ("complete", '{"native": "yes"}')
    assert session["made_with"].endswith(study.digest)
    assert responses["trial"].n_unique() == len(started["view"]["trials"])
    assert set(responses["session"]) == {session["session"]}


def test_the_panel_gets_its_code_and_participants_back(database: str) -> None:
    with TestClient(build_app(small_study(panel=PANEL), database)) as client:
        done = take_part(client.post, panel_id="P1")
    assert done == {"code": "A B&C", "redirect": "https://panel.example/done?cc=A%20B%26C"}


def test_the_same_answer_twice_is_stored_once(client: TestClient, database: str) -> None:
    token = start(client.post)["token"]
    for _ in range(3):
        assert answer(client.post, token, 0).json() == {"stored": True, "next": 1}
    assert answer(client.post, token, 1).json() == {"stored": True, "next": 2}
    assert answer(client.post, token, 0).json() == {"stored": True, "next": 2}
    responses, _ = read_database(small_study(), database)
    assert responses["trial"].to_list() == [1, 2]


def test_the_first_answer_holds(client: TestClient, database: str) -> None:
    token = start(client.post)["token"]
    answer(client.post, token, 0)
    other = ANSWERS["choice"] | {"position": 1}
    refused(answer(client.post, token, 0, other, key="another-key"), 409, "first one holds", next=1)
    refused(answer(client.post, token, 1, key=key_of(0)), 409, "another trial", next=1)
    refused(answer(client.post, token, 2), 409, "before this one", next=1)
    responses, _ = read_database(small_study(), database)
    assert responses["choice"].to_list() == ["good"]


def test_no_trial_after_the_last(client: TestClient) -> None:
    started = start(client.post)
    answer_all(client.post, started)
    refused(answer(client.post, started["token"], 5), 409, "All trials", next=5)


def test_the_code_needs_every_answer(client: TestClient) -> None:
    started = start(client.post)
    token = started["token"]
    refused(client.post("/api/finish", json={"token": token}), 409, "Some trials", next=0)
    for trial in range(5):
        answer(client.post, token, trial)
    refused(client.post("/api/finish", json={"token": token}), 409, "questions before", next=5)
    client.post("/api/questions", json={"token": token, "when": "before", "answers": {"native": "no"}})
    assert client.post("/api/finish", json={"token": token}).json()["code"]


@pytest.mark.parametrize(
    ("when", "answers", "words"),
    [
        ("before", {}, "Please answer: Is English your first language?"),
        ("before", {"native": "  "}, "Please answer"),
        ("before", {"native": "perhaps"}, "answers.native: choose one of the answers offered"),
        ("before", {"native": "yes", "<b>": "x"}, "no question '<b>' before the trials"),
        ("after", {"native": "yes"}, "no question 'native' after the trials"),
        ("between", {}, "when: input should be 'before' or 'after'"),
        ("after", {"comment": 3}, "answers.comment: input should be a valid string"),
        ("after", {"comment": "x" * 2001}, "answers.comment: string should have at most 2000 characters"),
    ],
)
def test_answers_about_the_participant_have_a_schema(
    client: TestClient, when: str, answers: dict[str, Any], words: str
) -> None:
    token = start(client.post)["token"]
    refused(client.post("/api/questions", json={"token": token, "when": when, "answers": answers}), 400, words)


def test_the_hidden_field_and_lost_focus_are_recorded(client: TestClient, database: str) -> None:
    bot, person = start(client.post)["token"], start(client.post)["token"]
    for token, hidden in ((bot, "http://buy.example"), (person, "")):
        body = {"token": token, "when": "before", "answers": {"native": "yes"}, "hidden": hidden}
        assert client.post("/api/questions", json=body).status_code == 200
    answer(client.post, person, 0, lost_focus=2)
    answer(client.post, person, 0, lost_focus=2)  # sent again
    answer(client.post, person, 1, lost_focus=1)
    _, sessions = read_database(small_study(), database)
    assert sorted(sessions["hidden_field"].to_list()) == [False, True]
    assert sorted(sessions["lost_focus"].to_list()) == [0, 3]


def test_resume_with_the_token(client: TestClient, clock: Clock) -> None:
    started = start(client.post)
    answer(client.post, started["token"], 0)
    clock.pass_minutes(59)
    resumed = start(client.post, token=started["token"])
    assert (resumed["token"], resumed["next"], resumed["view"]) == (started["token"], 1, started["view"])
    clock.pass_minutes(59)
    assert answer(client.post, started["token"], 1).status_code == 200


def test_resume_with_the_panel_id_moves_the_session_to_the_new_window(client: TestClient, database: str) -> None:
    first = start(client.post, panel_id="P1")
    answer(client.post, first["token"], 0)
    second = start(client.post, panel_id="P1")
    assert second["token"] != first["token"]
    assert (second["next"], second["view"]) == (1, first["view"])
    refused(answer(client.post, first["token"], 1), 401, "another window")
    assert answer(client.post, second["token"], 1).status_code == 200
    assert read_database(small_study(), database)[1].height == 1


def test_too_late_to_resume(client: TestClient, clock: Clock) -> None:
    started = start(client.post, panel_id="P1")
    answer(client.post, started["token"], 0)
    clock.pass_minutes(61)
    refused(client.post("/api/start", json={"token": started["token"]}), 410, "time")
    refused(client.post("/api/start", json={"panel_id": "P1"}), 410, "time")
    refused(answer(client.post, started["token"], 1), 410, "time")


def test_who_has_answered_everything_may_finish_later(client: TestClient, clock: Clock) -> None:
    started = start(client.post)
    answer_all(client.post, started)
    clock.pass_minutes(300)
    assert client.post("/api/finish", json={"token": started["token"]}).json()["code"]


def test_nobody_takes_part_twice(client: TestClient, clock: Clock) -> None:
    started = start(client.post, panel_id="P1")
    answer_all(client.post, started)
    done = client.post("/api/finish", json={"token": started["token"]}).json()
    clock.pass_minutes(10_000)
    refused(client.post("/api/start", json={"panel_id": "P1"}), 409, "already")
    refused(client.post("/api/start", json={"panel_id": "P1", "token": "forgotten"}), 409, "already")
    again = start(client.post, panel_id="P1", token=started["token"])  # the last page, loaded again
    assert (again["state"], again["code"]) == ("complete", done["code"])


def test_another_person_at_the_same_computer_begins_anew(client: TestClient) -> None:
    first = start(client.post, panel_id="P1")
    answer(client.post, first["token"], 0)
    second = start(client.post, panel_id="P2", token=first["token"])
    assert (second["next"], second["token"] != first["token"]) == (0, True)


def test_no_identity_is_in_the_database(client: TestClient, database: str) -> None:
    started = start(client.post, panel_id="secret-panel-id")
    answer(client.post, started["token"], 0)
    stored = b"".join(path.read_bytes() for path in Path(database).parent.glob("study.db*"))
    assert b"key-of-trial-0" in stored
    for secret in ("secret-panel-id", started["token"], "testclient", "127.0.0.1"):
        assert secret.encode() not in stored


def test_a_list_on_demand(client: TestClient) -> None:
    study = small_study()
    assert start(client.post, list=2)["view"] == json.loads(json.dumps(participant_view(study, study.lists[2])))
    refused(client.post("/api/start", json={"list": 3}), 400, "no list 3; it has 2")
    refused(client.post("/api/start", json={"list": 0}), 400, "list: input should be greater than or equal to 1")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the body: invalid JSON"),
        (b"{", "the body: invalid JSON"),
        (b"[]", "the body: input should be an object"),
        (b"\xff\xfe", "the body: invalid JSON"),
        (b'{"token": "\\ud800", "key": "abcdefgh", "trial": 0, "answer": {}}', "invalid JSON"),
        (b"[" * 60_000, "the body: invalid JSON"),
        (b'{"key": "abcdefgh", "trial": 0, "answer": {}}', "token: field required"),
        (b'{"token": "x", "key": "abcdefgh", "trial": 0, "answer": {}, "extra": 1}', "extra: extra inputs"),
        (b'{"token": "x", "key": "short", "trial": 0, "answer": {}}', "key: string should match"),
        (b'{"token": "x", "key": "abcdefgh", "trial": 1.5, "answer": {}}', "trial: input should be a valid integer"),
        (b'{"token": "x", "key": "abcdefgh", "trial": 1e9, "answer": {}}', "trial: input should be"),
        (b'{"token": "x", "key": "abcdefgh", "trial": 0, "answer": []}', "answer: input should be an object"),
    ],
)
def test_a_body_has_a_schema(client: TestClient, body: bytes, words: str) -> None:
    sent = client.post("/api/answer", content=body, headers={"Content-Type": "application/json"})
    refused(sent, 400, words)


def test_a_wrong_answer_object_says_what_is_wrong(client: TestClient) -> None:
    token = start(client.post)["token"]
    refused(answer(client.post, token, 0, {"position": 7}), 400, "answer.rt: field required")
    refused(answer(client.post, token, 0, ANSWERS["choice"] | {"position": 7}), 400, "shows 2 sentences")


def test_sizes_types_methods_and_addresses(client: TestClient) -> None:
    large = b'{"token": "' + b"x" * LARGEST_BODY + b'"}'
    refused(client.post("/api/finish", content=large, headers={"Content-Type": "application/json"}), 413, "bytes")
    refused(client.post("/api/finish", content=b"{}", headers={"Content-Type": "text/plain"}), 415, "application/json")
    refused(client.post("/api/finish", json={"token": "unknown"}), 401, "not known")
    refused(client.get("/api/finish"), 405, "method")
    refused(client.put("/"), 405, "method")
    refused(client.get("/nowhere"), 404, "no such page")
    refused(client.get("/assets/study.toml"), 404, "no such file")
    refused(client.get("/assets/..%2f..%2fspec.py"), 404, "no such")
    refused(client.get("/researcher"), 404, "no such page")  # no password was given
    assert client.head("/").status_code == 200


def test_pages_and_headers(client: TestClient) -> None:
    page = client.get("/?PROLIFIC_PID=<script>alert(1)</script>")
    assert "Keys &amp; &lt;locks&gt;" in page.text
    assert "alert(1)" not in page.text
    assert client.get("/assets/study.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/health").json() == {"status": "ok"}
    for response in (page, client.get("/nowhere"), client.post("/api/start", json={}), client.get("/health")):
        assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
    assert "unsafe-inline" not in HEADERS["Content-Security-Policy"]


def test_a_participant_cannot_flood_the_server(client: TestClient) -> None:
    token = start(client.post)["token"]
    statuses = [client.post("/api/finish", json={"token": token}).status_code for _ in range(400)]
    assert set(statuses) == {409, 429}
    assert statuses[:200] == [409] * 200
    last = client.post("/api/finish", json={"token": token})
    refused(last, 429, "wait a moment")
    assert last.headers["retry-after"]
    assert start(client.post)  # others are not concerned


def test_an_error_of_ours_shows_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the token is secret")

    monkeypatch.setattr("gardenpath.human.server.participant_api.store_answer", fail)
    response = answer(client.post, start(client.post)["token"], 0)
    refused(response, 500, "Something went wrong")
    assert "secret" not in response.text
    assert response.headers["content-security-policy"]
