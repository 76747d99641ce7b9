"""The recurrence of an ON-LSTM layer (Shen et al. 2019, section 4), step by step, with its gradients written by hand.

The units of a layer are ranked by how long they keep their information. Two master gates, with one value per chunk of
`chunk` units, choose the ranks that forget and those that are written; within their overlap, the usual gates decide:

    f, i, o = σ(Wx + Uh + b)                        usual gates, one per unit
    z = tanh(Wx + Uh + b)                           proposal
    F = cumax(Wx + Uh + b)                          master forget gate, one per chunk, rising
    I = 1 - cumax(Wx + Uh + b)                      master input gate, one per chunk, falling
    ω = F I                                         overlap
    c′ = (f ω + F - ω) c + (i ω + I - ω) z
    h′ = o tanh c′

with cumax = cumsum softmax. (In the last chunk F is 1 and I is 0: as in the paper, nothing is ever written there.)
Unit u belongs to chunk u mod chunks: the same model as one with neighbours in a chunk, but products of units and chunks
then run over neighbouring numbers.

The recurrence is sequential, so every operation of a step costs time. The products Wx + b of all steps are computed
beforehand. Backwards, everything that does not depend on later steps is computed for all steps at once, as factors of
dc and dh; a step then takes a few operations, the sum over chunks and the gradient of cumsum being one product with
ones and zeros.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

LayerState = tuple[Tensor, Tensor]
"""Hidden state and cell, each (rows, width)."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything that a layer computed."""

    gates: Tensor  # (steps, rows, 4 width + 2 chunks): o, f, i, z, softmax of the master forget and input gates
    masters: Tensor  # (steps, rows, 2, chunks): F, I
    hidden: Tensor  # (steps + 1, rows, width), the first before the first step
    cells: Tensor  # (steps + 1, rows, width)
    squashed: Tensor  # (steps, rows, width): tanh of the cells


def split_last(tensor: Tensor, *sizes: int) -> Tensor:
    """View the last dimension as several."""
    return tensor.view(*tensor.shape[:-1], *sizes)


def gate_count(width: int, chunks: int) -> int:
    """Return the number of gate values of a step."""
    return 4 * width + 2 * chunks


