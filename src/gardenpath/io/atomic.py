"""Files that appear complete or not at all."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gardenpath.errors import InputError


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a scratch path that replaces `path` at the end; after an exception `path` is as it was before.

    The scratch file is this process's own and keeps the extension, which some writers choose their format by.
    """
    if path.exists() and not path.is_file():
        yield path  # a device or a pipe is written to, not replaced
        return
    scratch = path.with_name(f".unfinished-{os.getpid()}-{path.name}")
    try:
        yield scratch
        with scratch.open("rb") as written:
            os.fsync(written.fileno())  # a full disk may be reported only here, and `path` must be whole then
        scratch.replace(path)
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` write a file, complete or not at all."""
    with atomic_write(path) as scratch:
        write(scratch)


def write_text_atomically(path: Path, text: str) -> None:
    """Write a text in UTF-8, complete or not at all."""
    with atomic_write(path) as scratch:
        scratch.write_text(text, encoding="utf-8")


@contextmanager
def explain_write_errors(what: object, advice: str = "name another path, or free some space") -> Iterator[None]:
    """Raise an `InputError` that names the cause and the remedy when `what` cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{what} cannot be written ({error.strerror or error}); {advice}") from error


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines to a file, complete or not at all; return their number."""
    count = 0
    with (
        explain_write_errors(path),
        atomic_write(path) as scratch,
        scratch.open("w", encoding="utf-8", newline="\n") as file,
    ):
        for count, line in enumerate(lines, start=1):  # noqa: B007 - the last count is returned
            file.write(line + "\n")
    return count


def require_writable(path: Path, *inputs: Path) -> None:
    """Refuse a path that cannot be written, or that is one of the inputs, before any work is done."""
    for other in inputs:
        if path.exists() and other.exists() and path.samefile(other):
            raise InputError(f"{path} would be overwritten, but it is an input too; name another file to write")
    if path.is_dir():
        raise InputError(f"{path} cannot be written: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}; make it, or name another path")
