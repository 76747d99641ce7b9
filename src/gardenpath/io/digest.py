"""Digests of contents: equal for equal contents, and the same in every version, since results on disk record them."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.io.text_files import PART_BYTES, explain_read_errors

DIGEST_BYTES = 12
"""Bytes of a digest, which is written with twice as many hexadecimal digits."""
Method = Literal["blake2b", "sha256"]


def digest_parts(
    parts: Iterable[bytes | memoryview | str], *, size: int = DIGEST_BYTES, method: Method = "blake2b"
) -> str:
    """Digest texts and buffers, one after another as if they were one."""
    found = blake2b(digest_size=size) if method == "blake2b" else sha256()
    for part in parts:
        found.update(part.encode() if isinstance(part, str) else part)
    return found.hexdigest()[: 2 * size]


def digest_text(text: str, *, size: int = DIGEST_BYTES) -> str:
    """Digest a text."""
    return digest_parts([text], size=size)


def digest_file(path: Path | str) -> str:
    """Digest the contents of a file."""
    return digest_parts(file_blocks(Path(path)))


def digest_files(paths: Sequence[Path]) -> str:
    """Digest the contents of files in their order; of one file, as `digest_file` does."""
    digests = [digest_file(path) for path in paths]
    return digests[0] if len(digests) == 1 else digest_text(" ".join(digests))


def file_blocks(path: Path) -> Iterator[bytes]:
    """The contents of a file, some at a time."""
    require_rereadable(path)
    with explain_read_errors(path), path.open("rb") as file:
        while block := file.read(PART_BYTES):
            yield block


def require_rereadable(path: Path) -> None:
    """Refuse a pipe or device, which can be read only once."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path} is a pipe or a device, but is read more than once; write its text to a file")
