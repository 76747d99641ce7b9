"""What commands are given: sentences by line."""

import io
import sys
from pathlib import Path

import pytest
from suite_files import Write

from gardenpath.errors import InputError
from gardenpath.io.text_files import read_lines

CONTENT = "\ufeffHe runs.\r\n\nOne\u2028line, caf\u00e9. \n".encode()
LINES = ["He runs.", "One\u2028line, caf\u00e9."]


def test_lines_of_a_file(write: Write) -> None:
    assert [line.text for line in read_lines(write("a.txt", CONTENT))] == LINES


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_standard_input_is_utf_8_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONTENT), encoding=encoding))
    assert [line.text for line in read_lines(None)] == LINES


def test_standard_input_without_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(CONTENT.decode()))
    assert [line.text for line in read_lines(None)] == LINES


def test_lines_that_cannot_be_read(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"a\.txt, line 1: the byte 0xe9 is not UTF-8"):
        read_lines(write("a.txt", b"caf\xe9"))
    with pytest.raises(InputError, match=r"cannot be read .*; name a file"):
        read_lines(tmp_path)
    with pytest.raises(InputError, match=r"no\.txt: there is no such file"):
        read_lines(tmp_path / "no.txt")
    with pytest.raises(InputError, match=r"b\.txt holds no sentence"):
        read_lines(write("b.txt", " \n"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9"), encoding="latin-1"))
    with pytest.raises(InputError, match="standard input, line 1: the byte 0xe9 is not UTF-8"):
        read_lines(None)
