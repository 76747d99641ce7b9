"""Trees for tests, made by Hypothesis."""

from pathlib import Path

from hypothesis import strategies as st

from gardenpath.trees.brackets import read_placed_trees
from gardenpath.trees.tree import Tree

LABELS = ("S", "NP", "VP", "X")
WORDS = st.text("abc.'-", min_size=1, max_size=4)


def a_tree() -> st.SearchStrategy[Tree]:
    """Trees of any shape, without wrappers; words stand beside phrases."""
    leaves = st.builds(Tree, st.sampled_from(LABELS), st.lists(WORDS, min_size=1, max_size=3).map(tuple))
    return st.recursive(leaves, a_phrase, max_leaves=12)


def a_phrase(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """A phrase over words and phrases."""
    pieces = st.lists(st.one_of(WORDS, children), min_size=1, max_size=4).map(tuple)
    return st.builds(Tree, st.sampled_from(LABELS), pieces)


def read_trees(path: Path) -> list[Tree]:
    """The trees of a file."""
    return [placed.tree for placed in read_placed_trees(path)]
