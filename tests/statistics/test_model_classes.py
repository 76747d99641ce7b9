"""Means by model class, and regressions without some architectures."""

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.exclusions import regress_without
from gardenpath.statistics.model_classes import class_means, with_model_class
from gardenpath.statistics.regression import architecture_and_size, circuit_interactions
from small_published import controlled

ROWS = [
    ("a", "LSTM", 10, {"s": 0.2, "t": 0.6}),
    ("b", "LSTM", 20, {"s": 0.4, "t": 0.8}),
    ("c", "5-gram", 10, {"s": 0.0, "t": 0.1}),
    ("d", "3-gram", 10, {"s": 0.2, "t": 0.1}),
    ("e", None, None, {"s": 0.9, "t": 1.0, "only here": 0.0}),
]


def scores() -> polars.DataFrame:
    rows = [
        (model, suite, score, 10, architecture, words, "Agreement" if suite == "s" else "Licensing")
        for model, architecture, words, by_suite in ROWS
        for suite, score in by_suite.items()
    ]
    return polars.DataFrame(
        rows, schema=["model", "suite", "accuracy", "n", "architecture", "words", "circuit"], orient="row"
    )


def test_classes() -> None:
    classes = dict(with_model_class(scores()).select("model", "model_class").unique().iter_rows())
    assert classes == {"a": "LSTM", "b": "LSTM", "c": "n-gram", "d": "n-gram", "e": "e*"}


def test_means_over_models_then_suites() -> None:
    means = {row["model_class"]: row for row in class_means(scores()).iter_rows(named=True)}
    # LSTM: (0.3 + 0.7) / 2 over the two suites that all models share.
    assert means["LSTM"]["accuracy"] == pytest.approx(0.5)
    assert means["n-gram"]["accuracy"] == pytest.approx(0.1)
    assert means["e*"]["accuracy"] == pytest.approx(0.95)
    assert [(row["models"], row["suites"]) for row in means.values()] == [(2, 2), (2, 2), (1, 2)]
    by_circuit = class_means(scores(), ["circuit"]).filter(polars.col("model_class") == "LSTM")
    assert by_circuit.select("circuit", "accuracy").rows() == [("Agreement", pytest.approx(0.3)),
                                                               ("Licensing", pytest.approx(0.7))]  # fmt: skip


def test_no_shared_suite() -> None:
    with pytest.raises(InputError, match="no suite was run with all models"):
        class_means(scores().filter((polars.col("model") == "e") == (polars.col("suite") == "only here")))


def test_regressions_without_architectures_name_what_is_missing() -> None:
    with pytest.raises(InputError, match="cannot be estimated from 4 models"):
        regress_without(scores(), {"4.2": architecture_and_size})
    without_ngrams = controlled().filter(polars.col("architecture") != "n-gram")
    fewer = without_ngrams.filter(polars.col("suite").str.contains("number|cleft"))
    table = regress_without(fewer, {"4.2": architecture_and_size})
    assert table["left_out"].unique(maintain_order=True).to_list() == ["nothing", "n-grams", "GPT-2",
                                                                       "n-grams and GPT-2"]  # fmt: skip
    notes = dict(table.select("left_out", "note").unique(maintain_order=True).iter_rows())
    assert notes["n-grams"] == "no model of the architecture n-gram to leave out"
    assert notes["GPT-2"] == ""


@pytest.mark.slow
def test_footnote_7_of_hu_et_al() -> None:
    """Whatever is left out, both factors matter, and architecture more (Hu et al. 2020, footnote 7)."""
    regressions = {"4.2": architecture_and_size, "4.3": circuit_interactions}
    table = regress_without(controlled(), regressions).filter(polars.col("term") != "(none)")
    assert table.height == 2 * 4 * 2
    for _, rows in table.group_by("regression", "left_out"):
        size, architecture = rows.sort(polars.col("term").str.starts_with("architecture"))["delta_aic"]
        assert architecture > size > 0
