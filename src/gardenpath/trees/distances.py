"""Trees from syntactic distances, top down."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.trees.tree import DEEPEST, Tree

LABEL = "X"
"""The label of every constituent, since its category is unknown."""

Splitting = Literal["paper", "even"]


def tree_from_distances(words: Sequence[str], distances: Sequence[float], splitting: Splitting = "paper") -> Tree:
    """Split a sentence top down, where the distance of a word from the one before is largest (the first of equals).

    `paper`: at word i into ((words before i) (i (words after i))) (Shen et al. 2018, 2019); of three words it prefers
    the right two, whatever the distances (Dyer et al. 2019). `even`: into ((words before i) (i and words after it)).
    Words more than DEEPEST constituents deep stay side by side.
    """
    if len(words) != len(distances):
        raise ValueError(f"{len(words)} words, {len(distances)} distances")
    tree = split_span(list(words), np.asarray(distances, dtype=np.float64), splitting, depth=1)
    return tree if isinstance(tree, Tree) else Tree(LABEL, (tree,))


def split_span(words: list[str], distances: NDArray[np.float64], splitting: Splitting, *, depth: int) -> Tree | str:
    """Build the tree of some words of a sentence that are `depth` constituents deep."""
    if len(words) == 1:
        return words[0]
    # `paper` may open two more before this is checked again.
    if len(words) == 2 or depth + 2 > DEEPEST:
        return Tree(LABEL, tuple(words))
    if splitting == "even":
        index = 1 + int(np.argmax(distances[1:]))
        halves = (words[:index], distances[:index]), (words[index:], distances[index:])
        return Tree(LABEL, tuple(split_span(*half, splitting, depth=depth + 1) for half in halves))
    index = int(np.argmax(distances))
    before, word, after = words[:index], words[index], words[index + 1 :]
    right: Tree | str = word
    if after:
        within = depth + 2 if before else depth + 1
        right = Tree(LABEL, (word, split_span(after, distances[index + 1 :], splitting, depth=within)))
    if not before:
        return right
    return Tree(LABEL, (split_span(before, distances[:index], splitting, depth=depth + 1), right))


def right_branching(words: Sequence[str]) -> Tree:
    """The tree (a (b (c d)))."""
    return tree_from_distances(words, range(len(words), 0, -1))


def left_branching(words: Sequence[str]) -> Tree:
    """The tree (((a b) c) d)."""
    return tree_from_distances(words, range(len(words)))
