"""Cutting the prefix tree of all texts into parts, and walking a part level by level."""

from bisect import bisect_left
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import SentenceError
from gardenpath.models.prefix_tree import PrefixTree
from gardenpath.models.progress import report_nodes
from gardenpath.models.protocol import Bits, LanguageModel
from gardenpath.text.tokens import Ids

PATHS_PER_PART = 4
"""A part has at least this many times as many nodes as the path that is read again to reach it, or the next one."""


def cut_tree(tree: PrefixTree, size: int) -> list[tuple[int, int]]:
    """Cut the nodes into ranges of about `size`, each of which ends where a text does; longer ones around long paths.

    The ranges depend on the tree and the size alone.
    """
    ends = np.append(np.flatnonzero(~tree.inner) + 1, len(tree)).tolist()
    depths = [*tree.depths.tolist(), 0]
    parts: list[tuple[int, int]] = []
    low = 0
    while low < len(tree):
        wanted = min(low + max(size, PATHS_PER_PART * depths[low]), len(tree))
        later = (ends[index] for index in range(bisect_left(ends, wanted), len(ends)))
        high = next(end for end in later if PATHS_PER_PART * depths[end] <= end - low)
        if len(tree) - high < size // 2:
            high = len(tree)
        parts.append((low, high))
        low = high
    return parts


def walk_tree(model: LanguageModel[Any], tree: PrefixTree, *, columns: tuple[int, ...] = ()) -> Bits:
    """Score every node, level by level; a node without children is scored but not read.

    `columns`: the shape of what a step returns for a token, which is one number unless more is wanted.

    Raise a `SentenceError` with the index of a node that cannot be scored.
    """
    bits: Bits = np.full((len(tree), *columns), np.nan)
    inner = tree.inner
    row_of = np.zeros(len(tree), dtype=np.int64)
    state = model.start()
    for nodes in levels(tree.depths):
        parents = tree.parents[nodes]
        rows = np.where(parents >= 0, row_of[parents], 0)
        keep = np.flatnonzero(inner[nodes])
        try:
            bits[nodes], state = model.step(state, rows, tree.tokens[nodes], keep)
        except SentenceError as error:
            raise SentenceError(str(error), int(nodes[error.number])) from error
        row_of[nodes[keep]] = np.arange(len(keep))
        report_nodes(len(nodes))
    return bits


def levels(depths: Ids) -> list[NDArray[np.int64]]:
    """Return the nodes of every depth, in their order."""
    by_depth = np.argsort(depths, kind="stable")
    edges = np.searchsorted(depths[by_depth], np.arange(depths.max(initial=-1) + 2))
    return [by_depth[start:end] for start, end in pairwise(edges)]
