"""Trees from syntactic distances, top down."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.trees.tree import DEEPEST, Tree

LABEL = "X"
"""Of every constituent, as nothing is known of its category."""

Splitting = Literal["paper", "even"]


def tree_of(words: Sequence[str], distances: Sequence[float], splitting: Splitting = "paper") -> Tree:
    """Split a sentence top down, where the distance of a word from the one before is largest; of several, at the first.

    `paper`: at word i into ((words before i) (i (words after i))) (Shen et al. 2018, 2019); of three words it prefers
    the right two, whatever the distances (Dyer et al. 2019). `even`: into ((words before i) (i and words after it)).
    Below DEEPEST constituents, words are left side by side.
    """
    if len(words) != len(distances):
        raise ValueError(f"{len(words)} words, {len(distances)} distances")
    tree = split(list(words), np.asarray(distances, dtype=np.float64), splitting, depth=1)
    return tree if isinstance(tree, Tree) else Tree(LABEL, (tree,))


def split(words: list[str], distances: NDArray[np.float64], splitting: Splitting, *, depth: int) -> Tree | str:
    """The tree of some of the words of a sentence, with so many constituents open at once already."""
    if len(words) == 1:
        return words[0]
    # With `paper` two more may be opened before the next look.
    if len(words) == 2 or depth + 2 > DEEPEST:
        return Tree(LABEL, tuple(words))
    if splitting == "even":
        place = 1 + int(np.argmax(distances[1:]))
        return Tree(
            LABEL,
            (
                split(words[:place], distances[:place], splitting, depth=depth + 1),
                split(words[place:], distances[place:], splitting, depth=depth + 1),
            ),
        )
    place = int(np.argmax(distances))
    before, word, after = words[:place], words[place], words[place + 1 :]
    right: Tree | str = word
    if after:
        within = depth + 2 if before else depth + 1
        right = Tree(LABEL, (word, split(after, distances[place + 1 :], splitting, depth=within)))
    if not before:
        return right
    return Tree(LABEL, (split(before, distances[:place], splitting, depth=depth + 1), right))


def right_branching(words: Sequence[str]) -> Tree:
    """(a (b (c d)))"""
    return tree_of(words, range(len(words), 0, -1))


def left_branching(words: Sequence[str]) -> Tree:
    """(((a b) c) d)"""
    return tree_of(words, range(len(words)))
