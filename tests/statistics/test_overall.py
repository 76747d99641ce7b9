"""Overall accuracy, computed by hand."""

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.overall import means_over_suites, overall_accuracy, overall_rows, shared_predictions
from small_outcomes import outcomes


def table(model: str = "m") -> polars.DataFrame:
    """Two suites with a prediction each, of which the second has another one too, and a third with that one."""
    return polars.concat(
        [
            outcomes([1, 1, 1, 0], model=model, suite="s", prediction="published"),
            outcomes([0, 0], model=model, suite="t", prediction="published"),
            outcomes([1, 1], model=model, suite="t", prediction="printed"),
            outcomes([1, 0], model=model, suite="u", prediction="printed"),
        ]
    )


def test_every_suite_or_every_item_has_the_same_weight() -> None:
    found = overall_accuracy(table())
    assert found.select("prediction", "mean", "rows", "n").rows() == [
        ("", "macro", 3, 8), ("", "micro", 3, 8),
        ("published", "macro", 2, 6), ("published", "micro", 2, 6),
        ("printed", "macro", 2, 4), ("printed", "micro", 2, 4),
    ]  # fmt: skip
    expected = [(0.75 + 0 + 0.5) / 3, 4 / 8, 0.75 / 2, 3 / 6, (1 + 0.5) / 2, 3 / 4]
    assert found["accuracy"].to_list() == pytest.approx(expected)


def test_means_over_the_suites_of_a_circuit() -> None:
    first, second = table(), outcomes([1, 0, 0, 0], suite="v", prediction="published", circuit="Licensing")
    found = means_over_suites(polars.concat([first, second]), "circuit")
    assert found.select("circuit", "prediction", "rows", "n", "accuracy").rows() == [
        ("Agreement", "published", 2, 6, (0.75 + 0) / 2), ("Agreement", "printed", 2, 4, (1 + 0.5) / 2),
        ("Licensing", "published", 1, 4, 0.25),
    ]  # fmt: skip
    assert found["low"].is_null().to_list() == [False, False, True]
    with pytest.raises(InputError, match="not by 'suite'"):
        means_over_suites(first, "suite")


def test_one_suite_has_no_means() -> None:
    assert overall_accuracy(outcomes([1, 0])).height == 0


def test_models_stay_in_order() -> None:
    found = overall_accuracy(polars.concat([table("z"), table("a")]))
    assert found["model"].to_list() == ["z"] * 6 + ["a"] * 6


def test_a_name_that_all_suites_share_needs_no_rows_of_its_own() -> None:
    both = polars.concat([outcomes([1], suite="s"), outcomes([0], suite="t")])
    assert shared_predictions(both) == []
    assert [row["suite"] for row in overall_rows(overall_accuracy(both))] == [
        "mean over 2 suites", "all items of 2 suites",
    ]  # fmt: skip


def test_a_prediction_that_is_the_first_of_every_suite_has_its_means_once() -> None:
    both = polars.concat(
        [
            outcomes([1, 1, 1, 0], suite="s", prediction="full-sentence"),
            outcomes([0, 0, 0, 0], suite="s", prediction="one-prefix"),
            outcomes([1, 0], suite="t", prediction="full-sentence"),
            outcomes([1, 1], suite="t", prediction="one-prefix"),
        ]
    )
    found = overall_accuracy(both)
    assert found.select("prediction", "mean", "accuracy").rows() == [
        ("full-sentence", "macro", 0.625), ("full-sentence", "micro", 4 / 6),
        ("one-prefix", "macro", 0.5), ("one-prefix", "micro", 2 / 6),
    ]  # fmt: skip
    alone = polars.concat([both.filter(polars.col("suite") == "s"), both.filter(polars.col("suite") == "t")[:2]])
    assert overall_accuracy(alone).select("prediction", "mean").rows() == [
        ("full-sentence", "macro"), ("full-sentence", "micro"),
    ]  # fmt: skip


def test_items_that_were_left_out_do_not_count() -> None:
    both = polars.concat([outcomes([1, 0], suite="s"), outcomes([1, 0], suite="t")])
    left_out = both.with_columns((polars.col("credit") == 0).alias("left_out"))
    assert overall_accuracy(left_out).select("n", "accuracy").rows() == [(2, 1.0), (2, 1.0)]
