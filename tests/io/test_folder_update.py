"""Files of a folder are replaced together or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.folder_update import COMPLETE, claim_folder, finish_update, put_in_place

KILLED = """
import os, signal, sys
from pathlib import Path
from gardenpath.io import folder_update

replace, calls = Path.replace, []
def replace_once(self, target):
    if len(calls) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    calls.append(self)
    return replace(self, target)

Path.replace = replace_once
with folder_update.claim_folder(Path(sys.argv[1])) as fresh:
    for name in ("a", "b"):
        (fresh / name).write_text("new")
    if sys.argv[2] == "-1":
        os.kill(os.getpid(), signal.SIGKILL)
    folder_update.put_in_place(fresh, outdated=["picture"])
"""


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a", "b", "picture", "note of the user"):
        (folder / name).write_text("old")
    return folder


@pytest.mark.parametrize(("kill_at", "new"), [(-1, False), (0, True), (1, True)])
def test_a_kill_leaves_all_old_or_all_new(folder: Path, kill_at: int, *, new: bool) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, folder, str(kill_at)], check=False)
    assert killed.returncode == -9
    finish_update(folder)
    old = {"a": "old", "b": "old", "picture": "old", "note of the user": "old"}
    assert contents(folder) == ({"a": "new", "b": "new", "note of the user": "old"} if new else old)
    with claim_folder(folder):
        pass
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_an_exception_leaves_what_was_there(folder: Path) -> None:
    before = contents(folder)

    def fail() -> None:
        with claim_folder(folder) as fresh:
            (fresh / "a").write_text("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert contents(folder) == before
    assert len(list(folder.iterdir())) == len(before)


def test_one_process_at_a_time(folder: Path) -> None:
    with claim_folder(folder) as fresh:
        with (
            pytest.raises(InputError, match=r"another process is writing into .*folder at this moment"),
            claim_folder(folder),
        ):
            pass
        (fresh / "a").write_text("new")
        put_in_place(fresh)
        assert (folder / "a").read_text() == "new"
    with claim_folder(folder):
        pass


def test_a_folder_into_which_nothing_was_put_is_gone(tmp_path: Path) -> None:
    with claim_folder(tmp_path / "new"):
        assert (tmp_path / "new").is_dir()
    assert not (tmp_path / "new").exists()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(InputError, match=r"cannot be written \(Not a directory\)"),
        claim_folder(tmp_path / "file"),
    ):
        pass


def test_several_processes_may_finish_one_update(folder: Path) -> None:
    (folder / COMPLETE).mkdir()
    (folder / COMPLETE / "a").write_text("new")
    finish_update(folder)
    finish_update(folder)
    assert contents(folder)["a"] == "new"
    assert not (folder / COMPLETE).exists()
