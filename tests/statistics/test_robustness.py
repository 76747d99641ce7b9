"""Pairs of suites, of methods and of pronouns, small enough to count."""

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.means import mean_over_suites
from gardenpath.statistics.robustness import method_comparison, modifier_means, modifier_pairs, pronoun_asymmetry
from small_published import controlled

MANIFEST = {
    "suites": [
        {"name": "sg/cleft", "metadata": {}},
        {"name": "sg/cleft_modifier", "metadata": {"modifier_of": "cleft"}},
        {"name": "mine", "metadata": {}},
        {"name": "mine_long", "metadata": {"modifier_of": "mine"}},
        {"name": "sg/alone", "metadata": {"modifier_of": "absent"}},
    ]
}


def scores() -> polars.DataFrame:
    rows = [
        ("m", "sg/cleft", "published", 0.9), ("m", "sg/cleft", "separate", 0.5),
        ("m", "sg/cleft_modifier", "published", 0.6), ("m", "sg/cleft_modifier", "separate", 0.4),
        ("m", "mine", "published", 1.0), ("m", "mine_long", "published", 1.0), ("m", "sg/alone", "published", 0.1),
        ("k", "sg/cleft", "published", 0.3),
    ]  # fmt: skip
    return polars.DataFrame(rows, schema=["model", "suite", "prediction", "accuracy"], orient="row")


def test_pairs_with_and_without_a_modifier() -> None:
    pairs = modifier_pairs(scores(), [MANIFEST])
    assert pairs.select("model", "suite", "modified", "prediction", "without", "with").rows() == [
        ("m", "sg/cleft", "sg/cleft_modifier", "published", 0.9, 0.6),
        ("m", "sg/cleft", "sg/cleft_modifier", "separate", 0.5, 0.4),
        ("m", "mine", "mine_long", "published", 1.0, 1.0),
    ]
    assert pairs["difference"].to_list() == pytest.approx([-0.3, -0.1, 0.0])


def test_means_take_the_first_prediction_of_every_suite() -> None:
    means = modifier_means(modifier_pairs(scores(), [MANIFEST]))
    found = {row["modifier"]: row for row in means.iter_rows(named=True)}
    assert (found["without"]["accuracy"], found["with"]["accuracy"]) == pytest.approx((0.95, 0.8))
    suites = polars.DataFrame({"model": "m", "accuracy": [0.6, 1.0]})
    (expected,) = mean_over_suites(suites, "accuracy", ["model"]).to_dicts()
    assert (found["with"]["low"], found["with"]["high"], found["with"]["n"]) == (expected["low"], expected["high"], 2)


def test_means_of_an_architecture_vary_over_its_models() -> None:
    rows = [(f"m{model}", "LSTM", f"s{suite}", (5 + model) / 10, 0.4) for model in range(3) for suite in range(9)]
    pairs = polars.DataFrame(rows, schema=["model", "architecture", "modified", "without", "with"], orient="row")
    one = modifier_means(pairs.filter(polars.col("model") == "m1"), "architecture").row(0, named=True)
    three = modifier_means(pairs, "architecture").row(0, named=True)
    assert one["accuracy"] == pytest.approx(three["accuracy"]) == pytest.approx(0.6)
    # Nine suites of three models each are no 27 independent scores.
    assert three["high"] - three["low"] > 2 * (one["high"] - one["low"])
    assert one["note"] == "one model: interval over suites only"


def test_modifiers_lower_published_scores_as_in_the_paper() -> None:
    # Hu et al. 2020, section 4.4: RNNG is more stable than ON-LSTM.
    names = ("center_embed", "cleft", "mvrr", "npz_ambig", "npz_obj")
    made = {"cleft": "cleft_modifier"}
    folder = "syntactic-generalization"
    manifest = {
        "suites": [{"name": f"{folder}/{name}", "metadata": {}} for name in names]
        + [{"name": f"{folder}/{made.get(name, name + '_mod')}", "metadata": {"modifier_of": name}} for name in names]
    }
    pairs = modifier_pairs(controlled(), [manifest])
    assert len(pairs) == 41 * 5
    lost = dict(pairs.group_by("architecture").agg(polars.col("difference").mean()).iter_rows())
    assert lost["ON-LSTM"] < lost["RNNG"] < 0


def test_a_missing_pair_is_reported() -> None:
    with pytest.raises(InputError, match="both with and without a modifier"):
        modifier_pairs(scores(), [{"suites": [{"name": "sg/cleft", "metadata": {}}]}])


def outcomes() -> polars.DataFrame:
    credits = {
        ("anaphors", "full-sentence"): (1.0, 0.0), ("anaphors", "one-prefix"): (1.0, 1.0),
        ("verbs", "full-sentence"): (1.0, 1.0), ("verbs", "one-prefix"): (0.5, 0.0),
        ("nouns", "full-sentence"): (0.0, 0.0), ("nouns", "two-prefix"): (1.0, 0.0),
        ("islands", "full-sentence"): (0.0, 0.0),
    }  # fmt: skip
    return polars.DataFrame(
        [
            {"model": "m", "suite": suite, "phenomenon": "agreement" if suite != "islands" else "islands",
             "prediction": prediction, "item": str(item), "credit": credit, "status": "valid"}
            for (suite, prediction), found in credits.items()
            for item, credit in enumerate(found)
        ]
    )  # fmt: skip


