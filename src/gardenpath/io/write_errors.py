"""Messages about files and folders that cannot be written, with the remedy that fits the cause."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gardenpath.errors import InputError

IF_FULL = "free some space, or name another path"
"""The remedy for a full disk, where a caller knows none that is more exact."""
DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
REMEDIES = {
    errno.EACCES: "its folder does not allow writing: name another path, or change the permissions",
    errno.EPERM: "the system does not allow it: name another path, or change the permissions",
    errno.EROFS: "its file system can only be read: name another path",
    errno.ENOTDIR: "a part of the path is a file, not a folder: name another path",
    errno.EEXIST: "a part of the path is a file, not a folder: name another path",
    errno.EISDIR: "it is a folder: name a file in it",
    errno.ENOENT: "its folder is gone: make it again, or name another path",
    errno.ENAMETOOLONG: "the name is too long: name a shorter path",
    errno.ENOLCK: "its file system has no locks: name a path on another",
    errno.EMFILE: "too many files are open: allow more with `ulimit -n`",
    errno.EIO: "the device has failed: name a path on another",
}
"""By the number of the system error."""


def remedy_for(error: OSError, if_full: str = IF_FULL) -> str:
    """What a user can do about an error in writing."""
    if error.errno in DISK_FULL:
        return if_full
    return REMEDIES.get(error.errno or 0, "name another path")


FULL_BELOW = 1 << 20
"""Free bytes below which a disk is taken to be full."""


def as_system_error(error: Exception, folder: Path) -> OSError:
    """The system error behind one of a library that has its number in its message, or not at all if the disk is full.

    folder: where the library was writing.
    """
    number = re.search(r"os error (\d+)", str(error))
    if number is None and shutil.disk_usage(folder).free < FULL_BELOW:
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if number is None:
        return OSError(0, (str(error).splitlines() or [type(error).__name__])[0])
    return OSError(int(number[1]), os.strerror(int(number[1])))


@contextmanager
def explain_write_errors(what: object, if_full: str = IF_FULL, *, then: str = "") -> Iterator[None]:
    """Raise an `InputError` that names the cause and the remedy when `what` cannot be written.

    `if_full`: what to do where the disk is full. `then`: what holds after any remedy, as a sentence.
    """
    try:
        yield
    except OSError as error:
        in_the_way = isinstance(error, FileExistsError)  # a file where a folder is to be made
        cause = os.strerror(errno.ENOTDIR) if in_the_way else error.strerror or str(error)
        more = f". {then}" if then else ""
        raise InputError(f"{what} cannot be written ({cause}); {remedy_for(error, if_full)}{more}") from error


def require_writable(path: Path | None, *inputs: Path | None) -> None:
    """Refuse a path for a file that cannot be written, or that is one of the inputs, before any work is done.

    None stands for a file that is not wanted, or for no input.
    """
    if path is None:
        return
    for other in inputs:
        if other is not None and path.exists() and other.exists() and path.samefile(other):
            raise InputError(f"{path} would be overwritten, but it is an input too; name another file to write")
    if path.is_dir():
        raise InputError(f"{path} cannot be written: it is a folder; name a file in it")
    if not path.exists() or path.is_file():  # not a device or a pipe
        require_writable_folder(path.parent, path)


def require_writable_folder(folder: Path, what: Path | None = None) -> None:
    """Refuse a folder that is not writable and cannot be made; `what`: the file in it that is to be written."""
    named, path = what or folder, folder.absolute()
    there = next(parent for parent in (path, *path.parents) if parent.exists())
    if not there.is_dir():
        raise InputError(f"{named} cannot be written: {there} is a file, not a folder; name another path")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{named} cannot be written: nothing may be written into {there}; name another path")
