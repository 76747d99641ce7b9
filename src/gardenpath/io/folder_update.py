"""Folders whose files are replaced together, all or none, whenever the process ends."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import lock_folder, release_folder
from gardenpath.io.write_errors import explain_write_errors

CLAIM = ".unfinished"
"""In a folder that a process writes: locked by it, and where new files are before all are complete."""
COMPLETE = ".complete"
"""In a folder: new files that are complete and replace the older ones."""
OUTDATED = ".outdated"
"""Added to the name of a file that is removed when the new files are put in place."""


@contextmanager
def claim_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder for new files in `folder`, into which no other process may write meanwhile.

    The folder is made if needed; it is removed again if nothing was put into it.
    """
    with explain_write_errors(folder):
        lock = lock_folder(folder / CLAIM)
        if lock is None:
            raise InputError(
                f"another process is writing into {folder} at this moment; wait until it has ended, or name another "
                "folder with --out"
            )
        fresh = folder / CLAIM / "new"
        fresh.mkdir()
    try:
        finish_update(folder)
        yield fresh
    finally:
        release_folder(folder / CLAIM, lock)
        with suppress(OSError):
            folder.rmdir()  # only where it is empty


def put_in_place(fresh: Path, *, outdated: Iterable[str] = ()) -> None:
    """Replace the files of a claimed folder by the new ones, and remove those that are outdated then."""
    folder = fresh.parent.parent
    with explain_write_errors(folder):
        for name in outdated:
            (fresh / f"{name}{OUTDATED}").touch()
        for path in fresh.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        # From this moment on the new files hold: a process that is killed later leaves only moving them to the next.
        fresh.rename(folder / COMPLETE)
    finish_update(folder)


def finish_update(folder: Path) -> None:
    """Put complete new files in place that a killed process left; to be called before a folder is read."""
    complete = folder / COMPLETE
    if not complete.is_dir():
        return
    with explain_write_errors(folder):
        for new in sorted(complete.iterdir(), key=lambda path: path.suffix != OUTDATED):
            with suppress(FileNotFoundError):  # another process does the same
                if new.suffix == OUTDATED:
                    (folder / new.stem).unlink(missing_ok=True)
                    new.unlink()
                else:
                    new.replace(folder / new.name)
        with suppress(OSError):  # not empty if there is a newer update already
            complete.rmdir()
