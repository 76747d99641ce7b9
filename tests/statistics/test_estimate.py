"""Intervals against tabulated values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from gardenpath.errors import InputError
from gardenpath.scoring.surprisals import TextScores
from gardenpath.statistics.estimate import binomial_p, wilson
from gardenpath.statistics.perplexity import measure_perplexity
from gardenpath.text.tokens import Token, encoded_from_tokens


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


def scores(bits: list[float], *, first_is_missing: bool = False) -> TextScores:
    tokens = [[Token(0, place, place + 1, known=True) for place in range(len(bits))]]
    return TextScores(encoded_from_tokens(tokens), np.array(bits), None, first_is_missing)


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


@pytest.mark.parametrize(
    ("successes", "n", "chance", "p"),
    [
        # Lady tasting: 8 of 10 at 1/2: 2 * (45 + 10 + 1) / 1024.
        (8, 10, 0.5, 112 / 1024),
        # 4 of 4 at 1/4: (1/4)^4, and nothing below is as unlikely.
        (4, 4, 0.25, 0.25**4),
        # 0 of 3 at 1/3: 8/27; 2 (6/27) and 3 (1/27) are no likelier.
        (0, 3, 1 / 3, 15 / 27),
        (5, 10, 0.5, 1.0),
        (0, 5, 0.0, 1.0),
        (1, 5, 0.0, 0.0),
        # A tie's half is rounded towards chance: 8.5 counts as 8, 1.5 as 2.
        (8.5, 10, 0.5, 112 / 1024),
        (1.5, 10, 0.5, 112 / 1024),
        # Three thirds are one.
        (1 / 3 + 1 / 3 + 1 / 3, 3, 1 / 3, 1.0),
    ],
)
def test_exact_binomial_by_hand(successes: float, n: int, chance: float, p: float) -> None:
    assert binomial_p(successes, n, chance) == pytest.approx(p, rel=1e-9)


@given(
    n=st.integers(1, 400),
    share=st.floats(0, 1),
    chance=st.sampled_from([0.0, 5 / 24, 0.25, 7 / 24, 1 / 3, 0.5, 0.9, 1.0]),
)
def test_exact_binomial_as_scipy(n: int, share: float, chance: float) -> None:
    count = round(share * n)
    assert binomial_p(count, n, chance) == pytest.approx(binomtest(count, n, chance).pvalue, rel=1e-8, abs=1e-300)


def test_no_test_without_items_or_chance() -> None:
    with pytest.raises(ValueError, match="a test needs items"):
        binomial_p(0, 0, 0.5)
    with pytest.raises(ValueError, match="a test needs items"):
        binomial_p(1, 2, float("nan"))
