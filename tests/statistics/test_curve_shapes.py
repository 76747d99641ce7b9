"""Shapes of learning curves: constructed curves of each shape, noise that makes none, and what does not matter."""

from typing import Any

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.curve_shapes import NO_RISE, Curve, curve_shapes, describe_curve, differences
from gardenpath.statistics.proportions import Floats, paired_difference_bounds
from small_outcomes import outcomes

STRAIGHT = [0.5, 0.56, 0.62, 0.68, 0.74, 0.8, 0.86, 0.92]
SIGMOID = [0.5, 0.5, 0.51, 0.55, 0.75, 0.92, 0.94, 0.95, 0.95]


def exact(shares: list[float], n: int = 200, sizes: list[int] | None = None) -> Curve:
    """A curve without noise: at every point the first items are right, as many as the share says."""
    order = (np.arange(n) + 0.5) / n
    credits = np.array([(order < share).astype(float) for share in shares])
    return Curve(sizes or [2**power for power in range(len(shares))], credits, float(n))


def noisy(shares: list[float], rng: np.random.Generator, n: int = 200) -> Curve:
    """A curve whose items are drawn independently at every point."""
    credits = (rng.random((len(shares), n)) < np.array(shares)[:, None]).astype(float)
    return Curve([2**power for power in range(len(shares))], credits, float(n))


@pytest.mark.parametrize(
    ("shares", "shape", "turns"),
    [
        ([0.5] * 6, "flat", ""),
        ([0.5, 0.51, 0.5, 0.49, 0.5], "flat", ""),
        (STRAIGHT, "rising", ""),
        (STRAIGHT[::-1], "falling", ""),
        (SIGMOID, "S, rising", ""),
        (SIGMOID[::-1], "S, falling", ""),
        ([0.5, 0.8, 0.9, 0.93, 0.94, 0.95], "rising", ""),  # fast at first: never below the straight line
        ([0.5, 0.5, 0.5, 0.5, 0.6, 0.95], "rising", ""),  # slow at first: never above it
        ([0.7, 0.5, 0.3, 0.5, 0.7, 0.9], "U", "4"),
        ([0.3, 0.6, 0.9, 0.6, 0.3], "inverted U", "4"),
        ([0.5, 0.8, 0.4, 0.9, 0.3, 0.8], "erratic", "2, 4, 8, 16"),
        ([0.5, 0.7, 0.9, 0.89, 0.9, 0.91], "rising", ""),  # a dip of two items
        ([0.5, 0.9], "rising", ""),
    ],
)
def test_shapes_of_constructed_curves(shares: list[float], shape: str, turns: str) -> None:
    found = describe_curve(exact(shares))
    assert (found["shape"], found["turns"]) == (shape, turns)


@pytest.mark.parametrize("points", [3, 10, 30])
def test_noise_alone_is_flat_in_all_but_five_of_a_hundred_curves(points: int) -> None:
    rng = np.random.default_rng(points)
    shapes = [describe_curve(noisy([0.7] * points, rng, n=100))["shape"] for _ in range(1000)]
    assert shapes.count("flat") >= 936  # 950, less two standard errors of a thousand draws


def test_noise_on_a_rise_makes_neither_turns_nor_bends() -> None:
    rng = np.random.default_rng(1)
    shapes = [describe_curve(noisy(STRAIGHT, rng))["shape"] for _ in range(200)]
    assert shapes.count("rising") >= 190
    found = [describe_curve(noisy(SIGMOID, rng, n=1000))["shape"] for _ in range(100)]
    assert found.count("S, rising") >= 95


def test_few_items_show_no_shape() -> None:
    assert describe_curve(exact([0.0, 0.0, 1.0, 1.0], n=4))["shape"] == "flat"
    assert describe_curve(exact([0.0, 0.0, 1.0, 1.0], n=40))["shape"] != "flat"


def test_two_points_differ_where_the_interval_of_bonett_and_price_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Curve, "quantile", 1.959963984540054)
    rng = np.random.default_rng(2)
    for share in np.linspace(0.5, 0.8, 30):
        curve = noisy([0.5, float(share)], rng, n=60)
        first, second = curve.credits
        only = np.array([(second * (1 - first)).sum()]), np.array([(first * (1 - second)).sum()])
        low, high = paired_difference_bounds(*only, np.array([60]))
        assert differences(curve)[0, 1] == int(low[0] > 0) - int(high[0] < 0)


def test_age_of_acquisition_by_hand() -> None:
    # Half way from 50 % to 90 % is 70 %: reached at 4, lost at 8, kept from 16 on.
    found = describe_curve(exact([0.5, 0.5, 0.8, 0.5, 0.9, 0.9]))
    assert (found["acquired"], found["earliest"], found["latest"]) == (16, 16, 16)
    # The point at 4 is a single item short of half way: it may have been reached, and the next surely is.
    found = describe_curve(exact([0.5, 0.5, 0.695, 0.9, 0.9]))
    assert (found["acquired"], found["earliest"], found["latest"], found["note"]) == (8, 4, 8, "")
    for shares in ([0.9, 0.7, 0.5], [0.5, 0.9, 0.5], [0.9, 0.9, 0.9]):
        found = describe_curve(exact(shares))
        assert (found["acquired"], found["earliest"], found["latest"], found["note"]) == (None, None, None, NO_RISE)


