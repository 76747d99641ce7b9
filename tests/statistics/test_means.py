"""Means over suites, over models and suites, and over items: by hand, and at the edges."""

import json

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import macro_mean
from gardenpath.statistics.means import difference_over_suites, items_worth, mean_over_items, mean_over_suites
from gardenpath.statistics.proportions import agresti_coull_bounds


def scores(**models: list[float]) -> polars.DataFrame:
    rows = [(model, f"s{suite}", 24, value) for model, own in models.items() for suite, value in enumerate(own)]
    return polars.DataFrame(rows, schema=["model", "suite", "n", "accuracy"], orient="row")


def test_a_mean_over_suites_by_hand() -> None:
    (row,) = mean_over_suites(scores(m=[0.7, 0.8, 0.9]), "accuracy", ["model"]).to_dicts()
    # The variance of suites is 0.01, that of an item 0.16: a correlation of (2 · 1/16 + 0.3) / 3.
    worth = 3 / ((2 / 16 + 0.3) / 3)
    low, high = agresti_coull_bounds(np.array([0.8 * worth]), np.array([worth]), degrees=np.array([2]))
    assert (row["accuracy"], row["n"], row["note"]) == (pytest.approx(0.8), 3, "")
    assert (row["low"], row["high"]) == (pytest.approx(low[0]), pytest.approx(high[0]))


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [0.0, 0.0], [0.5, 0.5, 0.5, 0.5], [0.0, 1.0]])
def test_equal_suites_have_an_interval_between_0_and_1(values: list[float]) -> None:
    (row,) = mean_over_suites(scores(m=values), "accuracy", ["model"]).to_dicts()
    assert 0 <= row["low"] <= row["accuracy"] <= row["high"] <= 1
    assert row["high"] - row["low"] > 0.1


def test_more_suites_are_worth_more() -> None:
    worth = items_worth(np.array([3, 5, 31]), np.full(3, 0.02), np.full(3, 0.16), assumed=0.3)
    assert (np.diff(worth) > 0).all()
    assert worth[2] == pytest.approx(31 / ((30 / 8 + 0.3) / 31))


def test_missing_accuracies_are_left_out() -> None:
    table = scores(a=[0.5, 0.7], b=[0.5, 0.9]).with_columns(
        polars.when(polars.col("model") == "b", polars.col("suite") == "s1")
        .then(None)
        .otherwise("accuracy")
        .alias("accuracy")
    )
    assert mean_over_suites(table, "accuracy", ["model"]).select("n", "note").rows() == [
        (2, ""), (1, "no interval: one suite"),
    ]  # fmt: skip


def test_models_of_a_class_are_no_independent_scores() -> None:
    kind = polars.lit("LSTM").alias("architecture")
    alike = scores(**{f"m{number}": [0.6, 0.7, 0.5, 0.6] for number in range(4)}).with_columns(kind)
    apart = scores(**{f"m{number}": [one + number / 10 for one in (0.45, 0.55, 0.35, 0.45)] for number in range(4)})
    (one,) = mean_over_suites(scores(m=[0.6, 0.7, 0.5, 0.6]), "accuracy", ["model"]).to_dicts()
    (four,) = macro_mean(alike, ["architecture"]).to_dicts()
    (other,) = macro_mean(apart.with_columns(kind), ["architecture"]).to_dicts()
    # Four copies of a model tell no more than the model; models that differ tell less.
    assert four["high"] - four["low"] == pytest.approx(one["high"] - one["low"], rel=0.05)
    assert other["high"] - other["low"] > four["high"] - four["low"]
    (drawn,) = macro_mean(alike, ["architecture"], interval="bootstrap").to_dicts()
    assert drawn["high"] - drawn["low"] < (four["high"] - four["low"]) / 2


def test_a_difference_over_suites_turns_with_the_models() -> None:
    a, b = np.array([0.2, 0.3, 0.25, 0.4]), np.array([0.1, 0.0, 0.05, 0.1])
    low, high = difference_over_suites(a, b)
    assert difference_over_suites(b, a) == (pytest.approx(-high), pytest.approx(-low))
    assert low < (a - b).mean() < high


def test_models_that_never_differ_have_an_interval_over_suites() -> None:
    low, high = difference_over_suites(np.zeros(5), np.zeros(5))
    assert low == -high < 0


def test_a_mean_over_items_is_students() -> None:
    table = polars.DataFrame({"group": ["a"] * 4 + ["b", "c", "c"], "bits": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0]})
    rows = mean_over_items(table, "bits", ["group"]).to_dicts()
    half = 3.182446 * (5 / 3) ** 0.5 / 2
    assert (rows[0]["low"], rows[0]["high"]) == (pytest.approx(2.5 - half), pytest.approx(2.5 + half))
    assert [(row["low"], row["high"], row["note"]) for row in rows[1:]] == [
        (None, None, "no interval: one item"), (None, None, "no interval: all values equal"),
    ]  # fmt: skip


def test_every_prediction_of_a_suite_counts_in_means_over_models() -> None:
    rows = [(model, "s", name, 24, value) for model in ("a", "b") for name, value in (("p", 0.25), ("q", 0.75))]
    table = polars.DataFrame(rows, schema=["model", "suite", "prediction", "n", "accuracy"], orient="row")
    (row,) = macro_mean(table, []).to_dicts()
    assert (row["rows"], row["accuracy"]) == (4, 0.5)
    assert "left out" not in row["note"]
    levels = table.with_columns(polars.lit("p").alias("prediction"))
    with pytest.raises(InputError, match="'a' has several values of 'accuracy' for the unit 's'"):
        macro_mean(levels, [])


@pytest.mark.parametrize("by", [["architecture"], ["model"], []])
def test_a_mean_of_invalid_suites_only_is_missing(by: list[str]) -> None:
    invalid = scores(a=[0.0, 0.0]).with_columns(architecture=polars.lit("LSTM"), invalid=polars.col("n"))
    (row,) = macro_mean(invalid, by).to_dicts()
    assert (row["accuracy"], row["low"], row["rows"]) == (None, None, 0)
    assert row["note"] == "no finite value; 2 of 2 left out: no valid item"


def test_items_that_share_words_give_wider_intervals_of_means() -> None:
    bits = [float(at // 10) for at in range(100)]
    fillers = [json.dumps({"verb": f"v{at // 10}"}) for at in range(100)]
    apart = mean_over_items(polars.DataFrame({"bits": bits}), "bits", [])
    shared = mean_over_items(polars.DataFrame({"bits": bits, "fillers": fillers}), "bits", [])
    widths = [(table["high"] - table["low"]).item() for table in (apart, shared)]
    assert widths[1] > 2 * widths[0]
    assert apart["n"].item() == shared["n"].item() == 100
