"""Effects in bits against values by hand and SciPy's paired t-test."""

import math
from pathlib import Path

import numpy as np
import polars
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_rel

from gardenpath.errors import InputError
from gardenpath.runs.results import read_runs
from gardenpath.statistics.effects import effects
from gardenpath.statistics.within_items import within_item_means
from small_runs import SmallSuite, pairs, write_run

MARGINS = [1.0, 2.0, 4.0, -1.0]


def tables(folder: Path, *suites: SmallSuite) -> tuple[polars.DataFrame, polars.LazyFrame]:
    results = read_runs([write_run(folder, suites)])
    return results.outcomes(), results.scan_tokens()


def test_a_comparison_by_hand_and_as_scipy(tmp_path: Path) -> None:
    outcomes, _ = tables(tmp_path / "run", SmallSuite("s", pairs(MARGINS)))
    (row,) = effects(outcomes).to_dicts()
    assert row["comparison"] == "(verb;%good%) < (verb;%bad%)"
    assert (row["bits"], row["n"], row["note"]) == (1.5, 4, "")
    # Squared deviations 0.25, 0.25, 6.25, 6.25: variance 13/3.
    assert row["standard_error"] == pytest.approx(math.sqrt(13 / 3 / 4))
    paired = ttest_rel([4.0 + margin for margin in MARGINS], [4.0] * 4)
    interval = paired.confidence_interval()
    assert (row["low"], row["high"]) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert row["p_value"] == pytest.approx(paired.pvalue)


def test_every_comparison_has_a_row(tmp_path: Path) -> None:
    formula = "(verb;%good%) < (verb;%bad%) & (subject;%good%) < (verb;%bad%)"
    outcomes, _ = tables(tmp_path / "run", SmallSuite("s", pairs(MARGINS), predictions={"p": formula}))
    table = effects(outcomes)
    assert table.select("prediction", "bits").rows() == [("p", 1.5), ("p", 1.5 + 4.0 - 8.5)]
    assert table["comparison"].to_list() == formula.split(" & ")


def test_conditions_by_hand(tmp_path: Path) -> None:
    outcomes, tokens = tables(tmp_path / "run", SmallSuite("s", pairs(MARGINS)))
    table = effects(outcomes, tokens, by="condition")
    assert table.select("model", "suite", "region", "condition", "bits", "n").rows() == [
        ("small", "s", "verb", "good", 4.0, 4), ("small", "s", "verb", "bad", 5.5, 4),
    ]  # fmt: skip
    # With two conditions the interval is that of the paired difference over the square root of two.
    (difference,) = effects(outcomes).to_dicts()
    for row in table.to_dicts():
        assert row["high"] - row["bits"] == pytest.approx((difference["high"] - difference["bits"]) / math.sqrt(2))
        assert row["bits"] - row["low"] == pytest.approx(row["high"] - row["bits"])


def test_three_conditions_as_morey_has_it(tmp_path: Path) -> None:
    bits = np.array([[3.0, 5.0, 9.0], [1.0, 2.0, 6.0], [8.0, 9.0, 11.0], [4.0, 8.0, 7.0]])
    items = {
        str(item): {name: [("w", "verb", value)] for name, value in zip("abc", row, strict=True)}
        for item, row in enumerate(bits.tolist())
    }
    suite = SmallSuite("s", items, predictions={"p": "(1;%a%) < (1;%b%) & (*;%b%) < (*;%c%)"}, regions=["verb"])
    table = effects(*tables(tmp_path / "run", suite), by="condition")
    assert table["region"].to_list() == ["verb"] * 3 + ["*"] * 3
    within = bits - bits.mean(axis=1, keepdims=True) + bits.mean()
    errors = within.std(axis=0, ddof=1) * math.sqrt(3 / 2) / math.sqrt(4)
    for part in table.partition_by("region"):
        assert part["bits"].to_list() == pytest.approx(bits.mean(axis=0))
        assert part["standard_error"].to_list() == pytest.approx(errors)
        assert part["high"].to_list() == pytest.approx(bits.mean(axis=0) + student.ppf(0.975, 3) * errors)


