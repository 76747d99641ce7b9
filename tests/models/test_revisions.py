"""Revisions of models of the hub: names, patterns, a local cache, the hub as its library answers."""

import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.pretrained.hub_listing import list_revisions
from gardenpath.models.pretrained.revisions import (
    Progress,
    expand_braces,
    expand_revisions,
    name_cached,
    read_progress,
    split_revision,
    with_default_revision,
)
from gardenpath.runs.model_choice import expand_choices
from gardenpath.runs.spec import RunSpec
from small_hub import cache_revision

hub = pytest.importorskip("huggingface_hub")
constants = pytest.importorskip("huggingface_hub.constants")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty local cache, without a hub."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "hub"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """What a revision needs to count as complete."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        (folder / name).write_text("{}", encoding="utf-8")
    return folder


def answer(monkeypatch: pytest.MonkeyPatch, *names: str, tags: tuple[str, ...] = ()) -> None:
    """Let the hub answer with these branches and tags."""
    refs = SimpleNamespace(
        branches=[SimpleNamespace(name=name) for name in names], tags=[SimpleNamespace(name=name) for name in tags]
    )
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub.HfApi, "list_repo_refs", lambda *_, **__: refs)


@pytest.mark.parametrize(
    ("name", "progress"),
    [
        ("step143000", Progress(step=143_000)),
        ("step0", Progress(step=0)),
        ("step1000-tokens4B", Progress(step=1000, tokens=4 * 10**9)),
        ("stage1-step239000-tokens1003B", Progress(step=239_000, tokens=1003 * 10**9)),
        ("stage2-ingredient3-step11931-tokens50B", Progress(2, 3, None, 11_931, 50 * 10**9)),
        ("chck_1M", Progress(words=10**6)),
        ("chck_1000M", Progress(words=10**9)),
        ("google/multiberts-seed_0-step_20k", Progress(step=20_000)),
        ("checkpoint-500", Progress(step=500)),
        ("main", Progress()),
        ("footstep5", Progress()),
        ("stepwise", Progress()),
    ],
)
def test_names_tell_the_progress_of_training(name: str, progress: Progress) -> None:
    assert read_progress(name) == progress


@pytest.mark.parametrize(
    "in_order",
    [
        ["step0", "step1", "step2", "step512", "step1000", "step143000", "main"],
        ["chck_1M", "chck_9M", "chck_10M", "chck_90M", "chck_100M", "chck_1000M", "main"],
        [
            "step150-tokens1B", "stage1-step1000-tokens5B", "stage1-step928000-tokens3893B",
            "stage2-ingredient1-step1000-tokens5B", "stage2-ingredient1-step11931-tokens50B",
            "stage2-ingredient2-step1000-tokens5B",
        ],
    ],
)  # fmt: skip
def test_revisions_are_in_the_order_of_training(
    in_order: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, *sorted(in_order))
    assert expand_revisions("hf:org/name@*") == [f"hf:org/name@{name}" for name in in_order]
    assert not cache.exists()


def test_braces_and_globs_choose_from_branches_and_tags(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "main", "step10", "step9", tags=("step1000", "step9"))
    assert expand_revisions("mlm:org/name@{step1000,step9}") == ["mlm:org/name@step9", "mlm:org/name@step1000"]
    assert expand_revisions("hf:org/name@step?") == ["hf:org/name@step9"]
    assert expand_revisions("hf:org/name@step1*") == ["hf:org/name@step10", "hf:org/name@step1000"]
    assert expand_braces("a{b,c}{d,e}") == ["abd", "abe", "acd", "ace"]
    with pytest.raises(InputError, match=r"no revision of 'org/name' on the hub matches 'step7'; .* 'step9'"):
        expand_revisions("hf:org/name@{step9,step7}")
    assert not cache.exists()


def test_single_revisions_and_other_models_are_not_listed(cache: Path) -> None:
    for spec in ("hf:org/name@step1", "hf:org/name", "ngram:a*@{b}.arpa", "smollm2", "models/lstm@1"):
        assert expand_revisions(spec) == [spec]
    assert not cache.exists()


