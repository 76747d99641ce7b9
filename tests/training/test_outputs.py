"""Where a training may write: said before anything is read."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.io.folder_update import claim_folder
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.training.events import Event, Step
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


@pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")  # short texts have no discounts
def test_another_training_is_replaced_only_on_request(texts: Path) -> None:
    """And a training that was begun with `overwrite` resumes like any other."""
    updates = {}

    def train(name: str, **fields: Any) -> gp.TrainedModel:
        events: list[Event] = []
        small = {"preset": "small", "width": 8, "batch": 4, "steps": 5, "min_count": 1, "budget": "1epochs"}
        model = gp.train("lstm", corpus="train.txt", valid="valid.txt", out="model", on_event=events.append,
                         **{**small, **fields})  # fmt: skip
        updates[name] = sum(isinstance(event, Step) for event in events)
        return model

    train("first")
    with pytest.raises(InputError, match=r"different options \(seed was 0, is now 1\); .*--overwrite to replace the"):
        train("refused", seed=1)
    assert train("same", overwrite=True).record["training"]["seed"] == 0
    assert train("replaced", seed=1, overwrite=True).record["training"]["seed"] == 1
    train("resumed", seed=1, overwrite=True, budget="2epochs")
    assert updates["same"] == 0
    assert updates["first"] == updates["replaced"] == updates["resumed"] > 0
    # Another text under the old name is another training.
    (texts / "train.txt").write_text((texts / "train.txt").read_text() * 2, encoding="utf-8")
    with pytest.raises(InputError, match="started with different options"):
        train("refused", seed=1)
    train("new text", seed=1, overwrite=True)
    assert updates["new text"] > updates["first"]
    with pytest.raises(InputError, match=r"holds a model of the kind 'lstm', not 'ngram', which would be lost"):
        gp.train("ngram", corpus="train.txt", out="model")
    gp.train("ngram", corpus="train.txt", out="model", order=2, min_count=1, overwrite=True)
    assert not (texts / "model" / "state.safetensors").exists()
    (texts / "model" / "checkpoint.json").write_text("rubbish", encoding="utf-8")
    with pytest.raises(InputError, match="damaged"):
        gp.train("ngram", corpus="train.txt", out="model", order=2, min_count=1)
    gp.train("ngram", corpus="train.txt", out="model", order=2, min_count=1, overwrite=True)


def test_two_trainings_do_not_write_into_one_directory(texts: Path) -> None:
    with claim_folder(texts / "model"), pytest.raises(InputError, match="another process is writing into"):
        gp.train("ngram", corpus="train.txt", out="model", order=2, min_count=1)


def test_a_model_is_not_lost_to_a_training_that_cannot_begin(texts: Path) -> None:
    small = {"corpus": "train.txt", "out": "model", "overwrite": True, "min_count": 1}
    with pytest.warns(InputWarning):  # short texts have no discounts
        gp.train("ngram", order=2, **small)
    before = Path("model/checkpoint.json").read_bytes()
    wrong = [
        ({"corpus": "nowhere.txt"}, "nowhere.txt"),
        ({"device": "abacus"}, "abacus"),
        ({"valid": "no.txt"}, "no.txt"),
    ]
    for change, message in wrong:
        with pytest.raises(InputError, match=message):
            gp.train("lstm", **{**small, "valid": "valid.txt", "budget": "1epochs", **change})
    with claim_folder(Path("model")), pytest.raises(InputError, match="another process is writing"):
        gp.train("lstm", valid="valid.txt", budget="1epochs", **small)
    assert Path("model/checkpoint.json").read_bytes() == before


def test_one_of_the_processes_of_torchrun_writes_an_ngram_model(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    gp.train("ngram", corpus="train.txt", order=1, min_count=1, out="models/deep/model")
    assert not Path("models").exists()
