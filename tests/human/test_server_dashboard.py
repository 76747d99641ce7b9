"""The researcher's pages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import polars
import pytest
from starlette.testclient import TestClient

from gardenpath.errors import InputError
from gardenpath.human.server import dashboard
from gardenpath.human.server.app import build_app, read_password
from gardenpath.human.server.markup import join, tag
from gardenpath.human.server.security import Cookies
from served_study import ANSWERS, answer, small_study, start, take_part

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PASSWORD = "correct horse battery"
HOSTILE = "<script>alert('x')</script>"


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "study.db")


@pytest.fixture
def client(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(dashboard, "SECONDS_AFTER_FAILURE", 0)
    with TestClient(build_app(small_study(), database, password=PASSWORD)) as found:
        yield found


def form_token(client: TestClient) -> str:
    """The token of the forms of the page that is shown now."""
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/researcher").text)
    assert found
    return found[1]


def submit(client: TestClient, action: str, **fields: str) -> Any:
    """Send a form of the page."""
    return client.post(f"/researcher/{action}", data={"form_token": form_token(client)} | fields)


def log_in(client: TestClient) -> None:
    """Log in."""
    assert submit(client, "login", password=PASSWORD).status_code == 200
    assert "Log out" in client.get("/researcher").text


def test_without_the_password_nothing_is_shown(client: TestClient) -> None:
    take_part(client.post, panel_id="P1")
    page = client.get("/researcher")
    assert "Password" in page.text
    assert "Keys" not in page.text
    for name in ("responses.csv", "responses.json", "sessions.csv"):
        assert client.get(f"/researcher/{name}").status_code == 403
    for action in ("close", "reject", "erase", "logout"):
        assert submit(client, action, participant="P1", sure="yes").status_code == 403
    assert submit(client, "login", password="wrong").status_code == 403
    assert submit(client, "login").status_code == 403
    assert "Log out" not in client.get("/researcher").text


def test_the_cookie_is_kept_from_scripts_and_other_sites(client: TestClient) -> None:
    token = form_token(client)
    sent = client.post(
        "/researcher/login", data={"form_token": token, "password": PASSWORD}, follow_redirects=False,
        headers={"Origin": "https://testserver"},
    )  # fmt: skip
    cookie = sent.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/researcher", "Secure"))
    assert sent.status_code == 303


@pytest.mark.parametrize("kind", ["missing", "wrong", "of another cookie", "other origin", "other site", "no form"])
def test_forms_of_other_sites_are_refused(client: TestClient, kind: str) -> None:
    guest = form_token(client)
    log_in(client)
    token, headers = form_token(client), {}
    data = {"form_token": token}
    match kind:
        case "missing":
            data = {}
        case "wrong":
            data = {"form_token": "0" * 64}
        case "of another cookie":
            data = {"form_token": guest}
        case "other origin":
            headers = {"Origin": "https://evil.example"}
        case "other site":
            headers = {"Sec-Fetch-Site": "cross-site"}
        case "no form":
            headers = {"Content-Type": "text/plain"}
    sent = client.post("/researcher/close", content=urlencode(data), headers=FORM | headers)
    assert sent.status_code == (415 if kind == "no form" else 403)
    assert "Close the study" in client.get("/researcher").text


def test_a_proxy_may_change_the_host(client: TestClient) -> None:
    data = urlencode({"form_token": form_token(client), "password": PASSWORD})
    proxied = {"Origin": "https://study.example", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/researcher/login", content=data, headers=FORM | proxied).status_code == 200


def test_guessing_passwords_is_slow(client: TestClient) -> None:
    statuses = [submit(client, "login", password=f"guess {n}").status_code for n in range(14)]
    assert statuses[:10] == [403] * 10
    assert statuses[-1] == 429


def test_a_forged_or_old_cookie_is_refused() -> None:
    now = [1000.0]
    cookies = Cookies(b"key", clock=lambda: now[0])
    cookie = cookies.issue("researcher")
    assert cookies.accept(cookie, "researcher")
    assert not cookies.accept(cookie, "guest")
    assert not cookies.accept(cookie.replace("researcher", "guest"), "guest")
    assert not Cookies(b"other").accept(cookie, "researcher")
    assert not any(
        cookies.accept(forged, "researcher") for forged in ("", ".", "researcher.9999999999.x.", "a.b.c.d", "é")
    )
    now[0] += 13 * 3600
    assert not cookies.accept(cookie, "researcher")


def test_the_study_in_numbers(client: TestClient) -> None:
    take_part(client.post, panel_id="P1")  # list 1, version 1: everything right
    wrong = start(client.post, panel_id="P2")["token"]  # list 2, version 1
    for trial in range(4):  # its trials: items 2, 3, 4 and the check
        answer(client.post, wrong, trial, ANSWERS["choice"] | {"position": 1})
    log_in(client)
    text = re.sub(r"<[^>]+>", " ", client.get("/researcher").text)
    text = " ".join(text.split())
    assert "Complete 1 In progress 1 Dropped out 0 Rejected 0" in text
    assert "Failed a check 1 Filled the hidden field 0" in text
    assert "1 1 0 0 0 5 2 0 1 0 0 5" in text  # lists: complete, in progress, dropped out, rejected, target
    assert "catch keys 1 2 50.0%" in text
    assert "check keys 1 2 50.0%" in text
    assert "test keys 3 5 60.0%" in text
    assert "4 of 5 0 of 3 1 of 1" in text


def test_what_people_send_is_shown_escaped(client: TestClient, database: str) -> None:
    token = start(client.post, panel_id=HOSTILE)["token"]
    sent = {"token": token, "when": "after", "answers": {"comment": HOSTILE}, "hidden": HOSTILE}
    assert client.post("/api/questions", json=sent).status_code == 200
    log_in(client)
    assert HOSTILE not in client.get("/researcher").text
    shown = submit(client, "erase", participant=HOSTILE + "?", sure="yes")
    assert shown.status_code == 404
    assert "&lt;script&gt;" in shown.text
    assert "<script" not in shown.text
    assert "Keys &amp; &lt;locks&gt;" in client.get("/researcher").text


def test_downloads(client: TestClient) -> None:
    take_part(client.post, panel_id="P1")
    log_in(client)
    csv = client.get("/researcher/responses.csv")
    assert csv.headers["content-disposition"] == 'attachment; filename="responses.csv"'
    table = polars.read_csv(csv.content)
    assert table["choice"].to_list() == ["good"] * 5
    assert table["order"].to_list() == ["good bad"] * 5
    assert [row["order"] for row in client.get("/researcher/responses.json").json()] == [["good", "bad"]] * 5
    sessions = polars.read_csv(client.get("/researcher/sessions.csv").content)
    assert sessions["status"].to_list() == ["complete"]
    assert client.get("/researcher/settings.csv").status_code == 404


def test_close_reopen_reject_accept_erase(client: TestClient) -> None:
    take_part(client.post, panel_id="P1")
    log_in(client)
    assert submit(client, "close").status_code == 200
    assert client.post("/api/start", json={"panel_id": "P2"}).status_code == 403
    submit(client, "reopen")
    session = re.search(r'name="session" value="([0-9a-f]+)"', client.get("/researcher").text)
    assert session
    submit(client, "reject", session=session[1])
    assert "Accept again" in client.get("/researcher").text
    submit(client, "accept", session=session[1])
    assert "Accept again" not in client.get("/researcher").text
    assert submit(client, "erase", participant="P1").status_code == 400  # not sure
    assert submit(client, "erase", participant="P1", sure="yes").status_code == 200
    assert submit(client, "erase", participant="P1", sure="yes").status_code == 404
    assert start(client.post, panel_id="P1")["next"] == 0
    assert submit(client, "nothing").status_code == 404
    submit(client, "logout")
    assert "Password" in client.get("/researcher").text


def test_a_new_password_ends_all_logins(client: TestClient, database: str) -> None:
    log_in(client)
    with TestClient(build_app(small_study(), database, password="another password")) as other:
        other.cookies = client.cookies
        assert "Password" in other.get("/researcher").text


def test_passwords_come_from_a_file_or_the_environment(tmp_path: Path, database: str) -> None:
    assert read_password(None, None) is None
    assert read_password(None, "") is None
    assert read_password(None, "from the environment") == "from the environment"
    file = tmp_path / "password.txt"
    with pytest.raises(InputError, match="cannot be read"):
        read_password(file, "from the environment")
    file.write_text("\n")
    with pytest.raises(InputError, match="is empty"):
        read_password(file, None)
    file.write_text("from the file\n")
    assert read_password(file, "from the environment") == "from the file"
    with pytest.raises(InputError, match="too short"):
        build_app(small_study(), database, password="1234567")


def test_markup_escapes_everything_but_itself() -> None:
    assert tag("p", HOSTILE, title='"') == f'<p title="&quot;">{HOSTILE}</p>'.replace(
        HOSTILE, "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;"
    )
    assert join(tag("b", "x"), "<", None, 3) == "<b>x</b>&lt;3"
