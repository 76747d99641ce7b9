"""Text files in UTF-8, with or without byte-order mark; one that cannot be read is reported by path and line."""

import codecs
import gzip
import signal
import sys
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

from gardenpath.errors import InputError

PART_BYTES = 1 << 20
"""The part of a file that is read at a time."""
GZIP = b"\x1f\x8b"
"""The first bytes of a compressed file."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text and where it stands."""

    text: str
    source: str
    number: int
    """From 1."""

    def __str__(self) -> str:
        return f"{self.source}, line {self.number}"


def read_text(path: Path) -> str:
    """Read a text file that must not be empty."""
    text = "".join(part for part, _ in text_parts(path))
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    return text


def read_lines(path: Path | None) -> list[Line]:
    """Read the lines of a file (None: standard input) without surrounding spaces; empty ones are left out."""
    source = str(path or "standard input")
    parts = text_parts(path) if path else decode_parts(standard_input(), source)
    lines = enumerate("".join(text for text, _ in parts).split("\n"), start=1)  # not splitlines: U+2028 may be in one
    found = [Line(line.strip(), source, number) for number, line in lines if line.strip()]
    if not found:
        raise InputError(f"{source} holds no sentence; give one per line")
    return found


def standard_input() -> IO[bytes]:
    """Standard input as bytes, which need not be in the encoding of the terminal; Ctrl-C ends the reading of it."""
    # Without this the system goes on reading: polars, once it is imported, has it so.
    signal.siginterrupt(signal.SIGINT, True)  # noqa: FBT003 - the signature of the library
    buffer: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    return buffer or BytesIO(sys.stdin.read().encode())


def read_bytes(path: Path) -> bytes:
    """Read a file as bytes."""
    with explain_read_errors(path):
        return path.read_bytes()


def text_parts(path: Path, size: int = PART_BYTES) -> Generator[tuple[str, int], None, None]:
    """Read a text file part by part, each with its size in bytes; the last part is what remains, with 0 bytes.

    One that is compressed by gzip is unpacked on the way; the sizes are those of its compressed parts.
    """
    with explain_read_errors(path), path.open("rb") as file:
        is_compressed = file.peek(len(GZIP)).startswith(GZIP)
        yield from unpack_parts(file, path, size) if is_compressed else decode_parts(file, str(path), size)


def unpack_parts(file: IO[bytes], path: Path, size: int) -> Generator[tuple[str, int], None, None]:
    """Decode a compressed text part by part."""
    taken = 0
    try:
        for text, unpacked in decode_parts(gzip.GzipFile(fileobj=file), str(path), size):
            # Several parts may be unpacked from bytes that were read together; only the last part has none.
            read = max(1, file.tell() - taken) if unpacked else 0
            taken += read
            yield text, read
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path} is compressed, and damaged ({error}); copy it again") from error


def decode_parts(
    file: IO[bytes] | gzip.GzipFile, source: str, size: int = PART_BYTES
) -> Generator[tuple[str, int], None, None]:
    """Decode a text part by part; a byte that is not UTF-8 is reported with its line and a remedy."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    line, beginning = 1, b""
    try:
        while content := file.read(size):
            beginning = beginning or content[:2]
            yield decoder.decode(content), len(content)
            line += content.count(b"\n")
        yield decoder.decode(b"", final=True), 0
    except UnicodeDecodeError as error:
        line += error.object.count(b"\n", 0, error.start)
        is_compressed = beginning == GZIP
        remedy = (
            "it is compressed: unpack it, for example with `gunzip`" if is_compressed else advise_conversion(beginning)
        )
        byte = error.object[error.start]
        raise InputError(f"{source}, line {line}: the byte {byte:#04x} is not UTF-8; {remedy}") from error


def advise_conversion(beginning: bytes) -> str:
    """Return how to convert a text that is not UTF-8: from UTF-16 by its byte-order mark, or else from Windows-1252.

    Windows-1252 has all printable characters of Latin-1, and where that has control characters it has quotation marks
    and dashes.
    """
    encoding = "utf-16" if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "cp1252"
    return f"convert the text, for example with `iconv -f {encoding} -t utf-8`"


@contextmanager
def explain_read_errors(path: Path) -> Generator[None, None, None]:
    """Raise an `InputError` that names the cause when a file cannot be read."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; check the path") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name a file") from error
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(f"{path}: the byte {byte:#04x} is not UTF-8; convert the text to UTF-8") from error
    except ValueError as error:
        if "\0" not in str(path):
            raise
        raise InputError(f"{str(path)!r} is not the name of a file: it has a NUL in it; check the path") from error
