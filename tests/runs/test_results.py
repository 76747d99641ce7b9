"""Folders of runs, read back."""

import json
from pathlib import Path

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.runs.folder import OUTCOMES, TOKENS
from gardenpath.runs.results import read_run, read_runs
from gardenpath.runs.run_tables import folder_labels
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import drop_left_out
from small_runs import SmallSuite, pairs, write_run


def write(folder: Path, model: str, fingerprint: str, credit: float) -> Path:
    """A folder as `gardenpath run` leaves it, of one item."""
    folder.mkdir()
    card = {"name": model, "fingerprint": fingerprint, "training": {"architecture": "LSTM", "words": 5, "seed": 1}}
    suite = {
        "name": "s", "phenomenon": "p", "circuit": "c", "predictions": {"q": "(1;%a%) > (1;%b%)"}, "chance": {"q": 0.5},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps({"models": [card], "suites": [suite]}), encoding="utf-8")
    row = {"model": model, "suite": "s", "prediction": "q", "item": "1", "credit": credit, "margin": 1.0, "known": True}
    polars.DataFrame([row], schema=OUTCOMES).write_parquet(folder / "outcomes.parquet")
    token = {"model": model, "suite": "s", "bits": 2.5}
    polars.DataFrame([token], schema=TOKENS).write_parquet(folder / "tokens.parquet")
    return folder


def test_outcomes_know_their_suite_and_model(tmp_path: Path) -> None:
    results = read_runs([write(tmp_path / "a", "m", "f1", 1.0)])
    (row,) = results.outcomes().to_dicts()
    assert (row["phenomenon"], row["circuit"], row["chance"]) == ("P", "c", 0.5)
    assert (row["architecture"], row["words"], row["seed"], row["perplexity"]) == ("LSTM", 5, 1, None)


def test_two_models_of_one_name_are_told_apart(tmp_path: Path) -> None:
    results = read_runs([write(tmp_path / "a", "m", "f1", 1.0), write(tmp_path / "b", "m", "f2", 0.0)])
    assert results.outcomes()["model"].to_list() == ["m (a)", "m (b)"] == results.models["model"].to_list()
    assert results.scan_tokens().collect()["model"].to_list() == ["m (a)", "m (b)"]


def test_the_same_model_twice_counts_once(tmp_path: Path) -> None:
    results = read_runs([write(tmp_path / "a", "m", "f1", 1.0), write(tmp_path / "b", "m", "f1", 0.0)])
    assert results.outcomes().select("model", "credit").rows() == [("m", 0.0)]
    assert len(results.scan_tokens().collect()) == 1


@pytest.mark.parametrize("table", ["outcomes.parquet", "tokens.parquet"])
def test_tables_that_cannot_be_read(tmp_path: Path, table: str) -> None:
    folder = write(tmp_path / "a", "m", "f", 1.0)
    (folder / table).write_bytes(b"not a table")
    with pytest.raises(InputError, match=rf"{table} cannot be read .*; repeat the run"):
        read_runs([folder])
    (folder / table).unlink()
    with pytest.raises(InputError, match=rf"{table} cannot be read"):
        read_runs([folder])


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        ("outcomes.parquet", {"credit": "wrong"}, "has no column 'credit', or one of another type"),
        ("outcomes.parquet", {"item": 5}, "has no column 'item', or one of another type"),
        ("outcomes.parquet", {"levels": "{"}, "column 'levels': it is not JSON"),
        ("outcomes.parquet", {"fillers": "[]"}, "column 'fillers': it holds a JSON list, not an object"),
        ("outcomes.parquet", {"prediction": "r"}, "has outcomes of 'm' for 'r' of 's', of which the manifest knows"),
        ("tokens.parquet", {"bits": "two"}, "has no column 'bits', or one of another type"),
    ],
)
def test_tables_of_older_runs_that_are_damaged(
    tmp_path: Path, table: str, change: dict[str, object], message: str
) -> None:
    path = write(tmp_path / "a", "m", "f", 1.0) / table
    polars.read_parquet(path).with_columns(**{key: polars.lit(value) for key, value in change.items()}).write_parquet(
        path
    )
    with pytest.raises(InputError, match=f"{table}.*{message}"):
        read_runs([tmp_path / "a"])
    polars.read_parquet(path).rename({"model": "modem"}).write_parquet(path)
    with pytest.raises(InputError, match=f"{table} has no column 'model'"):
        read_runs([tmp_path / "a"])


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        read_runs([tmp_path])
    for content in ('{"models": 1}', "[]", "{"):
        (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match="damaged"):
            read_runs([tmp_path])
    with pytest.raises(InputError, match=r"manifest\.json has no manifest\.json; .* repeat a run that was stopped"):
        read_runs([tmp_path / "manifest.json"])


