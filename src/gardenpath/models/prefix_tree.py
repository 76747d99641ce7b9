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


def add_leaves(tree: PrefixTree, parents: Ids, tokens: Ids) -> tuple[PrefixTree, Ids, Ids]:
    """Add tokens after nodes (-1: at the root), before their other children; equal ones are one node.

    Return the tree, the new index of every node it had, and the node of each token added.

    >>> tree, _ = build_tree([np.array([7, 8])])
    >>> tree, moved, leaves = add_leaves(tree, np.array([0, -1, 0]), np.array([-2, -1, -2]))
    >>> tree.tokens.tolist(), tree.parents.tolist(), moved.tolist(), leaves.tolist()
    ([-1, 7, -2, 8], [-1, -1, 1, 1], [1, 3], [2, 0, 2])
    """
    low = int(tokens.min(initial=0))
    width = int(tokens.max(initial=0)) - low + 1
    pairs, which = np.unique((parents + 1) * width + tokens - low, return_inverse=True)
    above, added = pairs // width - 1, pairs % width + low
    moved = np.arange(len(tree)) + np.searchsorted(above, np.arange(len(tree)))
    leaves = above + 1 + np.arange(len(above))
    size = len(tree) + len(above)
    columns = np.empty((3, size), dtype=np.int64)
    columns[:, moved] = tree.tokens, np.append(moved, -1)[tree.parents], tree.depths
    columns[:, leaves] = added, np.append(moved, -1)[above], np.append(tree.depths, -1)[above] + 1
    return PrefixTree(*columns), moved, leaves[which]


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
