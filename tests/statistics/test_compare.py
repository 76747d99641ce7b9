"""Comparisons of models, computed by hand."""

import math

import numpy as np
import polars
import pytest
from scipy.stats import binomtest

from gardenpath.errors import InputError, InputWarning
from gardenpath.statistics.compare import (
    comparable_pairs,
    compare,
    compare_models,
    compare_overall,
    compare_pairs,
    compare_suites,
    holm,
    mcnemar_exact,
)
from gardenpath.statistics.proportions import paired_difference_bounds
from small_outcomes import outcomes


def two(a: list[float | None], b: list[float | None], **about: object) -> polars.DataFrame:
    """The outcomes of two models, a and b, on the same items."""
    return polars.concat([outcomes(a, model="a", **about), outcomes(b, model="b", **about)])


@pytest.mark.parametrize(
    ("a_only", "b_only", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (3, 3, 1.0),
        (0, 6, 2 / 64),
        (5, 1, 14 / 64),
        (1, 5, 14 / 64),
        (10, 2, 2 * 79 / 4096),
        (300, 240, binomtest(300, 540).pvalue),
    ],
)
def test_mcnemar_by_hand(a_only: int, b_only: int, p: float) -> None:
    assert mcnemar_exact(a_only, b_only) == pytest.approx(p)


@pytest.mark.parametrize(
    ("a_only", "b_only", "whole"),
    [(5.5, 1.0, (5, 1)), (5.0, 0.5, (5, 1)), (2.5, 2.5, (3, 2)), (0.25, 0.0, (0, 0)), (9 * (1 / 3), 0.0, (3, 0))],
)
def test_fractions_are_rounded_towards_no_difference(a_only: float, b_only: float, whole: tuple[int, int]) -> None:
    assert mcnemar_exact(a_only, b_only) == mcnemar_exact(b_only, a_only) == pytest.approx(mcnemar_exact(*whole))


def test_a_model_that_only_ties_differs_from_none_of_its_accuracy() -> None:
    # A formula of chance 1/4: b ties everywhere, a is right on a quarter of the items.
    (row,) = compare_models(two([1.0] * 25 + [0.0] * 75, [0.25] * 100), "a", "b").to_dicts()
    assert row["difference"] == 0
    assert row["a_only"] == row["b_only"] == 25 * 0.75
    assert row["p_value"] == 1


@pytest.mark.parametrize(
    ("raw", "corrected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.02], [0.02]),
        ([0.01, 0.01], [0.02, 0.02]),
        ([], []),
        ([0.01, math.nan, 0.04, None], [0.02, math.nan, 0.04, math.nan]),
        ([math.nan], [math.nan]),
    ],
)
def test_holm_by_hand(raw: list[float], corrected: list[float]) -> None:
    assert holm(raw) == pytest.approx(corrected, nan_ok=True)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.inf])
def test_what_is_no_probability_is_not_corrected(p: float) -> None:
    with pytest.raises(ValueError, match="not probabilities"):
        holm([0.5, p])


@pytest.mark.parametrize(("a_only", "b_only"), [(-1, 3), (3, -0.5), (math.nan, 1), (1, math.nan)])
def test_impossible_counts_have_no_test(a_only: float, b_only: float) -> None:
    with pytest.raises(ValueError, match="not possible counts"):
        mcnemar_exact(a_only, b_only)


@pytest.mark.parametrize("fewer", [0, 3, 10, 11, 499])
def test_counts_as_close_as_can_be_have_a_p_value_of_exactly_one(fewer: int) -> None:
    assert mcnemar_exact(fewer, fewer + 1) == mcnemar_exact(fewer, fewer) == 1.0


def test_two_models_item_by_item() -> None:
    rows = two([1, 1, 1, 1, 0, 0.5], [1, 0, 0, 0, 1, 0])
    (row,) = compare_models(rows, "a", "b").to_dicts()
    assert (row["n"], row["accuracy_a"], row["accuracy_b"]) == (6, pytest.approx(4.5 / 6), pytest.approx(2 / 6))
    assert row["difference"] == pytest.approx(2.5 / 6)
    # Breaking the tie at random gives a the item half of the time; 3.5 against 1 is tested as 3 against 1.
    assert (row["a_only"], row["b_only"]) == (3.5, 1)
    assert row["p_value"] == row["p_holm"] == pytest.approx(2 * 5 / 16)
    low, high = paired_difference_bounds(np.array([3.5]), np.array([1.0]), np.array([6]))
    assert (row["low"], row["high"]) == (pytest.approx(low[0]), pytest.approx(high[0]))