def test_items_without_a_surprisal_are_left_out_of_all_conditions(tmp_path: Path) -> None:
    items = pairs(MARGINS)
    items["2"]["bad"] = [("the", "subject", 2.0), ("boy", "subject", 6.5), ("run", "verb", math.nan)]
    outcomes, tokens = tables(tmp_path / "run", SmallSuite("s", items))
    assert effects(outcomes).select("bits", "n", "note").rows() == [(4 / 3, 3, "1 of 4 items without a surprisal")]
    assert effects(outcomes, tokens, by="condition").select("bits", "n", "note").rows() == [
        (4.0, 3, "1 of 4 items without a surprisal"), (4.0 + 4 / 3, 3, "1 of 4 items without a surprisal"),
    ]  # fmt: skip


def test_one_item_has_no_interval_and_equal_margins_no_test(tmp_path: Path) -> None:
    outcomes, tokens = tables(tmp_path / "run", SmallSuite("one", pairs([2.0])), SmallSuite("same", pairs([1.0, 1.0])))
    one, same = effects(outcomes).to_dicts()
    assert (one["bits"], one["low"], one["p_value"], one["note"]) == (2.0, None, None, "no interval: one item")
    assert (same["bits"], same["low"], same["high"], same["p_value"]) == (1.0, None, None, None)
    assert same["note"] == "no interval: all values equal; no test"
    assert effects(outcomes, tokens, by="condition")["low"].to_list() == [None, None, None, None]


@pytest.mark.parametrize(
    ("bits", "reason"),
    [
        ([[5.0, 5.0], [5.0, 5.0]], "all values equal"),
        ([[5.0, 5.0], [7.0, 7.0]], "the same in all conditions of an item"),
        ([[5.0, 6.0], [7.0, 8.0]], "the same difference from the item's mean in all items"),
    ],
)
def test_notes_tell_equal_values_from_those_that_are_equal_within_items(bits: list[list[float]], reason: str) -> None:
    rows = [
        ("s", str(item), name, value) for item, own in enumerate(bits) for name, value in zip("ab", own, strict=True)
    ]
    table = within_item_means(
        polars.DataFrame(rows, schema=["suite", "item", "condition", "bits"], orient="row"), ["suite"]
    )
    assert table.select("low_adjusted", "note").rows() == [(None, f"no interval: {reason}")] * 2


def test_a_number_that_names_no_region_of_the_tokens_is_kept(tmp_path: Path) -> None:
    """The first region is empty in every sentence, so the second is the first that has tokens."""
    predictions, regions = {"p": "(3;%good%) < (3;%bad%)"}, ("empty", "subject", "verb")
    suite = SmallSuite("s", pairs(MARGINS), predictions=predictions, regions=regions)
    outcomes, tokens = tables(tmp_path / "run", suite)
    (row,) = effects(outcomes, tokens, by="condition").to_dicts()
    assert (row["region"], row["condition"], row["bits"], row["n"]) == ("3", None, None, 0)
    assert row["note"] == "no item with all its surprisals"


def test_items_that_a_run_left_out_do_not_count(tmp_path: Path) -> None:
    outcomes, tokens = tables(tmp_path / "run", SmallSuite("s", pairs(MARGINS)))
    without = outcomes.with_columns((polars.col("item") == "4").alias("left_out"))
    assert effects(without)["n"].to_list() == [3]
    assert effects(without, tokens, by="condition")["n"].to_list() == [3, 3]


def test_missing_tables_are_reported(tmp_path: Path) -> None:
    outcomes, _ = tables(tmp_path / "run", SmallSuite("s", pairs(MARGINS)))
    with pytest.raises(InputError, match="need outcomes with the column margins"):
        effects(outcomes.drop("margins"))
    with pytest.raises(InputError, match="need the tokens"):
        effects(outcomes, by="condition")


def test_items_that_share_words_are_worth_less() -> None:
    margins = [[float(item // 4)] for item in range(24)]
    words = [f'{{"verb": "v{item // 4}"}}' for item in range(24)]
    rows = polars.DataFrame({"item": [str(item) for item in range(24)], "margins": margins, "fillers": words})
    about = {"model": "m", "suite": "s", "prediction": "p", "formula": "(1;%a%) < (1;%b%)"}
    table = rows.with_columns(polars.lit(value).alias(name) for name, value in about.items())
    (shared,), (apart,) = effects(table).to_dicts(), effects(table.drop("fillers")).to_dicts()
    assert (shared["bits"], shared["n"], apart["effective_n"]) == (apart["bits"], 24, 24)
    assert shared["standard_error"] == pytest.approx(apart["standard_error"] * (24 / shared["effective_n"]) ** 0.5)
    assert shared["p_value"] > apart["p_value"]
