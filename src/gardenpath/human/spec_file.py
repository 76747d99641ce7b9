"""study.toml: the specification of a study as a file, whose faults are reported by line."""

import re
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gardenpath.errors import InputError
from gardenpath.human.spec import StudySpec
from gardenpath.io.toml_file import TomlFile, read_toml

SPEC_FILE = "study.toml"
Location = tuple[int | str, ...]
"""Where a value stands: keys, and numbers in lists, from 0."""


def read_spec(path: Path, **fields: Any) -> StudySpec:
    """Read a specification; fields given beside it win."""
    if not path.exists():
        raise InputError(f"there is no {path}; `gardenpath study new PRESET --out {path.parent}` writes one")
    try:
        return StudySpec.from_toml(path, fields)
    except InputError as error:
        if str(path) in str(error):
            raise
        line = line_of(read_toml(path), location_of(error))
        raise InputError(f"{path}{f', line {line}' if line else ''}: {error}") from error


def location_of(error: BaseException | None) -> Location:
    """Where the first value stands that made a specification invalid; empty where it is not one value."""
    if not isinstance(error, InputError) or not isinstance(error.__cause__, ValidationError):
        return ()
    first = error.__cause__.errors()[0]
    return (*first["loc"], *location_of(first.get("ctx", {}).get("error")))


def line_of(file: TomlFile, location: Location) -> int | None:
    """The line of a value, from 1: of its key, or else of the table that it should be in; None where there is none."""
    if not location:
        return None
    name = str(location[0])
    number = location[1] if len(location) > 1 and isinstance(location[1], int) else None
    heading = re.compile(rf"\s*\[\[?\s*{re.escape(name)}\s*\]\]?")
    headings = [line for line, text in enumerate(file.lines, 1) if heading.match(text)]
    if not headings:
        return file.line(name) if (name,) in file.key_lines else None
    start = headings[number or 0] if (number or 0) < len(headings) else headings[0]
    key = str(next((part for part in location[1:] if isinstance(part, str)), ""))
    within = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    for line in range(start + 1, len(file.lines) + 1):
        text = file.lines[line - 1]
        if text.lstrip().startswith("["):
            break
        if key and within.match(text):
            return line
    return start
