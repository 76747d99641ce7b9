"""Text files and standard input: their lines, and what is reported of files that cannot be read."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.text_files import read_bytes, read_lines, read_text, text_parts

CONTENT = "\ufeffHe runs.\r\n\nOne\u2028line, caf\u00e9. \n".encode()
LINES = [("He runs.", 1), ("One\u2028line, caf\u00e9.", 3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.txt"


def numbered(path: Path | None) -> list[tuple[str, int]]:
    return [(line.text, line.number) for line in read_lines(path)]


def test_lines_of_a_file(path: Path) -> None:
    path.write_bytes(CONTENT)
    assert numbered(path) == LINES
    assert str(read_lines(path)[1]) == f"{path}, line 3"


@pytest.mark.parametrize("stream", [io.TextIOWrapper(io.BytesIO(CONTENT), encoding="latin-1"), None])
def test_lines_of_standard_input(monkeypatch: pytest.MonkeyPatch, stream: io.TextIOWrapper | None) -> None:
    monkeypatch.setattr(sys, "stdin", stream or io.StringIO(CONTENT.decode()))
    assert numbered(None) == LINES


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_a_text_is_the_same_in_parts_of_any_size(path: Path, size: int) -> None:
    path.write_bytes(CONTENT)
    parts = list(text_parts(path, size))
    assert "".join(text for text, _ in parts) == read_text(path) == CONTENT.decode("utf-8-sig")
    assert sum(read for _, read in parts) == len(CONTENT)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"caf\xe9", r"line 1: the byte 0xe9 is not UTF-8; convert the text, for example with `iconv -f cp1252"),
        (b"fine\n\x84na\xefve\x93\n", "line 2: the byte 0x84 is not UTF-8; .*`iconv -f cp1252 -t utf-8`"),
        (b"fine\nna\xefve\n", "line 2: the byte 0xef is not UTF-8"),
        ("fine\n".encode("utf-16"), "0xff is not UTF-8; .*`iconv -f utf-16 -t utf-8`"),
        (b"caf\xc3", "line 1: the byte 0xc3 is not UTF-8"),
    ],
)
def test_bytes_that_are_not_utf8(path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str) -> None:
    path.write_bytes(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="latin-1"))
    with pytest.raises(InputError, match=rf"a\.txt, {message}" if message.startswith("line") else message):
        read_text(path)
    with pytest.raises(InputError, match=f"standard input, {message}" if message.startswith("line") else message):
        read_lines(None)


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_a_compressed_text_is_unpacked(path: Path, size: int) -> None:
    path.write_bytes(gzip.compress(CONTENT))
    parts = list(text_parts(path, size))
    assert "".join(text for text, _ in parts) == CONTENT.decode("utf-8-sig")
    assert [read == 0 for _, read in parts] == [False] * (len(parts) - 1) + [True]


@pytest.mark.parametrize(
    "content", [gzip.compress(CONTENT)[:-9], b"\x1f\x8b\x08\x00", b"\x1f\x8b?" * 20], ids=["short", "empty", "other"]
)
def test_damaged_compression(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.txt is compressed, and damaged \(.*\); copy it again"):
        read_text(path)


def test_compressed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(CONTENT)), encoding="latin-1"))
    with pytest.raises(InputError, match="line 1: the byte 0x8b is not UTF-8; it is compressed: unpack it"):
        read_lines(None)


def test_files_that_cannot_be_read(tmp_path: Path, path: Path) -> None:
    for read in (read_text, read_lines, read_bytes):
        with pytest.raises(InputError, match=r"no\.txt: there is no such file; check the path"):
            read(tmp_path / "no.txt")
        with pytest.raises(InputError, match=r"cannot be read \(Is a directory\); name a file"):
            read(tmp_path)
    path.write_bytes(b" \n")
    with pytest.raises(InputError, match=r"a\.txt: the file is empty"):
        read_text(path)
    with pytest.raises(InputError, match=r"a\.txt holds no sentence; give one per line"):
        read_lines(path)


def test_a_name_with_a_nul_is_no_file() -> None:
    with pytest.raises(InputError, match="is not the name of a file: it has a NUL in it"):
        read_text(Path("a\0b.txt"))
