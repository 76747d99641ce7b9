"""Results in the layout of lm-evaluation-harness."""

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from statistics import stdev
from time import time

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.runs.harness_results import describe_group, describe_task, note_own_items
from small_bigram import Bigram
from test_cli import gardenpath_command

SUITES = ["agreement", "blimp/passive_1", "blimp/passive_2"]
KEYS = (
    "results",
    "groups",
    "group_subtasks",
    "configs",
    "versions",
    "n-shot",
    "higher_is_better",
    "n-samples",
    "config",
)
"""What `EvalResults` of the harness 0.4.13 has at the top, of what every evaluation with a group writes."""


def test_the_layout(tmp_path: Path) -> None:
    run = gp.run(models=[Bigram()], suites=SUITES, sample=4, out=tmp_path / "run", store=tmp_path / "store")
    done = gardenpath_command("table", tmp_path / "run", "--harness", tmp_path / "results.json")
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert set(KEYS) <= set(results)
    assert list(results["results"]) == ["blimp", "agreement", "blimp_passive_1", "blimp_passive_2"]
    assert results["group_subtasks"] == {"blimp": ["blimp_passive_1", "blimp_passive_2"], "agreement": []}
    tasks = ("blimp_passive_1", "blimp_passive_2")
    accuracies = [results["results"][task]["acc,none"] for task in tasks]
    assert accuracies == [run.accuracy().filter(suite=suite)["accuracy"][0] for suite in SUITES[1:]]
    assert results["groups"]["blimp"]["acc,none"] == pytest.approx(sum(accuracies) / 2)
    assert results["n-samples"]["agreement"] == {"original": None, "effective": 4}  # of a sample, not recorded


