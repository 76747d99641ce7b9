"""A study as one HTML file: nothing outside it, all lists in it, nothing in it that could end its scripts."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.human.export_page import export_page, page_data
from gardenpath.human.spec import Materials, StudySpec, Task
from gardenpath.human.study import Study
from gardenpath.human.view import participant_view
from shown_studies import shown_study

HOSTILE = "</script><script>alert(1)</script><!-- \u2028"


def embedded(path: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="study">(.*?)</script>', path.read_text(), re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("task", ["choice", "rating", "reading", "maze"])
def test_the_page_has_every_list_as_the_server_shows_it(tmp_path: Path, task: Task) -> None:
    study = shown_study(task)
    data = embedded(export_page(study, tmp_path / "study.html"))
    assert data["digest"] == study.digest
    for listed, found in zip(study.lists, data["lists"], strict=True):
        shown = [data["trials"][index]["shown"] for index in found["trials"]]
        assert {"study": data["study"], "trials": shown} == participant_view(study, listed)
        assert (found["number"], found["version"]) == (listed.number, listed.version)


def test_a_trial_of_several_lists_is_in_the_page_once() -> None:
    data = page_data(shown_study("choice"))
    assert len(data["trials"]) == 1 + 2 * 3  # practice, and three items in two orders; both lists have the same items
    assert data["trials"][1]["facts"] == {
        "role": "filler", "suite": "near gates", "item": "1", "cell": "near gates/singular", "condition": None,
        "order": ["mismatch", "match"], "correct": "match",
    }  # fmt: skip


def test_the_page_loads_nothing_and_no_text_ends_a_script(tmp_path: Path) -> None:
    study = shown_study("choice", consent=HOSTILE, thanks=HOSTILE)
    path = export_page(study, tmp_path / "study.html", save_to="https://collect.example/answers")
    text = path.read_text()
    assert not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=\"(?!data:)", text)
    assert text.count("</script>") == 1 + 6
    assert embedded(path)["study"]["consent"] == HOSTILE
    assert embedded(path)["save_to"] == "https://collect.example/answers"


@pytest.mark.parametrize("address", ["javascript:alert(1)", "collect.example", "https://", "ftp://collect.example"])
def test_answers_go_only_to_addresses_of_the_web(tmp_path: Path, address: str) -> None:
    with pytest.raises(InputError, match="begins with https://"):
        export_page(shown_study("choice"), tmp_path / "study.html", save_to=address)
    assert not (tmp_path / "study.html").exists()


def test_the_command_writes_what_the_functions_write(tmp_path: Path) -> None:
    study = Study.build(StudySpec(title="Number", materials=(Materials(suites=("agreement",), items=4),), lists=2))
    study.save(tmp_path / "study")

    def export(*words: object) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "gardenpath", "study", "export", tmp_path / "study", *words]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)

    done = export("--to", "jspsych", "--out", tmp_path / "command.html")
    assert done.stdout.split() == [str(tmp_path / "command.html")]
    expected = export_page(study, tmp_path / "function.html")
    assert (tmp_path / "command.html").read_text() == expected.read_text()
    refused = export("--to", "pcibex", "--out", tmp_path / "farm", "--save-to", "https://collect.example")
    assert refused.returncode != 0
    assert "leave --save-to out" in refused.stderr
    done = export("--to", "pcibex", "--out", tmp_path / "farm")
    assert [Path(line).name for line in done.stdout.split()] == ["items.csv", "main.js"]
