"""The bootstrap against its exact distribution where that is known, against scipy's, and at its edges."""

import numpy as np
import polars
import pytest
from scipy.stats import binom
from scipy.stats import bootstrap as scipy_bootstrap

from gardenpath.statistics.bootstrap import bootstrap_mean, draw_counts, grouped_bootstrap


def test_two_values_resample_as_a_binomial() -> None:
    # The number of ones among 40 draws from 30 ones and 10 zeros is Binomial(40, 3/4).
    estimate = bootstrap_mean([1.0] * 30 + [0.0] * 10, resamples=20_000)
    low, high = binom.ppf([0.025, 0.975], 40, 0.75) / 40
    assert estimate.value == 0.75
    assert (estimate.low, estimate.high) == (pytest.approx(low, abs=1 / 40), pytest.approx(high, abs=1 / 40))


def test_many_values_as_scipy_draws_them() -> None:
    values = np.random.default_rng(3).gamma(2.0, size=200)
    rng = np.random.default_rng(1)
    drawn = scipy_bootstrap((values,), np.mean, method="percentile", n_resamples=20_000, rng=rng)
    theirs = drawn.confidence_interval
    ours = bootstrap_mean(values, resamples=20_000)
    spread = float(theirs.high - theirs.low)
    assert ours.low == pytest.approx(theirs.low, abs=0.03 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.03 * spread)


def test_the_seed_decides() -> None:
    values = np.random.default_rng(0).normal(size=50)
    assert bootstrap_mean(values, seed=1) == bootstrap_mean(values, seed=1)
    assert bootstrap_mean(values, seed=1) != bootstrap_mean(values, seed=2)


def test_everything_is_drawn_as_often_as_there_are_things() -> None:
    (weights,) = draw_counts(7, seed=0, resamples=100)
    assert weights.shape == (100, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert weights.mean() == 1


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = draw_counts(5, seed=0, resamples=9)
    monkeypatch.setattr("gardenpath.statistics.bootstrap.BLOCK_SIZE", 10)
    assert (np.concatenate(list(draw_counts(5, seed=0, resamples=9))) == whole).all()


def test_clusters_of_alike_items_count_as_one_each() -> None:
    # Ten words, each in 20 items of equal outcome: the interval is that of ten items, not of 200.
    words = np.array([1.0] * 7 + [0.0] * 3)
    items = bootstrap_mean(np.repeat(words, 20), clusters=np.repeat(np.arange(10), 20), resamples=20_000)
    alone = bootstrap_mean(words, resamples=20_000)
    assert items.value == pytest.approx(0.7)
    assert (items.low, items.high) == (pytest.approx(alone.low, abs=0.051), pytest.approx(alone.high, abs=0.051))
    assert items.method == "bootstrap over clusters"


def test_a_cluster_weighs_as_much_as_its_items() -> None:
    # Two clusters, of 1 and 3 items: the three possible means are 1 (first twice), 1/4 (both), 0 (second twice).
    estimate = bootstrap_mean([1.0, 0.0, 0.0, 0.0], clusters=["a", "b", "b", "b"])
    assert (estimate.value, estimate.low, estimate.high) == (0.25, 0.0, 1.0)


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([0.3], None, "no interval: one item"),
        ([0.5, 0.5, 0.5], None, "no interval: all values equal"),
        ([0.0, 1.0], ["a", "a"], "no interval: one cluster"),
    ],
)
def test_nothing_to_draw_from(values: list[float], clusters: list[str] | None, reason: str) -> None:
    estimate = bootstrap_mean(values, clusters=clusters)
    assert estimate.value == pytest.approx(np.mean(values))
    assert np.isnan([estimate.low, estimate.high]).all()
    assert estimate.method == reason


def test_empty_and_non_finite_values_are_refused() -> None:
    with pytest.raises(ValueError, match="no values to average"):
        bootstrap_mean([])
    with pytest.raises(ValueError, match="not finite"):
        bootstrap_mean([1.0, float("nan")])


def test_each_group_is_as_if_alone() -> None:
    rng = np.random.default_rng(5)
    bits = [*rng.normal(size=30), *rng.normal(size=30), 0.0, 1.0, 1.0, 0.0, 2.0]
    table = polars.DataFrame({"group": ["a"] * 30 + ["b"] * 30 + ["c"] * 4 + ["d"], "bits": bits})
    rows = grouped_bootstrap(table, "bits", ["group"], seed=4)
    for row in rows.head(3).iter_rows(named=True):
        alone = bootstrap_mean(table.filter(polars.col("group") == row["group"])["bits"].to_numpy(), seed=4)
        assert (row["bits"], row["n"]) == (pytest.approx(alone.value), alone.n)
        assert (row["low"], row["high"]) == (pytest.approx(alone.low), pytest.approx(alone.high))
    assert rows["note"].to_list() == ["", "", "", "no interval: one item"]


def test_groups_without_numbers_have_a_note_and_no_nan() -> None:
    table = polars.DataFrame({"g": ["a", "a", "b"], "v": [1.0, None, float("nan")]})
    rows = grouped_bootstrap(table, "v", ["g"]).rows()
    assert rows == [("a", 1.0, None, None, 1, "no interval: one item"), ("b", None, None, None, 0, "no finite value")]


def test_without_groups_there_is_one_row() -> None:
    table = polars.DataFrame({"v": [1.0, 0.0], "word": ["x", "x"]})
    assert grouped_bootstrap(table, "v", []).select("v", "n").rows() == [(0.5, 2)]
    assert grouped_bootstrap(table, "v", [], clusters="word")["note"].to_list() == ["no interval: one cluster"]
