"""F1 over brackets, worked out by hand."""

from math import isnan

import pytest
from hypothesis import given

from gardenpath.errors import InputError
from gardenpath.trees.brackets import parse_tree
from gardenpath.trees.parseval import (
    EVALB,
    SPANS,
    UNLABELLED,
    BracketCounts,
    brackets,
    compare_brackets,
    mean_f1,
    measure_trees,
)
from gardenpath.trees.tree import Tree
from small_trees import a_tree

GOLD = parse_tree("(ROOT (S (NP the dog) , (VP saw (NP (NP a cat) (PP on (NP it)))) .))")
FLAT = parse_tree("(S (NP the dog) , (VP saw (NP a cat) (ADVP on (NP it))) .)")


def test_brackets_over_words_without_punctuation() -> None:
    assert brackets(GOLD) == {
        ("S", 0, 7): 1, ("NP", 0, 2): 1, ("VP", 2, 7): 1, ("NP", 3, 7): 1, ("NP", 3, 5): 1, ("PP", 5, 7): 1,
        ("NP", 6, 7): 1,
    }  # fmt: skip


def test_labelled_and_unlabelled() -> None:
    assert compare_brackets(GOLD, FLAT) == BracketCounts(matched=5, gold=7, predicted=6)
    assert compare_brackets(GOLD, FLAT, UNLABELLED) == BracketCounts(matched=6, gold=7, predicted=6)
    found = compare_brackets(GOLD, FLAT)
    assert (found.precision, found.recall, found.f1) == pytest.approx((5 / 6, 5 / 7, 10 / 13))


def test_spans_of_unsupervised_parsing() -> None:
    assert set(brackets(GOLD, SPANS)) == {("", 0, 2), ("", 2, 7), ("", 3, 7), ("", 3, 5), ("", 5, 7)}
    assert compare_brackets(GOLD, FLAT, SPANS) == BracketCounts(matched=4, gold=5, predicted=4)


def test_what_is_counted_is_named() -> None:
    found = [(row.trees, row.brackets, row.f1) for row in measure_trees([GOLD], [FLAT], "own", labelled=True)[:3]]
    # 7 and 6 brackets, of which 5 agree with their labels and 6 without; 5 and 4 spans, of which 4 agree.
    assert found == [("own", "labelled", 10 / 13), ("own", "unlabelled", 12 / 13), ("own", "spans", 8 / 9)]
    kinds = [(row.trees, row.brackets) for row in measure_trees([GOLD], [FLAT], "gates", labelled=False)]
    assert kinds == [("gates", "spans"), ("right branches", "spans"), ("left branches", "spans")]


def test_brackets_count_as_often_as_they_occur() -> None:
    chain = parse_tree("(S (NP (NP a b)) c)")
    assert brackets(chain)["NP", 0, 2] == 2
    assert brackets(chain, SPANS) == {("", 0, 2): 1}
    assert compare_brackets(chain, parse_tree("(S (NP a b) c)")) == BracketCounts(2, 3, 2)


def test_particles_count_as_adverbs() -> None:
    assert compare_brackets(parse_tree("(VP go (PRT up))"), parse_tree("(VP go (ADVP up))")).f1 == 1


def test_a_phrase_of_punctuation_does_not_count() -> None:
    assert brackets(parse_tree("(S a (X ,))")) == {("S", 0, 1): 1}


def test_sums_and_means() -> None:
    one, other = BracketCounts(1, 2, 2), BracketCounts(3, 3, 3)
    assert one + other == BracketCounts(4, 5, 5)
    assert mean_f1([one, other]) == pytest.approx(0.75)
    nothing = BracketCounts(0, 0, 0)
    assert isnan(nothing.f1)
    assert isnan(nothing.precision)
    assert isnan(nothing.recall)
    assert mean_f1([nothing]) == 1
    assert mean_f1([BracketCounts(0, 1, 1)]) == 0
    with pytest.raises(InputError, match="no sentences"):
        mean_f1([])


def test_other_words_are_refused() -> None:
    with pytest.raises(InputError, match="different words: 'a b' and 'a c'"):
        compare_brackets(parse_tree("(S a b)"), parse_tree("(S a c)"))


@given(a_tree(), a_tree())
def test_a_tree_agrees_with_itself(tree: Tree, other: Tree) -> None:
    for convention in (EVALB, UNLABELLED, SPANS):
        found = compare_brackets(tree, tree, convention)
        assert found.matched == found.gold == found.predicted
        assert (brackets(tree, convention) & brackets(other, convention)).total() <= found.gold
