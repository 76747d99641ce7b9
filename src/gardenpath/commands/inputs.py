"""What commands are given: suites by name, sentences by file, the store."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.terminal import err
from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.runs.store import Store
    from gardenpath.suites.suite import Join, Suite


ColumnMap = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="good=COLUMN,bad=COLUMN",
        help="Where files of pairs have their sentences; `bad` may be repeated, `id` and `suite` may be added.",
    ),
]


def find_all(
    names: list[str] | None,
    *,
    join: str,
    columns: str | None = None,
    sample_size: int | None = None,
    seed: int = 0,
) -> "list[Suite]":
    """The suites named, or those run by default."""
    from gardenpath.suites.load import load_suites

    glue: Join = "space" if join == "space" else "natural"
    with err.status("Reading suites …"):
        return load_suites(*names or (), join=glue, columns=columns, sample=sample_size, seed=seed)


def files_within(paths: list[Path]) -> list[Path]:
    """The files named, and the JSON files of the folders named."""
    found: list[Path] = []
    for path in paths:
        found.extend(sorted(path.rglob("*.json")) if path.is_dir() else [path])
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: there is no JSON file in it")
    return found


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a file and where it stands."""

    text: str
    source: str
    number: int
    """From 1."""

    def __str__(self) -> str:
        return f"{self.source}, line {self.number}"


def read_lines(path: Path | None) -> list[str]:
    """The sentences of a file (standard input: None), blank lines left out."""
    return [line.text for line in read_placed_lines(path)]


def read_placed_lines(path: Path | None) -> list[Line]:
    """The sentences of a file (standard input: None) with their places, blank lines left out."""
    place = path or "standard input"
    try:
        content = read_input() if path is None else path.read_bytes()
        text = content.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"{place}: there is no such file; name a text file with one sentence per line") from error
    except OSError as error:
        raise InputError(f"{place}: this cannot be read ({error.strerror}); name a text file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: byte {error.start} is not UTF-8; convert the text to UTF-8") from error
    lines = enumerate(text.split("\n"), start=1)  # not splitlines: U+2028 may be inside one
    found = [Line(line.strip(), str(place), number) for number, line in lines if line.strip()]
    if not found:
        raise InputError(f"{place} holds no sentence; give one per line")
    return found


def read_input() -> bytes:
    """The bytes of standard input, which need not be in the encoding of the terminal."""
    buffer = getattr(sys.stdin, "buffer", None)
    content: bytes = sys.stdin.read().encode() if buffer is None else buffer.read()
    return content


@contextmanager
def opened_store(path: Path | None) -> "Iterator[Store]":
    """The store, closed afterwards."""
    from gardenpath.io.cache_directory import cache_folder
    from gardenpath.runs.store import Store

    store = Store(path or cache_folder() / "surprisals.sqlite")
    try:
        yield store
    finally:
        store.close()
