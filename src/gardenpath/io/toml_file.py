"""TOML files whose faults are reported by line, which the reader of the standard library does not record."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, show_value, suggest
from gardenpath.io.text_files import read_text

T = TypeVar("T")

NAME = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
HEADER = re.compile(rf"\s*\[\[?\s*([\w-]+(?:\s*\.\s*{NAME})*)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(rf"\s*({NAME}(?:\s*\.\s*{NAME})*)\s*=")
MOST_PARTS = 50
LONG_KEY = re.compile(rf"(?:^|[{{,])[ \t]*\[{{0,2}}[ \t]*(?:{NAME}[ \t]*\.[ \t]*){{{MOST_PARTS}}}", re.MULTILINE)
"""A dotted key for which the reader of the standard library takes minutes."""
KINDS = {"str": "a text in quotation marks", "list": "a list in [ ]", "dict": "a table", "bool": "true or false"}
LINE_OF_FAULT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True, slots=True)
class TomlFile:
    """The contents of a TOML file and the line of each key."""

    path: Path
    data: Mapping[str, Any]
    lines: tuple[str, ...]
    key_lines: Mapping[tuple[str, ...], int]
    """The line of each key, from 1, by its whole path."""

    def line(self, *keys: str, value: str = "") -> int:
        """The line of a key, or of a value under it; if there is no such key, that of the innermost table around it."""
        known = (keys[:end] for end in range(len(keys), 0, -1))
        start = next((self.key_lines[path] for path in known if path in self.key_lines), 1)
        if not value:
            return start
        end = min((line for line in self.key_lines.values() if line > start), default=len(self.lines) + 1)
        return next((number for number in range(start, end) if value in self.lines[number - 1]), start)

    def where(self, *keys: str, value: str = "") -> str:
        """The position as messages name it."""
        return f"{self.path}, line {self.line(*keys, value=value)}"

    def refuse(self, message: str, *keys: str, value: str = "") -> NoReturn:
        """Raise an error with the position of a key (or of a value under it) before the message."""
        raise InputError(f"{self.where(*keys, value=value)}: {message}")

    def of_kind(self, value: object, kind: type[T], *keys: str) -> T:
        """The value of a key, which must be of a type."""
        if not isinstance(value, kind):
            self.refuse(f"{keys[-1]!r} must be {KINDS.get(kind.__name__)}, not {show_value(value)}", *keys)
        return value

    def table(self, *keys: str) -> dict[str, Any]:
        """The table of a name; an empty one if there is none."""
        value: object = self.data
        for key in keys:
            value = value.get(key, {}) if isinstance(value, dict) else value
        return self.of_kind(value, dict, *keys)

    def texts(self, value: object, *keys: str) -> tuple[str, ...]:
        """A list of at least one text."""
        texts = self.of_kind(value, list, *keys)
        if not texts:
            self.refuse(f"{keys[-1]!r} is an empty list; give at least one", *keys)
        return tuple(self.of_kind(text, str, *keys) for text in texts)

    def text(self, key: str, default: str = "") -> str:
        """The text of a top-level key."""
        return self.of_kind(self.data.get(key, default), str, key)

    def refuse_unknown(self, table: Mapping[str, Any], known: Sequence[str], *keys: str) -> None:
        """Raise an error where a table has an unknown key."""
        for key in table:
            if key not in known:
                advice = f"the keys are {quote(known, most=30)}{suggest(key, known)}"
                self.refuse(f"{key!r} is unknown here; {advice}", *keys, key)


def read_toml(path: Path) -> TomlFile:
    """Read a TOML file."""
    text = read_text(path)
    if LONG_KEY.search(text):
        raise InputError(f"{path}: a key has more than {MOST_PARTS} parts with dots between; name it in fewer")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = LINE_OF_FAULT.search(str(error))
        line = found[1] if found and found[1] else len(text.splitlines())
        raise InputError(
            f"{path}, line {line}: this is not TOML ({LINE_OF_FAULT.sub('', str(error))}); put texts in "
            "quotation marks and lists in [ ], and give each key only once"
        ) from error
    except RecursionError as error:
        raise InputError(f"{path}: lists or tables are nested too deeply; remove some brackets") from error
    except ValueError as error:  # a number of thousands of digits, or a date that does not exist
        raise InputError(f"{path}: a value of this TOML cannot be read ({error}); correct it") from error
    return TomlFile(path, data, tuple(text.split("\n")), find_key_lines(text))


def find_key_lines(text: str) -> dict[tuple[str, ...], int]:
    """Find the line of each table and key of a TOML text, by its whole path, without reading the values."""
    lines: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := HEADER.match(line):
            table = split_key(header[1])
            lines.setdefault(table, number)
        elif key := KEY.match(line):
            lines.setdefault((*table, *split_key(key[1])), number)
    return lines


def split_key(dotted: str) -> tuple[str, ...]:
    """The parts of a dotted key."""
    return tuple(part.strip("\"'") for part in re.findall(NAME, dotted))
