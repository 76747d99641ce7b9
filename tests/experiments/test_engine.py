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
from gardenpath.experiments.engine import Progress, carry_out
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.status import read_status
from gardenpath.experiments.step_lock import hold_lock
from small_plans import attempts_of, done_files, small_plan

EPOCHS = 40
"""Of the LSTM: some seconds, in which it can be killed."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("texts")


@pytest.fixture(scope="module")
def undisturbed(texts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a plan that was carried out without any disturbance."""
    root = tmp_path_factory.mktemp("undisturbed")
    assert carry_out(small_plan(root, texts, epochs=EPOCHS), cores=2).is_complete
    return root


def start(root: Path, texts: Path) -> subprocess.Popen[bytes]:
    """Start a process that carries out the plan."""
    return subprocess.Popen([sys.executable, small_plans.__file__, str(root), str(texts), str(EPOCHS)])


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something that happens within two minutes even on a busy machine."""
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_training(root: Path) -> Callable[[], bool]:
    """Whether the LSTM of a plan is being trained."""
    return lambda: (root / "models/lstm-1/result/log.jsonl").exists()


def test_a_plan_is_carried_out_once(undisturbed: Path, texts: Path) -> None:
    assert len(done_files(undisturbed)) == 4
    assert set(map(tuple, attempts_of(undisturbed).values())) == {("done",)}
    before = {path: path.stat().st_mtime_ns for path in undisturbed.rglob("done.json")}
    assert carry_out(small_plan(undisturbed, texts, epochs=EPOCHS)).is_complete
    assert {path: path.stat().st_mtime_ns for path in undisturbed.rglob("done.json")} == before


def test_steps_left_by_a_killed_controller_are_not_done_twice(undisturbed: Path, texts: Path, tmp_path: Path) -> None:
    controller = start(tmp_path, texts)
    wait_until(is_training(tmp_path))
    controller.kill()
    controller.wait()
    assert carry_out(small_plan(tmp_path, texts, epochs=EPOCHS), cores=2).is_complete
    assert done_files(tmp_path) == done_files(undisturbed)
    assert set(map(tuple, attempts_of(tmp_path).values())) == {("done",)}


def test_a_signal_to_terminate_lets_trainings_save_their_state(undisturbed: Path, texts: Path, tmp_path: Path) -> None:
    controller = start(tmp_path, texts)
    wait_until(is_training(tmp_path))
    controller.terminate()
    assert controller.wait() == 128 + signal.SIGTERM
    assert read_status(tmp_path).counts()["running"] == 0
    assert attempts_of(tmp_path)["models/lstm-1"] == ["interrupted"]
    assert carry_out(small_plan(tmp_path, texts, epochs=EPOCHS), cores=2).is_complete
    assert done_files(tmp_path) == done_files(undisturbed)
    assert "resum" in (tmp_path / "models/lstm-1/log.txt").read_text(encoding="utf-8")


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
    assert not status.is_complete
    assert any(isinstance(event, Progress) for event in seen)


def test_a_killed_step_is_reported(texts: Path, tmp_path: Path) -> None:
    controller = start(tmp_path, texts)
    wait_until(is_training(tmp_path))
    os.kill(process_of(tmp_path / "models/lstm-1"), signal.SIGKILL)
    assert controller.wait() == 0
    (failed,) = read_status(tmp_path).failed
    assert failed.name == "models/lstm-1"
    assert "killed" in read_status(tmp_path).explain(failed)


def process_of(folder: Path) -> int:
    """The process that is at a step."""
    return int(small_plans.read_attempts(folder)[-1]["process"])


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
