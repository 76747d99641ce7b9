"""Shards that are missing, doubled, foreign, damaged or killed, and what is said of them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands.app import app
from gardenpath.io.sealed_json import seal_record
from refusals import refused
from small_bigram import Bigram

BIGRAM = Bigram()
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module", autouse=True)
def small_parts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gardenpath.scoring.score.NODES_WALKED", 20)
        yield


def compute(folder: Path, shard: str, **fields: Any) -> Path:
    gp.run_shard(**{"models": [BIGRAM], "suites": ["agreement"], "shard": shard, "out": folder, **fields})
    return folder


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    for number in range(1, 6):
        compute(folder / f"{number}", f"{number}/5")
    return folder


@pytest.fixture
def shards(computed: Path, tmp_path: Path) -> list[Path]:
    shutil.copytree(computed, tmp_path / "shards")
    return [tmp_path / "shards" / f"{number}" for number in range(1, 6)]


@pytest.mark.parametrize("text", ["3of7", "3", "/7", "3/", "-1/7", "3/7/9", "٣/7", "1/1e3"])
def test_a_shard_that_cannot_be_read(text: str) -> None:
    refused("such as 3/7", gp.RunSpec, shard=text)


def test_a_shard_may_be_computed_again_to_be_shown_by_a_factor(shards: list[Path]) -> None:
    compute(shards[0], "1/5", by="phenomenon")
    assert gp.join_shards(shards).spec.by == "phenomenon"


@pytest.mark.parametrize("text", ["0/7", "8/7", "0/0"])
def test_a_shard_that_does_not_exist(text: str) -> None:
    refused("counted from 1", gp.RunSpec, shard=text)


def test_choices_that_a_shard_does_not_have(tmp_path: Path) -> None:
    refused("leave out --store", gp.RunSpec, shard="1/2", store=tmp_path / "store.sqlite")
    refused("run_shard computes a shard", gp.run, models=[BIGRAM], suites=["agreement"], shard="1/2")
    refused("none is named", gp.run_shard, models=[BIGRAM], suites=["agreement"], out=tmp_path / "1")
    refused("name one of its own with --out", gp.run_shard, models=[BIGRAM], suites=["agreement"], shard="1/2")


def test_missing_shards_are_named(shards: list[Path]) -> None:
    refused("shards 3 and 5 of 5 are missing; .* --shard 3/5", gp.join_shards, [shards[0], shards[1], shards[3]])
    refused("shard 1 of 5 is missing", gp.join_shards, shards[1:])
    refused("as a list", gp.join_shards, [])


def test_a_shard_that_is_there_twice(shards: list[Path], tmp_path: Path) -> None:
    shutil.copytree(shards[1], tmp_path / "copy")
    refused("shard 2 is there twice, in .*2 and .*copy", gp.join_shards, [*shards, tmp_path / "copy"])


@pytest.mark.parametrize(
    ("fields", "differing"),
    [
        ({"seed": 3, "sample": 5}, "sample, seed, contents of suites"),
        ({"models": [Bigram("bigram", 1)]}, "weights of models"),
        ({"shard": "2/6"}, "the number of shards"),
        ({"memory": 100}, "memory"),
    ],
    ids=["specification", "weights", "count", "memory"],
)
def test_shards_of_another_run(
    shards: list[Path], tmp_path: Path, fields: dict[str, Any], differing: str
) -> None:  # fmt: skip
    foreign = compute(tmp_path / "foreign", "2/5", **fields) if "shard" not in fields else tmp_path / "foreign"
    if "shard" in fields:
        compute(foreign, fields["shard"])
    refused(f"different runs \\({differing} differ", gp.join_shards, [shards[0], foreign, *shards[2:]])


def change_record(folder: Path, **versions: str) -> None:
    path = folder / "shard.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["manifest"]["versions"] |= versions
    path.write_text(seal_record(record), encoding="utf-8")


def test_shards_of_other_versions(shards: list[Path]) -> None:
    change_record(shards[2], numpy="1.0")
    refused("versions of libraries differ", gp.join_shards, shards)
    for folder in shards:
        change_record(folder, numpy="1.0", gardenpath="0.0.1")
    refused("computed by gardenpath 0.0.1; join them with it", gp.join_shards, shards)


@pytest.mark.parametrize("name", ["results-1.npz", "shard.json"])
def test_damaged_files(shards: list[Path], name: str) -> None:
    path = shards[3] / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    refused("4/.* damaged", gp.join_shards, shards)
    path.unlink()
    refused("give the command of shard 4/5 again" if "npz" in name else "4 has no shard.json", gp.join_shards, shards)
    compute(shards[3], "4/5")
    assert gp.join_shards(shards) == gp.run(models=[BIGRAM], suites=["agreement"])


def test_a_suite_that_has_changed(tmp_path: Path) -> None:
    suite = gp.Suite.from_pairs([("the dog barks", "the dog bark")], name="mine")
    other = gp.Suite.from_pairs([("the dogs bark", "the dogs barks")], name="mine")
    folder = compute(tmp_path / "1", "1/1", suites=[suite])
    refused("suite 'mine' is not the one that the shards were computed for", gp.join_shards, [folder], suites=[other])
    assert gp.join_shards([folder], suites=[suite]).outcomes().height == 1


def test_folders_are_not_mixed_up(shards: list[Path], tmp_path: Path) -> None:
    refused("holds another run \\(shard differ\\)", compute, shards[0], "2/5")
    refused("holds another run \\(end differ\\)", compute, shards[0], "1/5", seed=0, end=True)
    compute(shards[0], "2/5", overwrite=True)
    refused("holds a shard of a run", gp.run, models=[BIGRAM], suites=["agreement"], out=shards[0])
    refused(
        "holds a shard of a run", gp.join_shards, [compute(shards[0], "1/5", overwrite=True), *shards[1:]], shards[0]
    )
    refused("gardenpath join DIR", gp.read_run, shards[0])
    gp.join_shards(shards, tmp_path / "run")
    refused("holds a whole run", gp.join_shards, [tmp_path / "run", *shards])
    refused("holds a whole run", compute, tmp_path / "run", "1/5")


def pairs_file(path: Path) -> Path:
    rows = (f"The guard{number} laughs.\tThe guard{number} laugh." for number in range(3000))
    path.write_text("good\tbad\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def gardenpath(*arguments: str) -> Any:
    return CliRunner().invoke(app, arguments)


@pytest.mark.usefixtures("one_thread")
def test_a_killed_shard_resumes(
    tmp_path: Path, llama_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    common = ["--model", f"hf:{llama_folder}", "--suite", str(pairs_file(tmp_path / "pairs.tsv")), "--memory", "1"]
    shard = ["run", *common, "--shard", "1/2", "--out", "shards/1"]
    environment = {**os.environ, "SECONDS_FOR_A_PART": "2"}
    process = subprocess.Popen([sys.executable, str(TESTS / "slow_run.py"), *shard], env=environment)
    deadline = time.monotonic() + 60
    while not [*Path("shards").glob("1/.progress/*.npz")] and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not Path("shards/1/shard.json").exists()
    unfinished = gardenpath("join", "shards/1")
    assert "is not finished; give its command again" in str(unfinished.exception)
    resumed = gardenpath(*shard)
    assert resumed.exit_code == 0
    shown = gardenpath("run", *common, "--shard", "2/2", "--out", "shards/2", "--json")
    (row,) = json.loads(shown.stdout)
    assert (row["shard"], row["high"]) == ("2/2", row["parts"])
    assert gardenpath("join", "shards/2", "shards/1", "--out", "joined").exit_code == 0
    assert gardenpath("run", *common, "--out", "whole", "--store", "store.sqlite").exit_code == 0
    for name in ("outcomes.parquet", "tokens.parquet", "manifest.json"):
        assert Path("joined", name).read_bytes() == Path("whole", name).read_bytes(), name
    assert "gardenpath join" in str(gardenpath("report", "shards/1").exception)
