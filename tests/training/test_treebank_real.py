"""The real treebanks beside the repository, where they are."""

import os
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from gardenpath.training.corpora.treebank import read_treebank, survey
from gardenpath.trees.normalise import TreeOptions, normalise
from gardenpath.trees.transitions import labels_of, oracle, tree_from_actions
from small_trees import read_trees

FOLDER = Path(os.environ.get("GARDENPATH_TREEBANKS", Path(__file__).parents[3] / "shared" / "data" / "treebank"))


def treebank(name: str) -> Path:
    """A real treebank; the test is skipped where it is not there."""
    path = FOLDER / f"{name}.mrg"
    if not path.exists():
        pytest.skip(f"{path} is not there; GARDENPATH_TREEBANKS names the folder of {name}.mrg")
    return path


@pytest.mark.parametrize(
    ("name", "sentences", "tokens", "types", "left_out"),
    [
        ("craft", 30_830, 793_651, 28_440, 0),
        ("gum", 14_597, 251_725, 22_457, 0),
        # The README counts 910 CODE and 1,078 SU leaves as tokens: 104,925; 495 trees hold nothing else.
        ("masc", 6_239 - 495, 104_925 - 910 - 1_078, 11_745, 495),
    ],
)
def test_sizes_are_those_of_the_readme(name: str, sentences: int, tokens: int, types: int, left_out: int) -> None:
    found = survey(treebank(name))
    assert (found.words.sentences, found.words.tokens, len(found.left_out)) == (sentences, tokens, left_out)
    assert len(found.words.totals()) == types
    assert not any(set("-=|") & set(label) for label in found.labels)
    assert len(found.labels) <= 30
    assert max(found.depths) < 40


@pytest.mark.parametrize("name", ["craft", "gum", "masc"])
def test_actions_of_real_trees_give_them_back(name: str) -> None:
    trees = list(islice(read_treebank(treebank(name), TreeOptions(tags="keep", unary="keep")), 2_000))
    labels = labels_of(sum((tree.labels() for tree in trees), start=Counter()))
    for tree in trees:
        assert tree_from_actions(oracle(tree, labels), tree.words(), labels) == tree


def test_all_words_of_masc_stay_if_nothing_is_left_out() -> None:
    everything = TreeOptions(no_words=(), spelling="penn")
    for tree in read_trees(treebank("masc")):
        normalised = normalise(tree, everything)
        assert normalised is not None
        assert normalised.words() == tree.words()
