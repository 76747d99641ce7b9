"""Products of rows with weights, and the projection of hidden states to the vocabulary."""

import platform
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear, silu

from gardenpath.models.protocol import Bits, Indices

ROWS_PER_PIECE, WORDS_PER_PIECE = 256, 1024
"""A piece of the projection: small enough that its log-sum-exp reads from the processor's cache."""


class Product:
    """A weight (outputs, inputs) to multiply rows by.

    On x86 it is laid out once as oneDNN reads it, which is an eighth faster than PyTorch's ordinary product. Its sums
    are less exact: it is not for products that go into the residual stream or into attention.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self.bias = bias
        self.is_laid_out = can_lay_out(weight)
        self.weight = torch.ops.mkldnn._reorder_linear_weight(weight) if self.is_laid_out else weight

    def __call__(self, rows: Tensor) -> Tensor:
        """Multiply rows; the bias is added."""
        if self.is_laid_out:
            product: Tensor = torch.ops.mkldnn._linear_pointwise(rows, self.weight, self.bias, "none", [], "")
            return product
        return linear(rows, self.weight, self.bias)

    def silu(self, rows: Tensor) -> Tensor:
        """Multiply rows, and apply the SiLU function."""
        if self.is_laid_out:
            found: Tensor = torch.ops.mkldnn._linear_pointwise(rows, self.weight, self.bias, "swish", [], "")
            return found
        return silu(self(rows))

    def times(self, rows: Tensor, factors: Tensor) -> Tensor:
        """Multiply rows, and the results by factors."""
        if self.is_laid_out:
            found: Tensor = torch.ops.mkldnn._linear_pointwise(rows, factors, self.weight, self.bias, "mul")
            return found
        return self(rows).mul_(factors)


def can_lay_out(weight: Tensor) -> bool:
    """Tell whether oneDNN takes this weight here."""
    on_x86 = platform.machine() in ("x86_64", "AMD64") and torch._C._has_mkldnn
    return on_x86 and weight.device.type == "cpu" and weight.dtype == torch.float32 and weight.numel() > 0


@dataclass(frozen=True, slots=True)
class Head:
    """The projection of a hidden state to the vocabulary."""

    weight: Tensor  # (vocabulary, width)
    bias: Tensor | None = None
    scale: float = 1.0
    softcap: float | None = None
    products: tuple[Product, ...] = ()
    """The weight, piece by piece, where it was laid out for speed."""

    def lay_out(self) -> Self:
        """Return the same projection, laid out for speed; the weights must not change any more."""
        if not can_lay_out(self.weight):
            return self
        return replace(self, products=tuple(Product(*self.piece(start)) for start in self.starts))

    @property
    def starts(self) -> range:
        """The first words of all pieces."""
        return range(0, len(self.weight), WORDS_PER_PIECE)

    def piece(self, start: int) -> tuple[Tensor, Tensor | None]:
        """Return the weight and the bias of a piece, in float32 or what is more exact."""
        words = slice(start, start + WORDS_PER_PIECE)
        return in_float32(self.weight[words]), None if self.bias is None else in_float32(self.bias[words])

    def logits(self, hidden: Tensor, start: int) -> Tensor:
        """Return the logits of the words of a piece after each hidden state."""
        hidden = in_float32(hidden)
        if self.products:
            return self.transform(self.products[start // WORDS_PER_PIECE](hidden))
        return self.transform(linear(hidden, *self.piece(start)))  # (rows, words)

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
        sums = [
            torch.stack([log_sum_exp_(self.logits(rows, start)) for start in self.starts])
            for rows in torch.split(hidden, ROWS_PER_PIECE)
        ]
        return torch.logsumexp(torch.cat(sums, dim=1), dim=0)

    def distribution(self, hidden: Tensor) -> Bits:
        """Return -log2 p of all words after each hidden state."""
        return bits_of_logits(torch.cat([self.logits(hidden, start) for start in self.starts], dim=1))

    def restrict(self, words: Tensor) -> Self:
        """Return the projection to some words only."""
        bias = None if self.bias is None else self.bias[words]
        return replace(self, weight=self.weight[words], bias=bias, products=())


def in_float32(tensor: Tensor) -> Tensor:
    """Return numbers of lower precision in float32, others as they are."""
    return tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor


def bits_of_logits(logits: Tensor) -> Bits:
    """Return -log2 p of all words, normalised in double precision."""
    bits: Bits = (torch.log_softmax(logits.double(), dim=-1) / -np.log(2)).cpu().numpy()
    return bits


def log_sum_exp_(logits: Tensor) -> Tensor:
    """Return the log-sum-exp of every row, computed in place: the piece stays in the processor's cache."""
    largest = logits.amax(dim=-1, keepdim=True)
    return logits.sub_(largest).exp_().sum(dim=-1).log_().add_(largest[:, 0])


def to_tensors(*parts: Indices, device: torch.device | str = "cpu") -> tuple[Tensor, ...]:
    """Turn indices into tensors."""
    return tuple(torch.as_tensor(np.asarray(part, dtype=np.int64), device=device) for part in parts)
