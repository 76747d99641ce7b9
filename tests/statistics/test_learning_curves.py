"""Learning curves: lines through points that one can draw by hand, and scipy's regression."""

import polars
import pytest
from scipy.stats import linregress

from gardenpath.errors import InputError
from gardenpath.statistics.learning_curves import learning_curve, slopes
from gardenpath.statistics.scores import rows_with


def scores(rows: list[tuple[str, str, str, float, str | None, int | None]]) -> polars.DataFrame:
    schema = {
        "model": polars.String, "suite": polars.String, "phenomenon": polars.String, "accuracy": polars.Float64,
        "architecture": polars.String, "words": polars.Int64,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row")


POINTS = {1: (0.50, 0.54), 2: (0.58, 0.66), 4: (0.70, 0.66), 8: (0.80, 0.88)}
"""Accuracies of two seeds at 1, 2, 4 and 8 million words."""


def seeds() -> polars.DataFrame:
    return scores(
        [
            (f"lstm-{size}-{seed}", "s", "binding", accuracy, "lstm", size * 10**6)
            for size, accuracies in POINTS.items()
            for seed, accuracy in enumerate(accuracies)
        ]
    )


def test_slope_per_doubling_equals_scipy() -> None:
    (row,) = slopes(seeds()).iter_rows(named=True)
    x = [power for power in range(4) for _ in range(2)]
    y = [accuracy for accuracies in POINTS.values() for accuracy in accuracies]
    line = linregress(x, y)
    assert row["slope"] == pytest.approx(line.slope)
    assert row["p"] == pytest.approx(line.pvalue)
    assert row["r2"] == pytest.approx(line.rvalue**2)
    half = 2.446912 * line.stderr  # the tabulated 97.5 % point of Student's t with 6 degrees of freedom
    assert (row["low"], row["high"]) == pytest.approx((line.slope - half, line.slope + half))
    assert (row["n"], row["sizes"], row["phenomenon"], row["note"]) == (8, 4, "binding", "")


def test_slope_per_tenfold() -> None:
    doubling, tenfold = slopes(seeds())["slope"].item(), slopes(seeds(), per=10)["slope"].item()
    assert tenfold == pytest.approx(doubling * 3.321928)  # log2 of 10


def test_two_models_determine_a_line_without_an_interval() -> None:
    table = scores([("a", "s", "x", 0.5, "lstm", 1000), ("b", "s", "x", 0.7, "lstm", 4000)])
    (row,) = slopes(table).iter_rows(named=True)
    assert row["slope"] == pytest.approx(0.1)
    assert (row["low"], row["high"], row["p"], row["note"]) == (None, None, None, "no interval: two models")


def test_points_on_a_line_have_no_residual_to_judge_by() -> None:
    table = scores([(f"m{size}", "s", "x", 0.5, "lstm", size) for size in (1000, 2000, 4000)])
    (row,) = slopes(table).iter_rows(named=True)
    assert (row["slope"], row["low"], row["high"], row["r2"]) == (0.0, None, None, None)
    assert row["note"] == "no interval: all points lie on the line"


def test_curve_by_hand() -> None:
    table = learning_curve(seeds())
    assert table["words"].to_list() == [1_000_000, 2_000_000, 4_000_000, 8_000_000]
    assert table["mean"].to_list() == pytest.approx([0.52, 0.62, 0.68, 0.84])
    assert table["sd"].to_list() == pytest.approx([half / 2**0.5 for half in (0.04, 0.08, 0.04, 0.08)])
    assert table["n"].to_list() == [2, 2, 2, 2]


def test_a_phenomenon_is_the_mean_of_its_suites_and_all_the_mean_of_phenomena() -> None:
    suites = {"s1": ("binding", 0.4), "s2": ("binding", 0.6), "s3": ("islands", 0.9)}
    table = learning_curve(scores([("m", suite, name, value, "lstm", 1000) for suite, (name, value) in suites.items()]))
    found = dict(table.select("phenomenon", "mean").iter_rows())
    assert found == {"binding": pytest.approx(0.5), "islands": pytest.approx(0.9), "all": pytest.approx(0.7)}
    assert table["sd"].null_count() == 3  # one model has no spread


def test_suites_without_a_phenomenon_stand_for_themselves() -> None:
    assert learning_curve(scores([("m", "s", "", 0.4, None, 1000)]))["phenomenon"].to_list() == ["s"]


def test_architectures_of_one_size_are_left_out() -> None:
    rows = [("a", "s", "x", 0.5, "lstm", 1000), ("b", "s", "x", 0.7, "lstm", 2000), ("c", "s", "x", 0.9, "gpt", 4000)]
    assert slopes(scores(rows))["series"].to_list() == ["lstm"]
    with pytest.raises(InputError, match="no series has models of two training sizes"):
        slopes(scores(rows[1:]))


def test_missing_sizes_are_reported() -> None:
    unknown = scores([("m", "s", "x", 0.4, "lstm", None)]).with_columns(polars.lit(None, polars.Int64).alias("size"))
    with pytest.raises(InputError, match=r"^the training size or progress is not .* a column words, words_read"):
        rows_with(unknown, "size")
    with pytest.raises(InputError, match="'words' is not known for any model"):
        slopes(scores([("m", "s", "x", 0.4, "lstm", None)]))
    with pytest.raises(InputError, match=r"a learning curve needs at least 2 different values of 'words'.* 1 \(1000\)"):
        slopes(scores([("m", "s", "x", 0.4, "lstm", 1000)]))


def test_a_curve_is_of_suites_that_all_its_models_have() -> None:
    rows = [
        ("a", "s", "x", 0.5, "lstm", 1000), ("a", "t", "y", 0.9, "lstm", 1000), ("b", "s", "x", 0.7, "lstm", 4000),
        ("c", "t", "y", 0.1, "gpt", 1000), ("d", "t", "y", 0.5, "gpt", 4000),
    ]  # fmt: skip
    table = slopes(scores(rows))
    found = {(row["series"], row["phenomenon"]): row["slope"] for row in table.to_dicts()}
    expected = {("gpt", "all"): 0.2, ("gpt", "y"): 0.2, ("lstm", "all"): 0.1, ("lstm", "x"): 0.1}
    assert found == pytest.approx(expected)
    with pytest.raises(InputError, match="no suite was run with all models"):
        slopes(scores([("a", "s", "x", 0.5, "lstm", 1000), ("b", "t", "x", 0.7, "lstm", 4000)]))
