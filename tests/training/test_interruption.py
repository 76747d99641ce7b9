"""Ctrl-C and the signal to terminate: a training is saved before it ends, and says from where it resumes."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.commands.training_view import TrainingView
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS
from gardenpath.training.events import Event, Step, TrainingResumed, TrainingStopped
from gardenpath.training.loop.interruption import note_stop_signals
from small_training import assert_same_tensors
from test_cli import gardenpath_command

SMALL = {
    "corpus": "train.txt", "valid": "valid.txt", "preset": "small", "width": 8, "batch": 4, "steps": 5, "min_count": 1,
    "budget": "2epochs",
}  # fmt: skip


@pytest.fixture(autouse=True)
def heed_ctrl_c() -> Iterator[None]:
    """A shell's background jobs, such as a whole run of these tests may be, ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("number", "ends"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_a_training_is_saved_before_it_ends(texts: Path, number: int, ends: type[BaseException]) -> None:
    gp.train("lstm", out="whole", **SMALL)
    events: list[Event] = []

    def interrupt(event: Event) -> None:
        events.append(event)
        if sum(isinstance(one, Step) for one in events) == 7 and isinstance(event, Step):
            signal.raise_signal(number)

    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(ends) as raised:
        gp.train("lstm", out="stopped", on_event=interrupt, **SMALL)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
    if number == signal.SIGTERM:
        assert raised.value.args == (143,)
    (stopped,) = [event for event in events if isinstance(event, TrainingStopped)]
    assert (stopped.epoch, stopped.batch) == (1, 8)
    steps: list[Event] = []
    gp.train("lstm", out="stopped", on_event=steps.append, **SMALL)
    (first, *_, last) = [event for event in steps if isinstance(event, Step)]
    assert (first.epoch, first.batch) == (1, 9)
    (resumed,) = [event for event in steps if isinstance(event, TrainingResumed)]
    assert steps.index(resumed) == steps.index(first) - 1
    assert (resumed.updates, resumed.expected) == (8, 2 * last.batches)
    assert (resumed.epoch, resumed.batch, resumed.tokens) == (1, 8, stopped.tokens)
    assert resumed.spent == pytest.approx(8 / (2 * last.batches))
    assert not any(isinstance(event, TrainingResumed) for event in events)
    again: list[Event] = []
    gp.train("lstm", out="stopped", on_event=again.append, **SMALL)
    assert not any(isinstance(event, TrainingResumed) for event in again)  # nothing is left
    for name in (WEIGHTS, STATE):
        assert_same_tensors(texts / "stopped" / name, texts / "whole" / name)


def test_a_second_signal_ends_at_once() -> None:
    announced: list[str] = []
    with note_stop_signals(lambda: announced.append("once")) as stop:
        signal.raise_signal(signal.SIGINT)
        assert (stop.number, announced) == (signal.SIGINT, ["once"])
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with note_stop_signals(lambda: None) as stop:
            signal.raise_signal(signal.SIGINT)
            assert not stop.is_made
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_command_says_from_where_it_resumes(
    texts: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: int
) -> None:
    show = TrainingView.show_step

    def interrupt(view: TrainingView, step: Step) -> None:
        show(view, step)
        if step.batch == 3:
            signal.raise_signal(number)

    options = [part for name, value in SMALL.items() for part in (f"--{name.replace('_', '-')}", value)]
    with monkeypatch.context() as patch:
        patch.setattr(TrainingView, "show_step", interrupt)
        done = gardenpath_command("train", "lstm", *options, "--out", "model")
    assert done.returncode == code
    assert "stopping after this update" in done.stderr
    assert "stopped and saved in model: the same command resumes from epoch 1, after batch 4 of" in done.stderr
    assert "resumes at update" not in done.stderr
    again = gardenpath_command("train", "lstm", *options, "--out", "model")
    assert again.returncode == 0
    assert re.search(
        r"^resumes at update 4 of about \d+ \(epoch 1, after batch 4; \d+% of the budget", again.stderr, re.M
    )