def test_a_run_that_does_not_exist(tmp_path: Path) -> None:
    write(tmp_path / "first", "lstm", "f", 1.0)
    with pytest.raises(InputError, match=r"no folder '\S*frist' \(did you mean '\S*first'\?\); name a folder that"):
        read_run(tmp_path / "frist")
    with pytest.raises(InputError, match=r"no folder '\S*x.first', nor '\S*x'; name a folder that"):
        read_runs(tmp_path / "x" / "first")


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
    folders = [write(tmp_path / "one" / "run", "m", "f1", 1.0), write(tmp_path / "two" / "run", "m", "f2", 0.0)]
    results = read_runs(folders)
    assert results.outcomes().select("model", "credit").rows() == [("m (one/run)", 1.0), ("m (two/run)", 0.0)]
    assert folder_labels([Path("a/x"), Path("b/y")]) == ["x", "y"]
    assert folder_labels([Path("a/x"), Path("a/../a/x")]) == ["x", "x"]
    assert folder_labels([Path("/")]) == ["/"]


def changed(folder: Path, **options: object) -> Path:
    """The folder with other options in its manifest."""
    record = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(record | {"options": options}), encoding="utf-8")
    return folder


def test_models_stay_in_the_order_of_the_folders(tmp_path: Path) -> None:
    """Also where a later folder has more suites of an earlier model."""
    folders = [
        write_run(tmp_path / name, [SmallSuite(suite, pairs([1.0]))], model=model)
        for name, model, suite in [("a", "one", "s"), ("b", "two", "s"), ("c", "one", "t")]
    ]
    assert read_runs(folders).models["model"].to_list() == ["one", "two"]


def test_a_model_run_with_other_options_is_another(tmp_path: Path) -> None:
    usual = changed(write(tmp_path / "a", "m", "f1", 1.0), unknown="keep", score={"end": False})
    older = write(tmp_path / "b", "m", "f1", 0.5)
    ended = changed(write(tmp_path / "c", "m", "f1", 0.0), score={"end": True})
    assert read_runs([older, usual]).outcomes().select("model", "credit").rows() == [("m", 1.0)]
    assert read_runs([older, ended]).outcomes().select("model", "credit").rows() == [("m (b)", 0.5), ("m (c)", 0.0)]


def test_the_very_same_model_has_one_name(tmp_path: Path) -> None:
    folders = [write(tmp_path / name, "m", mark, 1.0) for name, mark in (("a", "f1"), ("b", "f2"), ("c", "f1"))]
    assert sorted(read_runs(folders).models["model"].to_list()) == ["m (a)", "m (b)"]


def test_what_a_run_left_out_is_not_counted(tmp_path: Path) -> None:
    sentences = pairs([1.0, -1.0, 1.0])
    sentences["2"]["good"] = [("she", "subject", 3.0), ("unknown", "verb", 4.0)]
    keeps = write_run(tmp_path / "a", [SmallSuite("s", sentences)], model="keeps")
    leaves = changed(write_run(tmp_path / "b", [SmallSuite("s", sentences)], model="leaves"), unknown="leave-out")
    results = read_runs([keeps, leaves])
    table = accuracy(results.outcomes()).select("model", "n", "accuracy", "coverage")
    assert table.rows() == [("keeps", 3, 2 / 3, 2 / 3), ("leaves", 2, 1.0, 2 / 3)]
    assert len(results.outcomes()) == 6
    assert len(drop_left_out(results.outcomes())) == 5


def with_hash(folder: Path, text: str) -> Path:
    """The folder with another hash of its suite."""
    path = folder / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"0123"', json.dumps(text)), encoding="utf-8")
    return folder


def test_other_sentences_under_one_name_are_refused(tmp_path: Path) -> None:
    one = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0, 2.0]))], model="m")
    other = write_run(tmp_path / "b", [SmallSuite("s", pairs([1.0, 2.0], words="girl"))], model="k")
    with_hash(other, "4567")
    with pytest.raises(InputError, match=r"item '1', condition 'bad' is 'the boy1 run' in .*a and 'the girl1 run' in"):
        read_runs([one, other])
    fewer = with_hash(write_run(tmp_path / "c", [SmallSuite("s", pairs([1.0]))], model="k"), "89")
    assert read_runs([one, fewer]).outcomes()["model"].to_list() == ["m", "m", "k"]


def test_other_formulas_under_one_name_are_refused(tmp_path: Path) -> None:
    one = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))], model="m")
    formulas = {"agreement": "(*;%good%) < (*;%bad%)"}
    other = write_run(tmp_path / "b", [SmallSuite("s", pairs([1.0]), predictions=formulas)], model="k")
    with pytest.raises(InputError, match=r"suite 's': the prediction 'agreement' is .* in .*a and .* in .*b"):
        read_runs([one, other])
