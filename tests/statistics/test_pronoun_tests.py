"""Tests between pronouns, paired by item."""

import polars
import pytest
from scipy.stats import ttest_rel

from gardenpath.errors import InputError
from gardenpath.statistics.compare import holm
from gardenpath.statistics.pronoun_tests import compare_pronouns

BITS = {
    "themselves": [0.1, 0.3, 0.2, 0.4],
    "herself": [1.0, 1.4, 0.9, 1.6],
    "himself": [0.5, 0.2, 0.3, 0.6],
}


def differentials(bits: dict[str, list[float]], *, contrast: str = "distractor") -> polars.DataFrame:
    rows = [
        ("m", "2b", pronoun, contrast, str(item), value)
        for pronoun, values in bits.items()
        for item, value in enumerate(values)
    ]
    return polars.DataFrame(rows, schema=["model", "experiment", "pronoun", "contrast", "item", "bits"], orient="row")


def test_paired_t_tests_with_holm() -> None:
    table = compare_pronouns(differentials(BITS))
    pairs = [("himself", "herself"), ("himself", "themselves"), ("herself", "themselves")]
    assert table.select("pronoun_a", "pronoun_b").rows() == pairs
    expected = [ttest_rel(BITS[a], BITS[b]) for a, b in pairs]
    assert table["t"].to_list() == pytest.approx([test.statistic for test in expected])
    assert table["p_value"].to_list() == pytest.approx([test.pvalue for test in expected])
    assert table["p_holm"].to_list() == pytest.approx(holm([test.pvalue for test in expected]))
    interval = expected[0].confidence_interval()
    assert table.select("low", "high").row(0) == pytest.approx((interval.low, interval.high))
    assert table["difference"][0] == pytest.approx((0.5 + 0.2 + 0.3 + 0.6 - 1.0 - 1.4 - 0.9 - 1.6) / 4)


def test_shared_words_count_for_less() -> None:
    # Both items of a verb behave alike: ten items are worth about the five verbs they have.
    bits = {"himself": [0.0] * 10, "herself": [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0]}
    alone = differentials(bits)
    verbs = polars.Series("fillers", [f'{{"verb": "v{item // 2}"}}' for item in range(10)] * 2)
    shared = compare_pronouns(alone.with_columns(verbs)).row(0, named=True)
    apart = compare_pronouns(alone).row(0, named=True)
    assert (apart["effective_n"], shared["n"]) == (10, 10)
    assert 3 < shared["effective_n"] < 6
    assert shared["p_value"] > apart["p_value"]
    assert shared["difference"] == apart["difference"] == -3.0


def test_pairs_are_the_items_that_both_have() -> None:
    assert compare_pronouns(differentials({"himself": [0.0, 5.0, 9.0], "herself": [1.0, 7.0]}))["n"].to_list() == [2]


def test_without_spread_there_is_no_test() -> None:
    same = compare_pronouns(differentials({"himself": [0.5, 0.5], "herself": [0.5 + 1e-7, 0.5]}))
    assert same.select("difference", "p_value", "p_holm", "note").row(0) == (
        0.0, None, None, "no test: all values equal",
    )  # fmt: skip
    tenths = compare_pronouns(differentials({"himself": [0.3, 0.4, 0.8], "herself": [0.2, 0.3, 0.7]}))
    assert tenths.select("t", "low", "p_value").row(0) == (None, None, None)
    single = compare_pronouns(differentials({"himself": [0.5], "herself": [0.7]}))
    assert single["note"].to_list() == ["no test: one item"]


def test_one_pronoun_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="no experiment was run with two pronouns"):
        compare_pronouns(differentials({"himself": [0.5, 0.6]}))
