"""Times by region and condition, of answers, and ratings in standard deviations."""

import numpy as np
import polars
import pytest

from gardenpath.statistics.reading_times import answer_times, region_times, with_participant_scores


def words(times: dict[str, dict[str, list[float]]]) -> polars.DataFrame:
    """Times by participant and condition, all of one region."""
    rows = [(p, c, rt) for p, own in times.items() for c, values in own.items() for rt in values]
    table = polars.DataFrame(rows, schema=["participant", "condition", "rt"], orient="row")
    about = {"suite": "s", "region": "verb", "word": 3}
    return table.with_columns(polars.lit(value).alias(name) for name, value in about.items())


def test_regions_are_in_the_order_of_the_sentence() -> None:
    verb = words({"p1": {"b": [1.0], "a": [2.0]}})
    noun = verb.with_columns(polars.lit("noun").alias("region"), polars.lit(1).alias("word"))
    table = region_times(polars.concat([verb, noun]))
    assert table.select("region", "condition").rows() == [("noun", "a"), ("noun", "b"), ("verb", "a"), ("verb", "b")]


def test_slow_and_fast_people_do_not_widen_intervals_within_them() -> None:
    times = {
        "slow": {"a": [900.0], "b": [950.0]},
        "fast": {"a": [300.0], "b": [350.0]},
        "mid": {"a": [500.0], "b": [552.0]},
    }
    table = region_times(words(times))
    assert table["ms"].to_list() == pytest.approx([566.667, 617.333], abs=1e-3)
    assert (table["high"] - table["low"]).max() < 10
    assert table["log_ms"][0] == pytest.approx(np.log([900, 300, 500]).mean())
    assert table["participants"].to_list() == [3, 3]


def test_people_without_a_condition_are_left_out() -> None:
    times = {"p1": {"a": [400.0], "b": [420.0]}, "p2": {"a": [500.0], "b": [510.0]}, "p3": {"a": [9000.0]}}
    table = region_times(words(times))
    assert table.filter(polars.col("condition") == "a")["ms"][0] == 450
    assert "participants left out" in table["note"][0]


def test_means_are_over_words_then_people() -> None:
    table = region_times(words({"p1": {"a": [100.0, 200, 300]}, "p2": {"a": [400.0]}}))
    assert table["ms"][0] == 300
    assert table["words"][0] == 4


def test_quartiles_of_answers() -> None:
    table = answer_times(polars.DataFrame({"task": ["choice"] * 5, "rt": [1.0, 2, 3, 4, None]}), ["task"])
    assert table.row(0) == ("choice", 4, 1.75, 2.5, 3.25)


def test_scores_are_by_participant() -> None:
    table = polars.DataFrame({"participant": ["a"] * 3 + ["b"] * 3, "rating": [1.0, 2, 3, 5, 5, 5]})
    assert with_participant_scores(table)["z"].to_list() == [-1, 0, 1, None, None, None]
