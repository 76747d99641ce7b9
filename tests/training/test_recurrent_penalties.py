"""Activation penalties and random lengths (Merity et al. 2018), against literal loops."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gardenpath.errors import InputError
from gardenpath.models.trained.lstm import RecurrentOptions
from gardenpath.models.trained.on_lstm.module import DROPOUTS, OrderedOptions
from gardenpath.training.loop.loop import train_task
from gardenpath.training.specs.budget import Budget
from gardenpath.training.specs.parts import ActivationPenalties, Batching
from gardenpath.training.tasks.batches import StreamBatches
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.training.tasks.language_model import LanguageModelTask, build_task
from gardenpath.training.tasks.penalties import measure_penalty
from gardenpath.training.tasks.random_lengths import draw_ends
from small_training import VOCABULARY_OF_ALL, assert_resumes, run, small_corpus, small_options, small_task

pytestmark = pytest.mark.usefixtures("one_thread")
SHAPES = {
    "lstm": RecurrentOptions(len(VOCABULARY_OF_ALL), 8, 8, 2, 0.2, tied=False),
    "on-lstm": OrderedOptions(len(VOCABULARY_OF_ALL), 8, 12, 2, 4, True, **dict.fromkeys(DROPOUTS, 0.2)),
}


def penalised_task(shape: Any = SHAPES["lstm"], *, seed: int = 0, **batching: Any) -> LanguageModelTask:
    corpora = (small_corpus(120, 1), small_corpus(20, 2))
    return build_task(shape, corpora, Batching(batch=4, steps=5, **batching), split="blanks", seed=seed)


def test_penalties_by_hand() -> None:
    # One row of three outputs with two units: raw differences are (1, 0) and (0, 2).
    raw = torch.tensor([[[1.0, 2.0]], [[2.0, 2.0]], [[2.0, 4.0]]])
    dropped = torch.tensor([[[0.0, 4.0]], [[2.0, 0.0]], [[0.0, 0.0]]])
    targets = torch.tensor([[3], [4], [5]])
    activation = (16 + 4) / 6
    temporal = (1 + 4) / 4
    for alpha, beta in ((2.0, 0.0), (0.0, 1.0), (2.0, 1.0)):
        weights = ActivationPenalties(activation_penalty=alpha, temporal_penalty=beta)
        found = float(measure_penalty(raw, dropped, targets, weights))
        assert found == pytest.approx(alpha * activation + beta * temporal)


def test_padding_does_not_count() -> None:
    raw = torch.randn(4, 3, 5, generator=torch.Generator().manual_seed(0))
    targets = torch.tensor([[1, 1, 1], [1, 1, 1], [1, 1, LEFT_OUT], [1, LEFT_OUT, LEFT_OUT]])
    lengths = (4, 3, 2)
    squares = [
        float(raw[step, row, unit]) ** 2 for row in range(3) for step in range(lengths[row]) for unit in range(5)
    ]
    changes = [
        float(raw[step + 1, row, unit] - raw[step, row, unit]) ** 2
        for row in range(3)
        for step in range(lengths[row] - 1)
        for unit in range(5)
    ]
    weights = ActivationPenalties(activation_penalty=2.0, temporal_penalty=1.0)
    expected = 2 * np.mean(squares) + np.mean(changes)
    assert float(measure_penalty(raw, raw, targets, weights)) == pytest.approx(float(expected), rel=1e-5)
    single = measure_penalty(raw[:1], raw[:1], targets[:1], weights)
    assert float(single) == pytest.approx(2 * float(raw[:1].square().mean()), rel=1e-5)


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("reading", ["stream", "sentences"])
def test_penalties_change_the_gradient_and_not_the_loss(kind: str, reading: Any) -> None:
    weights = {"activation_penalty": 2.0, "temporal_penalty": 1.0}
    plain, penalised = (penalised_task(SHAPES[kind], reading=reading, **given) for given in ({}, weights))
    batch = plain.batches(0, 0)[0]
    losses, gradients = [], []
    for task in (plain, penalised):
        torch.manual_seed(1)
        loss = task.loss(batch, ())[0]
        losses.append(loss.item())
        gradients.append(torch.autograd.grad(loss, list(task.module.parameters())))
    assert losses[0] == losses[1]
    torch.manual_seed(1)  # the same units are dropped
    raw, _ = plain.module.read(batch.inputs)
    penalty = measure_penalty(raw, plain.module.drop_output(raw), batch.targets, penalised.batching)
    assert penalty.item() > 0
    of_penalty = torch.autograd.grad(penalty, list(plain.module.parameters()), materialize_grads=True)
    for without, both, difference in zip(*gradients, of_penalty, strict=True):
        torch.testing.assert_close(without + difference, both, rtol=1e-4, atol=1e-6)
    for task in (plain, penalised):
        task.module.eval()
    assert plain.loss(batch, ())[0].item() == penalised.loss(batch, ())[0].item()


def test_the_gradient_is_that_of_the_sum() -> None:
    shape = RecurrentOptions(len(VOCABULARY_OF_ALL), 8, 8, 2, 0.0, tied=False)
    task = penalised_task(shape, activation_penalty=2.0, temporal_penalty=1.0)
    batch = task.batches(0, 0)[0]
    parameters = list(task.module.parameters())
    found = torch.autograd.grad(task.loss(batch, ())[0], parameters)
    hidden, _ = task.module(batch.inputs)
    logits = hidden @ task.module.decoder.weight.T + task.module.decoder.bias
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten())
    loss = loss + 2 * (hidden**2).mean() + ((hidden[1:] - hidden[:-1]) ** 2).mean()
    for one, expected in zip(found, torch.autograd.grad(loss, parameters), strict=True):
        torch.testing.assert_close(one, expected, rtol=1e-4, atol=1e-6)


def test_lengths_come_from_seed_and_epoch() -> None:
    assert draw_ends(5000, 70, (1, 2)).tolist() == draw_ends(5000, 70, (1, 2)).tolist()
    assert draw_ends(5000, 70, (1, 2)).tolist() != draw_ends(5000, 70, (1, 3)).tolist()
    assert draw_ends(5000, 70, (1, 2)).tolist() != draw_ends(5000, 70, (2, 2)).tolist()


@pytest.mark.parametrize("width", [1, 4, 69, 5000])
@pytest.mark.parametrize("steps", [1, 20, 70])
def test_lengths_cover_a_row_exactly(width: int, steps: int) -> None:
    lengths = np.diff(draw_ends(width, steps, (0,)), prepend=0)
    assert lengths.sum() == width
    assert (lengths[:-1] >= 5).all()
    assert lengths[-1] >= 1


def test_lengths_are_distributed_as_published() -> None:
    lengths = np.diff(draw_ends(2_000_000, 70, (0,)), prepend=0)[:-1]
    short = lengths < 52  # half way between 35 and 70, more than three deviations from both
    assert short.mean() == pytest.approx(0.05, abs=0.005)
    # Whole numbers below those drawn: half a word shorter in the mean.
    assert lengths[~short].mean() == pytest.approx(69.5, abs=0.2)
    assert lengths[short].mean() == pytest.approx(34.5, abs=0.6)
    assert lengths[~short].std() == pytest.approx(5, abs=0.2)


def test_every_symbol_is_predicted_once_with_random_lengths() -> None:
    ids = np.arange(2, 1005, dtype=np.int32)
    batches = StreamBatches(ids, 4, 20, seed=(3, 1))
    targets = np.concatenate([batches[number].targets.T.numpy() for number in range(len(batches))], axis=1)
    inputs = np.concatenate([batches[number].inputs.T.numpy() for number in range(len(batches))], axis=1)
    assert targets.reshape(-1).tolist() == ids[:1000].tolist()
    assert inputs[:, 1:].tolist() == targets[:, :-1].tolist()
    assert sum(batches[number].tokens for number in range(len(batches))) == 1000


def test_learning_rates_are_in_proportion_to_lengths(tmp_path: Path) -> None:
    shape = RecurrentOptions(len(VOCABULARY_OF_ALL), 8, 8, 1, 0.0, tied=False)
    task = penalised_task(shape, random_lengths=True)
    options = small_options(optimizer="sgd", learning_rate=0.5, clip=0.01, budget=Budget(1))
    batches = task.batches(0, options.seed)
    lengths = [len(batches[number].inputs) for number in range(len(batches))]
    assert len(set(lengths)) > 2
    before = [parameter.detach().clone() for parameter in task.module.parameters()]
    moved = []
    for _ in train_task(task, options, tmp_path):
        now = [parameter.detach().clone() for parameter in task.module.parameters()]
        moved.append(float(torch.nn.utils.get_total_norm([new - old for new, old in zip(now, before, strict=True)])))
        before = now
    # All gradients are clipped to the same norm, so that only the rate makes steps longer or shorter.
    assert moved == pytest.approx([0.5 * 0.01 * length / 5 for length in lengths], rel=1e-3)


@pytest.mark.parametrize("kind", SHAPES)
def test_the_whole_recipe_resumes(tmp_path: Path, kind: str) -> None:
    recipe = {"random_lengths": True, "activation_penalty": 2.0, "temporal_penalty": 1.0}
    options = small_options(
        optimizer="nt-asgd", learning_rate=4.0, clip=None, schedule="constant", weight_decay=1.2e-6, trigger=1,
        budget=Budget(3), validations=5, checkpoint_every=0.0,
    )  # fmt: skip
    assert_resumes(lambda seed: penalised_task(SHAPES[kind], seed=seed, **recipe), options, tmp_path, 3, 17, 1)


def test_a_training_goes_on_only_with_its_penalties_and_lengths(tmp_path: Path) -> None:
    options = small_options(budget=Budget(1))
    run(penalised_task(), tmp_path, options)
    assert not {"random_lengths", "activation_penalty"} & small_task().facts.keys()
    for changes, message in (
        ({"random_lengths": True}, "random_lengths was None, is now True"),
        ({"temporal_penalty": 1.0}, r"temporal_penalty was None, is now 1\.0"),
    ):
        with pytest.raises(InputError, match=message):
            run(penalised_task(**changes), tmp_path, options)


def test_sentences_have_no_random_lengths() -> None:
    with pytest.raises(InputError, match="only a stream is cut at random"):
        Batching(reading="sentences", random_lengths=True)
