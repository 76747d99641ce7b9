"""Large files that are verified once: again only when the file, its size or its times have changed."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_file, digest_text

SETTLED_SECONDS = 2.0
"""Age after which a file that changes again is sure to get other times."""


def has_digest(path: Path, digest: object) -> bool:
    """Whether a file that can be made again is there and as it was written."""
    if not isinstance(digest, str) or not path.is_file():
        return False
    return verify_once(path, digest, lambda: digest_file(path))


def verify_once(path: Path, digest: str, compute: Callable[[], str]) -> bool:
    """Whether a file has a digest, which is computed only if this version of the file was not found right before.

    That is remembered by an empty file in the cache directory, whose name is the digest of path, size and times.
    """
    status = path.stat()
    times = status.st_mtime_ns, status.st_ctime_ns
    mark = cache_folder() / "verified" / digest_text(f"{path.resolve()} {status.st_size} {times} {digest}")
    if mark.exists():
        return True
    if compute() != digest:
        return False
    if time.time() - max(times) / 1e9 > SETTLED_SECONDS:
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
    return True
