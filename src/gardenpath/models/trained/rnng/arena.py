"""The stacks of many parses in one arena: a stack is its topmost node, and every node points to the node below it.

Push adds a node, pop follows a pointer, and parses that differ only at the top share all nodes below. No node ever
changes.
"""

from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Self

import torch
from torch import Tensor

from gardenpath.models.trained.rnng.module import FIRST_WORD, Rnng, RnngOptions, advance
from gardenpath.trees.transitions import FIRST_LABEL, GEN, REDUCE

BOTTOM = 0
"""The node of the empty stack, in every arena."""


@dataclass(slots=True)
class Nodes:
    """One row per node."""

    vector: Tensor  # (nodes, embedding), of the element
    hidden: Tensor  # (nodes, layers, width), of the stack LSTM after it
    cell: Tensor  # (nodes, layers, width)
    below: Tensor
    """The node below; for the bottom, itself."""
    label: Tensor
    """Of an open constituent; -1 for all else."""
    opened: Tensor
    """The innermost open constituent: the node itself, or one below it; the bottom where there is none."""
    n_open: Tensor
    """The number of open constituents."""
    chain: Tensor
    """The number of constituents opened in a row, this one the last."""
    size: Tensor
    """The number of elements above the innermost open constituent."""
    previous: Tensor
    """The topmost node before the action that made this one."""
    action: Tensor

    def __len__(self) -> int:
        return len(self.below)

    def rows(self, chosen: Tensor | slice) -> Self:
        """Return some of the nodes; pointers stay as they are."""
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))


def bytes_per_node(shape: RnngOptions) -> int:
    """Return the memory of one node, in single precision."""
    return 4 * (shape.embedding + 2 * shape.layers * shape.width) + 8 * 8


def keep_reachable(nodes: Nodes, tops: Tensor) -> tuple[Nodes, Tensor]:
    """Return the nodes of these stacks and no others, and the new indices of their tops (-1 stays -1)."""
    marked = torch.zeros(len(nodes), dtype=torch.bool, device=tops.device)
    marked[BOTTOM] = True
    front = torch.unique(tops[tops >= 0])
    while len(front):
        marked[front] = True
        below = torch.unique(nodes.below[front])
        front = below[~marked[below]]
    index = torch.cumsum(marked, dim=0) - 1
    kept = nodes.rows(marked)
    # An open constituent is part of the stack, so it is kept.
    kept.below, kept.opened = index[kept.below], index[kept.opened]
    kept.previous = torch.arange(len(kept), device=tops.device)
    return kept, torch.where(tops >= 0, index[tops.clamp(min=0)], tops)


def concatenate_nodes(parts: list[Nodes]) -> tuple[Nodes, list[int]]:
    """Concatenate arenas; return the nodes, and the offset of the indices of each; each keeps its own bottom."""
    offsets = list(accumulate(map(len, parts[:-1]), initial=0))
    moved = [
        replace(part, below=part.below + offset, opened=part.opened + offset, previous=part.previous + offset)
        for part, offset in zip(parts, offsets, strict=True)
    ]
    return Nodes(*(torch.cat([getattr(part, field.name) for part in moved]) for field in fields(Nodes))), offsets


