"""Surface predictors: sentences whose length, probability and perplexity one can count."""

import json
import math
from typing import Any

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.proportions import agresti_coull
from gardenpath.statistics.surface_predictors import (
    PREDICTORS,
    accuracy_by_predictor,
    measure_sentences,
    perplexity_and_score,
)

WHOLE = "(*;%good%) < (*;%bad%)"


def tokens(sentences: dict[str, list[tuple[str, int, int, float]]], *, model: str = "m") -> polars.LazyFrame:
    """Tokens (text, start, end, bits) of the good sentence of some items, and a bad one of 0 bits."""
    rows = [
        {"model": model, "suite": "s", "item": item, "condition": condition, "token": index, "text": text,
         "start": start, "end": end, "bits": bits if condition == "good" else 0.0}
        for item, found in sentences.items()
        for condition in ("good", "bad")
        for index, (text, start, end, bits) in enumerate(found)
    ]  # fmt: skip
    return polars.LazyFrame(rows)


def outcomes(credits: dict[str, float], *, formula: str = WHOLE, status: str = "correct") -> polars.DataFrame:
    return polars.DataFrame(
        [
            {"model": "m", "suite": "s", "prediction": "full-sentence", "item": item, "formula": formula,
             "credit": credit, "status": status}
            for item, credit in credits.items()
        ]
    )  # fmt: skip


def sentence(words: int, bits: float) -> list[tuple[str, int, int, float]]:
    return [("ab", 3 * index, 3 * index + 2, bits) for index in range(words)]


def good(table: polars.LazyFrame) -> tuple[float, ...]:
    sentences = measure_sentences(table).collect().filter(polars.col("condition") == "good")
    return sentences.select("length", "log_probability", "perplexity").row(0)


def test_tokens_without_a_blank_between_are_one_word() -> None:
    # "walked home." as walk, ed, home, period: two words of 1 + 1 + 4 + 2 bits.
    table = tokens({"1": [("walk", 0, 4, 1.0), ("ed", 4, 6, 1.0), ("home", 7, 11, 4.0), (".", 11, 12, 2.0)]})
    assert good(table) == (2, -8.0, pytest.approx(2**4))


def test_a_first_token_without_bits_is_left_out() -> None:
    assert good(tokens({"1": [("he", 0, 2, math.nan), ("ran", 3, 6, 3.0)]})) == (2, -3.0, pytest.approx(2**3))


def test_bins_by_hand() -> None:
    table = tokens({"1": sentence(2, 1.0), "2": sentence(3, 1.0), "3": sentence(6, 1.0), "4": sentence(8, 1.0)})
    found = accuracy_by_predictor(outcomes({"1": 1.0, "2": 1.0, "3": 0.0, "4": 0.5}), table, ["length"], bins=2)
    assert found.select("bin", "from", "to", "mean", "n", "accuracy").rows() == [
        (0, 2.0, 4.5, 2.5, 2, 1.0),
        (1, 4.5, 8.0, 7.0, 2, 0.25),
    ]
    assert found["high"][0] == 1.0
    assert found["low"][0] == pytest.approx(agresti_coull(2, 2).low)


def test_pairs_that_a_run_left_out_do_not_count() -> None:
    table = tokens({"1": sentence(2, 1.0), "2": sentence(3, 1.0)})
    rows = outcomes({"1": 1.0, "2": 0.0}).with_columns(left_out=polars.col("item") == "2")
    assert accuracy_by_predictor(rows, table, ["length"], bins=1).select("n", "accuracy").rows() == [(1, 1.0)]


def test_bins_do_not_depend_on_the_last_digits_of_sums() -> None:
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ by rounding, which would make an edge between the two.
    bits = {"1": [0.1, 0.2, 0.3], "2": [0.3, 0.2, 0.1], "3": [0.2, 0.5], "4": [0.4, 0.4]}
    for items in (bits, {item: own[::-1] for item, own in bits.items()}):
        words = {item: [("ab", 3 * at, 3 * at + 2, one) for at, one in enumerate(own)] for item, own in items.items()}
        credits = outcomes(dict.fromkeys(items, 1.0))
        found = accuracy_by_predictor(credits, tokens(words), ["log_probability"], bins=3)
        assert found.select("bin", "n", "to").rows() == [(0, 1, -0.7), (1, 3, -0.6)]


