"""Regressions of suite scores: the published ones, small ones by hand, and what cannot be judged."""

import math

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.ablations import BootstrapOptions, Regression
from gardenpath.statistics.mixed.linear import RandomEffect
from gardenpath.statistics.regression import (
    architecture_and_size,
    circuit_interactions,
    item_regression,
    random_effects,
    regression_rows,
)
from small_published import controlled


@pytest.fixture(scope="module")
def published() -> Regression:
    return architecture_and_size(controlled())


def aic(regression: Regression, term: str) -> float:
    return float(regression.ablations.filter(polars.col("term") == term)["aic"].item())


def test_architecture_matters_more_than_size(published: Regression) -> None:
    # Hu et al. 2020, section 4.2: AIC -581 without size and -574 without architecture, both p < 0.001.
    assert round(aic(published, "log10 words")) == -581
    assert round(aic(published, "architecture")) == -574
    assert (published.ablations["p_chi2"].drop_nulls() < 0.001).all()
    # With Satterthwaite's degrees of freedom, as lmerTest has them, size is a little less certain.
    tests = dict(published.ablations.select("term", "p").iter_rows())
    assert tests["log10 words"] == pytest.approx(0.00145, rel=0.01)
    assert tests["architecture"] == pytest.approx(0.000139, rel=0.01)
    assert published.ablations["df"].to_list() == [None, 1, 4]
    assert published.n == 41 * 31


def test_ablations_tell_the_difference(published: Regression) -> None:
    for row in published.ablations.iter_rows(named=True):
        assert row["delta_aic"] == pytest.approx(row["aic"] - aic(published, "(none)"))
        if row["chi2"] is not None:
            assert row["delta_aic"] == pytest.approx(row["chi2"] - 2 * row["df"])


def test_the_table_names_its_terms(published: Regression) -> None:
    assert published.table["term"].to_list() == [
        "(intercept)", "log10 words", *(f"architecture[{name}]" for name in ("LSTM", "ON-LSTM", "RNNG", "n-gram"))
    ]  # fmt: skip
    assert published.spreads["group"].unique().sort().to_list() == ["model", "suite"]
    assert "random intercepts and slopes of log10 words, architecture by suite" in published.method


def test_circuits_differ_more_by_architecture_than_by_size() -> None:
    # Hu et al. 2020, section 4.3: AIC -654 and -623 without the interactions with size and with architecture.
    regression = circuit_interactions(controlled())
    assert round(aic(regression, "log10 words:circuit")) == -654
    assert round(aic(regression, "architecture:circuit")) == -623
    assert regression.ablations["df"].to_list() == [None, 5, 20]


def scores(rows: list[tuple[str, str, float, str | None, int | None]]) -> polars.DataFrame:
    schema = {
        "model": polars.String, "suite": polars.String, "accuracy": polars.Float64, "architecture": polars.String,
        "words": polars.Int64,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row").with_columns(
        polars.lit("p").alias("prediction"), polars.lit("Agreement").alias("circuit")
    )


GRID = [
    (f"{kind}-{size}-{seed}", f"suite {suite}", kind, size, suite)
    for kind in ("gpt", "lstm")
    for size in (10**6, 10**7)
    for seed in (1, 2)
    for suite in range(6)
]


def grid() -> polars.DataFrame:
    """Scores that rise by 0.2 for every ten times as many words, and are 0.1 lower for one kind, but for noise."""
    noise = np.random.default_rng(0).normal(0, 0.01, size=len(GRID))
    return scores(
        [
            (model, suite, 0.2 * math.log10(size) - 0.1 * (kind == "lstm") + 0.05 * number - 1 + error, kind, size)
            for (model, suite, kind, size, number), error in zip(GRID, noise, strict=True)
        ]
    )


def test_effects_are_found() -> None:
    regression = architecture_and_size(grid())
    found = dict(regression.table.select("term", "estimate").iter_rows())
    assert found["log10 words"] == pytest.approx(0.2, abs=0.01)
    assert found["architecture[lstm]"] == pytest.approx(-0.1, abs=0.01)
    assert (regression.ablations["delta_aic"][1:] > 0).all()


def test_as_many_effects_as_models_are_refused() -> None:
    three = grid().filter(polars.col("model").str.ends_with("-1"), polars.col("model") != "gpt-1000000-1")
    with pytest.raises(InputError, match=r"3 effects .* cannot be estimated from 3 models"):
        architecture_and_size(three)


