"""How well the trees of a parser agree with those of a treebank, beside trivial trees."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gardenpath.trees.distances import left_branching, right_branching
from gardenpath.trees.parseval import EVALB, SPANS, BracketCounts, Convention, compare_brackets, mean_f1
from gardenpath.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class TreeAccuracy:
    """Agreement of some trees with those of a treebank."""

    trees: str
    """The name of their parser."""
    brackets: Literal["labelled", "unlabelled"]
    precision: float
    """Over all brackets of all sentences, as recall and f1."""
    recall: float
    f1: float
    mean_f1: float
    """The mean of F1 over sentences."""


def measure_trees(gold: Sequence[Tree], found: Sequence[Tree], name: str, *, labelled: bool) -> list[TreeAccuracy]:
    """Compare a parser's trees, and then right- and left-branching ones, with the true trees."""
    words = [tree.words() for tree in gold]
    return [
        *([compare_trees(name, gold, found, EVALB)] if labelled else []),
        compare_trees(name, gold, found, SPANS),
        compare_trees("right branches", gold, map(right_branching, words), SPANS),
        compare_trees("left branches", gold, map(left_branching, words), SPANS),
    ]


def compare_trees(name: str, gold: Sequence[Tree], found: Iterable[Tree], convention: Convention) -> TreeAccuracy:
    """Compare trees by one convention."""
    sentences = [compare_brackets(true, guess, convention) for true, guess in zip(gold, found, strict=True)]
    total = sum(sentences, start=BracketCounts())
    brackets: Literal["labelled", "unlabelled"] = "labelled" if convention.labelled else "unlabelled"
    return TreeAccuracy(name, brackets, total.precision, total.recall, total.f1, mean_f1(sentences))
