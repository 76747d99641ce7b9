"""Published scores give the published means, and stand beside our own."""

import csv
import math
from pathlib import Path

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.published import NOT_AVERAGED, against_published, published_means
from gardenpath.statistics.scores import SCORE_COLUMNS
from gardenpath.suites.published import PublishedAccuracy, TieRule, published_accuracies, published_for_suites
from small_outcomes import outcomes
from small_published import controlled, published

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "sg_published_scores.csv"


def means(collection: str) -> dict[str, float]:
    return dict(published_means(published(collection)).select("model", "accuracy").iter_rows())


def test_blimp_overall() -> None:
    found = means("blimp")
    printed = {"humans": 88.6, "5-gram": 61.2, "LSTM": 69.8, "Transformer-XL": 69.6, "GPT-2": 83.0}
    assert {model: round(100 * found[model], 1) for model in printed} == printed
    assert round(100 * found["humans (majority of 5 pairs)"], 1) == 96.4
    assert published_means(published("blimp"))["n"].unique().to_list() == [67]


def test_generalization_over_31_suites() -> None:
    found = means("syntactic-generalization")
    printed = {
        "gpt-2-xl-pretrained": 0.842, "gpt-2-pretrained": 0.784, "transformer-xl": 0.596, "jrnn": 0.563, "grnn": 0.551,
    }  # fmt: skip
    assert {model: round(found[model], 3) for model in printed} == printed
    assert published_means(published("syntactic-generalization"))["n"].unique().to_list() == [31]


def test_classes_of_the_controlled_comparison_are_ordered_as_published() -> None:
    # Hu et al. 2020, Figure 1: the n-gram lowest, then LSTM, ON-LSTM, RNNG and GPT-2.
    table = controlled()
    order = table.group_by("architecture").agg(polars.col("accuracy").mean()).sort("accuracy")["architecture"]
    assert order.to_list() == ["n-gram", "LSTM", "ON-LSTM", "RNNG", "GPT-2"]
    assert (table["model"].n_unique(), table["suite"].n_unique(), table["circuit"].n_unique()) == (41, 31, 6)
    assert not set(NOT_AVERAGED) & set(table["suite"])


def test_model_facts_come_from_the_names() -> None:
    table = published("syntactic-generalization")
    assert tuple(table.columns) == (*SCORE_COLUMNS, "source")
    facts = table.unique("model", keep="first").select("model", "architecture", "corpus", "words", "seed", "perplexity")
    found = {row[0]: row[1:] for row in facts.iter_rows()}
    assert found["vanilla (bllip-xs, seed 0922)"] == ("LSTM", "bllip-xs", 1_000_000, 922, 98.19)
    assert found["gpt-2 (bllip-md-gptbpe, seed 1581861474)"] == ("GPT-2", "bllip-md", 14_000_000, 1581861474, 37.04)
    assert found["ngram (bllip-lg)"] == ("n-gram", "bllip-lg", 42_000_000, None, 106.09)
    assert found["1gram (bllip-lg)"] == ("1gram", "bllip-lg", 42_000_000, None, None)
    assert found["grnn"] == (None, None, None, None, None)


def test_topics_come_from_the_suites() -> None:
    table = published("blimp").unique("suite", keep="first")
    found = dict(table.select("suite", "phenomenon").iter_rows())
    assert found["blimp/wh_island"] == "Island effects"
    assert "" not in found.values()


def test_pooled_figures_are_no_scores_of_suites() -> None:
    assert set(published("blimp")["source"]) == {
        "Warstadt et al. 2020, corrected results (models_summary.jsonl)",
        "Warstadt et al. 2020, human validation (human_validation_summary.csv)",
    }


def test_a_collection_without_figures_is_refused() -> None:
    with pytest.raises(InputError, match="no figures of single suites were published"):
        published("reflexives")


@pytest.mark.skipif(not FACTS.exists(), reason="the released scores of Hu et al. 2020 are not here")
def test_the_scores_are_those_released() -> None:
    with FACTS.open(encoding="utf-8", newline="") as file:
        released = [
            (f"syntactic-generalization/{row['suite']}", int(row["n_items"]), row["accuracy"])
            for row in csv.DictReader(file)
        ]
    ours = published("syntactic-generalization").select("suite", "n", "accuracy").rows()
    assert sorted((suite, n, f"{accuracy:.6f}") for suite, n, accuracy in ours) == sorted(released)


def figure(
    accuracy: float, *suites: str, key: str = "", model: str = "humans", ties: TieRule = "credit"
) -> PublishedAccuracy:
    return PublishedAccuracy(suites, key, "p", "Somebody 2020", model, accuracy, ties)


