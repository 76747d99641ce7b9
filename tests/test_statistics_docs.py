"""Every example of docs/statistics.md runs."""

import re
import shlex
from pathlib import Path

import pytest

from small_outcomes import run_folder
from test_cli import gardenpath_command

PAGE = (Path(__file__).parent.parent / "docs" / "statistics.md").read_text(encoding="utf-8")
SUITES = ["blimp/adjunct_island", "blimp/causative", "blimp/inchoative"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the results of two models in runs/demo."""
    place = tmp_path_factory.mktemp("statistics")
    models = {"lstm": [1.0, 1.0, 1.0, 1.0, 0.0, 1.0], "ngram": [1.0, 0.5, 0.0, 1.0, 0.0, None]}
    run_folder(place / "runs" / "demo", models, suites=SUITES)
    return place


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_python_examples_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "docs/statistics.md", "exec"), names)
    assert len(names["table"]) == 2 * len(SUITES)  # type: ignore[arg-type]


@pytest.mark.parametrize("command", [line[2:] for block in blocks("console") for line in block.splitlines()])
def test_commands_run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = gardenpath_command(*shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr
    assert done.stdout
