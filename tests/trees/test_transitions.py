"""Trees as actions, and back."""

import pytest
from hypothesis import given

from gardenpath.errors import InputError
from gardenpath.trees.transitions import GEN, REDUCE, Labels, labels_of, oracle, tree_from_actions
from gardenpath.trees.tree import Tree
from small_trees import LABELS, a_tree

S, NP, VP = 2, 3, 4
FEW = Labels(("S", "NP", "VP"))


@given(a_tree())
def test_tree_to_actions_to_tree(tree: Tree) -> None:
    labels = Labels(LABELS)
    actions = oracle(tree, labels)
    assert tree_from_actions(actions, tree.words(), labels) == tree
    assert oracle(tree_from_actions(actions, tree.words(), labels), labels).tolist() == actions.tolist()
    n_constituents = tree.labels().total()
    assert (actions == GEN).sum() == len(tree.words())
    assert (actions == REDUCE).sum() == (actions > GEN).sum() == n_constituents


def test_a_sentence() -> None:
    tree = Tree("S", (Tree("NP", ("the", "rain")), Tree("VP", ("falls",)), "."))
    assert oracle(tree, FEW).tolist() == [S, NP, GEN, GEN, REDUCE, VP, GEN, REDUCE, GEN, REDUCE]
    assert tree.depth() == 2


def test_labels_by_falling_count() -> None:
    labels = labels_of({"X": 1, "NP": 5, "S": 5})
    assert labels.names == ("NP", "S", "X")
    assert (labels.action("NP"), labels.label(4), labels.n_actions) == (2, "X", 5)


def test_labels_that_cannot_be() -> None:
    for names in ((), ("S", "S")):
        with pytest.raises(InputError, match="each only once"):
            Labels(names)
    with pytest.raises(InputError, match="the label 'SBARQ' is not one of the model's 3"):
        oracle(Tree("SBARQ", ("why",)), FEW)


@pytest.mark.parametrize(
    ("actions", "words", "fault"),
    [
        ([GEN], ["a"], "action 1 is GEN, but no constituent is open"),
        ([REDUCE], [], "action 1 is REDUCE, but no constituent is open"),
        ([S, REDUCE], [], "action 2 is REDUCE, but the open S has no children"),
        ([S, GEN, REDUCE, S], ["a"], "action 4 is NT .2., but the tree is complete"),
        ([S, GEN, REDUCE], [], "action 2 is GEN, but all words are generated"),
        ([9, GEN, REDUCE], ["a"], "action 1 is NT .9., but there are 5 actions"),
        ([S, GEN, REDUCE], ["a", "b"], "1 of 2 words are not generated"),
        ([S, NP, GEN], ["a"], "2 constituents stay open"),
        ([], ["a"], "0 constituents stay open"),
    ],
)
def test_actions_that_build_no_tree(actions: list[int], words: list[str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        tree_from_actions(actions, words, FEW)