def test_methods_on_the_same_suites() -> None:
    table = method_comparison(outcomes())
    assert table["phenomenon"].to_list() == ["agreement", "agreement", "all", "all"]
    found = {row["method"]: row for row in table.filter(polars.col("phenomenon") == "all").iter_rows(named=True)}
    one, two = found["one-prefix"], found["two-prefix"]
    assert (one["full"], one["prefix"], one["difference"], one["n"]) == (0.75, 0.625, -0.125, 2)
    assert one["full_sd"] == pytest.approx(0.25 * 2**0.5)  # 0.5 and 1
    assert (two["full"], two["prefix"], two["full_sd"], two["n"]) == (0.0, 0.5, None, 1)


def test_suites_without_a_valid_item_are_no_zeros() -> None:
    rows = outcomes()
    first = rows.filter(polars.col("prediction") == "one-prefix")["suite"][0]
    status = polars.when(polars.col("suite") == first).then(polars.lit("invalid")).otherwise("status").alias("status")
    table = method_comparison(rows.with_columns(status))
    assert table.filter(polars.col("phenomenon") == "all", polars.col("method") == "one-prefix")["n"].to_list() == [1]


def test_a_missing_prefix_method_is_reported() -> None:
    with pytest.raises(InputError, match="no suite has both the prediction 'full-sentence'"):
        method_comparison(outcomes().filter(polars.col("prediction") == "full-sentence"))


def tokens(bits: dict[tuple[str, str], float]) -> polars.LazyFrame:
    rows = [
        {"model": "m", "suite": "exp-herself", "item": item, "condition": condition, "token": index, "text": text,
         "region": region, "bits": token_bits}
        for (item, condition), total in bits.items()
        for index, (text, region, token_bits) in enumerate(
            [("saw", "verb", 7.0), ("her", "pronoun", total - 1), ("self", "pronoun", 1.0), (".", "", 9.0)]
        )
    ]  # fmt: skip
    return polars.LazyFrame(rows)


def test_differentials_at_the_pronoun() -> None:
    bits = {
        ("1", "baseline_a"): 4.0, ("1", "baseline_b"): 6.0, ("1", "distractor_a"): 6.0, ("1", "distractor_b"): 6.0,
        ("1", "ungrammatical_a"): 9.0, ("1", "ungrammatical_b"): 11.0,
        ("2", "baseline_a"): 2.0, ("2", "baseline_b"): 2.0, ("2", "distractor_a"): 5.0, ("2", "distractor_b"): 5.0,
        ("2", "ungrammatical_a"): 7.0, ("2", "ungrammatical_b"): 7.0,
    }  # fmt: skip
    table = pronoun_asymmetry(tokens(bits))
    assert table.select("model", "experiment", "pronoun", "contrast", "bits", "n", "note").rows() == [
        ("m", "exp", "herself", "distractor", 2.0, 2, ""),  # 6 - 5 and 5 - 2
        ("m", "exp", "herself", "ungrammatical", 5.0, 2, "no interval: all values equal"),
    ]
    # Student's t with one degree of freedom is 12.706; the standard error of 1 and 3 is 1.
    assert table["low"].to_list() == [pytest.approx(2 - 12.7062), None]
    published = pronoun_asymmetry(tokens(bits), interval="bootstrap")
    assert published.select("low", "high").rows() == [(1.0, 3.0), (None, None)]


def test_missing_reflexives_are_reported() -> None:
    with pytest.raises(InputError, match="conditions named baseline, distractor and ungrammatical"):
        pronoun_asymmetry(tokens({("1", "good"): 3.0}))


def test_items_that_a_run_left_out_count_in_no_table() -> None:
    rows = outcomes().with_columns(left_out=polars.col("credit") == 0)
    assert set(method_comparison(rows).filter(method="one-prefix")["prefix"]) == {0.75}  # 1 and 0.5
    bits = {
        (str(item), f"{kind}_a"): 3.0 + item * more
        for item in range(4)
        for kind, more in (("baseline", 0), ("distractor", 1), ("ungrammatical", 2))
    }
    items = [("m", "exp-herself", str(item), '{"verb": "v"}', item == 3) for item in range(4)]
    about = polars.DataFrame(items, schema=["model", "suite", "item", "fillers", "left_out"], orient="row")
    assert pronoun_asymmetry(tokens(bits), about)["n"].to_list() == [3, 3]
    assert pronoun_asymmetry(tokens(bits))["n"].to_list() == [4, 4]


def test_items_with_shared_words_widen_the_interval_at_the_pronoun() -> None:
    bits = {(str(item), f"{kind}_a"): 3.0 + more * (item // 4) for item in range(24)
            for kind, more in (("baseline", 0), ("distractor", 1), ("ungrammatical", 2))}  # fmt: skip
    items = [("m", "exp-herself", str(item), f'{{"verb": "v{item // 4}"}}') for item in range(24)]
    about = polars.DataFrame(items, schema=["model", "suite", "item", "fillers"], orient="row")
    apart, shared = pronoun_asymmetry(tokens(bits)), pronoun_asymmetry(tokens(bits), about)
    assert apart["bits"].to_list() == shared["bits"].to_list()
    assert ((shared["high"] - shared["low"]) > 1.5 * (apart["high"] - apart["low"])).all()
