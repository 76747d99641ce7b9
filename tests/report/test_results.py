"""Folders of runs, read back."""

import json
from pathlib import Path

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.report.results import read_results


def write(folder: Path, model: str, fingerprint: str, credit: float) -> Path:
    """A folder as `gardenpath run` leaves it, of one item."""
    folder.mkdir()
    card = {"name": model, "fingerprint": fingerprint, "training": {"architecture": "LSTM", "words": 5, "seed": 1}}
    suite = {
        "name": "s", "phenomenon": "p", "circuit": "c", "predictions": {"q": "(1;%a%) > (1;%b%)"}, "chance": {"q": 0.5},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps({"models": [card], "suites": [suite]}), encoding="utf-8")
    row = {"model": model, "suite": "s", "prediction": "q", "item": "1", "credit": credit, "margin": 1.0}
    polars.DataFrame([row]).write_parquet(folder / "outcomes.parquet")
    polars.DataFrame([{"model": model, "suite": "s", "bits": 2.5}]).write_parquet(folder / "tokens.parquet")
    return folder


def test_outcomes_know_their_suite_and_model(tmp_path: Path) -> None:
    results = read_results([write(tmp_path / "a", "m", "f1", 1.0)])
    (row,) = results.outcomes.to_dicts()
    assert (row["phenomenon"], row["circuit"], row["chance"]) == ("p", "c", 0.5)
    assert (row["architecture"], row["words"], row["seed"], row["perplexity"]) == ("LSTM", 5, 1, None)


def test_two_models_of_one_name_are_told_apart(tmp_path: Path) -> None:
    results = read_results([write(tmp_path / "a", "m", "f1", 1.0), write(tmp_path / "b", "m", "f2", 0.0)])
    assert results.outcomes["model"].to_list() == ["m (a)", "m (b)"] == results.models["model"].to_list()
    assert results.tokens.collect()["model"].to_list() == ["m (a)", "m (b)"]


def test_the_same_model_twice_counts_once(tmp_path: Path) -> None:
    results = read_results([write(tmp_path / "a", "m", "f1", 1.0), write(tmp_path / "b", "m", "f1", 0.0)])
    assert results.outcomes.select("model", "credit").rows() == [("m", 0.0)]
    assert len(results.tokens.collect()) == 1


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        read_results([tmp_path])
    (tmp_path / "manifest.json").write_text('{"models": 1}', encoding="utf-8")
    with pytest.raises(InputError, match="damaged"):
        read_results([tmp_path])
    folder = write(tmp_path / "a", "m", "f", 1.0)
    (folder / "outcomes.parquet").write_bytes(b"not a table")
    with pytest.raises(InputError, match=r"outcomes\.parquet cannot be read"):
        read_results([folder])
