"""NT-ASGD: when averaging begins, what is averaged, what is validated and saved, and what a stop leaves."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from gardenpath.errors import InputError
from gardenpath.models.trained.checkpoint import read_tensors
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS
from gardenpath.training.events import Validation
from gardenpath.training.loop.averaging import WeightAverage, is_triggered
from gardenpath.training.loop.loop import TrainingRun, train_task
from gardenpath.training.specs.budget import Budget
from gardenpath.training.specs.parts import Optimisation
from small_training import assert_resumes, assert_same_tensors, run, small_options, small_task

pytestmark = pytest.mark.usefixtures("one_thread")


def averaging(**changes: Any) -> Optimisation:
    settings = {"optimizer": "nt-asgd", "learning_rate": 0.5, "schedule": "constant", "trigger": 1, **changes}
    return small_options(**settings)


class Scripted:
    """A task whose validation losses are given, and that notes the weights that were validated."""

    def __init__(self, losses: list[float], **task: Any) -> None:
        self.task = small_task(n=8, dropout=0.0, **task)
        self.losses = iter(losses)
        self.validated: list[list[torch.Tensor]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.task, name)

    def weights(self) -> list[torch.Tensor]:
        return [parameter.detach().clone() for parameter in self.task.module.parameters()]

    def validate(self) -> Validation:
        self.validated.append(self.weights())
        return Validation(next(self.losses))


def test_trigger_by_hand() -> None:
    # The last two validations do not count: 4 is the best of those before them.
    assert not is_triggered([5.0, 4.0], 9.0, 2)
    assert is_triggered([5.0, 4.0, 3.0, 3.5], 4.1, 2)
    assert not is_triggered([5.0, 4.0, 3.0, 3.5], 4.0, 2)
    assert is_triggered([5.0, 4.0, 3.0, 3.5], 3.9, 1)


def test_averaged_weights_are_the_mean_of_all_since_the_trigger(tmp_path: Path) -> None:
    # Two updates per epoch; the third validation is worse than the first and begins averaging.
    task = Scripted([3.0, 2.0, 3.5, 1.0, 0.5])
    iterates = [task.weights() for _ in train_task(task, averaging(budget=Budget(5)), tmp_path)]
    assert len(iterates) == 10
    since = iterates[5:]  # after update 6, the trigger, and after each one since
    for validated, last in zip(task.validated[3:], (3, 5), strict=True):
        for found, *all_of_them in zip(validated, *since[:last], strict=True):
            torch.testing.assert_close(found, torch.stack(all_of_them).mean(dim=0), rtol=1e-5, atol=1e-6)
    for validated, last in zip(task.validated[:3], (1, 3, 5), strict=True):
        assert all(map(torch.equal, validated, iterates[last]))
    # The model that is saved is the mean, the training resumes from the last weights.
    saved, state = read_tensors(tmp_path / WEIGHTS)[1], read_tensors(tmp_path / STATE)[1]
    for (name, _), mean, last_one in zip(task.module.named_parameters(), task.validated[-1], iterates[-1], strict=True):
        assert torch.equal(saved[name], mean)
        assert torch.equal(state[f"model/{name}"], last_one)
        assert not torch.equal(mean, last_one)
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [entry.get("averaged") for entry in log] == [None, None, None, 3, 5]


def test_updates_are_those_of_sgd(tmp_path: Path) -> None:
    tasks = [Scripted([3.0, 2.0, 3.5, 1.0, 0.5]) for _ in range(2)]
    for task, name in zip(tasks, ("sgd", "nt-asgd"), strict=True):
        run(task, tmp_path / name, averaging(optimizer=name, budget=Budget(5)))
    assert all(map(torch.equal, tasks[0].weights(), tasks[1].weights()))


def test_the_mean_of_three_by_hand() -> None:
    weight = torch.nn.Parameter(torch.tensor([1.0]))
    average = WeightAverage([weight])
    average.add()
    assert average.state() == {}
    average.begin()
    for value in (2.0, 6.0):
        weight.data.fill_(value)
        average.add()
    with average.in_place():
        assert weight.item() == pytest.approx(3.0)
    assert weight.item() == 6.0
    other = WeightAverage([torch.nn.Parameter(torch.tensor([0.0]))])
    other.load(average.state())
    assert (other.count, other.means[0].item()) == (3, pytest.approx(3.0))


def test_weights_come_back_when_a_validation_fails() -> None:
    weight = torch.nn.Parameter(torch.tensor([1.0]))
    average = WeightAverage([weight])
    average.begin()
    weight.data.fill_(5.0)
    with pytest.raises(ZeroDivisionError), average.in_place():
        _ = 1 / 0
    assert weight.item() == 5.0


@pytest.mark.parametrize("stops", [(1, 2, 3, 1, 1, 1), (7, 1), (5, 5)], ids=["often", "just-after", "across"])
def test_stopped_across_the_trigger_equals_uninterrupted(tmp_path: Path, stops: tuple[int, ...]) -> None:
    whole = Scripted([3.0, 2.0, 3.5, 1.0, 0.5])
    options = averaging(budget=Budget(5), checkpoint_every=0.0)
    run(whole, tmp_path / "whole", options)
    done = 0
    for stop in (*stops, 100):
        part = Scripted([3.0, 2.0, 3.5, 1.0, 0.5][done // 2 :], seed=done)
        steps = train_task(part, options, tmp_path / "parts")
        done += sum(1 for _ in zip(range(stop), steps, strict=False))
        steps.close()
    assert done == 10
    for name in (WEIGHTS, STATE):
        assert_same_tensors(tmp_path / "parts" / name, tmp_path / "whole" / name)


def test_a_real_training_resumes_across_its_trigger(tmp_path: Path) -> None:
    # A learning rate far too high, so that validations go up and down.
    options = averaging(learning_rate=4.0, clip=None, budget=Budget(4), validations=5, checkpoint_every=0.0)
    assert_resumes(lambda seed: small_task(seed=seed), options, tmp_path, 3, 30, 1, 40)
    assert int(read_tensors(tmp_path / "whole" / STATE)[1]["average/count"]) > 1


def test_patience_counts_from_the_trigger(tmp_path: Path) -> None:
    task = Scripted([1.0, 2.0, 3.0, 1.5, 0.9, 1.1, 1.2, 0.1])
    steps = run(task, tmp_path, averaging(trigger=2, patience=2, budget=Budget(9)))
    # The fourth validation (1.5) is the first that is worse than one before the last two; the fifth is the best.
    assert len(task.validated) == 7
    assert steps[-1].spent == pytest.approx(7 / 9)


def test_trainings_of_earlier_versions_resume(tmp_path: Path) -> None:
    """They recorded neither the trigger nor the validation losses."""
    identity = TrainingRun(small_task(), small_options(), tmp_path, None, {}).identity  # type: ignore[arg-type]
    assert "trigger" not in identity
    assert TrainingRun(small_task(), averaging(), tmp_path, None, {}).identity["trigger"] == 1  # type: ignore[arg-type]


def test_a_training_with_sgd_does_not_become_one_with_averaging(tmp_path: Path) -> None:
    run(small_task(), tmp_path, averaging(optimizer="sgd", budget=Budget(1)))
    with pytest.raises(InputError, match="optimizer was 'sgd', is now 'nt-asgd'"):
        run(small_task(), tmp_path, averaging(budget=Budget(1)))
