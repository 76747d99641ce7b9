"""The server under requests nobody would send: never an error of its own, never a stack trace."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from gardenpath.human.server.app import build_app
from gardenpath.human.server.security import HEADERS
from gardenpath.human.spec import Task
from served_study import ANSWERS, small_study, start

Served = tuple[Task, TestClient]
EXPECTED = {200, 303, 400, 401, 403, 404, 405, 409, 410, 413, 415}
PATHS = ["/api/start", "/api/answer", "/api/questions", "/api/finish"]
FIELDS: dict[str, list[Any]] = {
    "panel_id": ["P1", "\x00", "é" * 200, "\U0001f600"], "list": [1, 2, 99], "token": ["TOKEN", "x"],
    "key": ["abcdefgh", "a" * 64], "trial": [0, 1, 2**62], "answer": [ANSWERS["choice"], {}], "lost_focus": [0],
    "when": ["before", "after"], "answers": [{"native": "yes"}, {"comment": "\x00\u2028"}], "hidden": ["", "\x00"],
}  # fmt: skip
"""Fields of all requests, with values that are not refused at once; TOKEN stands for that of a session."""
EDGES = st.sampled_from(
    [
        None,
        True,
        -1,
        2**63,
        10**400,
        1e308,
        "",
        "\x00",
        "\ud800",
        "' OR 1=1 --",
        "%s",
        "?",
        "{code}",
        "x" * 70_000,
        [],
        {},
    ]
)
JSON = st.recursive(
    EDGES | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    """Objects with some of our fields, mostly with sensible values, now and then with others or further fields."""
    names = draw(st.lists(st.sampled_from(sorted(FIELDS)), unique=True, max_size=6))
    body = {name: draw(st.one_of(st.sampled_from(FIELDS[name]), st.sampled_from(FIELDS[name]), JSON)) for name in names}
    if draw(st.integers(0, 9)) == 0:
        body[draw(st.text(max_size=10))] = draw(JSON)
    return body


@st.composite
def damaged(draw: st.DrawFn, value: Any) -> Any:
    """A sensible value with one part of it replaced, added or removed."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        name = draw(st.sampled_from(sorted(value)))
        rest = {key: one for key, one in value.items() if key != name}
        return rest if draw(st.integers(0, 4)) == 0 else rest | {name: draw(damaged(value[name]))}
    if isinstance(value, list) and value and draw(st.booleans()):
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(damaged(value[index])), *value[index + 1 :]]
    return draw(JSON)


def check(response: Any) -> None:
    """No error of ours, no trace of the program, one sentence, all headers."""
    assert response.status_code in EXPECTED, (response.status_code, response.text)
    assert not any(word in response.text for word in ("Traceback", "sqlite", "psycopg", ".py"))
    assert all(response.headers.get(name) for name in HEADERS)
    if response.status_code >= 400 and response.content and "json" in response.headers["content-type"]:
        error = response.json()["error"]
        assert 0 < len(error) < 400


@pytest.fixture(params=[*ANSWERS, "choice on PostgreSQL"])
def served(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A running study of each task, without limits of rate."""
    task, _, postgres = request.param.partition(" on ")
    address = request.getfixturevalue("empty_postgres") if postgres else str(tmp_path / "study.db")
    monkeypatch.setattr("gardenpath.human.server.participant_api.MOST_STARTS_AT_ONCE", 10**9)
    monkeypatch.setattr("gardenpath.human.server.participant_api.MOST_REQUESTS_AT_ONCE", 10**9)
    app = build_app(small_study(task), address, password="correct horse battery")
    with TestClient(app, raise_server_exceptions=False) as client:
        yield task, client


SETTINGS = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@SETTINGS
@given(path=st.sampled_from(PATHS), body=bodies())
def test_any_json(served: Served, path: str, body: dict[str, Any]) -> None:
    _, client = served
    if body.get("token") == "TOKEN":
        body["token"] = start(client.post)["token"]
    check(post_json(client, path, body))


@SETTINGS
@given(data=st.data())
def test_damaged_answers(served: Served, data: st.DataObject) -> None:
    task, client = served
    token = start(client.post)["token"]
    body = {"token": token, "key": "abcdefgh", "trial": 0, "answer": data.draw(damaged(ANSWERS[task]))}
    response = post_json(client, "/api/answer", body)
    check(response)
    stored = response.status_code == 200
    after = post_json(client, "/api/answer", body | {"answer": ANSWERS[task]})
    assert after.json() == {"stored": True, "next": 1}  # refused before, and then stored; or the same key again
    assert stored or response.status_code in (400, 413)


def post_json(client: TestClient, path: str, body: Any) -> Any:
    """Send JSON as Python writes it: NaN and halves of characters included."""
    content = json.dumps(body).encode()
    return client.post(path, content=content, headers={"Content-Type": "application/json"})


@SETTINGS
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE"]),
    path=st.sampled_from([*PATHS, "/", "/health", "/researcher", "/researcher/login", "/researcher/erase",
                          "/researcher/responses.csv", "/assets/study.js"])
    | st.text("/.%abc\\\x00é?#", max_size=12).map(lambda text: f"/{quote(text.lstrip('/'), safe='/?')}"),
    content=st.binary(max_size=200),
    kind=st.sampled_from(["application/json", "application/x-www-form-urlencoded", "text/plain", ""]),
    cookie=st.binary(max_size=30),
    origin=st.sampled_from(["null", "http://[", "https://testserver", "x"]),
)  # fmt: skip
def test_any_bytes(
    served: Served, method: str, path: str, content: bytes, kind: str, cookie: bytes, origin: str
) -> None:
    _, client = served
    headers = {"Origin": origin.encode()} | {
        "Content-Type": kind.encode(),
        "Cookie": b"gardenpath_researcher=" + cookie.translate(None, b"\r\n\x00"),
    }
    check(client.request(method, path, content=content, headers=headers, follow_redirects=False))
