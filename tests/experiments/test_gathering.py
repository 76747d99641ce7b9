"""Scores of runs in one table: from manifests, in groups, and the same bytes every time."""

import json
from pathlib import Path
from typing import Any

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.experiments.work.gathering import RUNS_FILE, SCORES, SCORES_FILE, gather_scores
from gardenpath.io.sealed_json import seal_record
from gardenpath.models.trained.checkpoint_record import write_record
from small_bigram import Bigram
from small_runs import SmallSuite, pairs, write_run

LSTM: dict[str, Any] = {
    "architecture": "LSTM", "words": 60_000, "seed": 3, "corpus": "texts-60k", "perplexity": 40.0, "parameters": 9000,
}  # fmt: skip


def ignore(line: str) -> None:
    """A log that nobody reads."""


def gather(folder: Path, **work: list[Path]) -> polars.DataFrame:
    gather_scores({name: [str(path) for path in paths] for name, paths in work.items()}, folder, ignore)
    return polars.read_parquet(folder / SCORES_FILE)


def read_listed(folder: Path) -> Any:
    return json.loads((folder / RUNS_FILE).read_text(encoding="utf-8"))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A model that the experiment trained, of whose items one in four has an unknown word, and one from elsewhere."""
    monkeypatch.chdir(tmp_path)
    items = pairs([2.0, 1.0, 0.0, -1.0])
    items["4"]["good"] = [("she", "subject", 9.0), ("unknown", "verb", 4.0)]
    two = {"agreement": "(verb;%good%) < (verb;%bad%)", "reverse": "(verb;%good%) > (verb;%bad%)"}
    suites = [SmallSuite("a", items, two, circuit="Agreement"), SmallSuite("b", pairs([1.0, 1.0]))]
    write_run(Path("runs/one/result"), suites, model="lstm-60k-2", **LSTM)
    write_run(Path("runs/two/result"), suites[1:], model="smollm2")
    manifest = Path("runs/one/result/manifest.json")
    record = json.loads(manifest.read_text(encoding="utf-8"))
    record["spec"] = {"models": ["lstm-60k-2=models/lstm/result"], "suites": ["a", "b"]}
    manifest.write_text(json.dumps(record), encoding="utf-8")
    write_record(Path("models/lstm/result"), "lstm", {}, {"sample": 2})
    return [Path("runs/one/result"), Path("runs/two/result")]


def test_rows_say_what_was_run_and_how_good_it_was(tmp_path: Path, runs: list[Path]) -> None:
    scores = gather(tmp_path / "tables" / "all" / "result", runs=runs)
    assert scores.columns == list(SCORES)
    assert scores.select("model", "suite", "prediction", "first").rows() == [
        ("lstm-60k-2", "a", "agreement", True),
        ("lstm-60k-2", "a", "reverse", False),
        ("lstm-60k-2", "b", "agreement", True),
        ("smollm2", "b", "agreement", True),
    ]
    first = scores.row(0, named=True)
    # Two of four hold and one is tied.
    assert (first["accuracy"], first["strict"], first["n"], first["invalid"]) == (2.5 / 4, 2 / 4, 4, 0)
    assert (first["chance"], first["coverage"], first["circuit"], first["sample"]) == (0.5, 3 / 4, "Agreement", 2)
    assert {name: first[name] for name in LSTM} == LSTM
    assert scores.row(3, named=True)["words"] is None
    listed = read_listed(tmp_path / "tables" / "all" / "result")
    assert listed["runs"] == [
        {"folder": "runs/one/result", "models": {"lstm-60k-2": "models/lstm/result"}},
        {"folder": "runs/two/result", "models": {}},
    ]
    assert listed["versions"] == {"python": ["3"]}


def test_gathered_in_groups_is_gathered_at_once(tmp_path: Path, runs: list[Path]) -> None:
    at_once, groups = tmp_path / "at_once", [tmp_path / "first", tmp_path / "second"]
    for run, group in zip(runs, groups, strict=True):
        gather(group, runs=[run])
    assert gather(tmp_path / "of_groups", parts=groups).equals(gather(at_once, runs=runs))
    assert gather(tmp_path / "mixed", runs=runs[:1], parts=groups[1:]).equals(gather(at_once, runs=runs))
    assert read_listed(tmp_path / "of_groups") == read_listed(at_once)


def test_the_same_runs_give_the_same_bytes(tmp_path: Path, runs: list[Path]) -> None:
    folders = [tmp_path / "one", tmp_path / "another"]
    for folder in folders:
        gather(folder, runs=runs)
    for name in (SCORES_FILE, RUNS_FILE):
        assert len({(folder / name).read_bytes() for folder in folders}) == 1


def test_the_table_of_a_manifest_is_that_of_its_outcomes(tmp_path: Path) -> None:
    """A run records its results by suite; where it records others, they are computed from its outcomes."""
    run = gp.run(models=[Bigram()], suites=["agreement"], sample=4, out=tmp_path / "run")
    from_manifest = gather(tmp_path / "from_manifest", runs=[tmp_path / "run"])
    record = run.manifest.record()
    (tmp_path / "run" / "manifest.json").write_text(
        seal_record({**record, "spec": {**record["spec"], "by": "number"}}, 3), encoding="utf-8"
    )
    assert gather(tmp_path / "from_outcomes", runs=[tmp_path / "run"]).equals(from_manifest)
    (tmp_path / "run" / "tokens.parquet").unlink()  # which gathering does not read
    assert gather(tmp_path / "again", runs=[tmp_path / "run"]).equals(from_manifest)


def test_what_cannot_be_gathered_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to gather"):
        gather_scores({"runs": []}, tmp_path, ignore)
    with pytest.raises(InputError, match=r"no folder '\S*nowhere'"):
        gather_scores({"runs": [str(tmp_path / "nowhere")]}, tmp_path / "out", ignore)
    with pytest.raises(InputError, match=r"nowhere.runs\.json cannot be read"):
        gather_scores({"parts": [str(tmp_path / "nowhere")]}, tmp_path / "out", ignore)
    assert not (tmp_path / "out" / SCORES_FILE).exists()
