"""Opening what the user named: text, JSON and tables, every fault told by file and line."""

import csv
import io
import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from gardenpath.errors import InputError, InputWarning
from gardenpath.io.text_files import read_text

T = TypeVar("T")

DELIMITERS = {".csv": ",", ".tsv": "\t"}

ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one line of a table, before anything is known of a header."""

    line: int
    cells: list[str]


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a table or of JSON lines: where it stands, and its cells by column."""

    path: Path
    line: int
    cells: Mapping[str, Any]
    unit: str = "line"
    """What is counted; the entries of a JSON array are not lines."""

    @property
    def where(self) -> str:
        """The place, as messages name it."""
        return f"{self.path}, {self.unit} {self.line}"

    def cell(self, column: str) -> Any:
        """What stands in a column that must be there."""
        if column not in self.cells:
            raise InputError(f"{self.where}: column {column!r} is missing; there is {listed(self.cells)}")
        return self.cells[column]

    def text(self, column: str) -> str:
        """The sentence or word in a column that must hold one, without blanks at its edges."""
        cell = self.cells.get(column)
        if isinstance(cell, str) and (text := cell.strip()):
            return text  # the usual case, without a place put together in vain
        return stripped(self.cell(column), f"{self.where}, column {column!r}")

    def label(self, column: str | None) -> str:
        """The cell as a label; nothing where the column is not there or empty."""
        return "" if column is None else label(self.cells.get(column))


def label(value: object) -> str:
    """A JSON value as the text of a label; nothing for null."""
    match value:
        case str():
            return value.strip()
        case None:
            return ""
        case _:
            return json.dumps(value, ensure_ascii=False)


def stripped(value: object, where: str) -> str:
    """A text that must be there, without blanks at its edges."""
    if not isinstance(value, str):
        raise InputError(f"{where}: a text is expected, not {brief(value)}")
    text = value.strip()
    if not text:
        raise InputError(f"{where}: this is empty; give a text or take the line out")
    return text


def warn_of_blanks(path: Path, texts: Iterable[object]) -> None:
    """Say once how many texts of a file were stripped of blanks at their edges."""
    count = sum(isinstance(text, str) and text != text.strip() for text in texts)
    if count:
        advise(f"{path}: {count} texts begin or end with blanks; the blanks were taken off")


def advise(message: str) -> None:
    """Warn the user that something was read, but not quite as it stands."""
    warnings.warn(message, InputWarning, stacklevel=3)


@contextmanager
def located(place: Path | str) -> Iterator[None]:
    """Put the place before the message of any `InputError` that does not have it yet."""
    try:
        yield
    except InputError as error:
        if str(place) in str(error):
            raise
        raise InputError(f"{place}: {error}") from error


def listed(names: Iterable[object], most: int = 12) -> str:
    """Names for a message, the first few if there are many."""
    shown = [repr(str(name)) for name in names]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return (", ".join(shown[:most]) or "nothing") + more


def brief(value: object) -> str:
    """A value as a message shows it: its kind and how it begins."""
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:60] + '…'}"


def parse_json(text: str, path: Path, line: int = 1) -> Any:
    """The value written in JSON text that begins at a line of a file."""
    try:
        value = json.loads(text)
        if ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # fails where one of a pair of surrogates stands alone
    except json.JSONDecodeError as error:
        place = f"{path}, line {line + error.lineno - 1}, column {error.colno}"
        raise InputError(f"{place}: this is not JSON ({error.msg})") from error
    except UnicodeEncodeError as error:
        before = error.object[max(0, error.start - 30) : error.start]
        raise InputError(
            f"{path}: after {before!r} stands {error.object[error.start]!r}, half of a character; "
            "write the whole character"
        ) from error
    except RecursionError as error:
        raise InputError(f"{path}, line {line}: the JSON is nested too deeply to be a suite") from error
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{path}, line {line}: this JSON cannot be read ({error})") from error
    return value


def read_json_lines(path: Path) -> list[Record]:
    """One JSON object per line; blank lines are passed over. One array of objects is taken too."""
    text = read_text(path)
    if text.lstrip().startswith("["):
        return [record_of(value, path, number, "entry") for number, value in enumerate(parse_json(text, path), 1)]
    lines = text.split("\n")  # not splitlines: a sentence may hold U+2028
    return [record_of(parse_json(line, path, n), path, n) for n, line in enumerate(lines, 1) if line.strip()]


def record_of(value: Any, path: Path, number: int, unit: str = "line") -> Record:
    """A JSON object as a record."""
    if not isinstance(value, dict):
        raise InputError(f"{path}, {unit} {number}: a JSON object is expected, not {brief(value)}")
    return Record(path, number, value, unit)


def read_rows(path: Path) -> list[Row]:
    """The lines of a .csv or .tsv file, cut into cells; blank lines are passed over."""
    reader = csv.reader(
        io.StringIO(read_text(path), newline=""), delimiter=DELIMITERS[path.suffix.lower()], strict=True
    )
    rows = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(Row(reader.line_num, cells))
    except csv.Error as error:
        raise InputError(
            f"{path}, line {reader.line_num}: this is not a table ({error}); a cell that begins with a "
            'quotation mark must end with one, and those inside it are doubled ("")'
        ) from error
    if not rows:
        raise InputError(f"{path}: all cells of the table are empty")
    return rows


def records_of(rows: list[Row], path: Path) -> list[Record]:
    """The rows under a header, by column name."""
    header = [name.strip() for name in rows[0].cells]
    repeated = [name for name, count in Counter(header).items() if name and count > 1]
    if repeated:
        raise InputError(f"{path}, line {rows[0].line}: two columns are called {repeated[0]!r}; rename one of them")
    records = []
    for row in rows[1:]:
        if len(row.cells) != len(header):
            raise InputError(
                f"{path}, line {row.line}: {len(row.cells)} cells, but the header has {len(header)} ({listed(header)})"
            )
        records.append(Record(path, row.line, dict(zip(header, row.cells, strict=True))))
    if not records:
        raise InputError(f"{path}: there is nothing under the header ({listed(header)})")
    return records


def read_records(path: Path) -> list[Record]:
    """The lines of a table with a header, or of JSON lines, by the file's extension."""
    if path.suffix.lower() in DELIMITERS:
        return records_of(read_rows(path), path)
    records = read_json_lines(path)
    if not records:
        raise InputError(f"{path}: the array is empty")
    return records


def required(holder: Any, key: str, kind: type[T], where: str) -> T:
    """The value of a key that a JSON object must have, of the kind it must be."""
    if not isinstance(holder, Mapping):
        raise InputError(f"{where}: an object with {key!r} is expected, not {brief(holder)}")
    if key not in holder:
        raise InputError(f"{where}: {key!r} is missing; there is {listed(holder)}")
    value = holder[key]
    if not isinstance(value, kind):
        raise InputError(f"{where}: {key!r} must be of kind {kind.__name__}, not {brief(value)}")
    return value