def test_items_that_share_words_count_as_fewer() -> None:
    # Ten verbs with ten items each; a alone gets the items of three verbs right, b alone those of one.
    verbs = [{"verb": f"v{number // 10}"} for number in range(100)]
    a, b = ([float(number // 10 in right) for number in range(100)] for right in ((0, 1, 2, 5), (3, 5)))
    (alone,) = compare_models(two(a, b), "a", "b").to_dicts()
    (shared,) = compare_models(two(a, b, fillers=verbs), "a", "b").to_dicts()
    assert (alone["effective_n"], alone["difference"]) == (100, shared["difference"]) == (100, pytest.approx(0.2))
    assert shared["effective_n"] < 10
    assert alone["p_value"] == mcnemar_exact(30, 10) < 0.01
    assert shared["p_value"] == 1.0  # three verbs against one
    assert shared["low"] < 0 < alone["low"]
    assert "share words" in compare_overall(two(a, b, fillers=verbs), "a", "b").method


def test_the_order_of_models_turns_the_sign() -> None:
    rows = two([1, 1, 0, 1], [0, 1, 1, 0])
    (ab,), (ba,) = compare_models(rows, "a", "b").to_dicts(), compare_models(rows, "b", "a").to_dicts()
    assert ab["difference"] == -ba["difference"] == 0.25
    assert (ab["a_only"], ab["b_only"]) == (ba["b_only"], ba["a_only"]) == (2, 1)


def test_holm_is_over_the_rows() -> None:
    suites = ["s"] * 8 + ["t"] * 8
    rows = two([1] * 8 + [1, 0] * 4, [0] * 8 + [0, 1] * 4, suite=suites)
    table = compare_models(rows, "a", "b", ["suite"])
    assert table["p_value"].to_list() == pytest.approx([2 / 256, 1.0])
    assert table["p_holm"].to_list() == pytest.approx([4 / 256, 1.0])


def test_groups_by_level() -> None:
    levels = [{"number": "sing"}, {"number": "plur"}, {}]
    table = compare_models(two([1, 1, 1], [0, 1, 0], levels=levels), "a", "b", ["level:number"])
    assert table.select("level:number", "n", "difference").rows() == [("sing", 1, 1.0), ("plur", 1, 0.0)]


def test_items_are_paired_by_name_not_by_place() -> None:
    rows = polars.concat(
        [outcomes([1, 0], model="a", item=["x", "y"]), outcomes([0, 1, 1], model="b", item=["y", "x", "z"])]
    )
    (row,) = compare_models(rows, "a", "b").to_dicts()
    assert (row["n"], row["difference"], row["a_only"], row["b_only"]) == (2, 0.0, 0, 0)


def test_models_that_never_differ() -> None:
    (row,) = compare_models(two([1, 0], [1, 0]), "a", "b").to_dicts()
    # One pair in favour of each model is added to the two: 0 ± 1.96 √(1/2 / 4).
    assert (row["difference"], row["p_value"], row["note"]) == (0.0, 1.0, "")
    assert (row["low"], row["high"]) == (pytest.approx(-0.69295, abs=1e-5), pytest.approx(0.69295, abs=1e-5))


def test_invalid_items_count_as_wrong_and_are_noted() -> None:
    (row,) = compare_models(two([None, 1], [1, 1]), "a", "b").to_dicts()
    assert (row["difference"], row["invalid"], row["note"]) == (-0.5, 1, "1 invalid, counted as wrong")


@pytest.mark.parametrize(
    ("theirs", "names", "message"),
    [
        ({}, ("a", "c"), "no outcomes of a model 'c'; there are those of a, b"),
        ({}, ("a", "a"), "compared with itself"),
        ({"suite": "t"}, ("a", "b"), "no item in common"),
        ({"fillers": {"verb": "was"}}, ("a", "b"), r"is not the same for 'a'.*same --seed"),
    ],
)
def test_incomparable_models_are_refused(theirs: dict[str, object], names: tuple[str, str], message: str) -> None:
    ours = {"suite": "s", "fillers": {"verb": "is"}}
    rows = polars.concat([outcomes([1], model="a", **ours), outcomes([1], model="b", **(ours | theirs))])
    with pytest.raises(InputError, match=message):
        compare_models(rows, *names)


def test_overall_takes_first_predictions() -> None:
    rows = polars.concat([two([1, 1, 1], [0, 0, 1]), two([0, 0, 0], [1, 1, 1], prediction="second")])
    comparison = compare_overall(rows, "a", "b")
    assert (comparison.n, comparison.a_only, comparison.b_only) == (3, 2, 0)
    assert comparison.difference == pytest.approx(2 / 3)
    assert comparison.p_value == 0.5
    assert comparison.method == "exact McNemar test over items; interval of Bonett and Price"


def test_suites_weigh_the_same() -> None:
    rows = polars.concat([two([1] * 9, [0] * 9), two([0], [1], suite="t")])
    assert compare_overall(rows, "a", "b").difference == pytest.approx(0.8)
    comparison = compare_suites(rows, "a", "b")
    assert (comparison.difference, comparison.n, comparison.a_only, comparison.b_only) == (0.0, 2, 1, 1)
    assert (comparison.accuracy_a, comparison.accuracy_b) == (0.5, 0.5)
    assert comparison.method == "exact sign test over suites; interval of Bonett and Price over suites"
    assert comparison.low < 0 < comparison.high


def test_a_mean_over_one_suite_has_no_interval_over_suites() -> None:
    comparison = compare_suites(two([1, 1, 0], [0, 1, 0]), "a", "b")
    assert (comparison.n, comparison.low, comparison.high) == (1, None, None)


def test_suites_that_always_differ_alike_have_an_interval() -> None:
    rows = polars.concat([two([1] * 4, [1, 1, 1, 0], suite=name) for name in "stu"])
    comparison = compare_suites(rows, "a", "b")
    assert comparison.difference == pytest.approx(0.25)
    assert comparison.low < 0.25 < comparison.high


def test_suites_without_a_valid_item_are_no_suites_without_a_right_one() -> None:
    rows = polars.concat([two([1, 1], [0, 1]), two([None, None], [1, 1], suite="t"), two([1, 0], [1, 0], suite="u")])
    comparison = compare_suites(rows, "a", "b")
    assert (comparison.n, comparison.difference) == (2, 0.25)
    assert comparison.method.endswith("; 1 without a valid item left out")


def test_a_difference_that_is_there_is_found_and_one_that_is_not_is_not() -> None:
    rng = np.random.default_rng(0)
    easy = rng.random(400)
    better, worse = (easy < 0.8).astype(float), (easy < 0.7).astype(float)
    (row,) = compare_models(two(list(better), list(worse)), "a", "b").to_dicts()
    assert row["low"] > 0
    assert row["p_value"] < 1e-6
    shuffled = rng.permutation(better)
    (row,) = compare_models(two(list(better), list(shuffled)), "a", "b").to_dicts()
    assert row["low"] < 0 < row["high"]
    assert row["p_value"] == 1.0


def three() -> polars.DataFrame:
    """Three models on one suite, and the first two on another."""
    return polars.concat(
        [two([1, 1, 1, 0], [0, 0, 0, 0]), outcomes([1, 0, 0, 0], model="c"), two([1, 1], [0, 1], suite="t")]
    )


def test_all_pairs_with_holm_over_all() -> None:
    table = compare(three())
    assert table.select("model_a", "model_b", "n", "a_only", "b_only").rows() == [
        ("a", "b", 6, 4, 0), ("a", "c", 4, 2, 0), ("b", "c", 4, 0, 1),
    ]  # fmt: skip
    assert table["p_value"].to_list() == pytest.approx([2 / 16, 2 / 4, 1.0])
    assert table["p_holm"].to_list() == pytest.approx([6 / 16, 1.0, 1.0])
    pair = compare_models(three(), "a", "b", [])
    assert table.head(1).select("low", "high").equals(pair.select("low", "high"))


def test_pairs_by_suite_are_corrected_together() -> None:
    table = compare(three(), by="suite")
    assert table.select("model_a", "model_b", "suite", "prediction").rows() == [
        ("a", "b", "s", "p"), ("a", "b", "t", "p"), ("a", "c", "s", "p"), ("b", "c", "s", "p"),
    ]  # fmt: skip
    assert table["p_holm"].to_list() == pytest.approx(holm(table["p_value"].to_list()))


def test_models_can_be_chosen() -> None:
    assert compare(three(), ["c", "a"]).select("model_a", "model_b", "difference").rows() == [("c", "a", -0.5)]
    with pytest.raises(InputError, match="no outcomes of a model 'd'; there are those of a, b, c"):
        compare(three(), ["a", "d"])
    with pytest.raises(InputError, match="needs two models; there is only a"):
        compare(three(), ["a"])


def test_pairs_without_a_common_item_are_left_out() -> None:
    rows = polars.concat([outcomes([1], model="a"), outcomes([1], model="b", suite="t")])
    with pytest.raises(InputError, match="no two of a, b have an item in common"):
        compare(rows)
    assert len(compare(polars.concat([rows, outcomes([0], model="c")]))) == 1


def test_items_that_a_run_left_out_are_not_compared() -> None:
    rows = two([1, 1, 0, 1], [1, 0, 0, 0]).with_columns(left_out=polars.col("item") == "3")
    kept = rows.filter(~polars.col("left_out"))
    assert compare_models(rows, "a", "b").equals(compare_models(kept, "a", "b"))
    assert compare_overall(rows, "a", "b") == compare_overall(kept, "a", "b")
    assert compare_suites(rows, "a", "b") == compare_suites(kept, "a", "b")
    assert compare_models(rows, "a", "b")["n"].to_list() == [3]


def test_pairs_whose_items_differ_are_named() -> None:
    verbs = {"a": "x", "b": "x", "c": "y"}
    rows = [outcomes([1, 0], model=model, fillers=[{"verb": verb}] * 2) for model, verb in verbs.items()]
    pairs, reasons = comparable_pairs(polars.concat(rows))
    assert pairs == [("a", "b")]
    assert ["not the same for 'a'" in reasons[0], "not the same for 'b'" in reasons[1]] == [True, True]


@pytest.mark.parametrize("name", ["note", "credit", "status", "difference", "n", "model_a", "status_b", "p_holm"])
@pytest.mark.parametrize("prefix", ["", "level:"])
def test_a_factor_may_be_named_like_a_result(name: str, prefix: str) -> None:
    rows = two([1, 1, 0, 0], [0, 1, 0, 1], levels=[{name: level} for level in ("x", "x", "y", "y")])
    table = compare(rows, by=prefix + name)
    assert table.select(f"level:{name}", "n", "difference").rows() == [("x", 2, 0.5), ("y", 2, -0.5)]
    assert compare_models(rows, "a", "b", [prefix + name]).select(f"level:{name}", "n").rows() == [("x", 2), ("y", 2)]


def test_a_factor_named_like_a_property_of_outcomes_is_noted() -> None:
    rows = two([1, 0], [0, 0], levels=[{"model": "x"}, {"model": "y"}])
    with pytest.warns(InputWarning, match="--by level:model"):
        assert compare(rows, by="model")["n"].to_list() == [2]
    assert compare(rows, by="level:model").select("level:model", "n").rows() == [("x", 1), ("y", 1)]


def test_results_are_no_groups() -> None:
    with pytest.raises(InputError, match="cannot be grouped by 'margin'"):
        compare(two([1, 0], [0, 0]), by="margin")


def test_the_predictions_of_a_phenomenon_stand_together() -> None:
    table = polars.concat(
        [
            outcomes([1, 0], suite=phenomenon, model=model, phenomenon=phenomenon, prediction=prediction)
            for model in ("a", "b")
            for phenomenon, prediction in (("npi", "p"), ("islands", "p"), ("npi", "q"))
        ]
    )
    rows = compare_pairs(table, [("a", "b")], ["phenomenon", "prediction"])
    expected = [("npi", "p"), ("npi", "q"), ("islands", "p")]
    assert rows.select("phenomenon", "prediction").rows() == expected