def read_steps(inputs: Tensor, recurrent: Tensor, before: LayerState, chunks: int) -> Trace:
    """Compute the recurrence over inputs Wx + b (steps, rows, gates), with U as (gates, width)."""
    steps, rows, _ = inputs.shape
    width = recurrent.shape[1]
    gates, masters = torch.empty_like(inputs), inputs.new_empty(steps, rows, 2, chunks)
    hidden, cells = inputs.new_empty(2, steps + 1, rows, width)
    squashed = inputs.new_empty(steps, rows, width)
    hidden[0], cells[0] = before
    usual, softmax = gates[..., : 3 * width], split_last(gates[..., 4 * width :], 2, chunks)
    writing = split_last(gates[..., width : 3 * width], 2, width // chunks, chunks)
    sequences = (inputs, gates, usual, gates[..., 3 * width : 4 * width], writing, gates[..., :width], softmax, masters,
                 hidden, hidden[1:], cells, cells[1:], squashed)  # fmt: skip
    transposed = recurrent.T
    for given, gate, sigmoids, z, f_and_i, o, shares, master, h, h_after, c, c_after, squash in zip(
        *(sequence.unbind() for sequence in sequences), strict=False
    ):
        torch.addmm(given, h, transposed, out=gate)
        sigmoids.sigmoid_()
        z.tanh_()
        torch.softmax(shares, dim=-1, out=shares)
        torch.cumsum(shares, dim=-1, out=master)
        master_f, master_i = master.unbind(1)
        torch.sub(1, master_i, out=master_i)
        overlap = master_f * master_i  # (rows, chunks)
        alone = master - overlap[:, None]  # (rows, 2, chunks)
        effective = torch.addcmul(alone[:, :, None], f_and_i, overlap[:, None, None]).flatten(2)  # (rows, 2, width)
        keeps, writes = effective.unbind(1)
        torch.mul(keeps, c, out=c_after)
        c_after.addcmul_(writes, z)
        torch.tanh(c_after, out=squash)
        torch.mul(o, squash, out=h_after)
    return Trace(gates, masters, hidden, cells, squashed)


def gradient_factors(trace: Trace) -> tuple[Tensor, ...]:
    """Compute the derivatives of the equations, for all steps at once; without those of cumax."""
    steps, rows, width = trace.squashed.shape
    chunks = trace.masters.shape[-1]
    o, f, i, z = split_last(trace.gates[..., : 4 * width], 4, width).unbind(2)
    per_unit = trace.masters.repeat(1, 1, 1, width // chunks)  # (steps, rows, 2, width)
    master_f, master_i = per_unit.unbind(2)
    overlap, c = master_f * master_i, trace.cells[:-1]
    forgets, holds_back = f - 1, i - 1
    written = torch.addcmul(master_i, overlap, holds_back)
    usual = trace.gates.new_empty(steps, rows, 3, width)
    torch.mul(c * overlap, f * -forgets, out=usual[:, :, 0])
    torch.mul(z * overlap, i * -holds_back, out=usual[:, :, 1])
    torch.mul(written, 1 - z * z, out=usual[:, :, 2])
    # d c′ / d ω, of which F and I have their share.
    of_overlap = torch.addcmul(c * forgets, z, holds_back)
    masters = torch.empty_like(per_unit)
    torch.addcmul(c, of_overlap, master_i, out=masters[:, :, 0])
    torch.addcmul(z, of_overlap, master_f, out=masters[:, :, 1]).neg_()
    return (
        o * (1 - trace.squashed.square()),  # (steps, rows, width): dc += dh ·
        trace.squashed * o * (1 - o),  # (steps, rows, width): of o's input, by dh
        usual,  # (steps, rows, 3, width): of f's, i's and z's inputs, by dc
        masters,  # (steps, rows, 2, width): of the cumax of F and I, by dc, to be summed over a chunk
        torch.addcmul(master_f, overlap, forgets),  # (steps, rows, width): of the cell before, by dc
    )


class OrderedSteps(torch.autograd.Function):
    """`read_steps` with gradients: hidden states after each step, cell after the last."""

    @staticmethod
    def forward(
        ctx: Any, inputs: Tensor, recurrent: Tensor, hidden: Tensor, cell: Tensor, chunks: int
    ) -> tuple[Tensor, Tensor]:
        trace = read_steps(inputs, recurrent, (hidden, cell), chunks)
        ctx.save_for_backward(recurrent, trace.gates, trace.masters, trace.hidden, trace.cells, trace.squashed)
        return trace.hidden[1:], trace.cells[-1].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        recurrent, *saved = ctx.saved_tensors
        trace = Trace(*saved)
        width, chunks = trace.squashed.shape[-1], trace.masters.shape[-1]
        found = torch.empty_like(trace.gates)
        softmax = split_last(trace.gates[..., 4 * width :], 2, chunks)
        above = at_or_above(width, chunks, like=recurrent)
        of_hidden, dc = torch.zeros_like(trace.squashed[0]), grads[1].clone()
        sequences = (
            grads[0], found, found[..., :width], split_last(found[..., width : 4 * width], 3, width),
            split_last(found[..., 4 * width :], 2, chunks), softmax, *gradient_factors(trace),
        )  # fmt: skip
        for given, grad, d_output, d_usual, d_masters, shares, to_cell, output, usual, masters, kept in zip(
            *(reversed(sequence.unbind()) for sequence in sequences), strict=True
        ):
            dh = of_hidden.add_(given)
            dc.addcmul_(dh, to_cell)
            torch.mul(dh, output, out=d_output)
            torch.mul(dc[:, None], usual, out=d_usual)
            of_shares = (dc[:, None] * masters) @ above  # (rows, 2, chunks)
            torch.mul(shares, of_shares - (shares * of_shares).sum(dim=-1, keepdim=True), out=d_masters)
            dc.mul_(kept)
            of_hidden = grad @ recurrent
        of_recurrent = found.flatten(0, 1).T @ trace.hidden[:-1].flatten(0, 1)
        return found, of_recurrent, of_hidden, dc, None


def at_or_above(width: int, chunks: int, *, like: Tensor) -> Tensor:
    """Return (width, chunks): one where the chunk of a unit is not below a chunk.

    A product with it sums over the units of a chunk, then is cumsum's gradient: d share[k] = Σ d cumsum[j], j >= k.
    """
    return like.new_ones(chunks, chunks).tril().repeat(width // chunks, 1)
