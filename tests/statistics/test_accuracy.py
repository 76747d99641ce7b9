"""Accuracy by anything, computed by hand."""

import math
from typing import Any

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.statistics.accuracy import Interval, accuracy, macro_mean, micro_mean, summary_rows
from gardenpath.statistics.grouping import factors, first_predictions, with_factors
from gardenpath.statistics.proportions import agresti_coull, wilson
from gardenpath.statistics.scores import score_table
from small_outcomes import binomial_p, outcomes

COLUMNS = [
    "accuracy", "low", "high", "n", "correct", "ties", "invalid", "strict_accuracy", "chance", "p_chance", "coverage",
    "effective_n", "method", "note",
]  # fmt: skip


def test_one_group_by_hand() -> None:
    table = accuracy(outcomes([1, 1, 1, 0, 0.5, None], known=[True] * 5 + [False]))
    assert table.columns == ["model", "suite", "prediction", *COLUMNS]
    (row,) = table.to_dicts()
    assert (row["n"], row["correct"], row["ties"], row["invalid"]) == (6, 3, 1, 1)
    assert row["accuracy"] == pytest.approx(3.5 / 6)
    assert row["strict_accuracy"] == pytest.approx(3 / 6)
    assert (row["low"], row["high"]) == (
        pytest.approx(agresti_coull(3.5, 6).low),
        pytest.approx(agresti_coull(3.5, 6).high),
    )
    assert (row["effective_n"], row["method"]) == (6, "agresti-coull")
    assert row["coverage"] == pytest.approx(5 / 6)
    # 3.5 of the five valid items count as 3, towards chance: 3, 4, 5 and 2, 1, 0 of 5 are all no likelier.
    assert row["p_chance"] == pytest.approx(1.0)
    assert row["note"] == ""


def test_the_test_against_chance_leaves_invalid_items_out() -> None:
    (row,) = accuracy(outcomes([1] * 8 + [0] * 2 + [None] * 10)).to_dicts()
    assert row["p_chance"] == pytest.approx(binomial_p(8, 10, 0.5))


def test_groups_by_level_and_by_filler() -> None:
    rows = outcomes(
        [1, 0, 1, 1],
        levels=[{"number": "sing"}, {"number": "plur"}, {"number": "sing"}, {}],
        fillers=[{"verb": "is"}, {"verb": "are"}, {"verb": "are"}, {"verb": "is"}],
    )
    assert factors(rows) == ("level:number", "filler:verb")
    by_level = accuracy(rows, ["level:number"])
    assert by_level.select("level:number", "n", "correct").rows() == [("sing", 2, 2), ("plur", 1, 0)]
    by_filler = accuracy(rows, ["model", "filler:verb"])
    assert by_filler.select("filler:verb", "n", "correct").rows() == [("is", 2, 2), ("are", 2, 1)]


def test_odd_names_of_factors() -> None:
    rows = outcomes([1, 0], levels=[{"a.b c's": "x"}, {"a.b c's": "y"}])
    assert accuracy(rows, ["level:a.b c's"])["level:a.b c's"].to_list() == ["x", "y"]


@pytest.mark.parametrize("name", ["level:tense", "nonsense", "filler:"])
def test_unknown_groups_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"cannot be grouped by .* their factors are 'number'; also by model"):
        accuracy(outcomes([1], levels={"number": "sing"}), [name])


def test_facts_that_are_missing_make_a_group_of_their_own() -> None:
    rows = outcomes([1, 0, 1], words=[1000, None, None])
    assert accuracy(rows, ["words"]).select("words", "n").rows() == [(1000, 1), (None, 2)]
    boot = accuracy(rows, ["words"], interval="bootstrap")
    assert boot["low"].null_count() == 0


def test_all_items_at_once() -> None:
    assert accuracy(outcomes([1, 0]), []).select("n", "accuracy").rows() == [(2, 0.5)]
    assert accuracy(outcomes([1, 0]), [], interval="bootstrap").select("low", "high").rows() == [(0.0, 1.0)]


def test_an_unknown_chance_has_no_test_and_says_so() -> None:
    (row,) = accuracy(outcomes([1, 0], chance=math.nan)).to_dicts()
    assert (row["chance"], row["p_chance"], row["note"]) == (None, None, "chance is not known")
    assert row["accuracy"] == 0.5


def test_mixed_chances_are_averaged() -> None:
    (row,) = accuracy(outcomes([1, 0], suite=["s", "t"], chance=[0.5, 0.25]), ["model"]).to_dicts()
    assert row["chance"] == pytest.approx(0.375)


