"""The four papers as experiments: their full size is planned and counted, their smallest is carried out."""

from pathlib import Path

import polars
import pytest

import gardenpath as gp
from gardenpath.experiments.plan import read_plan
from gardenpath.experiments.step import RESULT
from gardenpath.experiments.totals import summarise
from gardenpath.reporting.papers.paper import NO_RESULT
from test_cli import gardenpath_command

FULL = {
    # four sizes: a 5-gram, 3 seeds of LSTM, ON-LSTM and RNNG, 2 of GPT-2; 5 models from elsewhere
    "hu-2020": {"train": 4 * (1 + 3 + 3 + 3 + 2), "run": 4 * (1 + 3 + 3 + 3 + 2) + 5, "people": 0},
    # ten sizes, five samples; 4 models from elsewhere
    "blimp-2020": {"train": 50, "run": 54, "people": 1},
    # RNNG, TinyLSTM and 5-gram; BERT, Transformer-XL, GRNN and JRNN
    "hu-chen-levy-2020": {"train": 3, "run": 7, "people": 0},
    # three models, each run in eight shards
    "marvin-linzen-2018": {"train": 3, "shard": 24, "join": 3, "people": 0},
}
SMALL = {
    # four sizes: a 5-gram, 2 seeds of LSTM, ON-LSTM, RNNG and GPT-2 on words and on sub-words; the embedded model
    "hu-2020": {"train": 4 * (1 + 5 * 2), "run": 4 * (1 + 5 * 2) + 1},
    # two samples of six sizes, two 5-grams; the embedded model
    "blimp-2020": {"train": 2 * 6 + 2, "run": 2 * 6 + 3},
    # 3 seeds of RNNG and LSTM, a 5-gram; the embedded model
    "hu-chen-levy-2020": {"train": 7, "run": 8},
    # 2 seeds of both LSTMs, a 5-gram; the embedded model
    "marvin-linzen-2018": {"train": 5, "run": 6},
}
LONGEST, ALTOGETHER = 25 * 60, 5 * 3600
"""Seconds of the longest step, and of everything on two cores."""


@pytest.mark.parametrize("name", FULL)
def test_the_full_size_can_be_planned_without_its_inputs(name: str) -> None:
    experiment = gp.Experiment.read(name)
    plan = experiment.plan("full")
    counts = plan.counts()
    assert {kind: counts.get(kind, 0) for kind in FULL[name]} == FULL[name]  # type: ignore[call-overload]
    assert experiment.missing_inputs()
    assert all(step.seconds > 0 and step.memory > 0 for step in plan.steps.values())
    largest = max(step.seconds for step in plan.steps.values())
    assert largest > 3600  # hours, which is why there are smaller scales


@pytest.mark.parametrize("name", SMALL)
def test_the_small_scale_takes_hours_on_two_cores(name: str) -> None:
    experiment = gp.Experiment.read(name, scale="small")
    plan = experiment.plan("small")
    counts = plan.counts()
    assert {kind: counts[kind] for kind in SMALL[name]} == SMALL[name]  # type: ignore[index]
    assert experiment.missing_inputs().keys() <= {"corpus", "treebank", "supertags"}  # which have options of their own
    assert max(step.seconds for step in plan.steps.values()) < LONGEST
    assert summarise(plan).seconds_on(2) < ALTOGETHER


@pytest.mark.parametrize("name", ["hu-2020", "hu-chen-levy-2020"])
def test_pages_name_the_training_texts_as_their_models_do(name: str) -> None:
    plan = gp.Experiment.read(name, scale="tiny").plan("out")
    (page,) = (step for step in plan.steps.values() if step.name.startswith("analyses/paper"))
    recorded = {step.work["about"]["corpus_name"] for step in plan.steps.values() if step.kind == "train"}
    assert {text.partition("=")[0] for text in page.work["corpora"]} == recorded


# hu-2020 is carried out by test_tiny_experiment.py, which checks the same and more.
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FULL.keys() - {"hu-2020"}))
def test_the_smallest_scale_ends_in_the_tables_of_the_paper(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    ended = gardenpath_command("experiment", "run", name, "--scale", "tiny", "--out", str(folder))
    assert ended.returncode == 0, ended.stderr + ended.stdout
    assert (folder / "report.html").exists()
    (page,) = (step for step in read_plan(folder).steps.values() if step.name.startswith("analyses/paper"))
    parts = polars.read_csv(folder / page.name / RESULT / "figures" / f"{name}-contents.csv")
    lacking = parts.filter(~polars.col("made"), polars.col("missing") != NO_RESULT)
    assert dict(lacking.select("part", "missing").iter_rows()) == {}
