"""The researcher's pages in a browser: login, closing, downloads, erasing, without a mouse and at phone size."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served_study import ANSWERS, key_of, small_study

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a study with three participants."""
    folder = tmp_path_factory.mktemp("researcher") / "study"
    small_study(lists=3).save(folder)
    command = [sys.executable, "-m", "gardenpath", "study", "serve", str(folder), "--port", "0"]
    environment = os.environ | {"GARDENPATH_STUDY_PASSWORD": PASSWORD}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )  # fmt: skip
    assert process.stdout
    found = process.stdout.readline().strip()
    for panel_id in ("P1", "P2", "P3"):
        token = post(f"{found}api/start", panel_id=panel_id)["token"]
        post(f"{found}api/answer", token=token, key=key_of(0), trial=0, answer=ANSWERS["choice"])
    yield found
    process.kill()
    process.communicate()


def post(address: str, **body: Any) -> dict[str, Any]:
    """Send JSON."""
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return dict(json.loads(response.read()))


@pytest.mark.parametrize(("width", "panel_id"), [(1200, "P1"), (360, "P2")])
def test_the_researcher_needs_no_mouse_and_no_script(browser: Any, address: str, width: int, panel_id: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 740}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}researcher")
    page.locator("#password:focus").wait_for()
    page.keyboard.type("not the password")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("This is not the password.").wait_for()
    page.locator("#password:focus").wait_for()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Keys & <locks>").wait_for()
    page.get_by_role("button", name="Close the study").press("Enter")
    page.get_by_role("button", name="Open the study").press("Enter")
    page.get_by_role("button", name="Close the study").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Responses (CSV)").press("Enter")
    assert "good bad,good,true" in Path(saved.value.path()).read_text()
    page.get_by_label("The panel's id of the participant").fill(panel_id)
    page.get_by_label("I am sure").press("Space")
    page.get_by_role("button", name="Erase").press("Enter")
    page.get_by_text("Everything about the participant is deleted.").wait_for()
    page.get_by_role("link", name="Back to the study").press("Enter")
    page.get_by_role("button", name="Log out").press("Enter")
    page.get_by_label("Password").wait_for()
    context.close()


def test_the_page_fits_a_phone_and_its_policy(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.goto(f"{address}researcher")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Sessions").wait_for()
    page.wait_for_load_state("load")  # the style sheet may come after the heading
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("getComputedStyle(document.querySelector('dl')).display") == "grid"  # the style sheet came
    assert not wrong
    context.close()
