"""The grid of architecture and training size, by hand."""

from typing import Any

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.score_grid import join_sizes, score_grid

SCHEMA = {
    "model": polars.String, "architecture": polars.String, "words": polars.Int64, "suite": polars.String,
    "circuit": polars.String, "accuracy": polars.Float64, "n": polars.Int64, "invalid": polars.Int64,
    "chance": polars.Float64, "coverage": polars.Float64,
}  # fmt: skip


def rows_of(model: str, architecture: str | None, words: int | None, **accuracies: float) -> list[dict[str, Any]]:
    """A row for each suite; those whose names begin alike are of one circuit."""
    return [
        {
            "model": model, "architecture": architecture, "words": words, "suite": suite, "circuit": suite[0].upper(),
            "accuracy": accuracy, "n": 10, "invalid": 0, "chance": 0.5 if suite[0] == "a" else 0.25, "coverage": 0.9,
        }
        for suite, accuracy in accuracies.items()
    ]  # fmt: skip


def table_of(*rows: list[dict[str, Any]]) -> polars.DataFrame:
    return polars.DataFrame([row for found in rows for row in found], schema=SCHEMA)


SEEDS = table_of(
    rows_of("one", "LSTM", 1000, a1=0.5, a2=0.7, b1=0.3),
    rows_of("two", "LSTM", 1010, a1=0.7, a2=0.9, b1=0.5),
    rows_of("three", "RNNG", 2000, a1=1.0, a2=1.0, b1=0.4),
)


def test_seeds_are_averaged_and_sizes_that_hardly_differ_are_one() -> None:
    grid = score_grid(SEEDS)
    assert grid.select("group", "architecture", "words", "models", "suites").rows() == [
        ("all", "LSTM", 1010, 2, 3),
        ("all", "RNNG", 2000, 1, 3),
        ("A", "LSTM", 1010, 2, 2),
        ("A", "RNNG", 2000, 1, 2),
        ("B", "LSTM", 1010, 2, 1),
        ("B", "RNNG", 2000, 1, 1),
    ]
    # The means of the two LSTMs are 0.5 and 0.7: 0.6 ± 0.1 · √2.
    assert grid["score"].to_list() == pytest.approx([0.6, 0.8, 0.7, 1.0, 0.4, 0.4])
    assert grid["sd"][0] == pytest.approx(0.1 * 2**0.5)
    assert (grid["least"][0], grid["most"][0]) == pytest.approx((0.5, 0.7))
    assert grid["sd"][1] is None  # one model has no spread
    assert grid["chance"].to_list() == pytest.approx([5 / 12, 5 / 12, 0.5, 0.5, 0.25, 0.25])
    assert grid["coverage"].to_list() == pytest.approx([0.9] * 6)


def test_scores_are_over_the_suites_that_all_trained_models_share() -> None:
    """People and models from elsewhere, which were run on fewer suites, change nothing of the others."""
    more = table_of(
        rows_of("elsewhere", "Llama", None, a1=0.9, c1=0.0), rows_of("people", None, None, b1=0.95),
        rows_of("one", "LSTM", 1000, c1=0.0),
    )  # fmt: skip
    grid = score_grid(polars.concat([SEEDS, more]), apart=["people"])
    overall = grid.filter(polars.col("group") == "all")
    assert overall["architecture"].to_list() == ["LSTM", "RNNG", "elsewhere", "people"]
    assert overall["score"].to_list() == pytest.approx([0.6, 0.8, 0.9, 0.95])
    assert overall["suites"].to_list() == [3, 3, 1, 1]
    assert overall["words"].to_list() == [1010, 2000, None, None]


def test_the_last_result_of_a_model_on_a_suite_counts() -> None:
    again = polars.concat([SEEDS, table_of(rows_of("three", "RNNG", 2000, a1=0.4))])
    assert score_grid(again)["score"][1] == pytest.approx((0.4 + 1.0 + 0.4) / 3)


def test_a_suite_without_a_valid_item_is_left_out_of_the_mean() -> None:
    invalid = polars.when((polars.col("model") == "three") & (polars.col("suite") == "b1")).then(10).otherwise(0)
    grid = score_grid(SEEDS.with_columns(invalid.cast(polars.Int64).alias("invalid")))
    assert grid["score"].to_list()[:2] == pytest.approx([0.6, 1.0])
    assert grid["score"][-1] is None


def test_models_that_share_no_suite_have_no_grid() -> None:
    with pytest.raises(InputError, match="no suite was run with all models"):
        score_grid(table_of(rows_of("one", "LSTM", 1000, a1=0.5), rows_of("two", "LSTM", 2000, a2=0.5)))


def test_sizes_within_five_per_cent_are_one() -> None:
    assert join_sizes([1000, 1049, 1050, 99]) == {99: 99, 1000: 1049, 1049: 1049, 1050: 1050}
