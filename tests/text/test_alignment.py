"""Alignment of sentences."""

import random

from gardenpath.text.alignment import align_words


def test_an_inserted_word_has_its_own_column() -> None:
    assert align_words([["the", "keys", "are"], ["the", "old", "keys", "are"]]) == [[0, 2, 3], [0, 1, 2, 3]]


def test_a_third_sentence_finds_words_of_both() -> None:
    sentences = [["the", "key", "is", "lost"], ["the", "keys", "are", "lost"], ["keys", "is"]]
    assert align_words(sentences) == [[0, 1, 2, 3], [0, 1, 2, 3], [1, 2]]


def test_nothing_in_common_is_still_in_order() -> None:
    assert align_words([["a", "b"], ["c"]])[0] == [0, 1]
    assert align_words([["a"], []]) == [[0], []]


def test_columns_rise_and_none_is_empty() -> None:
    rng = random.Random(1)
    for _ in range(100):
        sentences = [rng.choices("abcd", k=rng.randint(0, 6)) for _ in range(rng.randint(1, 4))]
        columns = align_words(sentences)
        assert [len(one) for one in columns] == [len(one) for one in sentences]
        assert all(one == sorted(set(one)) for one in columns)
        used = {column for one in columns for column in one}
        assert used == set(range(len(used)))
