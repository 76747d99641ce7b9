"""Errors of writing, with the remedy that fits the cause."""

import errno
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from gardenpath.io.write_errors import as_system_error


def test_a_library_that_does_not_say_so_failed_because_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = ValueError("underlying IO error: thrift: transport error")
    assert as_system_error(cut, tmp_path).errno == 0
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4096))
    assert as_system_error(cut, tmp_path).errno == errno.ENOSPC
    assert as_system_error(ValueError("Is a directory (os error 21)"), tmp_path).errno == errno.EISDIR