def test_items_of_a_bin_that_share_words_count_as_fewer() -> None:
    sentences = {str(number): sentence(2, 1.0) for number in range(60)}
    alone = outcomes({item: float(int(item) < 40) for item in sentences})
    words = [json.dumps({"verb": f"v{number // 10}"}) for number in range(60)]
    found, shared = (
        accuracy_by_predictor(rows, tokens(sentences), ["length"], bins=1).row(0, named=True)
        for rows in (alone, alone.with_columns(polars.Series("fillers", words)))
    )
    assert found["accuracy"] == shared["accuracy"]
    assert shared["high"] - shared["low"] > 1.5 * (found["high"] - found["low"])


def test_the_mean_of_perplexities_is_geometric() -> None:
    table = tokens({"1": sentence(2, 1.0), "2": sentence(2, 5.0)})  # perplexities of 2 and 32
    found = accuracy_by_predictor(outcomes({"1": 1.0, "2": 1.0}), table, ["perplexity"], bins=1)
    assert found["mean"].to_list() == pytest.approx([8.0])


def test_models_stay_in_their_order() -> None:
    sentences = {"1": sentence(2, 1.0), "2": sentence(3, 1.0)}
    both = polars.concat([tokens(sentences, model="z"), tokens(sentences, model="a")])
    results = outcomes({"1": 1.0, "2": 1.0})
    twice = polars.concat([results.with_columns(model=polars.lit(name)) for name in ("z", "a")])
    found = accuracy_by_predictor(twice, both, ["length"], bins=2).select("model", "bin").rows()
    assert found == [("z", 0), ("z", 1), ("a", 0), ("a", 1)]


def test_equal_values_make_one_bin() -> None:
    table = tokens({"1": sentence(3, 1.0), "2": sentence(3, 2.0)})
    found = accuracy_by_predictor(outcomes({"1": 1.0, "2": 0.0}), table, ["length"], bins=5)
    assert found.select("bin", "from", "to", "n", "accuracy").rows() == [(0, 3.0, 3.0, 2, 0.5)]


def test_every_feature_at_once() -> None:
    results, table = outcomes({"1": 1.0, "2": 0.0}), tokens({"1": sentence(2, 1.0), "2": sentence(3, 2.0)})
    apart = [accuracy_by_predictor(results, table, [name], bins=2) for name in PREDICTORS]
    assert accuracy_by_predictor(results, table, bins=2).rows() == polars.concat(apart).rows()


def test_missing_bits_leave_a_length_but_no_probability() -> None:
    table = tokens({"1": [("he", 0, 2, 1.0), ("ran", 3, 6, math.nan)], "2": sentence(2, 1.0)})
    results = outcomes({"1": 1.0, "2": 0.0})
    assert accuracy_by_predictor(results, table, ["log_probability"], bins=1).select("n", "mean").rows() == [(1, -2.0)]
    assert accuracy_by_predictor(results, table, ["length"], bins=1)["n"].to_list() == [2]


@pytest.mark.parametrize(
    ("results", "predictor", "bins", "message"),
    [
        (outcomes({"1": 1.0}, formula="(verb;%good%) < (verb;%bad%)"), "length", 3, "no prediction compares two whole"),
        (outcomes({"1": 0.0}, status="invalid"), "length", 3, "no prediction compares two whole sentences"),
        (outcomes({"9": 1.0}), "length", 3, "no good sentence has a length"),
        (outcomes({"1": 1.0}), "colour", 3, "'colour' is not a surface predictor"),
        (outcomes({"1": 1.0}), "length", 0, "0 bins are too few"),
    ],
)
def test_invalid_tables_are_refused(results: polars.DataFrame, predictor: Any, bins: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        accuracy_by_predictor(results, tokens({"1": sentence(2, 1.0)}), [predictor], bins=bins)


def test_perplexity_beside_the_mean_over_suites() -> None:
    rows = [("a", "s", 0.9, 50.0), ("a", "t", 0.5, 50.0), ("b", "s", 0.4, 20.0), ("c", "s", 1.0, None)]
    table = polars.DataFrame(rows, schema=["model", "suite", "accuracy", "perplexity"], orient="row")
    found = perplexity_and_score(table)
    assert found.select("model", "perplexity", "n").rows() == [("b", 20.0, 1), ("a", 50.0, 2)]
    assert found["score"].to_list() == pytest.approx([0.4, 0.7])
    assert found["note"].to_list() == ["no interval: one suite", ""]
    with pytest.raises(InputError, match="'perplexity' is not known for any model"):
        perplexity_and_score(table.filter(polars.col("model") == "c"))
