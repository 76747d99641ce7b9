"""Intervals against tabulated values."""

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.models.model import Token, encoded_from_tokens
from gardenpath.scoring.surprisals import Scores
from gardenpath.statistics.estimate import wilson
from gardenpath.statistics.perplexity import measure_perplexity


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # Newcombe 1998, Statistics in Medicine 17:857-872, Table I, method 3 (score).
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_as_tabulated(successes: int, n: int, low: float, high: float) -> None:
    estimate = wilson(successes, n)
    assert (estimate.low, estimate.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_all_correct_touches_one() -> None:
    estimate = wilson(20, 20)
    assert (estimate.value, estimate.high) == (1.0, 1.0)
    assert estimate.low == pytest.approx(1 - 0.1611, abs=5e-5)


def test_nothing_cannot_be_averaged() -> None:
    with pytest.raises(ValueError, match="no outcomes to average"):
        wilson(0, 0)


def scores(bits: list[float], *, first_is_missing: bool = False) -> Scores:
    tokens = [[Token(0, place, place + 1, known=True) for place in range(len(bits))]]
    return Scores(encoded_from_tokens(tokens), np.array(bits), None, first_is_missing)


def test_perplexity_by_hand() -> None:
    measured = measure_perplexity(scores([1.0, 2.0, 3.0]), ["abc d"])
    assert measured.perplexity_per_token == pytest.approx(2**2)
    assert measured.perplexity_per_word == pytest.approx(2**3)
    assert measured.bits_per_character == pytest.approx(6 / 5)


def test_a_missing_first_price_is_no_token() -> None:
    assert measure_perplexity(scores([float("nan"), 2.0], first_is_missing=True), ["a b"]).tokens == 1


def test_damaged_prices_have_no_perplexity() -> None:
    with pytest.raises(InputError, match="1 of 2 tokens have no finite price"):
        measure_perplexity(scores([float("nan"), 2.0]), ["a b"])
