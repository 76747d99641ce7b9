"""The loss of a softmax over a large vocabulary, block by block, so that the scores of all words are never kept.

On a CPU the projection to the vocabulary takes most of the time of training a small model. The usual way writes a
table of (tokens, vocabulary) numbers for the scores, another for their logarithms, a third for the gradient. Here one
block of rows at a time is computed, normalised and turned into its gradient in place.
"""

from typing import Any

import torch
from torch import Tensor

NUMBERS_PER_BLOCK = 5_000_000
"""Scores in one block (20 MB): with fewer the products are slow, more exceed the CPU's cache."""
FEWEST_ROWS, MOST_ROWS = 32, 512
"""Rows of a block, for any vocabulary."""
LEFT_OUT = -1
"""The target of a position that does not count, such as padding."""


def linear_cross_entropy(hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
    """Mean of -log softmax(hidden weightᵀ + bias)[target] in nats, over the rows whose target is not LEFT_OUT."""
    hidden, targets = hidden.reshape(-1, hidden.shape[-1]), targets.reshape(-1)
    if bool((targets == LEFT_OUT).any()):
        counted = targets != LEFT_OUT
        hidden, targets = hidden[counted], targets[counted]
    loss: Tensor = BlockedCrossEntropy.apply(hidden, weight, bias, targets)  # type: ignore[no-untyped-call]  # torch's
    return loss


def rows_per_block(rows: int, vocabulary: int) -> int:
    """How many rows a block has, so that blocks are about equal and of a good size."""
    most = min(MOST_ROWS, max(FEWEST_ROWS, NUMBERS_PER_BLOCK // vocabulary))
    return max(1, -(-rows // max(1, -(-rows // most))))


class BlockedCrossEntropy(torch.autograd.Function):
    """The loss, with its gradients computed on the way: d loss / d score = (softmax - one at the target) / rows."""

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
        learns = any(ctx.needs_input_grad)
        gradients = Gradients(hidden, weight, bias) if learns else None
        rows = rows_per_block(len(hidden), len(weight))
        scores = hidden.new_empty(rows, len(weight))
        nats = hidden.new_zeros(())
        for start in range(0, len(hidden), rows):
            block = slice(start, start + rows)
            read, wanted = hidden[block], targets[block]
            found = scores[: len(read)]  # (rows, vocabulary)
            if bias is None:
                torch.mm(read, weight.T, out=found)
            else:
                torch.addmm(bias, read, weight.T, out=found)
            # On a CPU every row is normalised by itself, so that it may be overwritten.
            logs = torch.log_softmax(found, dim=-1, out=found if found.device.type == "cpu" else None)
            nats -= logs.gather(1, wanted[:, None]).sum()
            if gradients is not None:
                gradients.add(block, read, logs.exp_(), wanted)
        if gradients is not None:
            kept = (gradients.hidden, gradients.weight, gradients.bias)
            ctx.save_for_backward(*kept)
        return nats / len(hidden)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grads
        return (*(None if found is None else found.mul_(grad) for found in ctx.saved_tensors), None)


class Gradients:
    """Gradients of the mean loss, added up block by block."""

    def __init__(self, hidden: Tensor, weight: Tensor, bias: Tensor | None) -> None:
        self.projection = weight
        self.share = 1 / max(1, len(hidden))
        self.hidden = torch.empty_like(hidden)
        self.weight = torch.zeros_like(weight)
        self.bias = None if bias is None else torch.zeros_like(bias)

    def add(self, block: slice, read: Tensor, probabilities: Tensor, targets: Tensor) -> None:
        """Add a block; its probabilities become the gradient of the scores in place."""
        probabilities.scatter_add_(1, targets[:, None], probabilities.new_full((len(targets), 1), -1.0))
        torch.mm(probabilities, self.projection, out=self.hidden[block])
        self.hidden[block] *= self.share
        self.weight.addmm_(probabilities.T, read, alpha=self.share)
        if self.bias is not None:
            self.bias.add_(probabilities.sum(dim=0), alpha=self.share)