def test_beside_published_figures() -> None:
    rows = outcomes([1, 1, 1, 0.5, 0], levels=[{"key": "x"}] * 2 + [{"key": "y"}] * 3)
    table = against_published(rows, [figure(0.9, "s"), figure(0.4, "s", model="5-gram"), figure(0.5, "s", key="x")])
    assert table.select("reference", "key", "n", "accuracy", "published", "within").rows() == [
        ("humans", "", 5, 0.7, 0.9, True), ("5-gram", "", 5, 0.7, 0.4, True), ("humans", "x", 2, 1.0, 0.5, True),
    ]  # fmt: skip
    assert table["difference"].to_list() == pytest.approx([-0.2, 0.3, 0.5])
    strict = against_published(rows, [figure(0.9, "s")], ties="wrong")
    assert strict["accuracy"].to_list() == pytest.approx([0.6])


def test_ties_count_as_in_the_figure_beside_them() -> None:
    rows = outcomes([1, 1, 1, 0.5, 0])
    figures = [figure(0.9, "s"), figure(0.6, "s", model="LSTM", ties="wrong")]
    table = against_published(rows, figures)
    found = table.select("reference", "tie_rule", "n", "accuracy").rows()
    assert found == [("humans", "credit", 5, 0.7), ("LSTM", "wrong", 5, 0.6)]
    assert table["difference"].to_list() == pytest.approx([-0.2, 0.0])
    assert against_published(rows, figures, ties="credit")["accuracy"].to_list() == [0.7, 0.7]


def test_every_published_figure_knows_its_rule_for_ties() -> None:
    rules: dict[str, set[tuple[str, str]]] = {}
    for collection in ("blimp", "marvin-linzen", "reflexives", "reflexives/released", "syntactic-generalization"):
        for one in published_accuracies(collection):
            people = one.model.startswith("humans")
            rules.setdefault(collection, set()).add(("people" if people else one.prediction, one.ties))
    paired = {("people", "credit"), ("full-sentence", "wrong")}
    assert rules["blimp"] == paired
    assert rules["marvin-linzen"] >= paired
    assert rules["syntactic-generalization"] == {("published", "wrong")}
    # Hu, Chen & Levy 2020 break three-way ties at random and count ties of two as wrong.
    assert rules["reflexives/released"] == {("total", "credit"), ("vs-baseline", "wrong"), ("vs-distractor", "wrong")}


def test_pooled_figures_need_all_their_suites() -> None:
    rows = [outcomes([1, 1], model="a"), outcomes([0, 0], model="a", suite="t"), outcomes([1], model="b")]
    table = against_published(polars.concat(rows), [figure(0.5, "s", "t"), figure(0.5, "u")])
    assert table.select("model", "suite", "n", "accuracy", "difference").rows() == [("a", "s t", 4, 0.5, 0.0)]


def test_files_of_syntaxgym_have_no_name_for_the_published_prediction() -> None:
    name, figures = "number_src", published_for_suites(["number_src"])
    single = outcomes([1, 0], suite=name, prediction="prediction_0")
    assert set(against_published(single, figures).select("prediction", "n", "accuracy").rows()) == {
        ("published", 2, 0.5)
    }
    several = polars.concat([outcomes([0, 0], suite=name, prediction="all predictions"), single])
    assert set(against_published(several, figures)["accuracy"]) == {0.0}
    own = polars.concat([outcomes([1, 1], suite=name, prediction="published"), single])
    assert set(against_published(own, figures)["accuracy"]) == {1.0}
    assert against_published(outcomes([1], suite=name, prediction="verb"), figures).height == 0


def test_nothing_published_is_an_empty_table() -> None:
    table = against_published(outcomes([1]), [])
    assert (table.columns[0], len(table)) == ("model", 0)
    assert published_for_suites(["s"]) == []


def test_published_figures_of_a_built_in_suite() -> None:
    rows = outcomes([1] * 9 + [0], suite="blimp/adjunct_island", prediction="full-sentence")
    table = against_published(rows, published_for_suites(["blimp/adjunct_island"]))
    humans = table.filter(polars.col("reference") == "humans").row(0, named=True)
    assert (humans["published"], humans["accuracy"]) == (0.94, 0.9)
    assert math.isclose(humans["difference"], -0.04, abs_tol=1e-12)
    assert {"GPT-2", "LSTM", "5-gram", "Transformer-XL"} <= set(table["reference"])
