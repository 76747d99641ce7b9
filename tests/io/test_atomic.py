"""Files appear complete or not at all."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, write_atomically, write_text_atomically
from gardenpath.io.write_errors import require_writable


def test_a_file_is_replaced_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_text_atomically(path, "old")
    with atomic_write(path) as scratch:
        scratch.write_text("new")
        assert path.read_text() == "old"
        assert scratch.suffix == ".csv"
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


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("target.txt")
    write_text_atomically(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    with atomic_write(path) as first, atomic_write(path) as second:
        first.write_text("first")
        second.write_text("second")
    assert path.read_text() == "first"  # whoever is done last
    assert list(tmp_path.iterdir()) == [path]


def test_a_killed_writer_leaves_nothing_for_long(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_text_atomically(path, "old")
    script = (
        "import os, sys; from pathlib import Path; from gardenpath.io.atomic import atomic_write\n"
        "with atomic_write(Path(sys.argv[1])) as scratch:\n"
        "    scratch.write_text('half'); os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, path], check=False).returncode == -9
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2
    write_text_atomically(path, "new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 251 + ".csv")
    write_text_atomically(path, "text")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "free some space"), (errno.EDQUOT, "free some space"), (errno.EFBIG, "free some space"),
        (errno.EACCES, "change the permissions"), (errno.EROFS, "can only be read"), (errno.EISDIR, "it is a folder"),
        (errno.ENOTDIR, "is a file, not a folder"), (errno.ENAMETOOLONG, "a shorter path"),
        (errno.EBUSY, "name another"),
    ],
)  # fmt: skip
def test_the_remedy_follows_the_cause(tmp_path: Path, number: int, remedy: str) -> None:
    def fail(scratch: Path) -> None:
        raise OSError(number, os.strerror(number), str(scratch))

    with pytest.raises(InputError, match=remedy) as raised:
        write_atomically(tmp_path / "table.csv", fail)
    assert f"table.csv cannot be written ({os.strerror(number)})" in str(raised.value)
    assert ("free some space" in str(raised.value)) == (remedy == "free some space")
    assert not list(tmp_path.iterdir())


def test_real_causes(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"a\.txt cannot be written \(Not a directory\); a part of the path is a file"):
        write_text_atomically(tmp_path / "file" / "a.txt", "text")
    with pytest.raises(InputError, match=r"Is a directory.*name a file in it"):
        write_text_atomically(tmp_path, "text")
    with pytest.raises(InputError, match=r"File name too long.*name a shorter path"):
        write_text_atomically(tmp_path / ("x" * 300), "text")
    with pytest.raises(InputError, match="it is a folder; name a file in it"):
        require_writable(tmp_path)
    with pytest.raises(InputError, match="is a file, not a folder"):
        require_writable(tmp_path / "file" / "deeper" / "a.txt")
    require_writable(tmp_path / "new" / "a.txt")
    require_writable(Path("/dev/null"))
