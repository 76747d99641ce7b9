"""How a prefix tree is read packed: rows in depth-first order, each of which sees its ancestors and itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gardenpath.models.prefix_tree import PrefixTree, last_descendants
from gardenpath.text.tokens import Ids


@dataclass(frozen=True, slots=True)
class Rows:
    """What a model reads of a tree: the first symbol, where there is one, and every node with children."""

    tokens: Ids
    positions: Ids
    parents: Ids
    """The row that each row extends; -1: none."""
    last: Ids
    """The last row of the subtree of each row: row k is seen by the rows k to last[k], and by no others."""

    def __len__(self) -> int:
        return len(self.tokens)

    def seen(self, queries: Ids, keys: Ids) -> NDArray[np.bool_]:
        """Tell which of the rows `keys` each of the rows `queries` sees: its ancestors and itself."""
        query = queries[:, None]
        found: NDArray[np.bool_] = (keys <= query) & (query <= self.last[keys])
        return found  # (queries, keys)


@dataclass(frozen=True, slots=True)
class Targets:
    """The nodes that are scored after a row: all but the first tokens of texts that have no symbol before them."""

    nodes: Ids
    rows: Ids
    """The row after which each node is scored; never falling."""


def plan_rows(tree: PrefixTree, bos: int | None) -> tuple[Rows, Targets]:
    """Find the rows to read, in depth-first order, and the nodes to score after each."""
    inner = tree.inner
    first = 0 if bos is None else 1
    row_of = np.cumsum(inner) - 1 + first  # of nodes with children
    above = np.where(tree.parents >= 0, row_of[tree.parents], first - 1)
    begin = np.array([] if bos is None else [bos], dtype=np.int64)
    tokens = np.concatenate([begin, tree.tokens[inner]])
    positions = np.concatenate([np.zeros_like(begin), tree.depths[inner] + first])
    parents = np.concatenate([np.full_like(begin, -1), above[inner]])
    scored = np.flatnonzero(above >= 0)
    scored = scored[np.argsort(above[scored], kind="stable")]
    return Rows(tokens, positions, parents, last_descendants(parents)), Targets(scored, above[scored])


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive rows that go through the layers together, after the path that leads to them."""

    low: int
    high: int
    present: Ids
    """The ancestors of the first row, then the rows themselves: all that these rows may see, in rising order."""
    carry: Ids
    """Which of the rows present lead to the next chunk, by their index in `present`."""

    @property
    def rows(self) -> Ids:
        """The rows to read."""
        return np.arange(self.low, self.high)


def cut_chunks(rows: Rows, size: int, *, reach: int | None = None) -> Iterator[Chunk]:
    """Cut the rows into chunks of about equally many, at most `size`; no row sees further back than `reach`."""
    path: Ids = np.zeros(0, dtype=np.int64)
    for low, high in equal_parts(0, len(rows), size):
        own = np.arange(low, high)
        present = np.concatenate([visible_path(rows, path, reach), own])
        before = np.concatenate([path, own])
        path = before[rows.last[before] >= high]  # the ancestors of the next row
        yield Chunk(low, high, present, np.searchsorted(present, visible_path(rows, path, reach)))


def visible_path(rows: Rows, path: Ids, reach: int | None) -> Ids:
    """Return those of a row's ancestors, from the root down, that it or a later row may see."""
    if reach is None or len(path) <= reach:
        return path
    # All rows still to come below an ancestor may be below a descendant of it that is out of its reach already.
    last = rows.last[path]
    visible: Ids = path[np.append(last[:-reach] != last[reach:], np.ones(reach, dtype=np.bool_))]
    return visible


def equal_parts(low: int, high: int, size: int) -> list[tuple[int, int]]:
    """Cut a range into as few parts as possible of at most `size`, whose lengths differ by one at most."""
    count = -(-(high - low) // size)
    return list(pairwise(low + (high - low) * part // count for part in range(count + 1))) if count else []
