"""Tables (text, workbooks) and JSON lines as records; every fault is reported by file and line."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.json_text import parse_json
from gardenpath.io.messages import advise, quote, show_value
from gardenpath.io.table_text import DELIMITERS, read_table_text, split_cells
from gardenpath.io.text_files import read_text
from gardenpath.io.workbook import is_workbook, read_sheet, split_sheet

MISSING_VALUES = ("NA", "#N/A", "NaN")
"""What R, spreadsheets and pandas write where a value is missing."""
JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
CONTROL_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What a sentence may not have; tabs and line breaks are spaces."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one line of a table, before its header is known."""

    line: int
    cells: list[str]
    unit: str = "line"
    """The unit of `line`; a workbook has rows."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a table or of JSON lines: its position, and its cells by column."""

    path: Path
    line: int
    cells: Mapping[str, Any]
    unit: str = "line"
    """The unit of `line`; the entries of a JSON array are not lines."""

    @property
    def where(self) -> str:
        """The position as messages name it."""
        return f"{self.path}, {self.unit} {self.line}"

    def cell(self, column: str) -> Any:
        """The cell of a column that must be there."""
        if column not in self.cells:
            raise InputError(f"{self.where}: column {column!r} is missing; there is {quote(self.cells)}")
        return self.cells[column]

    def text(self, column: str) -> str:
        """The sentence or word in a column that must hold one, without surrounding spaces."""
        cell = self.cells.get(column)
        if isinstance(cell, str) and (text := cell.strip()):
            return text  # the usual case, without composing a position in vain
        return require_text(self.cell(column), f"{self.where}, column {column!r}")

    def label(self, column: str | None) -> str:
        """The cell as a label; empty where the column is missing or empty."""
        return "" if column is None else label_text(self.cells.get(column))


def label_text(value: object) -> str:
    """A JSON value as the text of a label; empty for null."""
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def require_text(value: object, where: str) -> str:
    """A text that must be there, without surrounding spaces."""
    if not isinstance(value, str):
        raise InputError(f"{where}: a text is expected, not {show_value(value)}")
    text = value.strip()
    if not text:
        raise InputError(f"{where}: this is empty; give a text or remove the line")
    return text


def refuse_missing_value(text: str, where: str, *, remedy: str) -> None:
    """Raise for what R and spreadsheets write in place of a missing value."""
    if text.strip() in MISSING_VALUES:
        raise InputError(f"{where}: {text.strip()!r} stands for a missing value in R and spreadsheets; {remedy}")


def warn_of_spaces(path: Path, texts: Iterable[object]) -> None:
    """Report once how many texts of a file were stripped of surrounding spaces."""
    changed = [text for text in texts if isinstance(text, str) and text != text.strip()]
    refuse_control_characters(changed, f"{path}: a text")
    if changed:
        advise(f"{path}: {len(changed)} texts begin or end with spaces, which were removed")


def refuse_control_characters(texts: Iterable[str], what: str) -> None:
    """Raise for control characters in texts, some of which would else be removed from them as spaces."""
    for text in texts:
        if found := CONTROL_IN_TEXT.search(text):
            raise InputError(f"{what} has the control character {found[0]!r} ({text!r}); remove it")


def read_json_lines(path: Path) -> list[Record]:
    """Read one JSON object per line, or one array of objects; empty lines are skipped."""
    text = read_text(path)
    if text.lstrip().startswith("["):
        return [to_record(value, path, number, "entry") for number, value in enumerate(parse_json(text, path), 1)]
    lines = text.split("\n")  # not splitlines: a sentence may hold U+2028
    return [to_record(parse_json(line, path, n), path, n) for n, line in enumerate(lines, 1) if line.strip()]


def to_record(value: Any, path: Path, number: int, unit: str = "line") -> Record:
    """Make a JSON object a record."""
    if not isinstance(value, dict):
        raise InputError(f"{path}, {unit} {number}: a JSON object is expected, not {show_value(value)}")
    return Record(path, number, value, unit)


def read_table_rows(path: Path) -> list[TableRow]:
    """Read the rows of a table: text with any usual separator, or a sheet of a workbook; empty rows are skipped."""
    file, sheet = split_sheet(path)
    if is_workbook(file):
        numbered, unit = list(read_sheet(file, sheet)), "row"
    elif sheet:
        raise InputError(f"{file} is a text file, which has no sheets; leave out '#{sheet}'")
    else:
        numbered, unit = split_cells(read_table_text(file), file), "line"
    rows = [TableRow(number, cells, unit) for number, cells in numbered if any(cell.strip() for cell in cells)]
    if not rows:
        raise InputError(f"{path}: all cells of the table are empty")
    return rows


def read_header(rows: list[TableRow], path: Path) -> list[str]:
    """Return the names of the columns; empty for those that have none."""
    header = [name.strip() for name in rows[0].cells]
    repeated = [name for name, count in Counter(header).items() if name and count > 1]
    if repeated:
        where = f"{path}, {rows[0].unit} {rows[0].line}"
        raise InputError(f"{where}: two columns are called {repeated[0]!r}; rename one of them")
    return header


def to_records(rows: list[TableRow], path: Path) -> list[Record]:
    """Name the cells of rows by the header above them; cells without a name are left out."""
    header = read_header(rows, path)
    needed = max(number for number, name in enumerate(header, 1) if name)
    records = []
    for row in rows[1:]:
        has_more = any(cell.strip() for cell in row.cells[len(header) :])
        if has_more or len(row.cells) < needed:
            remedy = "put a cell with the separator in it in quotation marks" if has_more else "add the missing cells"
            raise InputError(
                f"{path}, {row.unit} {row.line}: {len(row.cells)} cells, but the header has {len(header)} "
                f"({quote(header)}); {remedy}"
            )
        named = {name: cell for name, cell in zip(header, row.cells, strict=False) if name}
        records.append(Record(path, row.line, named, row.unit))
    if not records:
        raise InputError(f"{path}: there is nothing under the header ({quote(header)})")
    return records


def read_records(path: Path) -> list[Record]:
    """Read a table with a header, or JSON lines, whichever the file holds."""
    if not holds_json(path):
        return to_records(read_table_rows(path), path)
    records = read_json_lines(path)
    if not records:
        raise InputError(f"{path}: the array is empty")
    return records


def holds_json(path: Path) -> bool:
    """Return whether a file is JSON by its extension, or, where that says nothing, by its first character."""
    file, _ = split_sheet(path)
    if file.suffix.lower() in (*JSON_SUFFIXES, *DELIMITERS):
        return file.suffix.lower() in JSON_SUFFIXES
    return not is_workbook(file) and read_table_text(file).lstrip().startswith(("{", "["))
