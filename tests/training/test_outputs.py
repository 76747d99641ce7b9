"""Where a training may write: said before anything is read."""

import json
import os
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.training.outputs import check_model_folder, check_series_folder
from gardenpath.training.specs.architectures import SPECS
from gardenpath.training.specs.parts import TrainSpec


def lstm(folder: Path) -> TrainSpec:
    return SPECS["lstm"].from_fields({"corpus": "train.txt", "valid": "valid.txt", "out": folder})


def test_a_directory_that_can_be_made(tmp_path: Path) -> None:
    check_model_folder(lstm(tmp_path / "models" / "lstm"))
    check_series_folder(tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["file", "file/model"])
def test_a_file_is_no_directory(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file is a file, not a folder; name another path"):
        require_writable_folder(tmp_path / name)


def test_a_directory_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    with pytest.raises(InputError, match="nothing may be written into"):
        require_writable_folder(tmp_path / "model")


def test_a_series_and_a_single_model_are_not_mixed(tmp_path: Path) -> None:
    # `--model DIR` means all models of a series where there is one: a single model there could not be named.
    (tmp_path / "series.json").write_text(json.dumps({"models": []}), encoding="utf-8")
    with pytest.raises(InputError, match="holds a series of models"):
        check_model_folder(lstm(tmp_path))
    check_series_folder(tmp_path)
    (tmp_path / "series.json").unlink()
    record = {"format": 1, "kind": "lstm", "options": {}, "training": {}}
    (tmp_path / "checkpoint.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match="holds a single model"):
        check_series_folder(tmp_path)
    check_model_folder(lstm(tmp_path))
