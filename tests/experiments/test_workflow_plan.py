"""The plan that the workflow file reads: rules of steps that need the same, and only what is missing."""

from dataclasses import replace
from pathlib import Path

import pytest

from gardenpath.experiments.snakemake_options import snakemake_options
from gardenpath.experiments.step import Step
from gardenpath.experiments.workflow_plan import WORKFLOW, Limits, build_workflow

CORPUS = Step("corpora/a-1", "corpus", "1", {})
SMALL = Step("models/small-2", "train", "2", {}, (CORPUS.name,), memory=900, seconds=10)
LARGE = Step("models/large-3", "train", "3", {}, (CORPUS.name,), threads=4, memory=8000, seconds=3600)
RUN = Step("runs/both-4", "run", "4", {}, (SMALL.name, LARGE.name))


def test_steps_of_a_kind_that_need_the_same_are_one_rule() -> None:
    twin = replace(SMALL, name="models/twin-5", memory=1000)
    workflow = build_workflow(Path("there"), [CORPUS, SMALL, twin, LARGE, RUN])
    rules = {name: step["rule"] for name, step in workflow["steps"].items()}
    assert rules[SMALL.name] == rules[twin.name] != rules[LARGE.name]
    assert rules[CORPUS.name] == "corpus"
    assert workflow["rules"][rules[SMALL.name]]["memory"] == 1000  # enough for each


def test_a_cluster_gives_a_step_three_times_its_estimate_and_at_least_ten_minutes() -> None:
    workflow = build_workflow(Path("there"), [SMALL, LARGE])
    minutes = [workflow["rules"][step["rule"]]["minutes"] for step in workflow["steps"].values()]
    assert minutes == [10, 180]


def test_inputs_that_are_done_are_not_waited_for() -> None:
    workflow = build_workflow(Path("there"), [SMALL, RUN])
    assert workflow["steps"][SMALL.name]["inputs"] == []
    assert workflow["steps"][RUN.name]["inputs"] == [SMALL.name]


def test_no_step_needs_more_memory_than_the_machine_has() -> None:
    (rule,) = build_workflow(Path("there"), [LARGE], Limits(memory=4000))["rules"].values()
    assert rule["memory"] == 4000


def test_on_one_machine_cores_and_memory_are_limited() -> None:
    options = snakemake_options("local", Path("there/plan.json"), cores=3, memory=500, options=["--verbose"])
    assert options[options.index("--cores") + 1] == "3"
    assert "mem_mb=500" in options
    assert options[-1] == "--verbose"


@pytest.mark.parametrize(("given", "arrays"), [([], True), (["--jobs=5"], False), (["-j", "5"], False)], ids=str)
def test_job_arrays_are_not_combined_with_a_limit_of_jobs(given: list[str], arrays: bool) -> None:
    options = snakemake_options("slurm", Path("there/plan.json"), cores=1, memory=None, options=given)
    assert ("--slurm-array-jobs" in options) == arrays
    assert "--slurm-requeue" in options


def test_the_workflow_file_is_in_the_package() -> None:
    assert "rule all" in WORKFLOW.read_text(encoding="utf-8")
