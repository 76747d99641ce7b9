"""The projection of hidden states to the vocabulary, in pieces that stay in the processor's cache."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import torch
from torch import Tensor

from gardenpath.models.protocol import Indices

ROWS_PER_PIECE, WORDS_PER_PIECE = 256, 1024
"""A piece of the projection: small enough that its log-sum-exp reads from the processor's cache."""


@dataclass(frozen=True, slots=True)
class Head:
    """The projection of a hidden state to the vocabulary."""

    weight: Tensor  # (vocabulary, width)
    bias: Tensor | None = None
    scale: float = 1.0
    softcap: float | None = None

    def logits(self, hidden: Tensor, words: slice) -> Tensor:
        """Return the logits of some words after each hidden state, in float32 or what is more exact."""
        bias = None if self.bias is None else in_float32(self.bias[words])
        logits = torch.nn.functional.linear(in_float32(hidden), in_float32(self.weight[words]), bias)
        return self.transform(logits)  # (rows, words)

    def transform(self, logits: Tensor) -> Tensor:
        """Scale and cap logits, as some models do."""
        if self.scale != 1.0:
            logits = logits * self.scale
        if self.softcap is not None:
            logits = torch.tanh(logits / self.softcap) * self.softcap
        return logits

    def logit(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Return the logit of one word after each hidden state."""
        logits = (in_float32(hidden) * in_float32(self.weight[words])).sum(dim=-1)  # (rows,)
        return self.transform(logits if self.bias is None else logits + in_float32(self.bias[words]))

    def log_sum(self, hidden: Tensor) -> Tensor:
        """Return the log-sum-exp of the logits of all words after each hidden state."""
        starts = range(0, len(self.weight), WORDS_PER_PIECE)
        sums = [
            torch.stack([log_sum_exp_(self.logits(rows, slice(start, start + WORDS_PER_PIECE))) for start in starts])
            for rows in torch.split(hidden, ROWS_PER_PIECE)
        ]
        return torch.logsumexp(torch.cat(sums, dim=1), dim=0)

    def restrict(self, words: Tensor) -> Self:
        """Return the projection to some words only."""
        return replace(self, weight=self.weight[words], bias=None if self.bias is None else self.bias[words])


def in_float32(tensor: Tensor) -> Tensor:
    """Return numbers of lower precision in float32, others as they are."""
    return tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor


def log_sum_exp_(logits: Tensor) -> Tensor:
    """Return the log-sum-exp of every row, computed in place: the piece stays in the processor's cache."""
    largest = logits.amax(dim=-1, keepdim=True)
    return logits.sub_(largest).exp_().sum(dim=-1).log_().add_(largest[:, 0])


def to_tensors(*parts: Indices, device: torch.device | str = "cpu") -> tuple[Tensor, ...]:
    """Turn indices into tensors."""
    return tuple(torch.as_tensor(np.asarray(part, dtype=np.int64), device=device) for part in parts)
