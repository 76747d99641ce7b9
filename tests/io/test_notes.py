"""Notes by kind."""

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
