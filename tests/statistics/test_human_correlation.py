"""Correlations of margins with people: suites, all items, within suites, and intervals."""

import numpy as np
import polars
import pytest

from gardenpath.statistics.human_correlation import ALL, WITHIN, human_correlation


def tables(
    margins: dict[str, list[float]], values: dict[str, list[float]]
) -> tuple[polars.DataFrame, polars.DataFrame]:
    """Outcomes of a model and numbers of people, by suite."""
    keys = ["suite", "prediction", "item"]
    both = []
    for name, own in (("margin", margins), ("value", values)):
        rows = [(suite, "p", str(n), value) for suite, numbers in own.items() for n, value in enumerate(numbers)]
        both.append(polars.DataFrame(rows, schema=[*keys, name], orient="row"))
    return both[0].with_columns(polars.lit("m").alias("model")), both[1]


def test_correlation_by_suite_over_all_and_within_suites() -> None:
    outcomes, people = tables(
        {"a": [1, 2, 3, 4.0], "b": [11, 12, 13, 14.0]}, {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.9, 0.8, 0.7, 0.6]}
    )
    found = {
        row["suite"]: row for row in human_correlation(outcomes, people, ceilings={"a": 0.9}).iter_rows(named=True)
    }
    assert found["a"]["pearson"] == pytest.approx(1)
    assert found["b"]["pearson"] == pytest.approx(-1)
    assert found[WITHIN]["pearson"] == pytest.approx(0, abs=1e-9)
    assert found[ALL]["pearson"] > 0.8
    assert (found["a"]["ceiling"], found["b"]["ceiling"]) == (0.9, None)
    assert (found["a"]["n"], found["a"]["low"]) == (4, None)
    assert found["a"]["note"] == "no interval: fewer than 10 items"


def test_items_without_a_margin_or_people_do_not_count() -> None:
    outcomes, people = tables({"a": [1, 2, 3, float("nan"), 7]}, {"a": [1, 2, 3, 4]})
    assert human_correlation(outcomes, people)["n"].to_list() == [3]


def test_interval_is_over_items_and_seeded() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    outcomes, people = tables({"a": x.tolist()}, {"a": (x + rng.normal(size=200)).tolist()})
    one, same = (human_correlation(outcomes, people, seed=1).row(0, named=True) for _ in range(2))
    assert one == same
    # Fisher's interval of r = .7 over 200 items.
    low, high = np.tanh(np.arctanh(one["pearson"]) + np.array([-1.96, 1.96]) / np.sqrt(197))
    assert (one["low"], one["high"]) == pytest.approx((low, high), abs=0.03)


def test_numbers_that_do_not_vary_have_no_correlation() -> None:
    outcomes, people = tables({"a": [1, 2, 3]}, {"a": [1.0, 1, 1]})
    row = human_correlation(outcomes, people).row(0, named=True)
    assert (row["pearson"], row["note"]) == (None, "the same value everywhere")