def test_the_interval_of_an_age_holds_it() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        found = describe_curve(noisy(SIGMOID, rng, n=80))
        if found["acquired"] is not None:
            assert found["earliest"] <= found["acquired"]
            assert found["latest"] is None or found["latest"] >= found["acquired"]


@pytest.mark.parametrize("shares", [STRAIGHT, SIGMOID, [0.7, 0.4, 0.3, 0.6, 0.9], [0.5, 0.8, 0.4, 0.9]])
def test_what_does_not_change_a_shape(shares: list[float]) -> None:
    curve = exact(shares)
    found = describe_curve(curve)
    items = curve.credits[:, np.random.default_rng(0).permutation(200)]
    assert describe_curve(Curve(curve.sizes, items, 200.0)) == found  # the order of items
    other = describe_curve(Curve([1000 * size for size in curve.sizes], curve.credits, 200.0))  # the unit of sizes
    assert (other["shape"], other["acquired"]) == (found["shape"], found["acquired"] and 1000 * found["acquired"])
    # Accuracy turned over turns the shape over.
    mirrored = {"rising": "falling", "S, rising": "S, falling", "U": "inverted U", "erratic": "erratic"}
    assert describe_curve(Curve(curve.sizes, 1 - curve.credits, 200.0))["shape"] == mirrored[found["shape"]]
    # More items with the same outcomes never take a shape away.
    twice = Curve(curve.sizes, np.hstack([curve.credits, curve.credits]), 400.0)
    assert describe_curve(twice)["shape"] == found["shape"]


def test_a_point_before_training_is_left_of_the_first_step() -> None:
    positions = exact([0.5] * 4, sizes=[0, 1, 1000, 143_000]).positions
    assert positions[0] == 0
    assert positions[-1] == 1
    assert 0 < positions[1] < 0.1 < positions[2] < 0.7
    assert describe_curve(exact(SIGMOID, sizes=[0, *(2**power for power in range(8))]))["shape"] == "S, rising"


def checkpoints(credits: Floats, **about: Any) -> polars.DataFrame:
    """Outcomes of the checkpoints hf:o/n@step0, step1, step2, step4 …"""
    steps = [0, *(2**power for power in range(len(credits) - 1))]
    given = {"architecture": "Llama", "corpus": "", "words": None, "perplexity": None} | about
    tables = [
        outcomes(row.tolist(), model=f"hf:o/n@step{step}", **given) for step, row in zip(steps, credits, strict=True)
    ]
    return polars.concat([table.with_columns(polars.col("words").cast(polars.Int64)) for table in tables])


def steps_of(table: polars.DataFrame) -> polars.DataFrame:
    models = table.select("model").unique(maintain_order=True)
    return models.with_columns(polars.col("model").str.extract(r"step(\d+)").cast(polars.Int64).alias("step"))


def test_tables_of_checkpoints() -> None:
    table = checkpoints(exact([0.5, 0.5, 0.9, 0.9]).credits)
    other = checkpoints(exact([0.9, 0.9, 0.5, 0.5]).credits, suite="t")
    found = curve_shapes(polars.concat([table, other]), steps_of(table))
    assert found.select("series", "suite", "unit", "points", "n", "shape", "acquired").rows() == [
        ("Llama", "s", "step", 4, 200, "S, rising", 2), ("Llama", "t", "step", 4, 200, "S, falling", None),
    ]  # fmt: skip
    assert found["first"].to_list() == [0.5, 0.9]


def test_items_that_share_words_are_worth_fewer() -> None:
    credits = exact([0.3, 0.45], n=100).credits
    fillers = [{"verb": f"verb {number // 10}"} for number in range(100)]  # ten verbs that are right or wrong together
    apart, together = (
        curve_shapes(table, steps_of(table)).row(0, named=True)
        for table in (checkpoints(credits), checkpoints(credits, fillers=fillers))
    )
    assert (apart["shape"], together["shape"]) == ("rising", "flat")
    assert together["effective_n"] < 15 < apart["effective_n"] == 100


def test_only_items_of_all_points_count() -> None:
    table = checkpoints(exact([0.5, 0.5, 0.9]).credits)
    last = polars.col("model") == "hf:o/n@step2"
    fewer = table.filter(~last | polars.col("item").cast(int).is_between(20, 180))
    assert curve_shapes(fewer, steps_of(table))["n"].item() == 161
    with pytest.raises(InputError, match="share the items of a suite"):
        curve_shapes(table.with_columns(suite=polars.col("model")), steps_of(table))
    with pytest.raises(InputError, match="checkpoints of one training"):
        curve_shapes(table.filter(last), steps_of(table))
