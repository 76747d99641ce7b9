"""Files that appear complete or not at all."""

import os
from collections.abc import Callable, Iterator
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
