"""Perplexity per word: what a word is, whatever the tokens of a model are."""

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.scoring.surprisals import TextScores
from gardenpath.statistics.perplexity import measure_perplexity, perplexity_caveats
from gardenpath.text.tokens import Token, encoded_from_tokens


def scored(
    *lines: list[tuple[int, int, float]], end_bits: list[float] | None = None, first_is_missing: bool = False
) -> TextScores:
    """Tokens by first and last character and bits."""
    tokens = [[Token(0, start, end, known=True) for start, end, _ in line] for line in lines]
    bits = np.array([bits for line in lines for _, _, bits in line])
    ends = None if end_bits is None else np.array(end_bits)
    return TextScores(encoded_from_tokens(tokens), bits, ends, first_is_missing)


def test_words_are_the_same_for_all_tokenizers() -> None:
    whole = scored([(0, 5, 6.0)])
    pieces = scored([(0, 2, 1.0), (2, 4, 2.0), (4, 5, 3.0)])
    for scores in (whole, pieces):
        measured = measure_perplexity(scores, ["dogs."])  # the full stop is a word
        assert measured.words == 2
        assert measured.perplexity_per_word == pytest.approx(2**3)
        assert measure_perplexity(scores, ["dogs."], split="blanks").perplexity_per_word == pytest.approx(2**6)
    assert measure_perplexity(pieces, ["dogs."]).perplexity_per_token == pytest.approx(2**2)


def test_scored_ends_are_words() -> None:
    scores = scored([(0, 1, 1.0)], [(0, 1, 2.0), (2, 3, 3.0)], end_bits=[4.0, 5.0])
    measured = measure_perplexity(scores, ["a", "b c"])
    assert (measured.words, measured.ends, measured.tokens, measured.bits) == (3, 2, 5, 15.0)
    assert measured.perplexity_per_word == measured.perplexity_per_token == pytest.approx(2**3)


def test_a_word_without_its_first_token_is_no_word() -> None:
    scores = scored([(0, 1, np.nan), (1, 2, 5.0), (3, 4, 3.0)], first_is_missing=True)
    measured = measure_perplexity(scores, ["ab c"])
    assert (measured.words, measured.tokens, measured.bits) == (1, 2, 8.0)
    assert measured.perplexity_per_token == pytest.approx(2**4)
    assert measured.perplexity_per_word == pytest.approx(2**3)
    with pytest.raises(InputError, match="no word is scored"):
        measure_perplexity(scored([(0, 1, np.nan), (1, 2, 5.0)], first_is_missing=True), ["ab"])


def test_bits_per_character() -> None:
    measured = measure_perplexity(scored([(0, 1, 1.0), (1, 3, 2.0), (4, 5, 3.0)]), ["abc d"])
    assert measured.perplexity_per_token == pytest.approx(2**2)
    assert measured.perplexity_per_word == pytest.approx(2**3)
    assert measured.bits_per_character == pytest.approx(6 / 5)


def test_a_surprisal_that_is_missing_has_no_perplexity() -> None:
    with pytest.raises(InputError, match="1 of 2 tokens have no finite surprisal"):
        measure_perplexity(scored([(0, 1, np.nan), (2, 3, 2.0)]), ["a b"])


def test_caveats() -> None:
    assert perplexity_caveats({"a": 0.0, "b": 0.0}, same_vocabulary=True) == []
    (unknown,) = perplexity_caveats({"a": 0.02}, same_vocabulary=True)
    assert unknown.startswith("2.0% of the words are unknown; only their class is predicted")
    unknown, different = perplexity_caveats({"a": 0.02, "b": 0.1, "c": 0.0}, same_vocabulary=False)
    assert unknown.startswith("2.0% to 10.0% of the words are unknown to some models")
    assert "not strictly comparable" in different
