"""Revisions of a model of the hub as a series: run from a local cache in a process of its own, without a network."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath.reporting.analyses import all_analyses
from gardenpath.reporting.figures.collect import all_figures
from gardenpath.reporting.figures.files import chart_to_svg
from gardenpath.runs.manifest import read_manifest
from gardenpath.runs.results import read_runs
from small_hub import PYTHIA_NAMES, cache_revision, offline, write_hub
from small_models import save_tiny

pytest.importorskip("transformers")
SUITE = ("--suite", "agreement", "--sample", "4")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A local cache with four checkpoints; of a fifth it has only the name."""
    cache = write_hub(tmp_path_factory.mktemp("home") / "hub", "org/name")
    cache_revision(cache, "org/name", "step2", None)
    return cache


def gardenpath(hub: Path, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    own = {"XDG_CACHE_HOME": str(hub.parent / "cache"), "COLUMNS": "200", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", "gardenpath", *arguments],
        capture_output=True, text=True, check=False, cwd=folder, env={**offline(hub), **own},
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(hub: Path) -> Path:
    """The folder of a run over all checkpoints, and what the command printed."""
    done = gardenpath(hub, hub.parent, "run", "--model", "hf:org/name@step*", *SUITE, "--out", "run")
    assert done.returncode == 0, done.stderr
    (hub.parent / "stderr").write_text(done.stderr, encoding="utf-8")
    return hub.parent / "run"


def test_checkpoints_are_run_in_the_order_of_training(hub: Path, folder: Path) -> None:
    manifest = read_manifest(folder)
    assert [model.name for model in manifest.models] == [f"hf:org/name@{name}" for name in PYTHIA_NAMES]
    assert len({model.fingerprint for model in manifest.models}) == 4  # weights of their own
    for model, name in zip(manifest.models, PYTHIA_NAMES, strict=True):
        commit = (hub / "models--org--name" / "refs" / name).read_text(encoding="utf-8")
        assert (model.decisions["revision"], model.decisions["commit"]) == (name, commit)
        assert model.training is not None
        assert (model.training.architecture, model.training.step) == ("Llama", int(name.removeprefix("step")))
        assert (model.training.words_read, model.training.tokens_read, model.training.words) == (None, None, None)
    notes = (folder.parent / "stderr").read_text(encoding="utf-8")
    assert notes.count("note:") == 1
    assert "not in it: 'step2'" in notes


def test_the_report_has_curves_and_shapes(folder: Path) -> None:
    runs = read_runs(folder)
    curve = all_figures(runs)["learning-curves-step"]
    assert curve.table["step"].to_list() == [0, 1, 1000, 143_000]
    assert curve.caption.count("checkpoints of one training") == 1
    svg = chart_to_svg(curve.chart)
    assert all(f">{label}<" in svg for label in ("0", "1k", "100k", "Training step"))
    assert ">0k<" not in svg
    shapes = {one.name: one.table for one in all_analyses(runs)}["table-shapes"]
    assert shapes.select("series", "suite", "unit", "points", "n").rows() == [("Llama", "agreement", "step", 4, 4)]


def test_the_report_is_written(hub: Path, folder: Path) -> None:
    done = gardenpath(hub, hub.parent, "report", "run", "--out", "report.html", "--figures", "figures")
    assert done.returncode == 0, done.stderr
    assert "Shapes of learning curves" in (hub.parent / "report.html").read_text(encoding="utf-8")
    written = {path.name for path in (hub.parent / "figures").iterdir()}
    assert {"learning-curves-step.png", "learning-curves-step.csv", "table-shapes.csv"} <= written
    assert folder.is_dir()


@pytest.mark.slow
def test_one_revision_and_the_option_are_the_same_run(hub: Path, folder: Path) -> None:
    named = gardenpath(hub, hub.parent, "run", "--model", "hf:org/name@step1000", *SUITE, "--json", "--out", "one")
    option = gardenpath(
        hub, hub.parent, "run", "--model", "hf:org/name", "--revision", "step1000", *SUITE, "--json", "--out", "two"
    )
    assert json.loads(named.stdout) == json.loads(option.stdout)
    models = [read_manifest(hub.parent / name).models[0] for name in ("one", "two", "run")]
    third = read_manifest(folder).models[2]
    assert all((model.name, model.fingerprint) == (third.name, third.fingerprint) for model in models[:2])


SCORE = """
import gardenpath as gp
from gardenpath.errors import InputError
named, option = gp.score("hf:org/name@step1000", "the key"), gp.score("hf:org/name", "the key", revision="step1000")
print(option.model == named.model, option.model.name, option.model.decisions["revision"])
print(option.tokens().equals(named.tokens()))
print(gp.score("label=hf:org/name", "the key", revision="step1?00").model.name)
for model, revision in {"hf:org/name": "step*", "smollm2": "step1"}.items():
    try:
        gp.score(model, "the key", revision=revision)
    except InputError as error:
        print(error)
"""


def test_score_takes_a_revision(hub: Path) -> None:
    own = {"XDG_CACHE_HOME": str(hub.parent / "cache"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCORE],
        capture_output=True, text=True, check=False, cwd=hub.parent, env={**offline(hub), **own},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "True hf:org/name@step1000 step1000",
        "True",
        "label",
        "hf:org/name stands for 4 models; score sentences with one: 'hf:org/name@step0', 'hf:org/name@step1', "
        "'hf:org/name@step1000', 'hf:org/name@step143000'",
        "--revision step1 applies only to hub models (hf:NAME, mlm:NAME) that name no revision; smollm2 is not a hub "
        "model. Leave it out; all checkpoints in a local folder are --model 'hf:DIR/*'",
    ]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("hf:org/name@stp*", "no revision of 'org/name' in the local cache matches 'stp*'; the nearest are 'step0'"),
        ("hf:org/name@step2", "in the local cache are 'step0', 'step1', 'step1000', 'step143000', of 4"),
    ],
)
def test_what_is_missing_ends_in_one_message(hub: Path, tmp_path: Path, model: str, message: str) -> None:
    done = gardenpath(hub, tmp_path, "run", "--model", model, *SUITE)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_tokenizer_is_that_of_the_revision(tmp_path: Path) -> None:
    from small_models import tiny_llama

    cache = tmp_path / "home" / "hub"
    for name, symbols in {"chck_1M": ("<|endoftext|>",), "chck_10M": ("<|endoftext|>", "<extra>")}.items():
        files = save_tiny(tmp_path / name, tiny_llama(), symbols=symbols)
        cache_revision(cache, "baby/model", name, files)
    done = gardenpath(cache, tmp_path, "run", "--model", "hf:baby/model@chck_*", *SUITE, "--out", "run")
    assert done.returncode == 0, done.stderr
    first, second = read_manifest(tmp_path / "run").models
    assert first.training is not None
    assert second.training is not None
    assert (first.training.words_read, second.training.words_read) == (10**6, 10**7)
    assert first.fingerprint != second.fingerprint  # the same weights, other tokens
    assert "learning-curves-words-read" in all_figures(read_runs(tmp_path / "run"))
