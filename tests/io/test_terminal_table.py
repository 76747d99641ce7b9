"""Tables on terminals of different widths."""

import re
from io import StringIO

import pytest
from rich.console import Console
from rich.text import Text

from gardenpath.io.terminal_table import Cell, Column, TerminalTable, shared_folder, wrap

WIDTHS = (60, 80, 100, 140)
SUITES = ("syntactic-generalization/subordination_src-src", "syntactic-generalization/npz_obj_mod")
MODELS = ("hf:/models/gpt2-small", "hf:/models/long-short-term-memory_of_several_layers")


def shown(table: TerminalTable, width: int) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=False, color_system=None)
    with console.capture() as captured:
        console.print(table)
    return captured.get()


def example(numbers: int) -> TerminalTable:
    columns = [Column("model", "name"), Column("suite", "name"), *(Column(f"number {i}") for i in range(numbers))]
    rows: list[list[Cell]] = [[m, s, *(f"{i}2.345" for i in range(numbers))] for m in MODELS for s in SUITES]
    return TerminalTable(columns, rows, block=1)


def words(name: str) -> list[str]:
    return re.findall(r"[^/_\s-]+", name)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("numbers", [1, 4, 8, 14])
def test_names_and_numbers_are_never_cut(width: int, numbers: int) -> None:
    text = shown(example(numbers), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    for name in (*MODELS, *SUITES):
        for word in words(name):
            assert re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text), (word, text)
    for i in range(numbers):
        assert text.count(f" {i}2.345") == 4


def test_a_table_that_fits_is_printed_whole() -> None:
    lines = shown(example(1), 140).splitlines()
    assert [line.split() for line in lines[2:]] == [[m, s, "02.345"] for m in MODELS for s in SUITES]


def test_a_shared_beginning_is_left_out_before_anything_is_wrapped() -> None:
    lines = [line.rstrip() for line in shown(example(1), 100).splitlines()]
    assert lines[2].split() == ["gpt2-small", "subordination_src-src", "02.345"]
    assert lines[-2:] == ["Every model begins with hf:/models/", "Every suite begins with syntactic-generalization/"]


def test_blocks_gather_the_rows_of_a_suite() -> None:
    text = shown(example(9), 100)
    assert [text.count(suite) for suite in SUITES] == [1, 1]
    assert text.index(SUITES[0]) < text.index(SUITES[1])


def test_blocks_of_one_row_where_a_suite_has_too_wide_ones() -> None:
    lines = shown(example(8), 78).splitlines()
    assert lines[0] == f"{SUITES[0]} · {MODELS[0]}"
    assert lines[-2].split() == [f"{i}2.345" for i in range(8)]


def test_a_list_where_numbers_alone_do_not_fit() -> None:
    lines = shown(example(8), 60).splitlines()
    assert lines[0].split() == ["model", MODELS[0]]
    assert lines[2].split() == ["number", "0", "02.345"]


def test_closing_rows_are_set_apart_and_share_no_beginning() -> None:
    closing = [["", Text("all items", style="italic"), "9"]]
    columns = [Column("model", "name"), Column("suite", "name"), Column("n")]
    rows = [[model, suite, "3"] for model in MODELS for suite in SUITES]
    lines = shown(TerminalTable(columns, rows, closing=closing), 80).splitlines()
    number = next(number for number, line in enumerate(lines) if line.split() == ["all", "items", "9"])
    assert not lines[number - 1].strip()
    assert any(line.startswith("Every suite begins") for line in lines)


def test_nothing_in_a_cell_acts() -> None:
    table = TerminalTable([Column("[bold]", "name"), Column("\x1b[2J")], [[":x: \x1b[31m", "[red]1"]], title="\x07")
    for width in (80, 24):
        text = shown(table, width)
        assert "\x1b" not in text
        assert "\x07" not in text
        assert all(part in text for part in ("[bold]", ":x:", "\\x1b[31m", "[red]1", "\\x1b[2J", "\\x07"))


def test_words_are_wrapped_whole_and_wide_characters_count_twice() -> None:
    assert wrap("the keys to_the cabinet", 8) == ["the keys", "to_the", "cabinet"]
    assert wrap("日本 日本 a", 6) == ["日本", "日本 a"]
    assert wrap("incomprehensibilities", 5) == ["incomprehensibilities"]


def test_only_whole_folders_are_shared() -> None:
    assert shared_folder(["a/bc/d", "a/bd/e"]) == "a/"
    assert shared_folder(["ab", "ac"]) == ""
    assert shared_folder(["a/b", "a/b"]) == ""


def test_names_that_a_block_shares_are_in_its_title() -> None:
    columns = [Column(name, "name") for name in ("suite", "model", "prediction", "symbol")] + [Column("x" * 20)]
    rows = [("s", model, prediction, f"<{model}>", "1") for model in ("gpt", "lstm") for prediction in ("one", "two")]
    lines = shown(TerminalTable(columns, rows), 35).splitlines()
    assert [line for line in lines if "·" in line] == ["s · gpt · <gpt>", "s · lstm · <lstm>"]
    assert [line.split()[0] for line in lines if line.rstrip().endswith(" 1")] == ["one", "two"] * 2
