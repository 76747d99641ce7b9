"""Lines of results of Ibex and PCIbex: comma-separated values whose columns the comments above them name."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from gardenpath.errors import InputError
from gardenpath.io.numbers import is_whole_number
from gardenpath.io.table_text import LONGEST_CELL
from gardenpath.io.tables import Record
from gardenpath.io.text_files import read_text

FIRST = ("time received", "md5", "controller", "order number", "element number", "type", "group")
"""Our names of the first columns, which are the same in all lines."""
COLUMN = re.compile(r"#\s*([0-9]{1,4})\.\s*(.*)")
"""One column of all lines below; where only later columns change, only these are named again."""
COLUMN_IN_GROUP = re.compile(r"#\s+Col\. ([0-9]{1,4}):\s*(.*)")
LINE_IN_GROUP = re.compile(r"#\s*Line ([0-9]{1,4}):\s*")
AFTER_FIRST = re.compile(r"\[([0-9]{1,4})\]\s*(.*?)\s*(?=--\s*\[|$)")
"""Columns in the form `# ...First 7... [8] Question -- [9] Answer`."""
MOST_COLUMNS = 1000


@dataclass(slots=True)
class Header:
    """The columns of the lines below; of groups of lines, those of each line."""

    formats: list[list[str]] = field(default_factory=lambda: [[]])
    turn: int = 0
    """How many lines there were since the columns were named."""

    def read_comment(self, line: str) -> None:
        """Take over what a comment states about columns."""
        if line.startswith(("# Columns below", "# The lines below")):
            self.formats, self.turn = [[]], 0
        elif found := LINE_IN_GROUP.fullmatch(line):
            self.turn = 0
            if int(found[1]) == 1:
                self.formats = []
            self.formats.append([])
        elif found := COLUMN_IN_GROUP.fullmatch(line):
            self.name_column(int(found[1]), found[2])
        elif "First 7" in line:
            self.formats, self.turn = [list(FIRST)], 0
            for number, name in AFTER_FIRST.findall(line):
                self.name_column(int(number), name)
        elif found := COLUMN.fullmatch(line):
            self.formats, self.turn = [self.formats[0]], 0
            self.name_column(int(found[1]), found[2])

    def name_column(self, number: int, name: str) -> None:
        """Name a column, counted from 1; those after it are forgotten."""
        names = self.formats[-1]
        if 1 <= number <= MOST_COLUMNS:
            names[number - 1 :] = [*[""] * (number - 1 - len(names)), clean_name(name, number)]

    def columns(self) -> list[str]:
        """The columns of the next line."""
        names = self.formats[self.turn % len(self.formats)]
        self.turn += 1
        return names


def clean_name(name: str, number: int) -> str:
    """A column as we call it: one of the first seven, or its name without the full stop that Ibex adds."""
    return FIRST[number - 1] if number <= len(FIRST) else name.strip().removesuffix(".").strip()


def read_ibex_lines(path: Path) -> Iterator[Record]:
    """Yield every line of results with its cells by column."""
    csv.field_size_limit(LONGEST_CELL)
    header = Header()
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        text = line.strip("\r")
        if text.startswith("#"):
            header.read_comment(text.rstrip())
        elif text.strip():
            yield Record(path, number, name_cells(split_line(text, path, number), header.columns(), path, number))


def split_line(line: str, path: Path, number: int) -> list[str]:
    """The cells of a line; Ibex writes commas, line breaks and per cent signs in them as %2C and so on."""
    try:
        return [unquote(cell, errors="replace").strip() for cell in next(csv.reader([line]))]
    except (csv.Error, StopIteration) as error:
        raise InputError(
            f"{path}, line {number}: this is not a line of results ({error}); download the file again"
        ) from error


def name_cells(cells: list[str], columns: list[str], path: Path, line: int) -> dict[str, str]:
    """Name the cells of a line.

    Until September 2021 the header of PCIbex named the controller, which the lines did not have.
    """
    if not columns:
        raise InputError(
            f"{path}, line {line}: no comment above names the columns; download the file with its comments"
        )
    named = columns
    if len(cells) == len(columns) - 1 and len(cells) > 2 and columns[2] == FIRST[2] and is_whole_number(cells[2]):
        named = columns[:2] + columns[3:]
    if len(cells) < min(len(FIRST) - 1, len(named)):
        raise InputError(
            f"{path}, line {line}: {len(cells)} cells, but {len(named)} columns are named above; download it again"
        )
    whole = [*cells[: len(named) - 1], ",".join(cells[len(named) - 1 :])] if len(cells) > len(named) else cells
    return {name: cell for name, cell in zip(named, whole, strict=False) if name}
