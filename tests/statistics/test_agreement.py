"""Agreement of models: hand-computed, and as scipy has it."""

import numpy as np
import polars
import pytest
from scipy.stats import pearsonr, spearmanr

from gardenpath.errors import InputError
from gardenpath.statistics.agreement import item_agreement, model_agreement
from small_outcomes import outcomes


def scores(**models: list[float]) -> polars.DataFrame:
    rows = [(name, f"u{index}", value) for name, values in models.items() for index, value in enumerate(values)]
    return polars.DataFrame(rows, schema=["model", "unit", "accuracy"], orient="row")


def between(table: polars.DataFrame, a: str, b: str) -> dict[str, object]:
    return table.filter((polars.col("model_a") == a) & (polars.col("model_b") == b)).row(0, named=True)


def test_pearson_by_hand() -> None:
    table = model_agreement(scores(a=[0.1, 0.2, 0.3], b=[0.1, 0.3, 0.2]))
    assert between(table, "a", "b")["r"] == pytest.approx(0.5)
    assert between(table, "b", "a")["r"] == pytest.approx(0.5)
    assert between(table, "a", "a")["r"] == pytest.approx(1.0)
    assert len(table) == 4


def test_both_methods_as_scipy() -> None:
    rng = np.random.default_rng(2)
    a, b = np.round(rng.random(40), 1), np.round(rng.random(40), 1)  # many equal ranks
    table = scores(a=list(a), b=list(b))
    assert between(model_agreement(table), "a", "b")["r"] == pytest.approx(pearsonr(a, b).statistic)
    assert between(model_agreement(table, "spearman"), "a", "b")["r"] == pytest.approx(spearmanr(a, b).statistic)


def test_accuracies_that_differ_by_rounding_share_a_rank() -> None:
    table = scores(a=[0.1 + 0.2, 0.3, 0.9], b=[0.1, 0.1, 0.2])
    assert between(model_agreement(table, "spearman"), "a", "b")["r"] == pytest.approx(1.0)


def test_only_shared_units_count() -> None:
    row = between(model_agreement(scores(a=[0.1, 0.2, 0.3, 0.9], b=[0.1, 0.3, 0.2])), "a", "b")
    assert (row["n"], row["r"]) == (3, pytest.approx(0.5))


def test_no_correlation_has_a_reason() -> None:
    table = model_agreement(scores(a=[0.1, 0.2, 0.3], b=[0.5, 0.5, 0.5], c=[0.1, 0.2]))
    assert (between(table, "a", "b")["r"], between(table, "a", "b")["note"]) == (None, "the same accuracy everywhere")
    assert between(table, "a", "c")["note"] == "fewer than 3 units in common"
    assert len(model_agreement(scores(a=[0.1, 0.2, 0.3]))) == 1


def test_units_must_be_unique() -> None:
    twice = polars.concat([scores(a=[0.1]), scores(a=[0.2])])
    with pytest.raises(InputError, match="'a' has several values of 'accuracy' for the unit 'u0'"):
        model_agreement(twice)


def test_kappa_by_hand() -> None:
    # Both right on 20, only a on 5, only b on 10, neither on 15: alike 35/50, by chance 1/2, kappa 0.4.
    a = [1.0] * 25 + [0.0] * 25
    b = [1.0] * 20 + [0.0] * 5 + [1.0] * 10 + [0.0] * 15
    table = item_agreement(polars.concat([outcomes(a, model="a"), outcomes(b, model="b")]))
    row = between(table, "a", "b")
    assert (row["n"], row["alike"], row["kappa"]) == (50, pytest.approx(0.7), pytest.approx(0.4))
    assert between(table, "b", "b")["kappa"] == pytest.approx(1.0)


def test_ties_are_not_right_and_invalid_items_are_left_out() -> None:
    table = item_agreement(polars.concat([outcomes([0.5, 1, None, 0], model="a"), outcomes([0, 1, 1, 1], model="b")]))
    assert (between(table, "a", "b")["n"], between(table, "a", "b")["alike"]) == (3, pytest.approx(2 / 3))


def test_items_that_a_run_left_out_do_not_count() -> None:
    rows = polars.concat([outcomes([1, 0], model="a"), outcomes([1, 1], model="b")])
    table = item_agreement(rows.with_columns(left_out=polars.col("item") == "1"))
    assert (between(table, "a", "b")["n"], between(table, "a", "b")["alike"]) == (1, 1.0)


def test_equal_accuracies_that_differ_by_rounding_have_no_correlation() -> None:
    table = model_agreement(scores(a=[0.3, 0.1 + 0.2, 0.3], b=[0.1, 0.5, 0.7]))
    assert between(table, "a", "b")["r"] is None


def test_no_kappa_has_a_reason() -> None:
    rows = [outcomes([1, 1], model="a"), outcomes([1, 1], model="b"), outcomes([1], model="c", suite="t")]
    table = item_agreement(polars.concat(rows))
    alike = between(table, "a", "b")
    assert (alike["alike"], alike["kappa"]) == (1.0, None)
    assert "kappa is undefined" in str(alike["note"])
    assert between(table, "a", "c")["note"] == "no item in common"
