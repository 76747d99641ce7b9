"""Intervals and tests of proportions against tabulated values."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binomtest

from gardenpath.statistics.proportions import (
    Estimate,
    agresti_coull,
    agresti_coull_bounds,
    paired_difference_bounds,
    wilson,
)
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


@pytest.mark.parametrize("estimate", [wilson, agresti_coull])
def test_impossible_counts_have_no_interval(estimate: Callable[[float, int], Estimate]) -> None:
    with pytest.raises(ValueError, match="no outcomes to average"):
        estimate(0, 0)
    for successes, n in ((5, 3), (-1, 3), (math.nan, 3)):
        with pytest.raises(ValueError, match="is not a possible count; it must lie between 0 and 3"):
            estimate(successes, n)
    assert estimate(sum([1 / 3] * 9), 3).value == pytest.approx(1.0)  # above 3 by rounding


def test_impossible_counts_have_no_test() -> None:
    for successes, chance, message in (
        (11, 0.5, "not a possible count"),
        (5, 1.5, "not a probability"),
        (5, -0.1, "not a prob"),
    ):
        with pytest.raises(ValueError, match=message):
            binomial_p(successes, 10, chance)


def test_agresti_coull_by_hand() -> None:
    # In R, with t = qt(.975, 9) and m = (8 + t^2/2) / (10 + t^2): m + c(-1, 1) * t * sqrt(m * (1 - m) / (10 + t^2)).
    estimate = agresti_coull(8, 10)
    assert (estimate.low, estimate.high) == (pytest.approx(0.43143389), pytest.approx(0.96546093))
    # With z, as Agresti and Coull have it.
    low, high = agresti_coull_bounds(np.array([8.0]), np.array([10]), degrees=np.array([1e9]))
    assert (low[0], high[0]) == (pytest.approx(0.47936759), pytest.approx(0.95411273))


@given(n=st.integers(1, 300), share=st.floats(0, 1))
def test_intervals_of_proportions_contain_them_and_have_a_width(n: int, share: float) -> None:
    for estimate in (agresti_coull(share * n, n), wilson(share * n, n)):
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert estimate.high - estimate.low > 1 / (n + 100)


def tango(a_only: int, b_only: int, n: int) -> tuple[float, float]:
    """Tango's score interval of a paired difference: the differences that his score test does not reject."""

    def score(difference: float) -> float:
        b = (2 * n - a_only + b_only) * difference - a_only - b_only
        q = (math.sqrt(b * b + 8 * n * b_only * difference * (1 - difference)) - b) / (4 * n)
        return (a_only - b_only - n * difference) / math.sqrt(n * (2 * q + difference * (1 - difference)))

    middle, z = (a_only - b_only) / n, 1.959964
    return (
        float(brentq(lambda one: score(one) - z, -1 + 1e-9, middle)),
        float(brentq(lambda one: score(one) + z, middle, 1 - 1e-9)),
    )


def paired(a_only: float, b_only: float, n: float) -> tuple[float, float]:
    low, high = paired_difference_bounds(np.array([a_only]), np.array([b_only]), np.array([n]))
    return float(low[0]), float(high[0])


def test_paired_differences_by_hand() -> None:
    # Airway hyper-responsiveness (Bentur et al. 2009), in Fagerland, Lydersen and Laake 2014: 1 against 7 of 21.
    # In R, with p = 2/23 and q = 8/23: p - q + c(-1, 1) * qnorm(.975) * sqrt((p + q - (p - q)^2) / 23).
    assert paired(1, 7, 21) == (pytest.approx(-0.508359307), pytest.approx(-0.013379824))
    assert tango(1, 7, 21) == (pytest.approx(-0.517, abs=5e-4), pytest.approx(-0.026, abs=5e-4))
    assert paired(0, 0, 2) == (pytest.approx(-0.69295, abs=1e-5), pytest.approx(0.69295, abs=1e-5))


@pytest.mark.parametrize(("a_only", "b_only", "n"), [(1, 7, 21), (12, 2, 50), (1, 3, 44), (40, 20, 160), (9, 9, 100)])
def test_paired_differences_nearly_as_tango(a_only: int, b_only: int, n: int) -> None:
    assert paired(a_only, b_only, n) == pytest.approx(tango(a_only, b_only, n), abs=0.5 / n**0.5 / 4)


@given(n=st.integers(1, 300), share=st.floats(0, 1), of=st.floats(0, 1))
def test_intervals_of_paired_differences_contain_them_and_have_a_width(n: int, share: float, of: float) -> None:
    a_only = share * of * n
    b_only = of * n - a_only
    (low, high), (other_low, other_high) = paired(a_only, b_only, n), paired(b_only, a_only, n)
    assert -1 <= low <= (a_only - b_only) / n <= high <= 1
    assert high - low > 1 / (n + 100)
    assert (low, high) == pytest.approx((-other_high, -other_low), abs=1e-12)


@pytest.mark.parametrize(("a_only", "b_only"), [(-1, 2), (2, -1), (3, 1), (math.nan, 1)])
def test_impossible_pairs_have_no_interval(a_only: float, b_only: float) -> None:
    with pytest.raises(ValueError, match="not a possible count"):
        paired(a_only, b_only, 3)


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
    # Far in the tails both lose digits: p of 1e-283 agrees in seven only.
    assert binomial_p(count, n, chance) == pytest.approx(binomtest(count, n, chance).pvalue, rel=1e-8, abs=1e-100)
