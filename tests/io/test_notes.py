"""Notes by kind."""

import json
from pathlib import Path

from gardenpath.io.notes import group_notes
from test_cli import gardenpath_command


def test_notes_of_one_kind_are_one_line() -> None:
    quirk = "{}, suite {!r}: the field 'syntax/semantics' is read as 'syntax_semantics', its spelling elsewhere"
    notes = [quirk.format(f"data/{name}.jsonl", name) for name in ("a", "b", "c")]
    assert group_notes(notes) == [f"{notes[0]} (and 2 more notes like this)"]


def test_other_kinds_and_repetitions() -> None:
    lists = ["item ids used more than once: 'a', 'b'; renamed", "item ids used more than once: 'c'; renamed"]
    assert group_notes([*lists, lists[0], "the model has no first symbol"]) == [
        f"{lists[0]} (and 1 more note like this)",
        "the model has no first symbol",
    ]


def test_quirks_of_published_files_are_one_line(tmp_path: Path, llama_folder: Path) -> None:
    folder = tmp_path / "blimp"
    folder.mkdir()
    for name in ("animate_a", "animate_b"):
        pair = {
            "sentence_good": "The dog runs.",
            "sentence_bad": "The dog run.",
            "UID": name,
            "field": "syntax/semantics",
        }
        (folder / f"{name}.jsonl").write_text(json.dumps(pair | {"lexically_identical": True}) + "\n", encoding="utf-8")
    done = gardenpath_command(
        "run", folder, "-m", f"hf:{llama_folder}", "-o", tmp_path / "run", "--store", tmp_path / "s"
    )
    notes = [line for line in done.stderr.splitlines() if "nothing needs to be done" in line]
    assert len(notes) == 1, done.stderr
    assert "(and 3 more notes like this; `gardenpath suites check` prints those on suites)" in notes[0]
    assert "the flag is kept" not in done.stderr.replace(notes[0], "")
    assert gardenpath_command("suites", "check", folder).stdout.count("the flag is kept") == 2


def test_a_run_counts_notes_on_its_suites(tmp_path: Path, llama_folder: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.csv").write_text("item,good,bad\n1, The dog runs.,The dog run.\n", encoding="utf-8")
    done = gardenpath_command(
        "run", folder, "-m", f"hf:{llama_folder}", "-o", tmp_path / "run", "--store", tmp_path / "s"
    )
    notes = [line for line in done.stderr.splitlines() if "begin or end with spaces" in line]
    assert len(notes) == 1, done.stderr
    assert "and 2 more notes like this; `gardenpath suites check`" in notes[0]
    listed = gardenpath_command("suites", "check", folder)
    assert listed.stdout.count("begin or end with spaces") == 3
