"""Training against a sample of the words: what is drawn, and that it teaches what all words teach."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from gardenpath.training.tasks.cross_entropy import LEFT_OUT, linear_cross_entropy
from gardenpath.training.tasks.sampled_softmax import WordSampler, build_word_sampler, draw_probabilities


@given(st.lists(st.floats(1e-3, 1e6), min_size=2, max_size=40), st.integers(1, 45))
def test_chances_add_up_and_follow_the_weights(weights: list[float], drawn: int) -> None:
    found = draw_probabilities(np.array(weights), drawn)
    assert found.sum() == pytest.approx(min(drawn, len(weights)))
    assert found.max() <= 1
    below = found < 1
    if below.any():
        ratios = found[below] / np.array(weights)[below]
        assert ratios == pytest.approx(ratios[0])


@pytest.mark.parametrize("has_bias", [True, False])
def test_with_all_words_it_is_the_whole_loss(has_bias: bool) -> None:
    generator = torch.Generator().manual_seed(1)
    hidden, weight = torch.randn(4, 3, 5, generator=generator), torch.randn(11, 5, generator=generator)
    bias = torch.randn(11, generator=generator) if has_bias else None
    targets = torch.randint(11, (4, 3), generator=generator)
    targets[2, 1] = LEFT_OUT
    sampler = build_word_sampler(np.arange(10, dtype=np.int32), 11, 11)
    both: list[list[Any]] = []
    for loss_of in (sampler.loss, linear_cross_entropy):
        read, projection = hidden.clone().requires_grad_(), weight.clone().requires_grad_()
        loss = loss_of(read, projection, bias, targets)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's
        both.append([loss.detach(), read.grad, projection.grad])
    for found, expected in zip(*both, strict=True):
        torch.testing.assert_close(found, expected)


def test_words_that_are_not_drawn_are_left_alone() -> None:
    sampler = WordSampler(torch.full((50,), 0.02).double(), torch.tensor([1.0] * 5 + [0.0] * 45).double())
    weight = torch.ones(50, 3, requires_grad=True)
    sampler.loss(torch.ones(2, 3), weight, None, torch.tensor([2, 40])).backward()  # type: ignore[no-untyped-call]
    assert weight.grad is not None
    assert weight.grad.abs().sum(dim=1).nonzero()[:, 0].tolist() == [0, 1, 2, 3, 4, 40]


def frequencies_learned(sampler: WordSampler, shares: torch.Tensor) -> float:
    """How far (Kullback-Leibler, in nats) a softmax of one bias per word comes to a distribution."""
    torch.manual_seed(0)
    bias = torch.zeros(len(shares), requires_grad=True)
    optimizer = torch.optim.Adam([bias], lr=0.05)
    for update in range(1500):
        optimizer.param_groups[0]["lr"] = 0.05 * (1 - update / 1500)
        targets = torch.multinomial(shares, 64, replacement=True)
        optimizer.zero_grad()
        sampler.loss(torch.zeros(64, 1), torch.zeros(len(shares), 1), bias, targets).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return float(functional.kl_div(bias.detach().log_softmax(0), shares.float(), reduction="sum"))


def test_a_sample_teaches_the_same_distribution() -> None:
    ids = np.repeat(np.arange(300), np.maximum(1, 30_000 // np.arange(1, 301) ** 1.2).astype(int)).astype(np.int32)
    sampler = build_word_sampler(ids, 300, 40)
    whole = build_word_sampler(ids, 300, 300)
    # Were every word that takes part to stand for itself alone, the rare ones would be learned as too frequent.
    unweighted = WordSampler(torch.ones(300).double(), sampler.chances)
    exact, sampled, wrong = (frequencies_learned(way, sampler.shares) for way in (whole, sampler, unweighted))
    assert exact < 0.02
    assert sampled < 0.05
    assert wrong > 0.3
