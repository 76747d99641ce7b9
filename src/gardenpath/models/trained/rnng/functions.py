"""The two recurrences of an RNNG over a whole batch, each with its gradient written out.

Left to autograd, every level of the stack and every child of a constituent would add its share to the gradient of every
weight: hundreds of passes over whole matrices per batch. Written out, these are one product each.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from gardenpath.models.trained.rnng.plan import Height, Plan

sigmoid_backward = torch.ops.aten.sigmoid_backward
tanh_backward = torch.ops.aten.tanh_backward


def activate_(gates: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Compute input, forget, output gate and proposal from their sums, in place; all gates of a row are adjacent."""
    width = gates.shape[-1] // 4
    gates[..., : 3 * width].sigmoid_()
    gates[..., 3 * width :].tanh_()
    enter, forget, leave, proposal = gates.chunk(4, dim=-1)
    return enter, forget, leave, proposal


def gate_gradients(
    gates: Tensor, cell: Tensor, cell_before: Tensor | None, *, grad_hidden: Tensor, grad_cell: Tensor, out: Tensor
) -> Tensor:
    """Return the gradient of the previous cell, given those of hidden state and cell; those of the sums go to `out`.

    c = f c' + i g, h = o tanh c.
    """
    width = cell.shape[-1]
    enter, forget, leave, proposal = gates.chunk(4, dim=-1)
    squashed = torch.tanh(cell)
    grad_cell = tanh_backward(grad_hidden * leave, squashed).add_(grad_cell)
    to_enter, to_forget, to_leave, to_proposal = out.chunk(4, dim=-1)
    torch.mul(grad_cell, proposal, out=to_enter)
    if cell_before is None:
        to_forget.zero_()
    else:
        torch.mul(grad_cell, cell_before, out=to_forget)
    torch.mul(grad_hidden, squashed, out=to_leave)
    torch.mul(grad_cell, enter, out=to_proposal)
    logistic = slice(0, 3 * width)
    sigmoid_backward(out[..., logistic], gates[..., logistic], grad_input=out[..., logistic])
    tanh_backward(to_proposal, proposal, grad_input=to_proposal)
    return grad_cell.mul_(forget)


