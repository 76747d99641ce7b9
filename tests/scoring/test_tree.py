"""The prefix tree, its parts and the walk through them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import SentenceError
from gardenpath.models.card import overlapping_windows
from gardenpath.models.prefix_tree import ancestors, build_tree, last_descendants
from gardenpath.models.protocol import BEGINS_WORD, CONTINUES_WORD, ModelCard
from gardenpath.scoring.paths import plan_paths
from gardenpath.scoring.score import ScoreOptions, Scoring, score_texts
from gardenpath.scoring.tree import cut_tree
from gardenpath.text.tokens import Encoded
from small_models import WordModel

sentences = st.lists(st.text(alphabet="abc ", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=30)


def spelled(context: tuple[str, ...], word: str) -> float:
    """Bits that depend on every word read, in order."""
    return (sum(len(w) * 7 ** (i % 5) + ord(w[0]) for i, w in enumerate(context)) * 31 + ord(word[0]) * 17) % 101 / 10


def test_each_prefix_is_read_once() -> None:
    model = WordModel(spelled)
    score_texts(model, ["a b c", "a b d", "a b c"])
    assert model.scored == 4  # a, b, c, d
    assert model.read == 2  # c and d have no continuation


@given(sentences)
def test_tree_equals_one_by_one(texts: list[str]) -> None:
    together = score_texts(WordModel(spelled), texts)
    for number, text in enumerate(texts):
        alone = score_texts(WordModel(spelled), [text])
        assert together[number].bits.tolist() == alone[0].bits.tolist()


@given(sentences, st.integers(1, 5))
def test_parts_change_nothing(texts: list[str], capacity: int) -> None:
    whole = score_texts(WordModel(spelled), texts)
    parts = score_texts(WordModel(spelled, bytes_per_state=1), texts, ScoreOptions(memory=capacity))
    assert parts.bits.tolist() == whole.bits.tolist()


@given(sentences, st.integers(1, 5), st.randoms(use_true_random=False))
def test_texts_whose_parts_are_known_are_complete(texts: list[str], capacity: int, random) -> None:
    scoring = Scoring(WordModel(spelled, bytes_per_state=1), texts, ScoreOptions(memory=capacity))
    known = {part: scoring.compute(part) for part in range(len(scoring.sizes)) if random.random() < 0.7}
    whole, found = score_texts(WordModel(spelled), texts), scoring.scores(known)
    for text, complete in enumerate(scoring.complete(known).tolist()):
        bits = found[text].bits
        assert complete == bool(np.isfinite(bits).all())
        assert bits[np.isfinite(bits)].tolist() == whole[text].bits[np.isfinite(bits)].tolist()


@given(st.lists(st.lists(st.integers(-2, 3), max_size=8), max_size=30), st.integers(1, 6))
def test_the_tree_spells_every_sequence_once(sequences: list[list[int]], size: int) -> None:
    tree, nodes = build_tree([np.array(tokens, dtype=np.int64) for tokens in sequences])
    assert len(tree) == len({tuple(tokens[:end]) for tokens in sequences for end in range(1, len(tokens) + 1)})
    spelled_out = [tree.tokens[[*ancestors(tree.parents, node), node]].tolist() for node in nodes.tolist()]
    assert spelled_out == [tokens[:end] for tokens in sequences for end in range(1, len(tokens) + 1)]
    last = last_descendants(tree.parents)
    for node in range(len(tree)):
        below = [other for other in range(len(tree)) if node in (other, *ancestors(tree.parents, other))]
        assert below == list(range(node, last[node] + 1))
    parts = cut_tree(tree, size)
    assert [node for low, high in parts for node in range(low, high)] == list(range(len(tree)))
    assert all(high == len(tree) or not tree.inner[high - 1] for _, high in parts)


def test_end_of_sentence_is_priced_on_request_and_belongs_to_no_token() -> None:
    model = WordModel(lambda context, word: 100.0 if word == "</s>" else float(len(context)))
    scored = score_texts(model, ["a b", "a"], ScoreOptions(end=True))
    assert [scored[0].end_bits, scored[1].end_bits] == [100.0, 100.0]
    assert scored[0].bits.tolist() == [0.0, 1.0]
    assert scored[0].total == 101.0


@pytest.mark.parametrize(("length", "window"), [(5, None), (5, 5), (6, 5), (23, 4), (9, 1)])
def test_windows_use_every_token_once_and_never_exceed_the_window(length: int, window: int | None) -> None:
    spans = overlapping_windows(length, window)
    used = [place for _, first, end in spans for place in range(first, end)]
    assert used == list(range(length))
    assert all(end - start <= (window or length) for start, _, end in spans)


def test_a_text_longer_than_the_window_is_scored_to_its_end() -> None:
    model = WordModel(lambda context, word: float(len(context)), window=4)
    scored = score_texts(model, ["a b c d e f g h i"])
    assert scored[0].bits.tolist() == [0, 1, 2, 3, 2, 3, 2, 3, 2]  # each with at least two words before it


def test_what_a_user_should_know_of_the_reading_is_said() -> None:
    scoring = Scoring(WordModel(spelled, window=4, bos=None), ["a b c d e", "a b"])
    first, second = scoring.notes
    assert "reads no beginning-of-sentence symbol" in first
    assert "1 of 2 texts are longer than the 4 tokens" in second
    assert Scoring(WordModel(spelled), ["a b"]).notes == []


def test_a_text_of_too_many_tokens_is_refused() -> None:
    with pytest.raises(SentenceError, match=r"'b b .*'… has 100,001 tokens, more than 100,000; divide") as refusal:
        Scoring(WordModel(spelled), ["a", "b " * 100_001, "c"])
    assert refusal.value.number == 1


def encode_ids(texts: list[list[int]]) -> Encoded:
    """Tokens of texts that are given by their ids; their spans are not needed."""
    ids = np.array([token for text in texts for token in text], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, texts)])
    return Encoded(ids, ids, ids, np.ones(len(ids), dtype=np.bool_), offsets)


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=9), min_size=1, max_size=6),
    st.none() | st.integers(1, 6),
    st.booleans(),
)
def test_boundaries_follow_the_context_in_which_their_words_are_scored(
    texts: list[list[int]], window: int | None, score_end: bool
) -> None:
    encoded = encode_ids(texts)
    begins = encoded.ids % 2 == 0
    card = ModelCard("words", bos="<s>", end=9, window=window)
    paths = plan_paths(encoded, card, score_end=score_end, begins_word=begins)
    tree, nodes = paths.build_tree()
    slots = dict(zip(paths.slots.tolist(), nodes.tolist(), strict=True))

    def spell(slot: int) -> tuple[list[int], int]:
        node = slots[slot]
        return tree.tokens[ancestors(tree.parents, node)].tolist(), int(tree.tokens[node])

    for text, (low, high) in enumerate(zip(encoded.offsets, encoded.offsets[1:], strict=False)):
        for token in range(low, high):
            context, id_ = spell(token)
            assert texts[text][: token - low][::-1][: len(context)] == context[::-1]
            kind = BEGINS_WORD if begins[token] else CONTINUES_WORD
            is_boundary = begins[token] or token == low
            assert (paths.minus[token] >= 0) == is_boundary
            if is_boundary:
                assert spell(paths.minus[token]) == (context, kind)
            if token > low and is_boundary:
                assert paths.plus[token - 1] == paths.minus[token]
        assert spell(paths.plus[high - 1]) == ([*context, id_], BEGINS_WORD)


def test_a_long_path_is_not_read_again_for_its_boundaries() -> None:
    encoded = encode_ids([list(range(9000))])
    begins = encoded.ids % 2 == 0
    for window in (None, 1000, 4000):
        card = ModelCard("words", bos="<s>", window=window)
        tree, _ = plan_paths(encoded, card, score_end=False, begins_word=begins).build_tree()
        read_again = sum(len(ancestors(tree.parents, low)) for low, _ in cut_tree(tree, 2048))
        assert read_again <= len(tree) / 8


def test_no_context_of_a_boundary_is_written_twice() -> None:
    encoded = encode_ids([list(range(2000))])
    for window, most in ((None, 1), (100, 2)):
        card = ModelCard("words", bos="<s>", window=window)
        begins = np.ones(len(encoded.ids), dtype=np.bool_)
        paths = plan_paths(encoded, card, score_end=False, begins_word=begins)
        # Every token once, or twice in windows that overlap by half, and a boundary for each word.
        assert len(paths.ids) <= (most + 1) * 2000 + 1
