"""Locks of the operating system on steps and experiments: freed when their holder ends, however it ends."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gardenpath.io.write_errors import explain_write_errors

LOCK = ".lock"


@contextmanager
def hold_lock(folder: Path, *, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock of a folder; wait while another process has it, after a call of `on_wait`.

    Without `on_wait`, raise a `BlockingIOError` at once instead.
    """
    with explain_write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if on_wait is None:
                raise
            on_wait()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def is_locked(folder: Path) -> bool:
    """Whether a process holds the lock of a folder."""
    with suppress(OSError):
        lock = os.open(folder / LOCK, os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: two who look do not see each other
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
    return False
