"""What an earlier version made is still read, reported, compared and resumed, and the numbers are the same.

`data/made_before` holds texts, models, half-finished trainings, a series, runs and a store that gardenpath 0.1.0 wrote
(commit 9f468c7), and in `expected.json` what it printed about them, with the commands. Only the command line
is used here, so that these tests outlive any change behind it.
"""

import io
import json
import re
import runpy
import shutil
import sys
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import polars
import pytest
from polars.testing import assert_frame_equal
from safetensors.torch import load_file

MADE_BEFORE = Path(__file__).parent / "data" / "made_before"
EXPECTED: Mapping[str, Any] = json.loads((MADE_BEFORE / "expected.json").read_text(encoding="utf-8"))
NEURAL_BITS = 1e-4
"""By how much bits of neural models may differ on another processor."""
WEIGHTS = 1e-5
"""By how much weights may differ after some updates on another processor."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of everything, in which commands are given; files were named from there."""
    copy = tmp_path / "made_before"
    shutil.copytree(MADE_BEFORE, copy)
    monkeypatch.chdir(copy)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    return copy


def given_again(name: str) -> tuple[str, str]:
    """Give a command of `expected.json`, as `python -m gardenpath` does; what it wrote to stdout and stderr."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        warnings.catch_warnings(),
        redirect_stdout(stdout),
        redirect_stderr(stderr),
    ):
        patch.setattr(sys, "argv", ["gardenpath", *EXPECTED["commands"][name]])
        patch.setattr(warnings, "showwarning", warnings.showwarning)
        with pytest.raises(SystemExit) as stopped:
            runpy.run_module("gardenpath", run_name="__main__")
    assert not stopped.value.code, stderr.getvalue()
    return stdout.getvalue(), stderr.getvalue()


def flat(value: Any, path: str = "") -> dict[str, Any]:
    """The numbers and texts of a nested record by their paths: `rows.0.p_value`."""
    if isinstance(value, dict):
        parts = [flat(part, f"{path}.{name}") for name, part in value.items()]
    elif isinstance(value, list):
        parts = [flat(part, f"{path}.{place}") for place, part in enumerate(value)]
    else:
        return {path: value}
    return {name: part for found in parts for name, part in found.items()}


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def group_of(row: dict[str, Any]) -> tuple[str, ...]:
    """What a row compares: rows were not in the order of groups."""
    return tuple(row.get(name, "") for name in ("suite", "phenomenon", "prediction"))


@pytest.mark.parametrize("name", ["compare", "compare-by", "compare-rnng"])
def test_runs_compare_as_before(folder: Path, name: str) -> None:
    again = json.loads(given_again(name)[0])
    assert not any("first symbol" in note for note in again.pop("notes"))  # the weights are not the same
    found, expected = (flat({**one, "rows": sorted(one["rows"], key=group_of)}) for one in (again, EXPECTED[name]))
    assert set(expected) <= set(found)
    for path, value in expected.items():
        # Intervals, and tests of items that share words, are no longer those of independent items.
        if path.rpartition(".")[2] not in ("low", "high", "p_value", "p_holm", "method"):
            assert found[path] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), path


@pytest.mark.parametrize("name", ["report", "report-rnng"])
def test_runs_are_reported(folder: Path, name: str) -> None:
    given_again(name)
    page = (folder / f"{name}.html").read_text(encoding="utf-8")
    models = {"report": ("ngram", "lstm"), "report-rnng": ("rnng",)}[name]
    assert page.rstrip().endswith("</html>")
    assert all(model in page for model in (*models, "agreement"))


@pytest.mark.parametrize(("model", "tolerance"), [("ngram", 0.0), ("lstm", NEURAL_BITS), ("rnng", NEURAL_BITS)])
def test_models_price_sentences_as_before(folder: Path, model: str, tolerance: float) -> None:
    found = [json.loads(line) for line in given_again(f"score-{model}")[0].splitlines()]
    expected = EXPECTED["score"][model]
    assert [row | {"bits": None} for row in found] == [row | {"bits": None} for row in expected]
    assert [row["bits"] for row in found] == pytest.approx([row["bits"] for row in expected], rel=0, abs=tolerance)


def test_a_run_is_the_same_from_the_models(folder: Path) -> None:
    (folder / "store.sqlite").unlink()
    shutil.rmtree(folder / "run")
    _, stderr = given_again("run")
    assert stderr.count("276 computed now") == 2
    assert_same_run(folder / "run", tolerance=NEURAL_BITS)


def test_a_run_is_the_same_from_the_store(folder: Path) -> None:
    """What was computed before is not computed again."""
    shutil.rmtree(folder / "run")
    _, stderr = given_again("run")
    assert stderr.count("all cached") == 2
    assert_same_run(folder / "run", tolerance=0.0)


def assert_same_run(run: Path, *, tolerance: float) -> None:
    """Tokens and outcomes are those of the earlier run; where nothing was computed, to the bit."""
    for name in ("tokens.parquet", "outcomes.parquet"):
        assert_frame_equal(
            polars.read_parquet(run / name), polars.read_parquet(MADE_BEFORE / "run" / name),
            check_exact=tolerance == 0, rel_tol=0, abs_tol=tolerance,
        )  # fmt: skip
    found, expected = (json.loads((place / "manifest.json").read_text("utf-8")) for place in (run, MADE_BEFORE / "run"))
    assert [suite["hash"] for suite in found["suites"]] == [suite["hash"] for suite in expected["suites"]]
    assert [card["fingerprint"] for card in found["models"]] == [card["fingerprint"] for card in expected["models"]]


@pytest.mark.parametrize(("model", "tokens"), [("lstm", 20_280), ("rnng", 5_448)])
def test_an_interrupted_training_goes_on(folder: Path, model: str, tokens: int) -> None:
    """The LSTM stopped at the end of a smaller budget, the RNNG was killed; both within an epoch."""
    half = folder / f"{model}-half"
    before = lines_of(half / "log.jsonl")
    _, stderr = given_again(f"{model}-resumed")
    reported = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) tokens: validation", stderr)]
    expected = lines_of(MADE_BEFORE / model / "log.jsonl")
    assert reported == [line["tokens"] for line in expected if line["tokens"] > tokens]
    assert lines_of(half / "log.jsonl")[: len(before)] == before
    assert lines_of(half / "log.jsonl")[-1]["loss"] == pytest.approx(expected[-1]["loss"], rel=1e-5)
    found = load_file(half / "weights.safetensors")
    wanted = load_file(MADE_BEFORE / model / "weights.safetensors")
    assert found.keys() == wanted.keys()
    for name, weights in wanted.items():
        assert found[name].dtype == weights.dtype
        assert found[name].numpy() == pytest.approx(weights.numpy(), rel=0, abs=WEIGHTS), name


@pytest.mark.parametrize("model", ["lstm", "rnng"])
def test_a_finished_training_has_nothing_to_do(folder: Path, model: str) -> None:
    _, stderr = given_again(model)
    assert "there was nothing left to train" in stderr.replace("\n", " ")
    weights = f"{model}/weights.safetensors"
    assert (folder / weights).read_bytes() == (MADE_BEFORE / weights).read_bytes()


def test_a_series_has_nothing_to_do_and_grows(folder: Path) -> None:
    before = json.loads((folder / "series/series.json").read_text(encoding="utf-8"))
    _, stderr = given_again("series")
    assert stderr.count("is there already") == 2
    assert json.loads((folder / "series/series.json").read_text(encoding="utf-8")) == before
    _, stderr = given_again("series-grown")
    assert stderr.count("is there already") == 2
    after = json.loads((folder / "series/series.json").read_text(encoding="utf-8"))
    assert after["models"][:2] == before["models"]
    assert [row["folder"] for row in after["models"]] == ["500-1", "1k-1", "2k-1"]
    for name in ("500-1", "1k-1"):
        weights = f"series/{name}/weights.safetensors"
        assert (folder / weights).read_bytes() == (MADE_BEFORE / weights).read_bytes()


def test_an_n_gram_model_is_estimated_as_before(folder: Path) -> None:
    shutil.rmtree(folder / "ngram")
    given_again("ngram")
    for name in ("model.arpa", "vocabulary.json"):
        assert (folder / "ngram" / name).read_bytes() == (MADE_BEFORE / "ngram" / name).read_bytes()
    found, wanted = (load_file(place / "ngram/weights.safetensors") for place in (folder, MADE_BEFORE))
    assert found.keys() == wanted.keys()
    assert all(found[name].equal(tensor) for name, tensor in wanted.items())
