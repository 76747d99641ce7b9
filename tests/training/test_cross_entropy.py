"""The blocked loss is the loss."""

import pytest
import torch
from torch.nn import functional

from gardenpath.training.tasks import cross_entropy
from gardenpath.training.tasks.cross_entropy import LEFT_OUT, linear_cross_entropy


@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_value_and_gradients_are_those_of_the_plain_loss(
    monkeypatch: pytest.MonkeyPatch, rows: int, has_bias: bool
) -> None:
    monkeypatch.setattr(cross_entropy, "FEWEST_ROWS", 8)
    monkeypatch.setattr(cross_entropy, "NUMBERS_PER_BLOCK", 8)
    generator = torch.Generator().manual_seed(0)
    hidden, weight = torch.randn(rows, 5, generator=generator), torch.randn(11, 5, generator=generator)
    bias = torch.randn(11, generator=generator) if has_bias else None
    targets = torch.randint(11, (rows,), generator=generator)
    both = []
    for ours in (True, False):
        given = [None if tensor is None else tensor.clone().requires_grad_() for tensor in (hidden, weight, bias)]
        read, projection, added = given
        assert read is not None
        assert projection is not None
        if ours:
            loss = linear_cross_entropy(read, projection, added, targets)
        else:
            loss = functional.cross_entropy(functional.linear(read, projection, added), targets)
        (3 * loss).backward()
        both.append([loss.detach(), *(tensor.grad for tensor in given if tensor is not None)])
    for found, expected in zip(*both, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)


def test_padding_does_not_count() -> None:
    hidden, weight = torch.randn(2, 3, 4), torch.randn(6, 4)
    targets = torch.tensor([[1, LEFT_OUT, 3], [LEFT_OUT, LEFT_OUT, 5]])
    counted = hidden[[0, 0, 1], [0, 2, 2]]
    expected = functional.cross_entropy(counted @ weight.T, torch.tensor([1, 3, 5]))
    torch.testing.assert_close(linear_cross_entropy(hidden, weight, None, targets), expected)


def test_an_improbable_word_is_not_infinitely_so() -> None:
    weight = torch.tensor([[0.0], [200.0]])
    loss = linear_cross_entropy(torch.ones(1, 1), weight, None, torch.tensor([0]))
    assert float(loss) == pytest.approx(200.0)


def test_without_gradients_nothing_is_kept() -> None:
    loss = linear_cross_entropy(torch.ones(1, 1), torch.ones(3, 1), None, torch.tensor([0]))
    assert not loss.requires_grad
