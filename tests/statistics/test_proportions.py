"""Intervals and tests of proportions against tabulated values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from gardenpath.statistics.proportions import wilson
from small_outcomes import binomial_p


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
