"""Every command in the README runs."""

import re
import shlex
from pathlib import Path

import pytest

from test_cli import gardenpath_command

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in BLOCK.findall(README.read_text(encoding="utf-8")) for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ") and "gardenpath" in line]


def test_there_are_commands_to_run() -> None:
    assert len(commands()) >= 5


@pytest.mark.parametrize("command", commands())
def test_command_runs(command: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.getbasetemp() / "readme"
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    said, _, rest = command.rpartition("| ")
    stdin = shlex.split(said)[1] if said else ""
    program, *arguments = shlex.split(rest, comments=True)
    assert program == "gardenpath"
    done = gardenpath_command(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert done.stdout
