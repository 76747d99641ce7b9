"""Files that appear complete or not at all."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

from gardenpath.io.digest import digest_text
from gardenpath.io.write_errors import IF_FULL, explain_write_errors

SCRATCH = ".unfinished-"
"""How the names of scratch folders begin."""
LOCK = ".lock-of-gardenpath"
LONGEST_NAME = 200
"""Bytes of a file name that the name of its scratch folder repeats; file systems allow 255 in all."""


@contextmanager
def atomic_write(path: Path, *, if_full: str = IF_FULL, then: str = "") -> Iterator[Path]:
    """Yield a scratch path that replaces `path` at the end; after an exception or a kill `path` is as it was before.

    The scratch file has the name of `path`, by whose extension some writers choose their format, in a folder that is
    this process's own. `if_full` and `then`: see `explain_write_errors`.
    """
    with explain_write_errors(path, if_full, then=then):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            yield path  # a device or a pipe is written to, not replaced
            return
        target = path.resolve()  # of a link: the file it names
        with scratch_folder(target) as folder:
            scratch = folder / target.name
            yield scratch
            with scratch.open("rb") as written:
                os.fsync(written.fileno())  # a full disk may be reported only here, and `path` must be whole then
            scratch.replace(target)


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` write a file, complete or not at all."""
    with atomic_write(path) as scratch:
        write(scratch)


def write_text_atomically(path: Path, text: str) -> None:
    """Write a text in UTF-8, complete or not at all."""
    with atomic_write(path) as scratch:
        scratch.write_text(text, encoding="utf-8", newline="")


def write_bytes_atomically(path: Path, content: bytes) -> None:
    """Write bytes, complete or not at all."""
    with atomic_write(path) as scratch:
        scratch.write_bytes(content)


def write_part(file: IO[bytes], part: bytes | memoryview) -> None:
    """Write a part of a large file, and let the disk begin with it, so that little is left for the end."""
    start = file.tell()
    file.write(part)
    file.flush()
    if hasattr(os, "posix_fadvise"):  # on Linux, which then writes pages that were changed
        os.posix_fadvise(file.fileno(), start, len(part), os.POSIX_FADV_DONTNEED)


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines to a file, complete or not at all; return their number."""
    written = 0
    with atomic_write(path) as scratch, scratch.open("w", encoding="utf-8", newline="\n") as file:
        for written, line in enumerate(lines, start=1):  # noqa: B007 - the last count is returned
            file.write(line + "\n")
    return written


@contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside `path` that is this process's own, and remove it at the end.

    It is locked while its process lives. One without a lock was left by a process that was killed, and is used again,
    so that nothing is left over when the same file is written the next time.
    """
    name = path.name if len(os.fsencode(path.name)) <= LONGEST_NAME else digest_text(path.name)
    folders = (path.with_name(f"{SCRATCH}{number}-{name}" if number > 1 else f"{SCRATCH}{name}") for number in count(1))
    folder, lock = next((folder, lock) for folder in folders if (lock := lock_folder(folder)) is not None)
    try:
        yield folder
    finally:
        release_folder(folder, lock)


def lock_folder(folder: Path) -> int | None:
    """Make a folder, or take over and empty what a killed process left; None if it belongs to a running process.

    The lock lasts until the descriptor that is returned is closed, or its process ends. On a file system without locks
    nobody can tell whether an owner is alive, and a folder that exists is not taken over.
    """
    held = folder / LOCK
    while True:
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = os.open(held, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:  # its owner removed it meanwhile
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if isinstance(error, BlockingIOError) or not is_new:
                os.close(lock)
                return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock), held.stat()):
                remove_contents(folder, but=LOCK)
                return lock
        os.close(lock)  # its owner removed it before it was locked


def release_folder(folder: Path, lock: int) -> None:
    """Remove a locked folder with everything in it."""
    with suppress(OSError):  # what cannot be removed is taken over by the next process that writes here
        remove_contents(folder, but=LOCK)
        (folder / LOCK).unlink()  # the last, so that nobody takes over a folder that is being emptied
    os.close(lock)
    with suppress(OSError):  # another process may have locked it in this moment
        folder.rmdir()


def remove_contents(folder: Path, but: str = "") -> None:
    """Remove everything in a folder, except one name."""
    for entry in folder.iterdir():
        if entry.name != but:
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
