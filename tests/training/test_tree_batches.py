"""Batches of trees: every sentence once, the same whenever asked for, in parts that are computed side by side."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from gardenpath.models.trained.rnng.module import Rnng
from gardenpath.training.corpora.treebank import TreeCorpus
from gardenpath.training.tasks.tree_batches import BatchOrder, TreeBatches
from gardenpath.training.tasks.tree_loss import tree_loss
from literal_rnng import join, random_sentences, small_rnng

SENTENCES = random_sentences(2, 40)


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def corpus() -> TreeCorpus:
    trees = join(SENTENCES)
    lengths = [len(words) for _, words in SENTENCES]
    return TreeCorpus(trees.words, np.cumsum([0, *lengths]), trees.actions, trees.starts)


def contents(batches: TreeBatches) -> list[list[tuple[int, ...]]]:
    found = []
    for number in range(len(batches)):
        sentences = []
        for part in batches[number]:
            ends = np.flatnonzero(np.diff(part.sentences.numpy(), append=-1)) + 1
            sentences += [tuple(actions.tolist()) for actions in np.split(part.actions.numpy(), ends)[:-1]]
        found.append(sentences)
    return found


@pytest.mark.parametrize(("seed", "order"), [(None, "random"), ((0, 1), "random"), ((0, 1), "length")])
def test_every_sentence_is_in_one_batch(seed: tuple[int, ...] | None, order: BatchOrder) -> None:
    found = contents(TreeBatches(corpus(), small_rnng().options, words=30, seed=seed, order=order))
    assert sorted(sentence for batch in found for sentence in batch) == sorted(
        tuple(actions) for actions, _ in SENTENCES
    )
    assert len(found) > 3


@pytest.mark.parametrize("order", ["random", "length"])
def test_order_comes_from_the_seed_alone(order: BatchOrder) -> None:
    options = small_rnng().options
    first, again, other = (
        contents(TreeBatches(corpus(), options, words=30, seed=seed, order=order)) for seed in ((0, 1), (0, 1), (0, 2))
    )
    assert first == again != other


def spread(order: BatchOrder) -> float:
    """By how much the mean lengths of batches vary."""
    found = contents(TreeBatches(corpus(), small_rnng().options, words=60, seed=(0,), order=order))
    return float(np.std([np.mean([len(actions) for actions in batch]) for batch in found[:-1]]))


def test_a_batch_has_trees_of_all_lengths() -> None:
    assert spread("random") < spread("length") / 2
    default = TreeBatches(corpus(), small_rnng().options, words=60, seed=(0,))
    drawn = TreeBatches(corpus(), small_rnng().options, words=60, seed=(0,), order="random")
    assert contents(default) == contents(drawn)


def test_processes_share_the_batches() -> None:
    options = small_rnng().options
    whole = contents(TreeBatches(corpus(), options, words=20, seed=(3,)))
    first, second = (
        contents(TreeBatches(corpus(), options, words=20, seed=(3,), share=(rank, 2))) for rank in range(2)
    )
    assert len(first) == len(second)
    assert [batch for pair in zip(first, second, strict=True) for batch in pair] == whole[: 2 * len(first)]


def gradients(module: Rnng, threads: int) -> tuple[float, list[torch.Tensor]]:
    torch.set_num_threads(threads)
    torch.manual_seed(5)
    module.zero_grad()
    loss = tree_loss(module, TreeBatches(corpus(), module.options, words=60, seed=(1,))[0])
    loss.per_word.backward()
    return float(loss.joint.detach()), [weight.grad.clone() for weight in module.parameters()]


def test_two_cores_compute_what_one_does_dropout_included() -> None:
    module = small_rnng(dropout=0.4).float()
    (alone, one), (together, two) = gradients(module, 1), gradients(module, 2)
    assert alone == together
    assert all(torch.equal(first, second) for first, second in zip(one, two, strict=True))


def test_gradients_are_given_once() -> None:
    module = small_rnng()
    loss = tree_loss(module, TreeBatches(corpus(), module.options, words=60, seed=None)[0]).joint
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="once only"):
        loss.backward()
