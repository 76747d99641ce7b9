"""TOML files whose faults are told by line: the reader of the standard library forgets where a value stood."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from gardenpath.errors import InputError
from gardenpath.io.input_files import brief, listed
from gardenpath.io.text_files import read_text

T = TypeVar("T")

NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
HEADER = re.compile(rf"\s*\[\[?\s*([\w-]+(?:\s*\.\s*{NAME})*)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(rf"\s*({NAME}(?:\s*\.\s*{NAME})*)\s*=")
MEANT = {"str": "a text in quotation marks", "list": "a list in [ ]", "dict": "a table", "bool": "true or false"}
LINE_OF_FAULT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True, slots=True)
class TomlFile:
    """What a TOML file says, and the line on which each key stands."""

    path: Path
    data: Mapping[str, Any]
    lines: tuple[str, ...]
    places: Mapping[tuple[str, ...], int]
    """The line of each key, counted from 1, by its whole path."""

    def line(self, *keys: str, value: str = "") -> int:
        """The line of a key, or of a value under it; that of the innermost table known where the key is not found."""
        known = (keys[:end] for end in range(len(keys), 0, -1))
        start = next((self.places[path] for path in known if path in self.places), 1)
        if not value:
            return start
        end = min((line for line in self.places.values() if line > start), default=len(self.lines) + 1)
        return next((number for number in range(start, end) if value in self.lines[number - 1]), start)

    def where(self, *keys: str, value: str = "") -> str:
        """The place, as messages name it."""
        return f"{self.path}, line {self.line(*keys, value=value)}"

    def refuse(self, message: str, *keys: str, value: str = "") -> NoReturn:
        """Raise, with the place of a key (or of a value under it) before the message."""
        raise InputError(f"{self.where(*keys, value=value)}: {message}")

    def of_kind(self, value: object, kind: type[T], *keys: str) -> T:
        """The value of a key, if it is of the kind it must be."""
        if not isinstance(value, kind):
            self.refuse(f"{keys[-1]!r} must be {MEANT.get(kind.__name__)}, not {brief(value)}", *keys)
        return value

    def table(self, *keys: str) -> dict[str, Any]:
        """The table of that name; an empty one if there is none."""
        value: object = self.data
        for key in keys:
            value = value.get(key, {}) if isinstance(value, dict) else value
        return self.of_kind(value, dict, *keys)

    def texts(self, value: object, *keys: str) -> tuple[str, ...]:
        """A list of texts, at least one."""
        texts = self.of_kind(value, list, *keys)
        if not texts:
            self.refuse(f"{keys[-1]!r} is an empty list; give at least one", *keys)
        return tuple(self.of_kind(text, str, *keys) for text in texts)

    def text(self, key: str, default: str = "") -> str:
        """The text of a key at the head of the file."""
        return self.of_kind(self.data.get(key, default), str, key)

    def refuse_unknown(self, table: Mapping[str, Any], known: Sequence[str], *keys: str) -> None:
        """Raise where a table has a key that means nothing."""
        for key in table:
            if key not in known:
                self.refuse(f"{key!r} means nothing here; there can be {listed(known, most=30)}", *keys, key)


def read_toml(path: Path) -> TomlFile:
    """Read a TOML file."""
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = LINE_OF_FAULT.search(str(error))
        line = place[1] if place and place[1] else len(text.splitlines())
        raise InputError(
            f"{path}, line {line}: this is not TOML ({LINE_OF_FAULT.sub('', str(error))}); texts stand in "
            "quotation marks, lists in [ ], and a key only once"
        ) from error
    return TomlFile(path, data, tuple(text.split("\n")), key_lines(text))


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of each table and key of a TOML text, by its whole path, without reading the values."""
    places: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := HEADER.match(line):
            table = names(header[1])
            places.setdefault(table, number)
        elif key := KEY.match(line):
            places.setdefault((*table, *names(key[1])), number)
    return places


def names(dotted: str) -> tuple[str, ...]:
    """The parts of a dotted key."""
    return tuple(part.strip("\"'") for part in re.findall(NAME, dotted))
