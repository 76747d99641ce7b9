"""JSON texts: parsed with faults reported by line, and written without NaN."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, show_value

T = TypeVar("T")

ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str, path: Path, line: int = 1) -> Any:
    """Parse a JSON text that begins at a line of a file."""
    try:
        value = json.loads(text)
        if ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()  # fails where one of a pair of surrogates stands alone
    except json.JSONDecodeError as error:
        position, fault = locate_fault(text, error)
        lines = text[:position].split("\n")
        where = f"{path}, line {line + len(lines) - 1}, column {len(lines[-1]) + 1}"
        raise InputError(f"{where}: this is not JSON ({fault})") from error
    except UnicodeEncodeError as error:
        before = error.object[max(0, error.start - 30) : error.start]
        raise InputError(
            f"{path}: {error.object[error.start]!r} after {before!r} is half a character; write the whole character"
        ) from error
    except RecursionError as error:
        raise InputError(f"{path}, line {line}: the JSON is nested too deeply to be a suite") from error
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{path}, line {line}: this JSON cannot be read ({error})") from error
    return value


def locate_fault(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """Return the position and the kind of a fault; reading fails only after a comma before a closing bracket."""
    comma = len(text[: error.pos + 1].rstrip("]} \t\r\n")) - 1
    if text[comma : comma + 1] == "," and text[comma + 1 :].lstrip()[:1] in ("]", "}"):
        return comma, "there is a trailing comma before a closing bracket; remove it"
    return error.pos, error.msg


def require_key(holder: Any, key: str, kind: type[T], where: str) -> T:
    """The value of a key that a JSON object must have, of the type it must be."""
    if not isinstance(holder, Mapping):
        raise InputError(f"{where}: an object with {key!r} is expected, not {show_value(holder)}")
    if key not in holder:
        raise InputError(f"{where}: {key!r} is missing; there is {quote(holder)}")
    value = holder[key]
    if not isinstance(value, kind):
        raise InputError(f"{where}: {key!r} must be of type {kind.__name__}, not {show_value(value)}")
    return value


def to_json(value: Any) -> str:
    """Write a value as indented JSON, in which a missing number is null."""
    return json.dumps(without_nan(value), indent=2, ensure_ascii=False) + "\n"


def without_nan(value: Any) -> Any:
    """Replace every NaN and infinity, which JSON does not have, by None."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: without_nan(inner) for key, inner in value.items()}
        case list() | tuple():
            return [without_nan(inner) for inner in value]
        case _:
            return value
