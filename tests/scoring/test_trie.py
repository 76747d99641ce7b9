"""The prefix trie and its walk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.models.windows import overlapping_windows
from gardenpath.scoring.score import ScoreOptions, Scoring, score_texts
from gardenpath.scoring.trie import build_trie
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
def test_trie_equals_one_by_one(texts: list[str]) -> None:
    together = score_texts(WordModel(spelled), texts)
    for number, text in enumerate(texts):
        alone = score_texts(WordModel(spelled), [text])
        assert together[number].bits.tolist() == alone[0].bits.tolist()


@given(sentences, st.integers(1, 5))
def test_parts_change_nothing(texts: list[str], capacity: int) -> None:
    whole = score_texts(WordModel(spelled), texts)
    scoring = Scoring(WordModel(spelled, bytes_per_state=1), texts, ScoreOptions(memory=capacity))
    finished = [text for progress in scoring.run() for text in progress.finished.tolist()]
    assert sorted(finished) == list(range(len(texts)))
    assert scoring.bits.tolist() == whole.bits.tolist()


@given(sentences, st.integers(1, 4), st.randoms(use_true_random=False))
def test_a_walk_that_skips_done_texts_takes_the_same_steps_for_the_rest(texts, capacity, random) -> None:
    done = np.array([random.random() < 0.5 for _ in texts])
    model = WordModel(spelled, bytes_per_state=1)
    scoring = Scoring(model, texts, ScoreOptions(memory=capacity))
    finished = {text for progress in scoring.run(done) for text in progress.finished.tolist()}
    assert finished >= {text for text in range(len(texts)) if not done[text]}
    whole = score_texts(WordModel(spelled), texts)
    for text in finished:
        assert scoring.scores()[text].bits.tolist() == whole[text].bits.tolist()
    if done.all():
        assert model.scored == 0


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


def test_trie_of_no_text_is_empty() -> None:
    trie = build_trie(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64))
    assert trie.size == 0


def test_what_a_user_should_know_of_the_reading_is_said() -> None:
    scoring = Scoring(WordModel(spelled, window=4, bos=None), ["a b c d e", "a b"])
    first, second = scoring.notes
    assert "has no beginning-of-sentence symbol" in first
    assert "1 of 2 texts are longer than the 4 tokens" in second
    assert Scoring(WordModel(spelled), ["a b"]).notes == []
