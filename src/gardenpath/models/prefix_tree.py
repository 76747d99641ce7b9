"""The prefix tree of token sequences: every distinct prefix is one node, however many texts begin with it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.text.tokens import Ids


@dataclass(frozen=True, slots=True)
class PrefixTree:
    """Distinct prefixes in depth-first order: a node's subtree is the node and those that follow it."""

    tokens: Ids
    """The last token of each prefix."""
    parents: Ids
    """The node that each node extends; -1: it is the first token of its texts."""
    depths: Ids
    """Tokens before the last one."""

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def inner(self) -> NDArray[np.bool_]:
        """Whether each node has children, and so must be read, not only scored."""
        has_children = np.zeros(len(self), dtype=np.bool_)
        has_children[self.parents[self.parents >= 0]] = True
        return has_children

    def part(self, low: int, high: int) -> tuple["PrefixTree", int]:
        """Return the tree of the nodes low : high and the path that leads to them, and the length of that path."""
        path = ancestors(self.parents, low)
        nodes = np.concatenate([np.array(path, dtype=np.int64), np.arange(low, high)])
        parents = self.parents[nodes]
        parents = np.where(parents >= 0, np.searchsorted(nodes, parents), -1)
        return PrefixTree(self.tokens[nodes], parents, self.depths[nodes]), len(path)


def build_tree(sequences: Sequence[Ids]) -> tuple[PrefixTree, Ids]:
    """Merge token sequences by their beginnings; return the tree, and the node of each token, sequence by sequence.

    >>> tree, nodes = build_tree([np.array([7, 8]), np.array([7, 9]), np.array([7])])
    >>> tree.tokens.tolist(), tree.parents.tolist(), nodes.tolist()
    ([7, 8, 9], [-1, 0, 0], [0, 1, 0, 2, 0])
    """
    low = min((int(tokens.min()) for tokens in sequences if len(tokens)), default=0)
    # Sorted as bytes, sequences with a common beginning stand together.
    order = sorted(range(len(sequences)), key=lambda index: (sequences[index] - low).astype(">u8").tobytes())
    nothing = np.zeros(0, dtype=np.int64)
    nodes = [nothing] * len(sequences)
    added = [(nothing, nothing, nothing)]
    previous = path = nothing
    size = 0
    for index in order:
        tokens = sequences[index]
        shared = common_length(previous, tokens)
        new = np.arange(size, size + len(tokens) - shared)
        parents = np.concatenate([path[shared - 1 : shared] if shared else [-1], new[:-1]])[: len(new)]
        added.append((tokens[shared:], parents, np.arange(shared, len(tokens))))
        nodes[index] = path = np.concatenate([path[:shared], new])
        previous = tokens
        size += len(new)
    columns = (np.concatenate(column).astype(np.int64) for column in zip(*added, strict=True))
    return PrefixTree(*columns), np.concatenate([nothing, *nodes])


def common_length(one: Ids, other: Ids) -> int:
    """Return the number of tokens with which both sequences begin."""
    length = min(len(one), len(other))
    different = one[:length] != other[:length]
    return int(different.argmax()) if different.any() else length


def ancestors(parents: Ids, node: int) -> list[int]:
    """Return the ancestors of a node from the root down, without itself."""
    path = []
    above = int(parents[node])
    while above >= 0:
        path.append(above)
        above = int(parents[above])
    return path[::-1]


def last_descendants(parents: Ids) -> Ids:
    """Return, for nodes in depth-first order, the last node of the subtree of each."""
    last = list(range(len(parents)))
    # A subtree ends where that of its last child does; children come later, so from the end backwards.
    for node, parent in zip(range(len(last) - 1, -1, -1), parents[::-1].tolist(), strict=True):
        if parent >= 0 and last[node] > last[parent]:
            last[parent] = last[node]
    return np.array(last, dtype=np.int64)
