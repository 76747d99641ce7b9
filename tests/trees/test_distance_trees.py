"""Trees from distances: by hand, and as a parser that an ON-LSTM is."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.models.trained.on_lstm import parser as ordered_parser
from gardenpath.models.trained.on_lstm.parser import DistanceParser, batches
from gardenpath.models.trained.tree_parser import ParseOptions, load_tree_parser
from gardenpath.trees.distances import left_branching, right_branching, tree_from_distances
from gardenpath.trees.tree import DEEPEST, bracketed
from small_on_lstm import save, small_module
from small_training import VOCABULARY_OF_ALL, sentences


def shape(text: str, *distances: float, splitting: str = "paper") -> str:
    return bracketed(tree_from_distances(text.split(), distances, splitting)).replace("X ", "")  # type: ignore[arg-type]


def test_splits_by_hand() -> None:
    # Before `laughs` the distance is largest, then before `near`.
    text = "the cat near dogs laughs loudly"
    assert shape(text, 9, 1, 3, 2, 9.5, 4) == "((the (cat (near dogs))) (laughs loudly))"
    assert shape(text, 0, 1, 3, 2, 9.5, 4) == "(((the cat) (near dogs)) (laughs loudly))"
    assert shape(text, 9, 1, 3, 2, 9.5, 4, splitting="even") == "(((the cat) (near dogs)) (laughs loudly))"
    assert shape("a b c", 0, 2, 1) == "(a (b c))"
    assert shape("a b c", 0, 1, 2) == "((a b) c)"
    assert shape("a b c", 0, 1, 1) == "(a (b c))"
    assert shape("a b c d", 0, 3, 1, 2) == "(a (b (c d)))"
    assert shape("a b c d", 0, 3, 1, 2, splitting="even") == "(a ((b c) d))"
    assert shape("a", 1) == "(a)"
    assert shape("a b", 1, 0) == "(a b)"


def test_trivial_trees() -> None:
    assert bracketed(right_branching("abcd")) == "(X a (X b (X c d)))"
    assert bracketed(left_branching("abcd")) == "(X (X (X a b) c) d)"
    assert bracketed(right_branching("a")) == bracketed(left_branching("a")) == "(X a)"


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.sampled_from(["paper", "even"]))
def test_trees_have_the_words_and_are_binary(distances: list[int], splitting: str) -> None:
    words = [f"w{number}" for number in range(len(distances))]
    tree = tree_from_distances(words, distances, splitting)  # type: ignore[arg-type]
    assert tree.words() == words
    assert tree.labels().total() == max(1, len(words) - 1)


def test_very_long_sentences_are_flat_where_they_are_too_deep() -> None:
    words = [str(number) for number in range(3000)]
    for splitting in ("paper", "even"):
        for distances in (range(3000), range(3000, 0, -1)):
            tree = tree_from_distances(words, distances, splitting)  # type: ignore[arg-type]
            assert tree.words() == words
            assert DEEPEST - 2 <= tree.depth() <= DEEPEST


def test_words_and_distances_go_together() -> None:
    with pytest.raises(ValueError, match="2 words, 1 distances"):
        tree_from_distances(["a", "b"], [1.0])


def test_the_parser_asks_the_gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = save(tmp_path)
    texts = [text.split()[: 1 + place % 4] for place, text in enumerate(sentences(15, seed=2))]
    parser = load_tree_parser(tmp_path, ParseOptions(layer=3))
    assert (parser.labelled, parser.split) == (False, "penn")
    trees = parser.parse(texts)
    for words, tree in zip(texts, trees, strict=True):
        ids = torch.tensor([1, *(VOCABULARY_OF_ALL.ids[word] for word in words)])
        with torch.no_grad():
            assert tree == tree_from_distances(words, module.distances(ids[:, None], 2)[1:, 0].tolist())
    monkeypatch.setattr(ordered_parser, "SYMBOLS_PER_BATCH", 12)
    assert parser.parse(texts) == trees
    assert load_tree_parser(tmp_path).parse(texts) == load_tree_parser(tmp_path, ParseOptions(layer=2)).parse(texts)
    with pytest.raises(InputError, match="has 3 layers; layer 4 does not exist"):
        load_tree_parser(tmp_path, ParseOptions(layer=4))
    assert parser.parse([]) == []


def test_batches_hold_every_sentence_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordered_parser, "SYMBOLS_PER_BATCH", 10)
    assert batches([2, 0, 1, 3], [3, 4, 1, 30]) == [[2, 0], [1], [3]]


def test_a_module_of_one_layer_parses() -> None:
    parser = DistanceParser(small_module(layers=1).eval(), VOCABULARY_OF_ALL, "</s>", "penn", 1)
    (tree,) = parser.parse([["the", "key", "laughs", "."]])
    assert tree.words() == ["the", "key", "laughs", "."]
