"""Plans are carried out whole, whatever fails, is killed or is interrupted on the way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import small_plans
from gardenpath.errors import InputError
from gardenpath.experiments.engine import Progress, carry_out, group_works
from gardenpath.experiments.failures import read_attempts, record_unexplained
from gardenpath.experiments.perform import begin_attempt
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.status import read_status
from gardenpath.experiments.step import write_steps
from gardenpath.experiments.step_lock import hold_lock, is_locked
from small_plans import attempts_of, do_directly, done_files, small_plan

pytestmark = pytest.mark.filterwarnings("ignore:the discounts of")
EPOCHS = 50
"""Of the LSTM: some seconds, in which it can be killed."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("texts")


def start(root: Path, texts: Path) -> subprocess.Popen[bytes]:
    """Start a process that carries out the plan."""
    return subprocess.Popen([sys.executable, small_plans.__file__, str(root), str(texts), str(EPOCHS)])


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something that happens within two minutes even on a busy machine."""
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def epochs_of(log: Path) -> int:
    """How many epochs the log of a training has."""
    return log.read_text(encoding="utf-8").count("epoch ") if log.exists() else 0


@pytest.mark.slow
def test_killed_and_started_again_the_results_are_the_same(texts: Path, tmp_path: Path, one_thread: None) -> None:
    root, undisturbed = tmp_path / "killed", tmp_path / "undisturbed"
    do_directly(small_plan(undisturbed, texts, orders=(), epochs=EPOCHS))
    lstm, log = root / "models/lstm-1", root / "models/lstm-1/log.txt"

    controller = start(root, texts)
    wait_until(lambda: is_locked(root / "corpora/small-1"))
    controller.kill()  # the step goes on without it
    controller.wait()

    controller = start(root, texts)
    wait_until(lambda: epochs_of(log) >= 2)
    controller.kill()
    os.kill(read_attempts(lstm)[-1]["process"], signal.SIGKILL)
    controller.wait()

    before, controller = epochs_of(log), start(root, texts)
    wait_until(lambda: epochs_of(log) > before)
    controller.terminate()
    assert controller.wait() == 128 + signal.SIGTERM
    assert read_status(root).counts()["running"] == 0

    assert carry_out(small_plan(root, texts, orders=(), epochs=EPOCHS), cores=2).is_complete
    assert done_files(root) == done_files(undisturbed)
    attempts = attempts_of(root)
    assert all(ends.count("done") == 1 for ends in attempts.values())
    assert attempts["models/lstm-1"] == ["killed", "interrupted", "done"]
    assert log.read_text(encoding="utf-8").count("epoch 1:") == 1, "it resumed from its checkpoint"


def test_a_step_that_fails_stops_only_what_needs_it(texts: Path, tmp_path: Path) -> None:
    plan = small_plan(tmp_path, texts, orders=(1, 2))
    good, bad = plan.steps["models/1gram-1"], plan.steps["models/2gram-1"]
    wrong = replace(bad, work={**bad.work, "architecture": "no such architecture"})
    after = replace(good, name="models/after-1", inputs=(wrong.name,))
    steps = {**plan.steps, wrong.name: wrong, after.name: after}
    seen: list[object] = []
    status = carry_out(Plan(tmp_path, "failing", steps), cores=1, on_event=seen.append)
    assert {step.name: step.state for step in status.steps} == {
        "corpora/small-1": "done", "models/1gram-1": "done", "models/2gram-1": "failed", "models/after-1": "waiting",
    }  # fmt: skip
    assert "no such architecture" in status.explain(status.failed[0])
    assert any(isinstance(event, Progress) for event in seen)


def test_a_complete_plan_needs_no_engine(texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = small_plan(tmp_path, texts, orders=(1,))
    do_directly(plan)
    monkeypatch.setattr("gardenpath.experiments.engine.follow", None)
    assert carry_out(plan).is_complete


def test_steps_without_a_reason_get_one(texts: Path, tmp_path: Path) -> None:
    plan = small_plan(tmp_path, texts, orders=(1,))
    corpus, model = plan.steps.values()
    plan.write()
    list(write_steps(tmp_path, plan.steps.values()))
    begin_attempt(tmp_path / corpus.name)
    record_unexplained(tmp_path, [corpus, model], since=0, log=tmp_path / "none")
    status = read_status(tmp_path)
    assert [step.state for step in status.steps] == ["failed", "waiting"]  # the model was not due
    assert status.explain(status.failed[0]) == "its process was killed"


def test_a_group_whose_processes_have_ended_does_not_work(
    texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("as macOS does while nobody has waited for the processes")

    monkeypatch.setattr(os, "killpg", refuse)
    assert not group_works(4711, small_plan(tmp_path / "experiment", texts))


def test_a_second_controller_is_refused(texts: Path, tmp_path: Path) -> None:
    with hold_lock(tmp_path), pytest.raises(InputError, match="is being worked on by another"):
        carry_out(small_plan(tmp_path, texts))


def test_an_unknown_option_ends_in_the_words_of_the_engine(texts: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--no-such-option"):
        carry_out(small_plan(tmp_path, texts), options=["--no-such-option"])


def test_an_unknown_place_names_the_package(texts: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pip install snakemake-executor-plugin-abacus"):
        carry_out(small_plan(tmp_path, texts), on="abacus")


def test_without_the_engine_the_extra_is_named(texts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snakemake", None)
    with pytest.raises(InputError, match=r"pip install 'gardenpath\[experiments\]'"):
        carry_out(small_plan(tmp_path, texts))
