"""Batches of trees as actions: checks that they are trees, and the relations between their constituents.

Sentences are concatenated in flat arrays, as in a `TreeCorpus`: there is no padding, and no loop over sentences or
actions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.trees.transitions import FIRST_LABEL, GEN

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that keep the number of parses of a sentence finite; part of the model, in training and in search."""

    open: int = 100
    """Constituents that may be open at once (Dyer et al. 2016, section 3.1)."""
    chain: int = 8
    """Constituents that may be opened in a row."""

    def __post_init__(self) -> None:
        if self.open < 1 or self.chain < 1:
            raise InputError(f"limits of {self.open} open constituents, {self.chain} in a row: both must be at least 1")


@dataclass(frozen=True, slots=True)
class Trees:
    """Concatenated sentences, each a whole tree."""

    words: NDArray[np.integer]
    """Word ids."""
    actions: NDArray[np.integer]
    """The i-th GEN generates the i-th word."""
    starts: NDArray[np.integer]
    """Where the actions of each sentence begin, and where those of the last one end."""


def check_trees(trees: Trees, opened: IntArray, n_labels: int, limits: Limits) -> IntArray:
    """Return the kinds of action possible at each action (REDUCE 1, GEN 2, NT 4); refuse an impossible one."""
    actions = np.asarray(trees.actions, dtype=np.int64)
    starts = np.asarray(trees.starts, dtype=np.int64)
    n_generated = int((actions == GEN).sum())
    if n_generated != len(trees.words) or not len(actions) or not np.diff(starts).all():
        raise InputError(
            f"{len(actions)} actions in {len(starts) - 1} sentences generate {n_generated} words, and "
            f"{len(trees.words)} are given; give whole trees, each with words"
        )
    is_nt = actions >= FIRST_LABEL
    before = np.concatenate([[0], opened[:-1]])
    times = np.arange(len(actions))
    # Constituents opened directly before: since the last other action, or the beginning of the batch.
    other = np.maximum.accumulate(np.where(is_nt, -1, times))
    chain = np.concatenate([[0], (times - other)[:-1]])
    possible_nt = (before < limits.open) & (chain < limits.chain)
    allowed: IntArray = ((before > 0) & (chain == 0)) * 1 + (before > 0) * 2 + possible_nt * 4
    taken = np.where(is_nt, 4, actions + 1)
    begins = np.zeros(len(actions), dtype=np.bool_)
    begins[starts[:-1]] = True
    wrong = (allowed & taken == 0) | (actions < 0) | (actions >= FIRST_LABEL + n_labels) | (begins != (before == 0))
    ends = np.concatenate([opened[starts[1:] - 1] != 0, [False]])
    if wrong.any() or ends.any():
        time = int(np.argmax(wrong)) if wrong.any() else int(starts[1:][np.argmax(ends)]) - 1
        sentence = int(np.searchsorted(starts, time, side="right"))
        raise InputError(
            f"sentence {sentence} of the batch, action {time - int(starts[sentence - 1]) + 1} ({int(actions[time])}) "
            f"is not possible in a tree with {n_labels} labels, at most {limits.open} constituents open at once and "
            f"{limits.chain} opened in a row; check the treebank, or raise the limits of the model"
        )
    return allowed


@dataclass(frozen=True, slots=True)
class TreeShape:
    """Constituents, sorted by depth in their trees and then by time; roots come first. All else is sorted by time."""

    opens: IntArray
    """When each constituent is opened."""
    closed: IntArray
    """When it is closed."""
    n_children: IntArray
    children: IntArray
    """When each child is complete (a word at its GEN, a constituent at its REDUCE), grouped by constituent."""
    parents: IntArray
    """The constituent of each child."""
    depths: IntArray
    """Of every constituent: 1 for roots."""
    below: IntArray
    """The action that made the state below each action's state; -1 for the empty stack."""


def find_shape(actions: IntArray, opened: IntArray) -> TreeShape:
    """Find the children of constituents: sorted by open constituents, then by time, they follow their NT."""
    is_nt = actions >= FIRST_LABEL
    ordered = np.argsort(opened, kind="stable")
    ordered = ordered[opened[ordered] > 0]
    opens_here = is_nt[ordered]
    parents = np.cumsum(opens_here) - 1
    opens = ordered[opens_here]
    brackets = np.flatnonzero(actions != GEN)
    pairs = brackets[np.argsort(opened[brackets] + ~is_nt[brackets], kind="stable")].reshape(-1, 2)
    below = np.full(len(actions), -1, dtype=np.int64)
    below[ordered[1:]] = ordered[:-1]
    below[opens] = below[pairs[:, 1]]
    return TreeShape(
        opens=opens,
        closed=pairs[:, 1],
        n_children=np.bincount(parents, minlength=len(opens)) - 1,
        children=ordered[~opens_here],
        parents=parents[~opens_here],
        depths=opened[opens],
        below=below,
    )


def find_heights(shape: TreeShape) -> IntArray:
    """Return 1 for a constituent over words only, else one more than its highest child; from the deepest ones up."""
    heights = np.ones(len(shape.opens), dtype=np.int64)
    index = np.zeros(len(shape.below), dtype=np.int64)
    index[shape.closed] = np.arange(len(shape.opens))
    parent = np.full(len(shape.opens), -1, dtype=np.int64)
    closes = np.isin(shape.children, shape.closed, assume_unique=True)
    parent[index[shape.children[closes]]] = shape.parents[closes]
    edges = np.searchsorted(shape.depths, np.arange(1, shape.depths[-1] + 2))
    for start, end in zip(edges[1:-1][::-1], edges[2:][::-1], strict=True):
        np.maximum.at(heights, parent[start:end], heights[start:end] + 1)
    return heights
