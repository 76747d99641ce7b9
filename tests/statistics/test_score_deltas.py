"""Scores relative to the mean of all models: by hand, and with models and suites that vary."""

from typing import Any

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.score_deltas import score_deltas


def scores(rows: list[tuple[str, str, float, str | None, int | None]]) -> polars.DataFrame:
    schema = {
        "model": polars.String, "suite": polars.String, "accuracy": polars.Float64, "architecture": polars.String,
        "words": polars.Int64,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row").with_columns(
        polars.lit("p").alias("prediction"), polars.lit("Agreement").alias("circuit")
    )


def overall(deltas: polars.DataFrame, factor: str = "architecture") -> dict[str, Any]:
    rows = deltas.filter(polars.col("circuit") == "all", polars.col("factor") == factor)
    return {row["level"]: row for row in rows.iter_rows(named=True)}


TWO = [
    (model, suite, score, kind, 100)
    for model, kind, own in (("a", "lstm", (0.9, 0.6)), ("b", "gpt", (0.5, 0.6)))
    for suite, score in zip("st", own, strict=True)
]
"""Two models on two suites."""


def test_deltas_by_hand() -> None:
    deltas = score_deltas(scores(TWO))
    found = overall(deltas)
    assert found["lstm"]["delta"] == pytest.approx(0.1)  # 0.2 above the mean of s, on that of t
    assert found["gpt"]["delta"] == pytest.approx(-0.1)
    assert overall(deltas, "words")["100"]["delta"] == pytest.approx(0.0)
    # Two suites, 0.2 and 0: a standard error of 0.1, Student's t of one degree of freedom is 12.7, cut at 1.
    assert (found["lstm"]["low"], found["lstm"]["high"]) == (-1.0, 1.0)
    assert found["lstm"]["note"] == "one model per level: the interval leaves out how models vary"
    assert deltas.filter(polars.col("circuit") == "Agreement").height == 3


def test_the_published_bootstrap_takes_scores_as_independent() -> None:
    found = overall(score_deltas(scores(TWO), interval="scores"))
    # Two values, 0.2 and 0: a resampled mean is 0, 0.1 or 0.2.
    assert (found["lstm"]["low"], found["lstm"]["high"]) == pytest.approx((0.0, 0.2))
    assert (found["lstm"]["n"], found["lstm"]["models"], found["lstm"]["suites"]) == (2, 1, 2)


def test_many_suites_do_not_make_up_for_models_that_differ() -> None:
    means = {"lstm": (0.4, 0.5, 0.6), "gpt": (0.7, 0.8, 0.75)}
    rows = [
        (f"{kind}{number}", f"s{suite}", mean + 0.001 * (-1) ** (suite + number), kind, None)
        for kind, own in means.items()
        for number, mean in enumerate(own)
        for suite in range(30)
    ]
    found, published = (overall(score_deltas(scores(rows), interval=name)) for name in ("models and suites", "scores"))
    # The delta of one of two classes is half of their difference: half of Welch's interval, of 2 to 4 degrees.
    error = sum(np.var(own, ddof=1) / 3 for own in means.values()) ** 0.5
    width = found["gpt"]["high"] - found["gpt"]["low"]
    assert 2.776 < width / error < 4.303
    assert published["gpt"]["high"] - published["gpt"]["low"] < width / 4


def test_a_level_of_one_model_varies_as_the_others_do() -> None:
    rows = [("c", "s", 0.7, "rnng", None), ("c", "t", 0.71, "rnng", None)]
    for number, score in enumerate((0.4, 0.6, 0.5)):
        rows += [(f"a{number}", "s", score, "lstm", None), (f"a{number}", "t", score + 0.01, "lstm", None)]
    found = overall(score_deltas(scores(rows)))
    assert (found["rnng"]["models"], found["rnng"]["note"]) == (1, "")
    assert found["rnng"]["high"] - found["rnng"]["low"] > 0.2


def test_equal_scores_have_no_interval() -> None:
    rows = [(f"{kind}{number}", suite, 0.5, kind, None) for kind in "ab" for number in range(2) for suite in "st"]
    assert set(score_deltas(scores(rows))["note"]) == {"no interval: all values equal"}
    assert score_deltas(scores(rows)).select("low", "high").null_count().row(0) == (4, 4)


def test_models_of_unknown_class_count_in_the_mean_only() -> None:
    deltas = score_deltas(scores([("a", "s", 0.9, "lstm", None), ("b", "s", 0.5, None, None)]))
    assert deltas.filter(polars.col("circuit") == "all").select("factor", "level", "n").rows() == [
        ("architecture", "lstm", 1)
    ]
    assert deltas["delta"].to_list() == pytest.approx([0.2, 0.2])
    assert deltas["note"].to_list() == ["no interval: one score"] * 2


def test_deltas_are_on_suites_that_all_models_have() -> None:
    rows = [("a", "s", 0.9, "lstm", 100), ("b", "s", 0.5, "gpt", 100), ("a", "t", 0.1, "lstm", 100)]
    deltas = score_deltas(scores(rows)).filter(polars.col("circuit") == "all", polars.col("factor") == "architecture")
    expected = [("gpt", pytest.approx(-0.2), 1), ("lstm", pytest.approx(0.2), 1)]
    assert deltas.select("level", "delta", "n").rows() == expected
    with pytest.raises(InputError, match="no suite was run with all models"):
        score_deltas(scores(rows[1:]))


def test_one_model_has_no_delta() -> None:
    with pytest.raises(InputError, match=r"at least 2 different values of 'model', and the table has 1 \(a\)"):
        score_deltas(scores([("a", "s", 0.9, "lstm", 100)]))
