"""The status of an experiment is read from the folders of its steps."""

import json
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gardenpath.commands.experiment import experiment
from gardenpath.errors import InputError
from gardenpath.experiments.perform import begin_attempt, end_attempt, record_failure
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.status import Status, StepStatus, read_status
from gardenpath.experiments.step import DONE, Step, write_steps
from gardenpath.experiments.step_lock import hold_lock, is_locked

STEPS = [
    Step("corpora/a-1", "corpus", "1", {}, seconds=1.0),
    Step("models/b-2", "train", "2", {}, ("corpora/a-1",), seconds=10.0),
    Step("models/c-3", "train", "3", {}, ("corpora/a-1",), seconds=10.0),
    Step("runs/d-4", "run", "4", {}, ("models/b-2",), seconds=5.0),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A corpus that is done and took twice its time, a training that failed, two steps that wait."""
    plan = Plan(tmp_path, "small", {step.name: step for step in STEPS})
    plan.write()
    list(write_steps(tmp_path, STEPS))
    corpus, failed = tmp_path / "corpora/a-1", tmp_path / "models/b-2"
    attempts = begin_attempt(corpus)
    end_attempt(corpus, attempts, "done")
    (corpus / DONE).write_text('{"files": {}}')
    end_attempt(failed, begin_attempt(failed), "failed")
    (failed / "log.txt").write_text("one\n\n[bold]two\n")
    record_failure(failed, "no memory is left")
    return tmp_path


def test_four_states(root: Path) -> None:
    with hold_lock(root / "models/c-3"):
        status = read_status(root)
    assert [step.state for step in status.steps] == ["done", "failed", "running", "waiting"]
    assert status.counts() == {"done": 1, "running": 1, "failed": 1, "waiting": 1}
    assert status.by_kind()["train"] == {"done": 0, "running": 1, "failed": 1, "waiting": 0}
    assert [step.attempts for step in status.steps] == [1, 1, 0, 0]
    assert not status.is_complete


def test_a_failed_step_shows_its_reason_and_its_last_lines(root: Path) -> None:
    status = read_status(root)
    assert status.explain(status.failed[0]) == "no memory is left\none\n[bold]two"


def test_the_time_left_follows_what_steps_really_took(root: Path) -> None:
    attempts = [{"started": 0.0, "ended": 2.0, "state": "done"}]
    end_attempt(root / "corpora/a-1", attempts, "done")  # ends now
    record = json.loads((root / "corpora/a-1/attempts.json").read_text())
    took = record["attempts"][0]["ended"]
    with hold_lock(root / "models/c-3"):
        status = read_status(root)
    # 25 seconds are estimated for the rest; the corpus was estimated to take 1, and a tenth of all 26 is trusted.
    expected = 25 * (took + 2.6) / (1 + 2.6)
    assert status.work_left == pytest.approx(expected)
    assert status.seconds_left(now=0.0) == pytest.approx(expected)
    assert read_status(root).seconds_left(now=0.0) is None


def test_a_running_step_counts_without_the_time_that_it_has_been_running(root: Path) -> None:
    end_attempt(root / "corpora/a-1", [{"started": time.time() - 1, "state": "done"}], "done")  # as estimated
    before = read_status(root).work_left
    with hold_lock(root / "models/c-3"):
        begin_attempt(root / "models/c-3")
        time.sleep(0.2)
        status = read_status(root)
    running = next(step for step in status.steps if step.state == "running")
    assert running.so_far is not None
    assert running.so_far >= 0.2
    assert status.work_left == pytest.approx(before - running.so_far, rel=0.01)


def test_the_rate_is_that_of_the_last_minutes(root: Path) -> None:
    steps = [StepStatus(f"models/{n}", "train", "done", 30.0, 1, ended=1000.0 + 60 * n) for n in range(3)]
    status = Status(root, "small", [StepStatus("models/old", "train", "done", 9.0, 1, ended=1.0), *steps], 0.0)
    assert status.steps_per_hour(1150.0) == pytest.approx(3600 * 3 / 180)  # three since 970, when the first began
    assert status.steps_per_hour(9000.0) is None


def test_the_time_left_counts_on_as_many_steps_at_once_as_lately(root: Path) -> None:
    done = [StepStatus(f"models/{n}", "train", "done", 100.0, 1, ended=1000.0) for n in range(3)]
    status = Status(root, "small", [*done, StepStatus("models/last", "train", "running")], 60.0)
    assert status.seconds_left(1000.0) == pytest.approx(20)  # three at once
    assert status.seconds_left(9000.0) == pytest.approx(60)


def test_two_who_look_do_not_see_each_other(tmp_path: Path) -> None:
    with hold_lock(tmp_path):
        assert is_locked(tmp_path)
        assert is_locked(tmp_path)
    assert not is_locked(tmp_path)
    assert not is_locked(tmp_path / "none")


def test_status_as_json_lists_every_step(root: Path) -> None:
    printed = CliRunner().invoke(experiment, ["status", str(root), "--json"])
    assert printed.exit_code == 0
    assert [(step["name"], step["state"]) for step in json.loads(printed.stdout)] == [
        ("corpora/a-1", "done"), ("models/b-2", "failed"), ("models/c-3", "waiting"), ("runs/d-4", "waiting"),
    ]  # fmt: skip


def test_a_folder_without_an_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no plan\.jsonl"):
        read_status(tmp_path)
