"""Cells of tables and values of JSON as numbers, truth values and times; a fault names file, line, column and value."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import show_value
from gardenpath.io.numbers import parse_decimal
from gardenpath.io.tables import Record, label_text

MISSING = frozenset({"", "NA", "N/A", "NULL", "null", "undefined", "None", "{}", "NaN", "nan"})
"""How tools write that there is no value."""
TRUE = frozenset({"1", "1.0", "true", "t", "yes", "y", "correct", "right"})
FALSE = frozenset({"0", "0.0", "false", "f", "no", "n", "incorrect", "wrong"})
ZONES = {"UTC": 0, "GMT": 0, "PDT": -7, "PST": -8, "EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7}
"""Hours from UTC of the abbreviations that MTurk and JavaScript write."""
ZONED_DATE = re.compile(r"\w{3} (\w{3}) (\d{1,2}) (\d{2}:\d{2}:\d{2}) ([A-Z]{3}) (\d{4})", re.ASCII)
FIRST_MILLISECONDS = 100_000_000_000
"""Numbers from here on are times in milliseconds since 1970, smaller ones in seconds."""


def text_cell(record: Record, column: str | None) -> str:
    """The cell as a text; empty where there is no column or no value."""
    text = record.label(column)
    return "" if text in MISSING else " ".join(text.split())


def number_cell(record: Record, column: str | None) -> float | None:
    """The cell as a finite number; None where there is no value."""
    text = text_cell(record, column)
    if not text:
        return None
    try:
        value = parse_decimal(text)
    except InputError as error:
        raise cell_error(record, column, "a number is expected") from error
    if not math.isfinite(value):
        raise cell_error(record, column, "a finite number is expected")
    return value


def index_cell(record: Record, column: str | None) -> int | None:
    """The cell as a whole number from 0 to a million; None where there is no value."""
    value = number_cell(record, column)
    if value is None:
        return None
    if value != int(value) or not 0 <= value <= 1_000_000:
        raise cell_error(record, column, "a whole number is expected")
    return int(value)


def milliseconds_cell(record: Record, column: str | None) -> float | None:
    """The cell as a time in milliseconds; None where there is no value."""
    value = number_cell(record, column)
    if value is not None and value < 0:
        raise cell_error(record, column, "a time in milliseconds is expected")
    return value


def truth_cell(record: Record, column: str | None) -> bool | None:
    """The cell as true or false; None where there is no value."""
    text = text_cell(record, column).casefold()
    if not text:
        return None
    if text not in TRUE | FALSE:
        raise cell_error(record, column, "true or false is expected (1, 0, yes, no, correct, wrong)")
    return text in TRUE


def list_cell(record: Record, column: str | None) -> list[str] | None:
    """The cell as a list of names, in JSON or separated by commas, semicolons or bars; None where there is no value."""
    value = None if column is None else record.cells.get(column)
    if isinstance(value, list):
        return [label_text(part) for part in value] or None
    text = text_cell(record, column)
    return [part.strip(" \"'[]") for part in re.split(r"[,;|]", text)] if text else None


def time_cell(record: Record, column: str | None) -> datetime | None:
    """The cell as a time: since 1970, as ISO 8601 writes it, or as MTurk does; None where there is no value."""
    text = text_cell(record, column)
    if not text:
        return None
    moment = parse_time(text)
    if moment is None:
        raise cell_error(record, column, "a time is expected, such as 2026-05-01T10:00:00Z")
    return moment


def parse_time(text: str) -> datetime | None:
    """Parse a time; one without a time zone is taken to be UTC. None if the text is no time.

    >>> parse_time("Tue Oct 08 00:33:08 PDT 2019").isoformat()
    '2019-10-08T07:33:08+00:00'
    """
    try:
        if re.fullmatch(r"[0-9]{1,16}(\.[0-9]+)?", text):
            number = float(text)
            return datetime.fromtimestamp(number / 1000 if number >= FIRST_MILLISECONDS else number, UTC)
        if zoned := ZONED_DATE.fullmatch(text):
            month, day, clock, zone, year = zoned.groups()
            if zone not in ZONES:
                return None
            moment = datetime.strptime(f"{year} {month} {day} {clock}", "%Y %b %d %H:%M:%S")
            return moment.replace(tzinfo=timezone(timedelta(hours=ZONES[zone]))).astimezone(UTC)
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def cell_error(record: Record, column: str | None, expected: str) -> InputError:
    """The error for a cell that does not hold what it should."""
    found = show_value(record.cells.get(column or ""))
    return InputError(f"{record.where}, column {column!r}: {expected}, not {found}; correct the cell, or empty it")


def filled(cells: Mapping[str, Any]) -> dict[str, Any]:
    """The cells that have a value."""
    return {name: value for name, value in cells.items() if value is not None and value != ""}