@pytest.mark.parametrize("interval", ["words", "items", "wilson", "bootstrap"])
def test_only_invalid_items(interval: Interval) -> None:
    (row,) = accuracy(outcomes([None, None]), interval=interval).to_dicts()
    assert (row["accuracy"], row["low"], row["high"], row["p_chance"]) == (0.0, None, None, None)
    assert row["note"] == "no valid item"


def test_items_with_unknown_words_are_left_out_on_request() -> None:
    rows = outcomes([1, 0, 1], known=[True, False, False], suite=["s", "s", "t"])
    first, second = accuracy(rows, ["suite"], leave_out_unknown=True).to_dicts()
    assert (first["n"], first["accuracy"], first["coverage"]) == (1, 1.0, 0.5)
    assert (second["n"], second["accuracy"], second["low"], second["p_chance"], second["coverage"]) == (
        0, None, None, None, 0.0,
    )  # fmt: skip
    assert second["note"] == "no item left: all have unknown words"


def test_no_nan_anywhere() -> None:
    rows = outcomes([1, None, 0.5], suite=["a", "b", "c"], chance=[math.nan, 0.5, 0.5], known=[True, True, False])
    for interval in ("words", "items", "wilson", "bootstrap"):
        table = accuracy(rows, ["suite"], interval=interval, leave_out_unknown=True)
        assert not any(table[name].is_nan().any() for name, kind in table.schema.items() if kind.is_float())
        assert all(row["note"] for row in table.to_dicts() if None in row.values())


def test_where_all_items_are_alike_agresti_coull_stands_in_for_the_bootstrap() -> None:
    (row,) = accuracy(outcomes([1] * 20), interval="bootstrap").to_dicts()
    assert (row["low"], row["high"]) == (pytest.approx(agresti_coull(20, 20).low), 1.0)
    assert row["note"] == "Agresti and Coull's interval (all values equal)"