class Arena:
    """A growing set of nodes, and the weights that make new ones."""

    def __init__(self, module: Rnng, nodes: Nodes, room: int) -> None:
        """`room`: nodes to be added before memory is allocated again."""
        self.module = module
        self.count = len(nodes)
        self.store = nodes
        self.grow(room)

    def grow(self, room: int) -> None:
        """Allocate memory for more nodes."""
        for field in fields(Nodes):
            have = getattr(self.store, field.name)
            larger = have.new_empty(self.count + room, *have.shape[1:])
            larger[: self.count] = have[: self.count]
            setattr(self.store, field.name, larger)

    @property
    def nodes(self) -> Nodes:
        """All nodes."""
        return self.store.rows(slice(0, self.count))

    def add(self, made: Nodes) -> Tensor:
        """Append nodes, and return their indices."""
        end = self.count + len(made)
        if end > len(self.store):
            self.grow(max(end - self.count, self.count))
        for field in fields(Nodes):
            getattr(self.store, field.name)[self.count : end] = getattr(made, field.name)
        indices = torch.arange(self.count, end, device=made.below.device)
        self.count = end
        return indices

    def take(self, tops: Tensor, actions: Tensor) -> Tensor:
        """Return the tops after structural actions: NT pushes a label, REDUCE a composed constituent."""
        after = torch.empty_like(tops)
        opening = actions >= FIRST_LABEL
        after[opening] = self.open(tops[opening], actions[opening] - FIRST_LABEL)
        after[~opening] = self.reduce(tops[~opening])
        return after

    def open(self, tops: Tensor, labels: Tensor) -> Tensor:
        """Push a label onto each stack (NT)."""
        return self.push(tops, self.module.labels.weight[labels], labels, tops, labels + FIRST_LABEL)

    def generate(self, tops: Tensor, words: Tensor) -> Tensor:
        """Push a word onto each stack (GEN)."""
        vectors = self.module.words.weight[words - FIRST_WORD]
        return self.push(tops, vectors, torch.full_like(tops, -1), tops, torch.full_like(tops, GEN))

    def reduce(self, tops: Tensor) -> Tensor:
        """Replace the innermost open constituent and all above it by one element (REDUCE)."""
        opened = self.store.opened[tops]
        vectors, none = self.compose(tops, self.store.label[opened]), torch.full_like(tops, -1)
        return self.push(self.store.below[opened], vectors, none, tops, torch.full_like(tops, REDUCE))

    def push(self, below: Tensor, vectors: Tensor, labels: Tensor, previous: Tensor, actions: Tensor) -> Tensor:
        """Push a new node onto each of some nodes."""
        hidden, cell = self.read(below, vectors)
        own = torch.arange(self.count, self.count + len(below), device=below.device)
        is_label = labels >= 0
        store = self.store
        opened = torch.where(is_label, own, store.opened[below])
        n_open = store.n_open[below] + is_label
        chain = torch.where(is_label, store.chain[below] + 1, 0)
        size = torch.where(is_label, 0, store.size[below] + 1)
        return self.add(Nodes(vectors, hidden, cell, below, labels, opened, n_open, chain, size, previous, actions))

    def read(self, below: Tensor, vectors: Tensor) -> tuple[Tensor, Tensor]:
        """Read one more element with the stack LSTM; the state of a node is projected once, however many extend it."""
        distinct, inverse = torch.unique(below, return_inverse=True)
        hidden, cell = [], []
        inputs = vectors
        for layer, weights in enumerate(self.module.stack_layers):
            carried = self.store.hidden[distinct, layer] @ weights.state_weight.T
            sums = torch.addmm(weights.bias, inputs, weights.input_weight.T).add_(carried[inverse])
            inputs, own = advance(sums, self.store.cell[below, layer])
            hidden.append(inputs)
            cell.append(own)
        return torch.stack(hidden, dim=1), torch.stack(cell, dim=1)

    def compose(self, tops: Tensor, labels: Tensor) -> Tensor:
        """Return tanh(W [forward; backward] + b) of the elements above the innermost open constituent of each stack."""
        module, own = self.module, self.module.composition
        sizes, order = self.store.size[tops].sort(descending=True, stable=True)
        nodes = self.children(tops[order], sizes)  # (stacks, children), from the right
        distinct, inverse = torch.unique(nodes, return_inverse=True)
        sums = torch.addmm(own.bias, self.store.vector[distinct], own.input_weight.T)
        sums = sums.view(len(distinct), 2, own.state_weight.shape[1])
        labels = labels[order]
        hidden, cell = (state[:, labels] for state in module.read_labels(module.labels.weight))
        for child in range(nodes.shape[1]):
            n = int((sizes > child).sum())
            rows = torch.arange(n, device=tops.device)
            both = torch.stack([sums[inverse[rows, sizes[:n] - 1 - child], 0], sums[inverse[:n, child], 1]])
            new_hidden, new_cell = advance(both.baddbmm_(hidden[:, :n], own.state_weight.mT), cell[:, :n])
            hidden = torch.cat([new_hidden, hidden[:, n:]], dim=1)
            cell = torch.cat([new_cell, cell[:, n:]], dim=1)
        return torch.tanh(module.composed(hidden.transpose(0, 1).flatten(1)))[order.argsort()]

    def children(self, tops: Tensor, sizes: Tensor) -> Tensor:
        """Return the nodes above the innermost open constituent, topmost first; padding repeats the topmost."""
        found = [tops]
        for rank in range(1, int(sizes[0]) if len(sizes) else 1):
            found.append(torch.where(sizes > rank, self.store.below[found[-1]], tops))
        return torch.stack(found, dim=1)


def empty_stack(module: Rnng) -> Nodes:
    """Return the nodes of an arena that holds only the bottom."""
    hidden, cell = [], []
    inputs = module.empty.detach()
    for weights in module.stack_layers:
        inputs, own = advance(torch.addmm(weights.bias, inputs, weights.input_weight.T), None)
        hidden.append(inputs)
        cell.append(own)
    zero = torch.zeros(1, dtype=torch.int64, device=module.empty.device)
    return Nodes(
        vector=module.empty.detach(),
        hidden=torch.stack(hidden, dim=1),
        cell=torch.stack(cell, dim=1),
        below=zero + BOTTOM,
        label=zero - 1,
        opened=zero + BOTTOM,
        n_open=zero,
        chain=zero,
        size=zero,
        previous=zero,
        action=zero - 1,
    )
