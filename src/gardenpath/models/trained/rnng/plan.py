"""The order in which a batch of trees is computed.

Nothing in the training of an RNNG is sequential in time, because all actions are known. A state of the stack depends on
the state below it and on the element pushed, so all states of equal depth are computed together. A constituent depends
on its children, so all constituents of equal height are composed together. The plan groups them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from gardenpath.models.trained.rnng.trees import (
    IntArray,
    Limits,
    Trees,
    TreeShape,
    check_trees,
    find_heights,
    find_shape,
)
from gardenpath.trees.transitions import FIRST_LABEL, GEN, REDUCE


@dataclass(frozen=True, slots=True)
class StackLevel:
    """States of equal depth, each with its state in the level below."""

    states: slice
    below: slice
    """States of the level below with any state above them; empty for the lowest level."""
    parents: Tensor
    """The index in `below` of the state under each state."""


@dataclass(frozen=True, slots=True)
class Height:
    """Constituents of equal height, those with most children first."""

    constituents: slice
    children: tuple[slice, ...]
    """The first children, the second children …; the i-th of each belong to the i-th constituent."""

    @property
    def span(self) -> slice:
        """All children."""
        return slice(self.children[0].start, self.children[-1].stop)

    def steps(self) -> Iterator[tuple[slice, slice | None]]:
        """Yield the children at each rank, and those before them of the same constituents."""
        yield self.children[0], None
        for before, step in pairwise(self.children):
            yield step, slice(before.start, before.start + step.stop - step.start)


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a batch.

    Elements are the words, in order, then the constituents, by height. The root of a sentence is not among them: once
    it is closed, nothing more is predicted.
    """

    words: Tensor
    heights: tuple[Height, ...]
    labels: Tensor
    """Of every constituent."""
    forward: Tensor
    """The children of all constituents, as elements, from left to right: by height, then by rank, as in `heights`."""
    backward: Tensor
    """The same from right to left."""
    last: Tensor
    """The index in these of the last child of every constituent."""
    later: Tensor
    """The indices of children that are not the first of their constituent."""
    previous: Tensor
    """The indices of the children directly before them."""
    levels: tuple[StackLevel, ...]
    pushed: Tensor
    """The source of each state: 0 for nothing (the empty stack), then the labels, then the elements."""
    states: Tensor
    """The state in which each action is predicted; state 0 is the empty stack."""
    actions: Tensor
    allowed: Tensor
    """The kinds of action possible there: REDUCE 1, GEN 2, NT 4."""
    sentences: Tensor
    """The sentence of each action."""

    @property
    def n_words(self) -> int:
        """Words in the batch."""
        return len(self.words)

    def to(self, device: torch.device | str) -> Self:
        """Return the plan on another device."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        tensors: dict[str, Any] = {name: value.to(device) for name, value in own.items() if isinstance(value, Tensor)}
        levels = tuple(replace(level, parents=level.parents.to(device)) for level in self.levels)
        return replace(self, levels=levels, **tensors)


def build_plan(trees: Trees, n_labels: int, limits: Limits) -> Plan:
    """Plan a batch; refuse sentences that are no trees, or beyond the limits, by their number (from 1)."""
    actions = np.asarray(trees.actions, dtype=np.int64)
    starts = np.asarray(trees.starts, dtype=np.int64)
    opened = np.cumsum(np.where(actions >= FIRST_LABEL, 1, np.where(actions == REDUCE, -1, 0)))
    allowed = check_trees(trees, opened, n_labels, limits)
    shape = find_shape(actions, opened)
    order, heights, (forward, backward, last, later, previous) = plan_composition(shape)
    # Elements: words in order, then constituents in the order of their composition.
    n_words = len(trees.words)
    element = np.cumsum(actions == GEN) - 1
    element[shape.closed[order]] = n_words + np.arange(len(order))
    pushed = np.where(actions >= FIRST_LABEL, actions - FIRST_LABEL + 1, element + n_labels + 1)
    levels, state_of, sources = plan_stack(shape, starts, pushed)
    before = np.concatenate([[0], state_of[:-1]])
    before[starts[:-1]] = 0
    return Plan(
        words=torch.from_numpy(np.array(trees.words, dtype=np.int64)),
        heights=heights,
        labels=torch.from_numpy(actions[shape.opens[order]] - FIRST_LABEL),
        forward=torch.from_numpy(element[forward]),
        backward=torch.from_numpy(element[backward]),
        last=torch.from_numpy(last),
        later=torch.from_numpy(later),
        previous=torch.from_numpy(previous),
        levels=levels,
        pushed=torch.from_numpy(sources),
        states=torch.from_numpy(before),
        actions=torch.from_numpy(actions),
        allowed=torch.from_numpy(allowed),
        sentences=torch.from_numpy(np.repeat(np.arange(len(starts) - 1), np.diff(starts))),
    )


def plan_composition(shape: TreeShape) -> tuple[IntArray, tuple[Height, ...], tuple[IntArray, ...]]:
    """Return constituents in the order of their composition, its steps, and the children read in them: `forward`,
    `backward`, `last`, `later` and `previous` of the plan, for children as the times at which they are complete."""
    heights = find_heights(shape)
    ranked = np.lexsort((-shape.n_children, heights))
    order = ranked[shape.depths[ranked] > 1]
    rank = np.zeros(len(heights), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first = np.cumsum(shape.n_children) - shape.n_children
    slots = np.flatnonzero(shape.depths[shape.parents] > 1)
    parents = shape.parents[slots]
    steps = slots[np.lexsort((rank[parents], slots - first[parents], heights[parents]))]
    position = np.zeros(len(shape.children), dtype=np.int64)
    position[steps] = np.arange(len(steps))
    owners = shape.parents[steps]
    ranks = steps - first[owners]
    later = np.flatnonzero(ranks > 0)
    backward = shape.children[first[owners] + shape.n_children[owners] - 1 - ranks]
    last, previous = position[(first + shape.n_children - 1)[order]], position[steps[later] - 1]
    children = shape.children[steps], backward, last, later, previous
    return order, cut_heights(heights[order], heights[owners], ranks), children


def cut_heights(heights: IntArray, of_child: IntArray, ranks: IntArray) -> tuple[Height, ...]:
    """Return slices of the constituents of each height and, within each, of the children at each rank."""
    if not len(heights):
        return ()
    top, width = int(heights[-1]), int(ranks.max()) + 1
    edges = np.searchsorted(heights, np.arange(1, top + 2)).tolist()
    counts = np.bincount((of_child - 1) * width + ranks, minlength=top * width)
    ends = np.cumsum(counts).reshape(top, width).tolist()
    found = []
    for (start, stop), own_ends, own in zip(pairwise(edges), ends, counts.reshape(top, width).tolist(), strict=True):
        children = (slice(end - count, end) for end, count in zip(own_ends, own, strict=True) if count)
        found.append(Height(slice(start, stop), tuple(children)))
    return tuple(found)


def plan_stack(
    shape: TreeShape, starts: IntArray, pushed: IntArray
) -> tuple[tuple[StackLevel, ...], IntArray, IntArray]:
    """Return the levels of the stack, the state after each action, and the source of each state.

    Within a level, states with others above them come first: the level above then needs only a slice of it.
    """
    n_actions = len(pushed)
    change = np.ones(n_actions, dtype=np.int64)
    change[shape.closed] = -shape.n_children
    depth = np.cumsum(change) - np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    kept = np.ones(n_actions, dtype=np.bool_)
    kept[starts[1:] - 1] = False
    carries = np.zeros(n_actions, dtype=np.bool_)
    carries[shape.below[kept & (shape.below >= 0)]] = True
    made = np.flatnonzero(kept)
    order = made[np.lexsort((~carries[made], depth[made]))]
    state_of = np.zeros(n_actions, dtype=np.int64)
    state_of[order] = 1 + np.arange(len(order))
    below = np.where(shape.below[order] >= 0, state_of[shape.below[order]], 0)
    edges = [0, *(1 + np.searchsorted(depth[order], np.arange(1, depth[order[-1]] + 2))).tolist()]
    carrying = [1, *np.bincount(depth[order], weights=carries[order]).astype(np.int64)[1:].tolist()]
    levels = [StackLevel(slice(0, 1), slice(0, 0), torch.zeros(0, dtype=torch.int64))]
    for low, start, end, carried in zip(edges, edges[1:], edges[2:], carrying, strict=False):
        parents = torch.from_numpy(below[start - 1 : end - 1] - low)
        levels.append(StackLevel(slice(start, end), slice(low, low + carried), parents))
    return tuple(levels), state_of, np.concatenate([[0], pushed[order]])