def test_random_effects_are_those_the_suites_can_tell_apart() -> None:
    # Three (co)varying effects have six variances and covariances: more than six suites are needed to estimate them.
    six, many = (
        grid(),
        polars.concat(
            [
                grid().with_columns(polars.col("suite") + f" {copy}", polars.col("accuracy") + 0.01 * copy)
                for copy in (1, 2)
            ]
        ),
    )
    correlated = random_effects(regression_rows(many))
    assert correlated == ((RandomEffect("suite", ("log10 words", "architecture")), RandomEffect("model")), [])
    independent, (note,) = random_effects(regression_rows(six))
    assert [effect.group for effect in independent] == ["suite", "suite", "suite and architecture", "model"]
    assert note.startswith("6 suites do not determine the 6 (co)variances of correlated slopes by suite")
    two = six.filter(polars.col("suite").is_in(["suite 0", "suite 1"]))
    intercepts, (note,) = random_effects(regression_rows(two))
    assert intercepts == (RandomEffect("suite"), RandomEffect("model"))
    assert "2 suites" in note
    assert "p is about these suites only" in note
    # Of four models twelve suites have three each: as many rows as intercepts and slopes.
    index = polars.int_range(polars.len())
    few = many.filter(polars.col("model").str.ends_with("-1")).filter(index % 12 % 4 != index // 12)
    (note,) = random_effects(regression_rows(few))[1]
    assert note.startswith("36 scores do not determine 3 correlated effects for each of 12 suites")


def test_few_models_and_simpler_effects_are_noted() -> None:
    regression = architecture_and_size(grid())
    few, simpler, *_ = regression.notes
    assert few.startswith("fewer than 5 models of gpt (4), lstm (4)")
    assert "are independent" in simpler
    many = polars.concat([grid(), grid().with_columns(polars.col("model") + "'", polars.col("accuracy") + 0.01)])
    assert not any("fewer than" in note for note in architecture_and_size(many).notes)


def test_singular_fits_are_noted_in_every_table() -> None:
    # No noise but that of single scores: suites do not differ in the effects.
    regression = architecture_and_size(grid())
    zero = regression.spreads.filter(polars.col("sd") == 0)
    assert len(zero)
    for group, term, note in zero.select("group", "term", "note").iter_rows():
        assert note == f"singular fit: the spread of {term} by {group} is 0"
        assert note in regression.notes


def test_parametric_bootstrap_on_request() -> None:
    steps: list[tuple[int, int]] = []
    options = BootstrapOptions(4, on_progress=lambda done, total: steps.append((done, total)))
    two = grid().filter(polars.col("suite").is_in(["suite 0", "suite 1"]))
    found = architecture_and_size(two, bootstrap=options).ablations[1:]
    assert steps == [(done, 8) for done in range(1, 9)]
    assert found["resamples"].to_list() == [4, 4]
    assert found["p_bootstrap"].to_list() == [0.2, 0.2]  # (1 + 0) / (1 + 4): no ratio without the effect is as large


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"architecture": "lstm"}, r"at least 2 different values of 'architecture', and the table has 1 \(lstm\)"),
        ({"words": 1000}, r"at least 2 different values of 'words', and the table has 1 \(1000\)"),
        ({"suite": "s"}, r"at least 2 different values of 'suite', and the table has 1 \(s\)"),
        ({"architecture": None}, "'architecture' is not known for any model"),
        ({"accuracy": None}, "no accuracies"),
        ({"accuracy": 0.5}, "'accuracy' is 0.5 in all 48 rows: with no variance"),
    ],
)
def test_tables_that_cannot_be_tested_are_refused(change: dict[str, object], message: str) -> None:
    table = grid().with_columns(polars.lit(value).alias(name) for name, value in change.items())
    with pytest.raises(InputError, match=message):
        architecture_and_size(table)


def test_one_circuit_has_no_interaction() -> None:
    with pytest.raises(InputError, match="at least 2 different values of 'circuit'"):
        circuit_interactions(grid())


def test_items_by_logistic_regression() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for model, suite, kind, size, _ in GRID:
        share = 1 / (1 + math.exp(-(1.0 if kind == "gpt" else -1.0)))
        rows += [
            {"model": model, "suite": suite, "prediction": "p", "item": str(item), "strict": bool(rng.random() < share),
             "architecture": kind, "words": size}
            for item in range(4)
        ]  # fmt: skip
    table = polars.DataFrame(rows).with_columns(left_out=polars.lit(value=False))
    unread = table.head(1).with_columns(item=polars.lit("unread"), left_out=polars.lit(value=True))
    regression = item_regression(polars.concat([table, unread]))
    assert regression.n == 8 * 6 * 4
    tests = dict(regression.ablations.select("term", "p").iter_rows())
    assert tests["architecture"] < 0.02 < tests["log10 words"]
    # Eight models less intercept, size and one architecture; chi2 / df against F.
    row = regression.ablations.row(2, named=True)
    assert (row["df_error"], row["f"]) == (5, row["chi2"])
    assert row["p_chi2"] < row["p"]
    singular = set(regression.spreads.filter(polars.col("sd") == 0)["group"])
    assert {note for note in regression.notes if "singular" in note} == {
        f"singular fit: the spread of (intercept) by {group} is 0" for group in singular
    }
    assert regression.spreads["group"].to_list() == ["item", "suite", "model"]


def test_models_as_good_on_every_suite_leave_nothing_to_test() -> None:
    """With the same score on all suites of a model, its random effect leaves no residual."""
    scores = {("LSTM", 60_000): 0.5, ("LSTM", 125_000): 0.75, ("RNNG", 60_000): 0.875, ("RNNG", 125_000): 1.0}
    rows = [
        {
            "model": f"{architecture}-{words}", "architecture": architecture, "words": words, "suite": suite,
            "circuit": circuit, "prediction": "first", "accuracy": score,
        }
        for (architecture, words), score in scores.items()
        for suite, circuit in (("a", "Agreement"), ("b", "Licensing"))
    ]  # fmt: skip
    for regress in (architecture_and_size, circuit_interactions):
        with pytest.raises(InputError, match="predict 'accuracy' exactly"):
            regress(polars.DataFrame(rows))