def test_items_that_share_a_word_widen_the_interval() -> None:
    verbs = [{"verb": f"v{number // 20}"} for number in range(200)]
    rows = outcomes([float(number // 20 < 7) for number in range(200)], fillers=verbs)
    items = accuracy(rows, interval="bootstrap").row(0, named=True)
    words = accuracy(rows, interval="bootstrap", clusters="filler:verb").row(0, named=True)
    assert items["accuracy"] == words["accuracy"] == pytest.approx(0.7)
    # The spread of a mean of ten words is the square root of twenty times that of 200 items.
    assert (words["high"] - words["low"]) / (items["high"] - items["low"]) == pytest.approx(math.sqrt(20), rel=0.15)


def test_an_item_without_the_word_is_its_own_cluster() -> None:
    rows = outcomes([1, 0, 1], fillers=[{"verb": "is"}, {}, {}])
    assert accuracy(rows, interval="bootstrap", clusters="filler:verb")["note"].to_list() == [""]


@pytest.mark.parametrize("interval", ["wilson", "items"])
def test_intervals_over_items_know_no_clusters(interval: Any) -> None:
    with pytest.raises(InputError, match="cannot use clusters"):
        accuracy(outcomes([1]), interval=interval, clusters="filler:verb")


def test_items_are_independent_on_request() -> None:
    verbs = [{"verb": f"v{number // 10}"} for number in range(100)]
    rows = outcomes([float(number // 10 < 7) for number in range(100)], fillers=verbs)
    found = {name: accuracy(rows, interval=name).row(0, named=True) for name in ("words", "items", "wilson")}
    assert found["words"]["method"] == "agresti-coull, shared words"
    assert found["words"]["effective_n"] < 10
    for name, expected in (("items", agresti_coull(70, 100)), ("wilson", wilson(70, 100))):
        assert (found[name]["low"], found[name]["high"]) == pytest.approx((expected.low, expected.high))
        assert (found[name]["effective_n"], found[name]["method"]) == (100, expected.method)
    # Ten verbs of which seven are right are no evidence against chance, a hundred items of which 70 are would be.
    assert found["words"]["p_chance"] > 0.3
    assert found["items"]["p_chance"] < 0.001


def test_all_items_unknown_is_one_row_without_numbers() -> None:
    (row,) = accuracy(outcomes([1, 0], known=False), [], leave_out_unknown=True).to_dicts()
    assert (row["n"], row["accuracy"], row["low"], row["coverage"]) == (0, None, None, 0.0)
    assert row["note"] == "no item left: all have unknown words"


def test_macro_and_micro_means_by_hand() -> None:
    rows = polars.concat([outcomes([1, 1, 1, 1, 1, 1, 1, 1], suite="large"), outcomes([0, 1], suite="small")])
    macro, micro = macro_mean(accuracy(rows)).row(0, named=True), micro_mean(rows).row(0, named=True)
    assert (macro["mean"], macro["rows"], macro["n"], macro["accuracy"]) == ("macro", 2, 10, 0.75)
    assert (micro["mean"], micro["rows"], micro["n"], micro["accuracy"]) == ("micro", 2, 10, 0.9)
    expected = agresti_coull(9, 10)
    assert (micro["low"], micro["high"]) == (pytest.approx(expected.low), pytest.approx(expected.high))
    drawn = macro_mean(accuracy(rows), interval="bootstrap").row(0, named=True)
    assert (drawn["low"], drawn["high"]) == (0.5, 1.0)  # two rows: 1/2, 3/4 or 1


def test_the_micro_mean_is_the_accuracy_of_a_model() -> None:
    verbs = [{"verb": f"v{number // 10}"} for number in range(60)]
    rows = outcomes([float(number // 10 < 4) for number in range(60)], fillers=verbs, suite=["s", "t"] * 30)
    columns = ["n", "accuracy", "low", "high"]
    assert micro_mean(rows).select(columns).equals(accuracy(rows, by="model").select(columns))


def test_a_suite_without_a_valid_item_is_missing_from_macro_means() -> None:
    rows = polars.concat([outcomes([1, 0]), outcomes([None, None], suite="t"), outcomes([1, 1], suite="u")])
    (macro,) = macro_mean(accuracy(rows)).to_dicts()
    assert (macro["rows"], macro["accuracy"], macro["note"]) == (2, 0.75, "1 of 3 left out: no valid item")
    assert macro_mean(score_table(rows))["accuracy"].to_list() == [0.75]
    assert score_table(rows)["accuracy"].to_list() == [0.5, None, 1.0]
    (nothing,) = macro_mean(accuracy(outcomes([None]))).to_dicts()
    assert (nothing["rows"], nothing["accuracy"], nothing["low"]) == (0, None, None)
    assert nothing["note"] == "no finite value; 1 of 1 left out: no valid item"


def test_means_over_one_row_and_over_everything() -> None:
    rows = outcomes([1, 0])
    (macro,) = macro_mean(accuracy(rows), []).to_dicts()
    assert (macro["accuracy"], macro["low"], macro["high"]) == (0.5, None, None)
    assert macro["note"] == "no interval: one suite"
    assert micro_mean(rows, []).select("n", "accuracy").rows() == [(2, 0.5)]


def test_scores_know_their_suite_and_model() -> None:
    rows = polars.concat([outcomes([1, 0]), outcomes([1, 1], prediction="q")])
    table = score_table(rows)
    assert table.select("suite", "prediction", "accuracy", "n", "phenomenon", "architecture", "words").rows() == [
        ("s", "p", 0.5, 2, "agreement", "LSTM", 1000), ("s", "q", 1.0, 2, "agreement", "LSTM", 1000),
    ]  # fmt: skip
    assert score_table(rows, first_only=True)["prediction"].to_list() == ["p"]
    assert first_predictions(rows).equals(rows.head(2))


def test_factors_are_unpacked_in_place() -> None:
    rows = outcomes([1, 0, 1], levels=[{"a": "2"}, {"a": "1"}, {}])
    assert with_factors(rows, ["level:a"])["level:a"].to_list() == ["2", "1", None]


def test_intervals_of_many_groups_are_those_of_each() -> None:
    rng = np.random.default_rng(0)
    rows = polars.concat([outcomes(list(rng.integers(2, size=n).astype(float)), suite=f"s{n}") for n in (5, 17, 40)])
    for row in accuracy(rows).to_dicts():
        single = agresti_coull(row["correct"], row["n"])
        assert (row["low"], row["high"]) == (pytest.approx(single.low), pytest.approx(single.high))


def two_suites() -> polars.DataFrame:
    """Two suites of one phenomenon, the second with two predictions and without the factor, and one of another."""
    number = [{"number": "sing"}, {"number": "plur"}]
    return polars.concat(
        [
            outcomes([1, 0], suite="s", levels=number),
            outcomes([1, 1], suite="other", phenomenon="islands"),
            outcomes([1, 1, 0], suite="t"),
            outcomes([0, 0, 0.5], suite="t", prediction="q", chance=0.25),
        ]
    )


def test_by_suite_is_the_default() -> None:
    table = accuracy(two_suites())
    assert table.equals(accuracy(two_suites(), by="suite"))
    assert table.select("suite", "prediction", "n").rows() == [
        ("s", "p", 2), ("other", "p", 2), ("t", "p", 3), ("t", "q", 3),
    ]  # fmt: skip


def test_by_phenomenon_pools_suites_and_keeps_predictions_apart() -> None:
    table = accuracy(two_suites(), by="phenomenon")
    assert table.columns[:3] == ["model", "phenomenon", "prediction"]
    assert table.select("phenomenon", "prediction", "n", "accuracy", "chance").rows() == [
        ("agreement", "p", 5, 0.6, 0.5), ("agreement", "q", 3, 0.5 / 3, 0.25), ("islands", "p", 2, 1.0, 0.5),
    ]  # fmt: skip


def test_by_model_takes_the_first_prediction_of_every_suite() -> None:
    assert accuracy(two_suites(), by="model").select("model", "n", "accuracy").rows() == [("m", 7, 5 / 7)]


@pytest.mark.parametrize("factor", ["number", "level:number"])
def test_by_a_factor_breaks_every_suite_down(factor: str) -> None:
    table = accuracy(two_suites(), by=factor)
    assert table.select("suite", "prediction", factor, "n").rows() == [
        ("s", "p", "sing", 1), ("s", "p", "plur", 1), ("other", "p", None, 2), ("t", "p", None, 3), ("t", "q", None, 3),
    ]  # fmt: skip
    assert accuracy(two_suites(), [factor])["n"].to_list() == [1, 1]  # a list leaves out items without the factor


def test_several_factors_are_crossed() -> None:
    levels = [{"number": number, "attractor": other} for number in ("sing", "plur") for other in ("same", "other")]
    table = outcomes([1, 0, 1, 1], levels=levels)
    crossed = accuracy(table, by="number,attractor")
    assert crossed.columns[:5] == ["model", "suite", "prediction", "number", "attractor"]
    assert crossed["accuracy"].to_list() == [1, 0, 1, 1]
    names = [row["suite"] for row in summary_rows(crossed)]
    assert names[:2] == ["s [number=sing, attractor=same]", "s [number=sing, attractor=other]"]
    pooled = accuracy(table, by="phenomenon, number")
    assert pooled.select("phenomenon", "number", "accuracy").rows() == [
        ("agreement", "sing", 0.5), ("agreement", "plur", 1.0),
    ]  # fmt: skip
    assert [row["suite"] for row in summary_rows(accuracy(table, by="model,number"))] == [
        "(all) [number=sing]", "(all) [number=plur]",
    ]  # fmt: skip


def test_rows_of_the_manifest() -> None:
    names = [row["suite"] for row in summary_rows(accuracy(two_suites(), by="number"))]
    assert names == ["s [number=sing]", "s [number=plur]", "other", "t", "t"]
    assert [row["circuit"] for row in summary_rows(accuracy(two_suites(), by="circuit"))] == ["Agreement", "Agreement"]
    (none,) = summary_rows(accuracy(outcomes([1], phenomenon=""), by="phenomenon"))
    assert none == {
        "model": "m", "phenomenon": "(none)", "prediction": "p", "n": 1, "correct": 1, "ties": 0, "invalid": 0,
        "accuracy": 1.0, "strict_accuracy": 1.0, "chance": 0.5, "high": 1.0, "coverage": 1.0,
        "low": agresti_coull(1, 1).low,
    }  # fmt: skip


def test_an_exact_chance_stays_exact() -> None:
    assert accuracy(outcomes([1, 0] * 500, chance=5 / 24))["chance"].to_list() == [5 / 24]


@pytest.mark.parametrize("name", ["note", "status", "credit", "accuracy", "n"])
def test_a_factor_may_be_named_like_a_result(name: str) -> None:
    table = accuracy(outcomes([1, 1, 0, 0], levels=[{name: level} for level in ("x", "x", "x", "y")]), name)
    assert [row["suite"] for row in summary_rows(table)] == [f"s [{name}=x]", f"s [{name}=y]"]
    assert table["accuracy"].to_list() == [pytest.approx(2 / 3), 0.0]


def test_a_factor_named_like_a_property_of_outcomes_is_noted() -> None:
    rows = outcomes([1, 0], levels=[{"model": "a"}, {"model": "b"}])
    with pytest.warns(InputWarning, match="--by level:model"):
        assert len(accuracy(rows, "model")) == 1
    assert accuracy(rows, "level:model")["accuracy"].to_list() == [1.0, 0.0]


def test_results_are_no_groups() -> None:
    with pytest.raises(InputError, match="cannot be grouped by 'margin'; these items have no factors; group by model,"):
        accuracy(outcomes([1, 0]), "margin")


@pytest.mark.parametrize("by", ["phenomenon,model", "model,phenomenon"])
def test_models_by_phenomenon(by: str) -> None:
    rows = outcomes([1, 0, 1, 1], phenomenon=["a", "a", "b", "b"], suite=["s", "s", "t", "t"])
    assert accuracy(rows, by).select("model", "phenomenon", "accuracy").rows() == [("m", "a", 0.5), ("m", "b", 1.0)]
