"""Plans of many steps: what is written is read again, what is missing is found, groups of runs are gathered."""

from pathlib import Path

import polars
import pytest

from gardenpath import run, train
from gardenpath.experiments import build
from gardenpath.experiments.experiment import Experiment
from gardenpath.experiments.perform import find_work
from gardenpath.experiments.plan import Plan, read_plan
from gardenpath.experiments.step import DONE, RESULT, Step, read_step, resolve_paths, write_steps
from small_training import sentences

MODELS, CHOICES, GROUP = 20, 15, 64


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """The plan of a generated file: every model on every choice of items, gathered in groups."""
    monkeypatch.setattr(build, "GATHERED", GROUP)
    (tmp_path / "text.txt").write_text("\n".join(sentences(400, 1)) + "\n", encoding="utf-8")
    suites = "".join(f'[suites.s{n}]\nsuites = "agreement"\noptions = {{ sample = {n + 1} }}\n' for n in range(CHOICES))
    (tmp_path / "grid.toml").write_text(
        f'[corpora.text]\ntext = "text.txt"\nheld_out = 100\n'
        f'[trainings.ngram]\narchitectures = ["ngram"]\ncorpus = "text"\nseeds = {list(range(MODELS))}\n'
        f"options = {{ order = 2 }}\n{suites}[runs.all]\n[analyses.all]\n",
        encoding="utf-8",
    )
    return Experiment.read(tmp_path / "grid.toml").plan(tmp_path / "results")


def of_kind(plan: Plan, kind: str) -> list[Step]:
    return [step for step in plan.steps.values() if step.kind == kind]


def test_every_model_meets_every_choice_and_every_run_is_gathered_once(plan: Plan) -> None:
    counts = plan.counts()
    assert (counts["train"], counts["run"]) == (MODELS, MODELS * CHOICES)
    *groups, last = of_kind(plan, "gather")
    assert sorted(name for group in groups for name in group.inputs) == sorted(
        step.name for step in of_kind(plan, "run")
    )
    assert max(len(group.inputs) for group in groups) == GROUP
    assert set(last.inputs) == {group.name for group in groups}


def test_a_plan_is_read_as_it_was_written(plan: Plan) -> None:
    plan.write()
    assert read_plan(plan.root) == plan


def test_steps_come_after_those_they_need(plan: Plan) -> None:
    position = {name: index for index, name in enumerate(plan.steps)}
    assert all(position[needed] < position[step.name] for step in plan.steps.values() for needed in step.inputs)


def test_only_steps_without_results_are_missing(plan: Plan) -> None:
    assert plan.missing() == list(plan.steps.values())
    done = of_kind(plan, "run")[::3]
    for step in done:
        (plan.root / step.name).mkdir(parents=True)
        (plan.root / step.name / DONE).write_text("{}", encoding="utf-8")
    missing = {step.name for step in plan.missing()}
    assert missing == plan.steps.keys() - {step.name for step in done}


def test_files_of_steps_are_written_once_and_again_when_damaged(plan: Plan) -> None:
    steps = of_kind(plan, "run")[:3]
    assert [step.name for step in write_steps(plan.root, steps)] == [step.name for step in steps]
    assert [read_step(plan.root / step.name) for step in steps] == steps
    files = [plan.root / step.name / "step.json" for step in steps]
    whole, times = files[0].read_bytes(), [file.stat().st_mtime_ns for file in files[1:]]
    files[0].write_bytes(b"")  # as after a loss of power
    list(write_steps(plan.root, steps))
    assert files[0].read_bytes() == whole
    assert [file.stat().st_mtime_ns for file in files[1:]] == times
    assert not list(plan.root.glob(".unfinished*"))


@pytest.mark.filterwarnings("ignore:the discounts of")  # the text is short
def test_groups_hold_the_scores_of_all_runs(plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train("ngram", corpus=tmp_path / "text.txt", order=2, out=tmp_path / "model")
    run(models=[str(tmp_path / "model")], suites=["agreement"], out=tmp_path / "run", store=tmp_path / "store")
    files = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir() if path.is_file()}
    for step in of_kind(plan, "run"):
        (plan.root / step.name / RESULT).mkdir(parents=True)
        for name, content in files.items():
            (plan.root / step.name / RESULT / name).write_bytes(content)
    monkeypatch.chdir(plan.root)
    for step in of_kind(plan, "gather"):
        find_work(step)(resolve_paths(step.work), Path(step.name) / RESULT, lambda _: None)
    scores = polars.read_parquet(Path(of_kind(plan, "gather")[-1].name) / RESULT / "scores.parquet")
    assert scores["run"].unique().sort().to_list() == list(range(MODELS * CHOICES))
    assert scores.select("accuracy", "n").unique().height == 1  # one run, many times
