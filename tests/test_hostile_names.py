"""Names and contents that would act on a terminal or look like markup are shown as they are."""

import os
from pathlib import Path

import pytest

from small_outcomes import run_folder
from test_cli import gardenpath_command

HOSTILE = "\x1b[31m:x: [bold]\x07"
SHOWN = "\\x1b[31m:x: [bold]\\x07"


def check_shown(arguments: list[object], *names: str, code: int = 0) -> None:
    """Nothing that acts is printed, and every name stands in the output or in the messages."""
    done = gardenpath_command(*arguments)
    assert done.returncode == code, done.stderr
    printed = done.stdout + done.stderr
    assert not set(printed) & set("\x1b\x07\x9b❌\udce9")
    for name in names:
        assert name in printed, printed


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / ":x: [bold]pairs.tsv"
    path.write_text("good\tbad\nthe dog :x: barks [red]\tthe dog :x: bark [red]\n", encoding="utf-8")
    return path


def test_markup_in_sentences_and_file_names(pairs: Path) -> None:
    check_shown(["suites", "show", pairs], ":x: [bold]pairs", "the dog :x: barks [red]")
    check_shown(["audit", pairs], ":x: [bold]pairs")


def test_escape_sequences_in_names_of_models_and_folders(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / HOSTILE, {HOSTILE: [1.0, 0.0], "other": [1.0, 1.0]}, suites=[HOSTILE])
    for option in ([], ["--json"], ["--csv", "-"]):
        check_shown(["compare", folder, *option], "[31m:x: [bold]")
    check_shown(["report", folder, "--out", tmp_path / f"{HOSTILE}.html"], f"{SHOWN}.html")


def test_escape_sequences_in_messages(tmp_path: Path) -> None:
    check_shown(["suites", "show", f"{tmp_path}/{HOSTILE}"], SHOWN, code=2)
    file = tmp_path / f"{HOSTILE}.tsv"
    file.write_text(f"good\tbad\nthe dog {HOSTILE} barks\tthe dog bark\n", encoding="utf-8")
    check_shown(["suites", "check", file], SHOWN, code=1)
    check_shown(["run", "--model", f"hf:{HOSTILE}", "--suite", file], SHOWN, code=2)


def test_file_names_that_are_not_utf8(tmp_path: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.tsv"))
    file.write_text("good\tbad\nthe dogs bark\tthe dogs barks\n", encoding="utf-8")
    for option in ([], ["--json"]):
        check_shown(["suites", "check", file, *option], "caf\\udce9.tsv", code=2)
    check_shown(["suites", "show", file], "caf\\udce9.tsv", code=2)