class StackLstm(torch.autograd.Function):
    """Hidden states of one layer of the stack LSTM: h, c = LSTM(x[source], state below), level by level."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, *rest: Any) -> Tensor:
        input_weight, state_weight, bias, source, levels = rest
        gates = torch.addmm(bias, inputs, input_weight.T)  # (inputs, 4 width)
        if source is not None:
            gates = gates.index_select(0, source)  # (states, 4 width)
        hidden = gates.new_empty(len(gates), state_weight.shape[1])
        cell = torch.empty_like(hidden)
        for level in levels:
            sums = gates[level.states]
            if len(level.parents):
                sums += (hidden[level.below] @ state_weight.T).index_select(0, level.parents)
            enter, forget, leave, proposal = activate_(sums)
            own = torch.mul(enter, proposal, out=cell[level.states])
            if len(level.parents):
                own.addcmul_(forget, cell[level.below].index_select(0, level.parents))
            torch.tanh(own, out=hidden[level.states]).mul_(leave)
        ctx.save_for_backward(inputs, input_weight, state_weight, gates, hidden, cell)
        ctx.source, ctx.levels = source, levels
        return hidden

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        inputs, input_weight, state_weight, gates, hidden, cell = ctx.saved_tensors
        grad_hidden = grads[0].clone()
        grad_cell = torch.zeros_like(cell)
        grad_gates = torch.empty_like(gates)
        carrying, from_above = [], []
        for level in reversed(ctx.levels):
            own, below = level.states, level.below
            before = cell[below].index_select(0, level.parents) if len(level.parents) else None
            found = grad_gates[own]
            to_cell = gate_gradients(
                gates[own], cell[own], before, grad_hidden=grad_hidden[own], grad_cell=grad_cell[own], out=found
            )
            if before is not None:
                summed = found.new_zeros(len(hidden[below]), found.shape[1]).index_add_(0, level.parents, found)
                grad_hidden[below].addmm_(summed, state_weight)
                carrying.append(hidden[below])
                from_above.append(summed)
                grad_cell[below].index_add_(0, level.parents, to_cell)
        if ctx.source is not None:
            grad_gates = gates.new_zeros(len(inputs), gates.shape[1]).index_add_(0, ctx.source, grad_gates)
        to_state = torch.cat(from_above).T @ torch.cat(carrying)
        return grad_gates @ input_weight, grad_gates.T @ inputs, to_state, grad_gates.sum(dim=0), None, None


@dataclass(frozen=True, slots=True)
class CompositionWeights:
    """Weights of the two LSTMs, side by side, and of the projection of both to one vector."""

    inputs: Tensor  # (2 directions x 4 width, embedding)
    state: Tensor  # (2, 4 width, width)
    bias: Tensor  # (2 directions x 4 width)
    out: Tensor  # (embedding, 2 width)
    out_bias: Tensor  # (embedding)


@dataclass(frozen=True, slots=True)
class Composing:
    """The intermediate results from words to constituents."""

    elements: Tensor  # (elements, embedding): words, then constituents
    sums: Tensor  # (elements x 2 directions, 4 width): their contributions to the gates that read them
    gates: Tensor  # (2, children, 4 width)
    hidden: Tensor  # (2, children, width)
    cell: Tensor  # (2, children, width)
    ends: Tensor  # (constituents, 2 width)

    def both(self, elements: slice) -> Tensor:
        """View the sums of some elements, both directions in one row."""
        return self.sums[2 * elements.start : 2 * elements.stop].view(elements.stop - elements.start, -1)


def allocate(words: Tensor, plan: Plan, width: int) -> Composing:
    """Allocate everything that will be computed."""
    n_children, n_elements = len(plan.forward), len(words) + len(plan.labels)
    return Composing(
        elements=torch.cat([words, words.new_empty(len(plan.labels), words.shape[1])]),
        sums=words.new_empty(2 * n_elements, 4 * width),
        gates=words.new_empty(2, n_children, 4 * width),
        hidden=words.new_empty(2, n_children, width),
        cell=words.new_empty(2, n_children, width),
        ends=words.new_empty(len(plan.labels), 2 * width),
    )


class Composition(torch.autograd.Function):
    """Vectors of all constituents: tanh(W [forward; backward] + b), where each LSTM reads the label, then the children.

    Both directions take the same steps, so that one product serves both. Their states after every label, `label_hidden`
    and `label_cell` (2, labels, width), are given: there are few labels and many constituents.
    """

    @staticmethod
    def forward(ctx: Any, words: Tensor, label_hidden: Tensor, label_cell: Tensor, *rest: Any) -> Tensor:
        *tensors, plan = rest
        weights = CompositionWeights(*tensors)
        made = allocate(words, plan, weights.state.shape[2])
        torch.addmm(weights.bias, words, weights.inputs.T, out=made.both(slice(0, len(words))))
        after_label = label_hidden @ weights.state.mT  # (2, labels, 4 width)
        for height in plan.heights:
            read_children(height, plan, made, weights, (after_label, label_cell))
            own = slice(len(words) + height.constituents.start, len(words) + height.constituents.stop)
            ends = made.ends[height.constituents]
            ends[:] = made.hidden[:, plan.last[height.constituents]].transpose(0, 1).flatten(1)
            torch.addmm(weights.out_bias, ends, weights.out.T, out=made.elements[own]).tanh_()
            torch.addmm(weights.bias, made.elements[own], weights.inputs.T, out=made.both(own))
        kept = made.elements, made.gates, made.hidden, made.cell, made.ends
        ctx.save_for_backward(*kept, label_hidden, label_cell, *tensors)
        ctx.plan = plan
        return made.elements[len(words) :].clone()

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        elements, gates, hidden, cell, ends, label_hidden, label_cell, *tensors = ctx.saved_tensors
        weights, plan = CompositionWeights(*tensors), ctx.plan
        n_words = len(plan.words)
        made = Composing(elements, gates.new_empty(0), gates, hidden, cell, ends)
        grad = Composing(
            elements=torch.empty_like(grads[0]),  # of constituents only, and of the sums inside the tanh
            sums=gates.new_zeros(2 * len(elements), gates.shape[2]),
            gates=torch.empty_like(gates),
            hidden=torch.zeros_like(hidden),
            cell=torch.zeros_like(cell),
            ends=gates.new_empty(0),
        )
        to_label = gates.new_zeros(*label_hidden.shape[:2], gates.shape[2]), torch.zeros_like(label_cell)
        for height in reversed(plan.heights):
            own = height.constituents
            placed = slice(n_words + own.start, n_words + own.stop)
            # A constituent is only part of higher ones, so its gradient is complete.
            total = torch.addmm(grads[0][own], grad.both(placed), weights.inputs)
            grad.elements[own] = tanh_backward(total, elements[placed])
            grad_ends = (grad.elements[own] @ weights.out).view(len(total), 2, -1).transpose(0, 1)
            grad.hidden.index_copy_(1, plan.last[own], grad_ends)
            trace_children(height, plan, made, grad, weights, label_cell, to_label)
        per_element = grad.sums.view(len(elements), -1)
        later = grad.gates[:, plan.later].mT @ hidden[:, plan.previous]
        return (
            per_element[:n_words] @ weights.inputs,
            to_label[0] @ weights.state,
            to_label[1],
            per_element.T @ elements,
            later + to_label[0].mT @ label_hidden,
            per_element.sum(dim=0),
            grad.elements.T @ ends,
            grad.elements.sum(dim=0),
            None,
        )


def read_children(
    height: Height, plan: Plan, made: Composing, weights: CompositionWeights, after_label: tuple[Tensor, Tensor]
) -> None:
    """Read the children of all constituents of a height with both LSTMs, given sums and cells after each label."""
    for direction, read in enumerate((plan.forward, plan.backward)):
        chosen = 2 * read[height.span] + direction
        torch.index_select(made.sums, 0, chosen, out=made.gates[direction, height.span])
    labels = plan.labels[height.constituents]
    for step, before in height.steps():
        if before is None:
            sums, cell = (state.index_select(1, labels) for state in after_label)
        else:
            sums, cell = made.hidden[:, before] @ weights.state.mT, made.cell[:, before]
        enter, forget, leave, proposal = activate_(made.gates[:, step].add_(sums))
        own = torch.mul(enter, proposal, out=made.cell[:, step]).addcmul_(forget, cell)
        torch.tanh(own, out=made.hidden[:, step]).mul_(leave)


def trace_children(  # noqa: PLR0913 - the counterpart of `read_children`, with its results
    height: Height,
    plan: Plan,
    made: Composing,
    grad: Composing,
    weights: CompositionWeights,
    label_cell: Tensor,
    to_label: tuple[Tensor, Tensor],
) -> None:
    """Propagate gradients from the ends of a height's constituents to their children and, summed, to their labels."""
    labels = plan.labels[height.constituents]
    for step, before in reversed(list(height.steps())):
        found = grad.gates[:, step]
        to_cell = gate_gradients(
            made.gates[:, step],
            made.cell[:, step],
            label_cell.index_select(1, labels) if before is None else made.cell[:, before],
            grad_hidden=grad.hidden[:, step],
            grad_cell=grad.cell[:, step],
            out=found,
        )
        if before is None:
            to_label[0].index_add_(1, labels, found)
            to_label[1].index_add_(1, labels, to_cell)
        else:
            grad.hidden[:, before] += found @ weights.state
            grad.cell[:, before] = to_cell
    for direction, read in enumerate((plan.forward, plan.backward)):
        chosen = 2 * read[height.span] + direction
        grad.sums.index_copy_(0, chosen, grad.gates[direction, height.span])