def test_without_the_hub_the_local_cache_is_listed(cache: Path, files: Path) -> None:
    for name in ("step1000", "step1", "main"):
        cache_revision(cache, "org/name", name, files)
    cache_revision(cache, "org/name", "step2", None)  # its files were never loaded
    cache_revision(cache, "org/name", "refs/pr/7", files)
    with pytest.warns(InputWarning) as notes:
        assert expand_revisions("hf:org/name@*") == [f"hf:org/name@{name}" for name in ("step1", "step1000", "main")]
    (note,) = notes
    assert str(note.message) == (
        "'hf:org/name@*' stands for the 3 revisions in the local cache, since the hub cannot be reached "
        "(HF_HUB_OFFLINE is set); not in it: 'step2'"
    )
    with pytest.warns(InputWarning, match="the 1 revisions in the local cache.*not in it: 'step2', 'step9'$"):
        assert expand_revisions("hf:org/name@{step1,step9,step2}") == ["hf:org/name@step1"]


def test_a_hub_that_fails_is_as_none(cache: Path, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_revision(cache, "org/name", "step1", files)

    def fail(*_: Any, **__: Any) -> None:
        raise ConnectionError("no route to the hub\nand a page of details")

    answer(monkeypatch)
    monkeypatch.setattr(hub.HfApi, "list_repo_refs", fail)
    listed = list_revisions("org/name")
    assert (listed.names, listed.why_local) == (("step1",), "no route to the hub")
    with pytest.raises(
        InputError, match=r"org/other: its revisions cannot be listed \(no route to the hub\), and none"
    ):
        list_revisions("org/other")


def test_a_pattern_without_a_match_names_the_nearest(cache: Path, files: Path) -> None:
    for name in ("step1000", "step1", "chck_1M"):
        cache_revision(cache, "org/name", name, files)
    message = r"no revision of 'org/name' in the local cache matches 'stp\*'; the nearest are 'step1', 'step1000', of 3"
    with pytest.raises(InputError, match=message):
        expand_revisions("hf:org/name@stp*")
    assert name_cached("org/name@step2") == " (in the local cache are 'step1', 'step1000', of 3)"
    assert name_cached("org/name@step1") == name_cached("org/name") == name_cached("org/none@step1") == ""


def test_folders_have_no_revisions(cache: Path) -> None:
    for name in ("a@b", "own"):
        (cache.parent / name).mkdir()
    assert split_revision("a@b") == ("a@b", None)
    assert split_revision("org/name@refs/pr/1") == ("org/name", "refs/pr/1")
    assert split_revision("/tmp/x@y/none") == ("/tmp/x@y/none", None)
    with pytest.raises(InputError, match="own is a folder, which has no revisions; leave out @step1"):
        split_revision("own@step1")
    with pytest.raises(InputError, match="has no revision after its @"):
        split_revision("org/name@")


def test_the_option_is_the_revision_of_models_without_one(cache: Path, files: Path) -> None:
    (cache.parent / "own").mkdir()
    for spec, expected in {"hf:a": "hf:a@r", "mlm:o/a": "mlm:o/a@r", "hf:a@s": "hf:a@s", "hf:own": "hf:own"}.items():
        assert with_default_revision(spec, "r") == expected
        assert with_default_revision(spec, None) == spec
    for name in ("step1", "step0"):
        cache_revision(cache, "org/name", name, files)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        names = expand_choices(RunSpec(models=("hf:org/name", "smollm2"), revision="step*"))
    assert names == ["hf:org/name@step0", "hf:org/name@step1", "smollm2"]
    with pytest.raises(
        InputError,
        match=r"only to hub models .* that name no revision; smollm2 is not a hub model, hf:own is a local folder\.",
    ):
        expand_choices(RunSpec(models=("smollm2", "hf:own"), revision="x"))


def test_the_option_keeps_the_digests_of_earlier_specifications() -> None:
    assert "revision" not in RunSpec().counted_fields()
    assert RunSpec().digest() != RunSpec(revision="step1").digest()
