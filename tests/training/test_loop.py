"""Training: what is learned, what a stop at any moment leaves, what becomes of everything that goes wrong."""

import errno
import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch

import small_training
from gardenpath.errors import InputError
from gardenpath.models.load import load_model
from gardenpath.models.trained import checkpoint as checkpoints
from gardenpath.models.trained.checkpoint import read_checkpoint, read_tensors
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS
from gardenpath.scoring.score import score_texts
from gardenpath.training.events import Validation
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.loop.loop import TrainingRun, train_task
from gardenpath.training.specs.budget import Budget
from gardenpath.training.tasks.language_model import LanguageModelTask
from small_training import assert_resumes, assert_same_tensors, run, small_options, small_task

SAVED = (WEIGHTS, STATE)
pytestmark = pytest.mark.usefixtures("one_thread")


def tensors(path: Path) -> dict[str, torch.Tensor]:
    return read_tensors(path)[1]


def numbers(folder: Path) -> list[dict[str, Any]]:
    """The log without what depends on the clock."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_it_learns_agreement(tmp_path: Path) -> None:
    steps = run(small_task(n=400, held_out=200, layers=1, dropout=0.0), tmp_path, small_options(budget=Budget(5)))
    assert steps[-1].validation is not None
    # Of the five symbols of a sentence, noun, number and verb are free; the rest can be learned.
    free = (2 * math.log(3) + math.log(2)) / 5
    assert free < steps[-1].validation.loss < free * 1.15
    model = load_model(str(tmp_path))
    good, bad = (score_texts(model, [text]).bits[2] for text in ("the keys laugh .", "the keys laughs ."))
    assert good + 2 < bad


def test_killed_and_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    small_training.slow_training(tmp_path / "whole", 0.0)
    script = [sys.executable, small_training.__file__, str(tmp_path / "killed")]
    state = tmp_path / "killed" / STATE
    updates = 0
    for _ in range(2):
        with subprocess.Popen([*script, "0.03"]) as process:
            deadline = time.monotonic() + 60
            while not state.exists() or read_tensors(state)[0]["position"]["updates"] < updates + 9:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        updates = read_tensors(state)[0]["position"]["updates"]
    assert 18 <= updates < 90
    small_training.slow_training(tmp_path / "killed", 0.0)
    for name in SAVED:
        assert_same_tensors(tmp_path / "killed" / name, tmp_path / "whole" / name)
    assert numbers(tmp_path / "killed") == numbers(tmp_path / "whole")


@pytest.mark.parametrize("layout", ["stream", "sentences"])
@pytest.mark.parametrize(("optimizer", "sampled"), [("sgd", None), ("adamw", None), ("adamw", 4)])
def test_stopped_anywhere_equals_uninterrupted(
    tmp_path: Path, layout: Any, optimizer: Any, sampled: int | None
) -> None:
    options = small_options(optimizer=optimizer, learning_rate=0.05, checkpoint_every=0.0, budget=Budget(2))
    assert_resumes(lambda seed: small_task(layout=layout, sampled=sampled, seed=seed), options, tmp_path, 3, 17, 1)
    assert list(train_task(small_task(layout=layout, sampled=sampled), options, tmp_path / "parts")) == []


def test_a_larger_budget_goes_on_as_if_it_had_been_given_first(tmp_path: Path) -> None:
    run(small_task(), tmp_path / "whole", small_options(budget=Budget(2)))
    run(small_task(), tmp_path / "parts", small_options(budget=Budget(0.4)))
    run(small_task(), tmp_path / "parts", small_options(budget=Budget(2)))
    assert_same_tensors(tmp_path / "parts" / STATE, tmp_path / "whole" / STATE)


def test_budgets(tmp_path: Path) -> None:
    per_epoch = 600 // 4 // 5
    for name, budget, batches in (("e", Budget(1.5), 1.5 * per_epoch), ("t", Budget(210, "tokens"), 11)):
        steps = run(small_task(), tmp_path / name, small_options(budget=budget))
        assert len(steps) == batches
        assert steps[-1].spent >= 1
        assert steps[-1].validation is not None
        assert steps[-2].spent < 1
        assert steps[-1].tokens == 20 * batches
    steps = run(small_task(), tmp_path / "m", small_options(budget=Budget(0.02, "minutes")))
    log = numbers(tmp_path / "m")
    assert log[-1]["updates"] == len(steps)
    header, _ = read_tensors(tmp_path / "m" / STATE)
    assert 1.2 <= header["position"]["seconds"] < 10


class Scripted:
    """A task whose validation losses are given."""

    def __init__(self, losses: list[float]) -> None:
        self.task = small_task(n=8)
        self.losses = iter(losses)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.task, name)

    def validate(self) -> Validation:
        return Validation(next(self.losses), {"accuracy": 0.5})


def test_plateaus_divide_the_learning_rate_and_patience_ends(tmp_path: Path) -> None:
    options = small_options(optimizer="sgd", learning_rate=1.6, factor=4.0, patience=2, budget=Budget(9))
    steps = run(Scripted([3.0, 2.0, 2.5, 1.9, 1.9, 1.95, 1.0]), tmp_path, options)
    rates = [entry["learning_rate"] for entry in numbers(tmp_path)]
    assert rates == pytest.approx([1.6, 1.6, 1.6, 0.4, 0.4, 0.1])
    assert steps[-1].spent == pytest.approx(6 / 9)
    assert [entry["best"] for entry in numbers(tmp_path)] == [True, True, False, True, False, False]
    found = read_checkpoint(tmp_path).training
    assert (found["loss"], found["epoch"], found["accuracy"]) == (1.9, 4.0, 0.5)


def test_gradients_are_clipped(tmp_path: Path) -> None:
    task = small_task(dropout=0.0)
    before = [parameter.detach().clone() for parameter in task.module.parameters()]
    options = small_options(optimizer="sgd", learning_rate=0.5, clip=0.01)
    next(train_task(task, options, tmp_path))
    moved = [after.detach() - was for after, was in zip(task.module.parameters(), before, strict=True)]
    assert float(torch.nn.utils.get_total_norm(moved)) == pytest.approx(0.5 * 0.01, rel=1e-3)


class Poisoned(Scripted):
    """The loss, or its gradient, becomes something else after some batches."""

    def __init__(self, after: int, factor: float, term: float) -> None:
        super().__init__([2.0, 1.9, 1.8])
        self.left, self.factor, self.term = after, factor, term

    def loss(self, batch: Any, carried: Any) -> Any:
        loss, tokens, carried = self.task.loss(batch, carried)
        self.left -= 1
        if self.left < 0:
            # A root has an infinite slope at zero, though its value is finite.
            loss = loss * self.factor + self.term + (0 if self.factor != 1 else torch.sqrt(loss - loss))
        return loss, tokens, carried


@pytest.mark.parametrize(
    ("factor", "term", "message"),
    [(math.nan, 0.0, "loss became nan"), (2.0, math.inf, "loss became inf"), (1.0, 0.0, "gradient became nan")],
)
def test_a_loss_that_is_no_number_stops_and_keeps_the_last_good_state(
    tmp_path: Path, factor: float, term: float, message: str
) -> None:
    options = small_options(checkpoint_every=0.0)
    with pytest.raises(InputError, match=rf"{message} after 3 updates \(1.50 epochs\), at learning rate 0.02") as error:
        run(Poisoned(3, factor, term), tmp_path, options)
    assert f"best weights so far are in {tmp_path}" in str(error.value)
    for name in SAVED:
        assert all(
            bool(tensor.isfinite().all()) for tensor in tensors(tmp_path / name).values() if tensor.is_floating_point()
        )
    assert read_tensors(tmp_path / STATE)[0]["position"]["updates"] == 3
    assert read_checkpoint(tmp_path).training["loss"] == 2.0


def test_a_validation_that_is_no_number_is_never_the_best(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"validation loss became nan after 4 updates .*best weights so far"):
        run(Scripted([2.0, math.nan]), tmp_path, small_options())
    assert read_checkpoint(tmp_path).training["loss"] == 2.0


def test_a_full_disk_leaves_the_last_good_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(small_task(), tmp_path, small_options(budget=Budget(1)))
    kept = {name: (tmp_path / name).read_bytes() for name in (*SAVED, "checkpoint.json", "log.jsonl")}

    def fails(_: Any, path: Path, **__: Any) -> None:
        path.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "save_file", fails)
        with pytest.raises(InputError, match=r"\(No space left on device\); free some space. What was saved before"):
            run(small_task(), tmp_path, small_options(budget=Budget(2)))
    assert {name: (tmp_path / name).read_bytes() for name in kept} == kept
    assert not list(tmp_path.glob(".*"))
    run(small_task(), tmp_path, small_options(budget=Budget(2)))
    run(small_task(), tmp_path / "whole", small_options(budget=Budget(2)))
    assert_same_tensors(tmp_path / STATE, tmp_path / "whole" / STATE)


def test_a_real_limit_on_files_is_reported_alike(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, hard))
    try:
        with pytest.raises(InputError, match=r"safetensors cannot be written \(File too large\); free some space"):
            run(small_task(), tmp_path, small_options())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not (tmp_path / STATE).exists()


def test_damaged_states_are_refused(tmp_path: Path) -> None:
    run(small_task(), tmp_path, small_options(budget=Budget(1)))
    whole = (tmp_path / STATE).read_bytes()
    flipped = whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]
    for content in (whole[:-10], whole[:100], b"", flipped):
        (tmp_path / STATE).write_bytes(content)
        with pytest.raises(
            InputError, match=r"state.safetensors is damaged or incomplete: .*weights.safetensors is intact"
        ):
            run(small_task(), tmp_path, small_options())
    (tmp_path / STATE).unlink()
    with pytest.raises(InputError, match="holds a trained model but no state"):
        run(small_task(), tmp_path, small_options())


def test_a_training_goes_on_only_as_it_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = small_options(budget=Budget(1))
    run(small_task(), tmp_path, options)
    for task, other, message in (
        (small_task(width=9), options, "width was 8, is now 9"),
        (small_task(n=121), options, "corpus was 'small-120-1', is now 'small-121-1'"),
        (small_task(), options.model_copy(update={"seed": 5}), "seed was 0, is now 5"),
        (small_task(rows=3), options, "batch was 4, is now 3"),
    ):
        with pytest.raises(InputError, match=f"started with different options .*{message}"):
            run(task, tmp_path, other)
    monkeypatch.setattr(LanguageModelTask, "kind", "gpt2")
    with pytest.raises(InputError, match="kind was 'lstm', is now 'gpt2'"):
        run(small_task(), tmp_path, options)


def test_seeds_differ_and_repeat(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run(small_task(seed=seed), tmp_path / name, small_options(seed=seed, budget=Budget(1)))
    assert_same_tensors(tmp_path / "a" / WEIGHTS, tmp_path / "b" / WEIGHTS)
    first, third = tensors(tmp_path / "a" / WEIGHTS), tensors(tmp_path / "c" / WEIGHTS)
    assert not torch.equal(first["encoder.weight"], third["encoder.weight"])


def test_progress_counts(tmp_path: Path) -> None:
    steps = run(small_task(), tmp_path, small_options(budget=Budget(2), validations=3))
    assert [(step.epoch, step.batch) for step in steps] == [(e, b) for e in (1, 2) for b in range(1, 31)]
    assert [step.batch for step in steps if step.validation] == [10, 20, 30] * 2
    assert all(after.tokens - before.tokens == 20 for before, after in pairwise(steps))
    assert all(step.tokens_per_second > 0 for step in steps)
    assert steps[-1].spent == 1


DISTRIBUTED = """
import sys, torch
from dataclasses import replace
from pathlib import Path
from gardenpath.training.tasks.language_model import LanguageModelTask
from small_training import assert_resumes, assert_same_tensors, run, small_options, small_task
from gardenpath.training.loop.loop import train_task
from gardenpath.training.loop.distributed import join_group
from gardenpath.training.specs.budget import Budget
torch.set_num_threads(1)
group = join_group()
task = replace(small_task(n=40, dropout=0.0), share=group.share)
list(train_task(task, small_options(optimizer="sgd", budget=Budget(1)), Path(sys.argv[1]), group=group))
torch.distributed.barrier()  # a process that leaves first can abort the other
torch.distributed.destroy_process_group()
"""


def test_two_processes_together_train_as_one(tmp_path: Path) -> None:
    run(small_task(n=40, dropout=0.0), tmp_path / "one", small_options(optimizer="sgd", budget=Budget(1)))
    shared = {
        **os.environ,
        "WORLD_SIZE": "2",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(20000 + os.getpid() % 20000),
    }
    shared["PYTHONPATH"] = os.pathsep.join([str(Path(small_training.__file__).parent), *sys.path])
    running = [
        subprocess.Popen([sys.executable, "-c", DISTRIBUTED, str(tmp_path / "two")], env={**shared, "RANK": str(rank)})
        for rank in range(2)
    ]
    assert [process.wait(120) for process in running] == [0, 0]
    one, two = tensors(tmp_path / "one" / WEIGHTS), tensors(tmp_path / "two" / WEIGHTS)
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, rtol=1e-4, atol=1e-5)


def test_a_training_run_is_what_train_task_runs(tmp_path: Path) -> None:
    training = TrainingRun(small_task(), small_options(budget=Budget(1)), tmp_path, ProcessGroup(), {})
    training.begin()
    assert [step.batch for step in training.run()] == list(range(1, 31))
    assert training.finished
