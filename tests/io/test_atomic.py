"""Files appear complete or not at all."""

import os
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, explain_write_errors, write_atomically, write_text_atomically


def test_a_file_is_replaced_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_text_atomically(path, "old")
    with atomic_write(path) as scratch:
        scratch.write_text("new")
        assert path.read_text() == "old"
        assert scratch.suffix == ".csv"
        assert str(os.getpid()) in scratch.name
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_exception_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"

    def fail(scratch: Path) -> None:
        scratch.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_atomically(path, fail)
    assert not list(tmp_path.iterdir())
    write_text_atomically(path, "old")
    with pytest.raises(RuntimeError):
        write_atomically(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text_atomically(pipe, "text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_file_that_cannot_be_written_is_named_with_cause_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "no" / "file"
    with (
        pytest.raises(InputError, match=r"no/file cannot be written \(No such file or directory\); name another path"),
        explain_write_errors(path),
    ):
        write_text_atomically(path, "text")