def test_the_source_of_items_is_stated(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("good,bad\nThe keys are here.,The keys is here.\n", encoding="utf-8")
    own = gp.run(models=[Bigram()], suites=["blimp/passive_1", path], sample=2, store=tmp_path / "store")
    results = gp.harness_results(own)
    config = results["configs"]["blimp_passive_1"]
    assert (config["dataset_path"], config["metadata"]["items"]) == ("gardenpath", "gardenpath")
    assert results["versions"]["blimp_passive_1"].startswith("gardenpath ")
    assert (results["versions"]["pairs"], results["configs"]["pairs"]["dataset_path"]) == (1.0, str(path))
    (note,) = note_own_items(own)
    assert note.startswith("the items of 'blimp/passive_1' are gardenpath's, not the published sentences")


@pytest.mark.parametrize("folder", ["mine", "a"])
def test_the_files_of_a_folder_are_a_group(folder: str, tmp_path: Path) -> None:
    (tmp_path / folder).mkdir()
    for name in ("a", "b"):
        line = {"sentence_good": f"The {name} is.", "sentence_bad": f"The {name} are.", "field": "syntax", "UID": name}
        text = json.dumps({**line, "linguistics_term": "island_effects", "pair_id": "0"})
        (tmp_path / folder / f"{name}.jsonl").write_text(f"{text}\n", encoding="utf-8")
    run = gp.run(models=[Bigram()], suites=[tmp_path / folder, "agreement"], sample=1, store=tmp_path / "store")
    results = gp.harness_results(run)
    group = {"mine": "mine", "a": "a_files"}[folder]  # a group is not named like a task
    assert results["group_subtasks"] == {group: ["a", "b"], "agreement": []}
    assert results["groups"][group]["sample_len"] == 2


def test_runs_without_predictions_have_no_results(tmp_path: Path) -> None:
    path = tmp_path / "keys.csv"
    path.write_text("item,condition,noun,verb\n1,a,Keys,are\n1,b,Keys,is\n", encoding="utf-8")
    with pytest.warns(InputWarning, match="has no predictions"):
        run = gp.run(models=[Bigram()], suites=[path], store=tmp_path / "store")
    with pytest.raises(InputError, match="no prediction, so neither accuracy nor effects: 'keys'"):
        gp.harness_results(run)


def test_standard_errors_by_hand() -> None:
    task = describe_task("t", [1.0, 1.0, 0.0, 0.0], sample_len=4)
    assert task["acc_stderr,none"] == pytest.approx(sqrt(1 / 3 / 4))
    assert describe_group("g", [task, task])["acc_stderr,none"] == pytest.approx(sqrt(2 / 12) / 2)
    assert describe_task("t", [1.0], sample_len=1)["acc_stderr,none"] == "N/A"


def test_one_model_at_a_time() -> None:
    run = gp.run(models=[Bigram("a"), Bigram("b", seed=1)], suites=["agreement"], sample=2)
    with pytest.raises(InputError, match="about one model"):
        gp.harness_results(run)
    assert gp.harness_results(run, model="b")["model_name"] == "b"
    with pytest.raises(InputError, match="no model 'c'"):
        gp.harness_results(run, model="c")


def test_a_task_without_a_valid_item_has_no_accuracy() -> None:
    nothing = describe_task("a", [], sample_len=3)
    assert (nothing["acc,none"], nothing["acc_stderr,none"], nothing["sample_len"]) == (None, "N/A", 3)
    assert describe_group("g", [nothing, describe_task("b", [1.0, 0.0], sample_len=2)])["acc,none"] is None


def test_invalid_items_are_wrong_and_no_part_of_the_spread() -> None:
    task = describe_task("a", [1.0, 1.0, 0.0], sample_len=6)
    assert task["acc,none"] == 2 / 6
    assert task["acc_stderr,none"] == pytest.approx(sqrt((2 * (1 / 3) ** 2 + (2 / 3) ** 2) / 2 / 3))
    assert describe_task("a", [1.0], sample_len=4)["acc_stderr,none"] == "N/A"


def test_invalid_items_are_counted() -> None:
    run = gp.run(models=[Bigram()], suites=["agreement"])
    first = run.written_outcomes["item"] == run.written_outcomes["item"][0]
    status = polars.when(first).then(polars.lit("invalid")).otherwise(polars.col("status").cast(polars.String))
    outcomes = run.written_outcomes.with_columns(status.alias("status"))
    found = gp.harness_results(replace(run, written_outcomes=outcomes))
    valid = outcomes.filter(polars.col("status") != "invalid")["credit"].to_list()
    assert found["invalid"] == {"agreement": 1}
    assert found["results"]["agreement"]["acc,none"] == sum(valid) / 32
    assert found["results"]["agreement"]["acc_stderr,none"] == pytest.approx(stdev(valid) / sqrt(31))
    assert gp.harness_results(run)["invalid"] == {"agreement": 0}


def test_how_a_model_was_evaluated(tmp_path: Path, llama_folder: Path) -> None:
    """What `_EvalConfig` of the harness has, as far as a run has it."""
    run = gp.run(models=[f"hf:{llama_folder}"], suites=["agreement"], sample=4, seed=7, store=tmp_path / "store")
    config = gp.harness_results(run)["config"]
    expected = {"limit": 4, "model_dtype": "torch.float32", "random_seed": 7, "model_revision": None}
    assert config.items() >= {**expected, "model_args": f"hf:{llama_folder}", "model_num_parameters": None}.items()
    every = gp.run(models=[Bigram()], suites=["agreement"], store=tmp_path / "store")
    assert gp.harness_results(every)["config"]["limit"] is None
    assert gp.harness_results(every)["n-samples"] == {"agreement": {"original": 32, "effective": 32}}
    assert gp.harness_results(every)["config"]["model_dtype"] is None  # counts have none
    both = gp.harness_results(gp.read_runs([run, every]), model=f"hf:{llama_folder}")["config"]
    assert (both["limit"], both["model_dtype"]) == (4, "torch.float32")


def test_the_time_of_an_evaluation(tmp_path: Path) -> None:
    before = time()
    run = gp.run(models=[Bigram()], suites=["agreement"], out=tmp_path / "run", store=tmp_path / "store")
    found = gp.harness_results(gp.read_run(tmp_path / "run"))
    assert before - 2 < found["date"] < time()
    assert found["total_evaluation_time_seconds"] == str(run.timing["seconds"])
