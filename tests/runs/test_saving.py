"""Folders of runs: written as a unit, checked when they are read, never replaced by mistake."""

import json
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.io.folder_update import COMPLETE, claim_folder
from gardenpath.runs.results import Run
from gardenpath.runs.saving import UnsavedRunError
from small_models import WordModel


def small_model(fingerprint: str = "of the weights") -> WordModel:
    return WordModel(lambda context, word: len(word) + len(context) / 10, fingerprint=fingerprint)


def run(**fields: Any) -> Run:
    return gp.run(**({"models": [small_model()], "suites": ["agreement"], "sample": 4} | fields))


def contents(folder: Path) -> dict[str, bytes]:
    """All files, except when and how fast the run was made."""
    assert all(path.is_file() for path in folder.iterdir()), list(folder.iterdir())
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "timing.json"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run(out=tmp_path / "run")
    return tmp_path / "run"


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file can become larger than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", ["tokens.parquet", "outcomes.parquet", "manifest.json"])
def test_files_of_two_runs_are_not_mixed(folder: Path, tmp_path: Path, name: str) -> None:
    run(out=tmp_path / "other", sample=3)
    shutil.copy(tmp_path / "other" / name, folder / name)
    with pytest.raises(InputError, match=r"is damaged, or not that of the run in manifest.json; repeat the run"):
        gp.read_run(folder)


def test_a_manifest_that_was_changed_is_refused(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"sample": 4', '"sample": 5'), encoding="utf-8")
    with pytest.raises(InputError, match="do not have the digest they were written with"):
        gp.read_run(folder)
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({key: value for key, value in record.items() if key != "digest"}), encoding="utf-8")
    with pytest.raises(InputError, match="has no digest"):
        gp.read_run(folder)


def test_older_formats_have_no_digests(folder: Path) -> None:
    whole = gp.read_run(folder)
    record = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    older = {key: value for key, value in record.items() if key not in ("digest", "files")} | {"format": 2}
    (folder / "manifest.json").write_text(json.dumps(older), encoding="utf-8")
    assert gp.read_run(folder).outcomes().equals(whole.outcomes())
    run(out=folder)  # the same run


def test_the_same_run_again_leaves_the_same_files(folder: Path) -> None:
    before = contents(folder)
    run(out=folder)
    assert contents(folder) == before
    gp.read_run(folder).save(folder)
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("fields", "differing"),
    [
        ({"sample": 3}, "sample"),
        ({"models": [small_model("of other weights")]}, "weights of models"),
        ({"end": True, "by": "circuit"}, "end"),  # by only chooses how results are shown
    ],
)
def test_another_run_is_not_replaced(folder: Path, fields: dict[str, Any], differing: str) -> None:
    (folder / "accuracy.png").write_bytes(b"a picture of the older run")
    (folder / "notes.txt").write_bytes(b"of the user")
    before = contents(folder)
    message = rf"holds another run \({differing}.* differ\), which would be lost; .*--overwrite"
    with pytest.raises(InputError, match=message):
        run(out=folder, **fields)
    with pytest.raises(UnsavedRunError, match=message) as raised:
        run(**fields).save(folder)
    assert raised.value.run.outcomes().height
    assert contents(folder) == before
    run(out=folder, overwrite=True, **fields)
    assert "accuracy.png" not in contents(folder)
    assert contents(folder)["notes.txt"] == b"of the user"
    assert gp.read_run(folder) == run(**fields)


def test_files_of_the_user_with_the_names_of_a_runs_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_bytes(b"of the user")
    for write in (lambda: run(out=tmp_path), lambda: run().save(tmp_path)):
        with pytest.raises(InputError, match=r"holds no run, but 'items\.csv', which would be lost; .*--overwrite"):
            write()
    assert contents(tmp_path) == {"items.csv": b"of the user"}
    run(out=tmp_path, overwrite=True)
    assert gp.read_run(tmp_path) == run()


def test_another_run_is_refused_before_anything_is_computed(folder: Path) -> None:
    model = small_model()
    with pytest.raises(InputError, match="holds another run"):
        run(models=[model], sample=3, out=folder, store=folder.parent / "new.sqlite")
    (folder.parent / "file").touch()
    with pytest.raises(InputError, match=r"file cannot be written \(Not a directory\)"):
        run(models=[model], out=folder.parent / "file", store=folder.parent / "new.sqlite")
    with claim_folder(folder), pytest.raises(InputError, match="another process is writing into"):
        run(models=[model], out=folder, store=folder.parent / "new.sqlite")
    assert model.scored == 0


def test_a_run_that_fails_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="agreemend"):
        run(suites=["agreemend"], out=tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_a_damaged_run_can_be_overwritten(folder: Path) -> None:
    before = contents(folder)
    (folder / "outcomes.parquet").write_bytes(b"rubbish")
    with pytest.raises(InputError, match=r"outcomes.parquet is damaged"):
        run(out=folder)
    run(out=folder, overwrite=True)
    assert contents(folder) == before


def test_a_full_disk_keeps_the_results_and_the_older_run(folder: Path) -> None:
    before = contents(folder)
    other = run(sample=3)
    with room(600), pytest.raises(UnsavedRunError, match=r"run/tokens.parquet cannot be written .*free some") as raised:
        other.save(folder, overwrite=True)
    assert raised.value.run.accuracy()["n"].to_list() == [3]
    assert contents(folder) == before
    with room(600), pytest.raises(UnsavedRunError):
        other.save(folder.parent / "new")
    assert not (folder.parent / "new").exists()


def test_a_complete_update_is_finished_by_whoever_reads(folder: Path, tmp_path: Path) -> None:
    run(out=tmp_path / "other", sample=3)
    whole = contents(tmp_path / "other")
    (tmp_path / "other").rename(folder / COMPLETE)  # as a process that is killed at the last moment leaves it
    (folder / "outcomes.parquet").unlink()
    assert gp.read_run(folder).accuracy()["n"].to_list() == [3]
    assert contents(folder) == whole


def test_what_is_no_run_is_kept(tmp_path: Path) -> None:
    polars.DataFrame({"mine": [1]}).write_csv(tmp_path / "table.csv")
    run(out=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= {"table.csv", "manifest.json"}


def test_the_same_run_is_shown_by_another_factor(tmp_path: Path) -> None:
    first = run(out=tmp_path / "run")
    again = run(out=tmp_path / "run", by="phenomenon")
    assert gp.read_run(tmp_path / "run").manifest.results == again.manifest.results != first.manifest.results
    assert gp.read_run(tmp_path / "run").spec.by == "phenomenon"
    with pytest.raises(InputError, match=r"holds another run \(seed differ"):
        run(out=tmp_path / "run", by="phenomenon", seed=1)
