"""Results as jsPsych saves and JATOS exports them: JSON arrays of trials, in lines, one after another, zipped."""

import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.json_text import ESCAPED_SURROGATE, parse_json
from gardenpath.io.tables import Record, to_record
from gardenpath.io.text_files import decode_parts, read_bytes, read_text

ARCHIVES = (".zip", ".jrzip")
TEXTS = (".json", ".jsonl", ".txt")
DAMAGED = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error, NotImplementedError,
    RuntimeError, EOFError, OSError, ValueError, ArithmeticError, LookupError,
)  # fmt: skip
"""What the library raises for archives that are damaged, or of another kind than it knows."""
METADATA = "metadata.json"
"""The file of an archive of JATOS that describes the others."""
MOST_BYTES = 500_000_000
"""What all files of an archive may hold: more is a mistake, or an attack."""
INNER = ("data", "trials", "results")
"""Keys under which tools put the array of trials into an object."""


@dataclass(frozen=True, slots=True)
class Result:
    """The trials of one visit, and a name for it."""

    name: str
    trials: list[Record]


def read_results(path: Path) -> list[Result]:
    """Read the results of a file, an archive, or all files of a folder."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in (*TEXTS, *ARCHIVES))
        found = [result for file in files for result in read_results(file)]
    elif path.suffix.lower() in ARCHIVES:
        found = [result for name, text in read_archive(path) for result in split_results(text, path / name)]
    else:
        found = split_results(read_text(path), path)
    if not found:
        raise InputError(f"{path}: no results of jsPsych in it; name a .json, .txt or .zip file, or a folder of them")
    return found


def read_archive(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every result in an archive."""
    try:
        with zipfile.ZipFile(BytesIO(read_bytes(path))) as archive:
            members = [member for member in archive.infolist() if is_result(member)]
            if sum(member.file_size for member in members) > MOST_BYTES:
                raise InputError(
                    f"{path}: its files have more than {MOST_BYTES:,} bytes; unpack it and name the folder"
                )
            for member in members:
                content = BytesIO(archive.read(member))
                yield member.filename, "".join(part for part, _ in decode_parts(content, f"{path}, {member.filename}"))
    except InputError:
        raise
    except DAMAGED as error:
        raise InputError(f"{path} cannot be unpacked ({error}); export the results again") from error


def is_result(member: zipfile.ZipInfo) -> bool:
    """Whether a file of an archive holds results."""
    name = Path(member.filename)
    return not member.is_dir() and name.name != METADATA and name.suffix.lower() in TEXTS


def split_results(text: str, path: Path) -> list[Result]:
    """The results in a text: every array is one; objects that stand alone are the trials of one."""
    results: list[Result] = []
    alone: list[Record] = []
    for line, value in decode_values(text, path):
        arrays = find_arrays(value)
        if not arrays:
            alone.append(to_record(value, path, line))
        for trials in arrays:
            name = path.stem if not results else f"{path.stem} {len(results) + 1}"
            results.append(
                Result(name, [to_record(one, path, number, "trial") for number, one in enumerate(trials, 1)])
            )
    return [result for result in (*results, Result(path.stem, alone)) if result.trials]


def find_arrays(value: Any) -> list[list[Any]]:
    """The arrays of trials in a value: itself, those in it, or the one of an object; none for a single trial."""
    if isinstance(value, list):
        return value if value and all(isinstance(part, list) for part in value) else [value]
    if isinstance(value, dict) and "trial_type" not in value:
        return [value[key] for key in INNER if isinstance(value.get(key), list)]
    return []


def decode_values(text: str, path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the JSON values of a text, which stand one after another, each with the line it begins in."""
    decoder, start, line = json.JSONDecoder(), 0, 1
    while start < len(text):
        if text[start].isspace() or text[start] in ",\0\ufeff":
            line += text[start] == "\n"
            start += 1
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            parse_json(text[start:], path, line)  # raises, with the position
            raise
        if ESCAPED_SURROGATE.search(text[start:end]):
            parse_json(text[start:end], path, line)
        yield line, value
        line += text.count("\n", start, end)
        start = end
