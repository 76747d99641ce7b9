"""Which of two models is better, and by how much: item by item, and against what others published."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.bootstrap import RESAMPLES, bootstrap_mean, grouped_bootstrap
from gardenpath.statistics.estimate import Values
from gardenpath.statistics.grouping import (
    append_note,
    factors,
    first_predictions,
    grouped,
    with_factors,
)

if TYPE_CHECKING:
    import polars

    from gardenpath.suites.published import Figure

ITEM = ("suite", "prediction", "item")
"""What an outcome of one model shares with that of another."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between two models on the same items."""

    accuracy_a: float
    accuracy_b: float
    difference: float
    """The first accuracy minus the second."""
    low: float
    high: float
    p_value: float
    n: int
    a_only: float
    """Items that the first alone has right, with ties broken at random: the sum of credit_a (1 - credit_b)."""
    b_only: float
    method: str
    """The test, and how the interval came about."""


def mcnemar_exact(a_only: float, b_only: float) -> float:
    """Exact two-sided McNemar test of the items that one model alone has right; 1 where there are none.

    Fractional counts, as ties give them, are rounded towards no difference, so that ties never add evidence.
    """
    return mcnemar_tests(np.array([a_only]), np.array([b_only]))[0]


def mcnemar_tests(a_only: Values, b_only: Values) -> list[float]:
    """The same for many pairs of counts: the smaller one against Binomial(a_only + b_only, 1/2), both tails."""
    from scipy.special import bdtr

    # Sums of credits such as thirds are whole up to rounding.
    near = np.round([a_only, b_only], 9)
    fewer, more = np.ceil(near.min(axis=0)), np.floor(near.max(axis=0))
    both_tails = 2 * bdtr(fewer, (fewer + more).astype(np.int64), 0.5)
    return [float(value) for value in np.minimum(1.0, both_tails)]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: p(i) times the number of tests not yet rejected, never falling, at most 1."""
    order = np.argsort(p_values, kind="stable")
    steps = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(order), 0, -1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(value) for value in adjusted]


def paired(outcomes: "polars.DataFrame", a: str, b: str) -> "polars.DataFrame":
    """The items that two models share, with credit_a, credit_b, difference and whether either is invalid."""
    import polars

    for model in (a, b):
        if model not in set(outcomes["model"]):
            known = ", ".join(outcomes["model"].unique(maintain_order=True))
            raise InputError(f"no outcomes of a model {model!r}; there are those of {known}")
    if a == b:
        raise InputError(f"{a!r} cannot be compared with itself; name two models")
    ours = outcomes.filter(polars.col("model") == a)
    theirs = outcomes.filter(polars.col("model") == b)
    about = [column for column in ("fillers", "levels") if column in outcomes.columns]
    both = ours.join(
        theirs.select(*ITEM, "credit", "status", *about), on=list(ITEM), how="inner", maintain_order="left", suffix="_b"
    )
    if not len(both):
        raise InputError(f"{a!r} and {b!r} have no item in common; run both on the same suites with the same sample")
    refuse_other_items(both, about, a, b)
    return both.with_columns(
        polars.col("credit").alias("credit_a"),
        (polars.col("credit") - polars.col("credit_b")).alias("difference"),
        ((polars.col("status") == "invalid") | (polars.col("status_b") == "invalid")).alias("invalid"),
    )


def refuse_other_items(both: "polars.DataFrame", about: Sequence[str], a: str, b: str) -> None:
    """Stop where items of one name are not the same item, as in suites drawn with different seeds."""
    import polars

    for column in about:
        other = both.filter(polars.col(column) != polars.col(f"{column}_b"))
        if len(other):
            first = other.row(0, named=True)
            raise InputError(
                f"item {first['item']!r} of suite {first['suite']!r} is not the same for {a!r} ({first[column]}) and "
                f"{b!r} ({first[f'{column}_b']}); draw the suite with the same --seed for both"
            )


def compare_models(
    outcomes: "polars.DataFrame", a: str, b: str, by: Sequence[str] = ("suite", "prediction"), *, seed: int = 0
) -> "polars.DataFrame":
    """Two models on the items they share, group by group.

    The interval of the difference draws items anew; p_value is McNemar's exact test, p_holm is corrected for the
    number of rows. Columns: *by, n, accuracy_a, accuracy_b, difference, low, high, a_only, b_only, p_value, p_holm,
    invalid, note.
    """
    import polars

    keys = list(by)
    unpacked = [name for name in keys if name not in outcomes.columns]
    table = paired(with_factors(outcomes, keys), a, b).drop_nulls(unpacked)
    sums = grouped(
        table,
        keys,
        polars.col("credit_a").mean().alias("accuracy_a"),
        polars.col("credit_b").mean().alias("accuracy_b"),
        (polars.col("credit_a") * (1 - polars.col("credit_b"))).sum().alias("a_only"),
        (polars.col("credit_b") * (1 - polars.col("credit_a"))).sum().alias("b_only"),
        polars.col("invalid").sum().cast(polars.Int64),
    )
    drawn = grouped_bootstrap(table, "difference", keys, seed=seed, resamples=RESAMPLES)
    both = polars.concat([drawn, sums.drop(keys)], how="horizontal")  # both in the order of first appearance
    tests = mcnemar_tests(both["a_only"].to_numpy(), both["b_only"].to_numpy())
    strange = polars.when(polars.col("invalid") > 0).then(polars.format("{} invalid, counted as wrong", "invalid"))
    return both.with_columns(
        polars.Series("p_value", tests, polars.Float64),
        polars.Series("p_holm", holm(tests), polars.Float64),
        append_note(polars.col("note"), strange.otherwise(polars.lit(""))),
    ).select(
        *keys, "n", "accuracy_a", "accuracy_b", "difference", "low", "high", "a_only", "b_only", "p_value", "p_holm",
        "invalid", "note",
    )  # fmt: skip


def compare_overall(outcomes: "polars.DataFrame", a: str, b: str, *, seed: int = 0) -> Comparison:
    """Two models over all items they share, by the first prediction of every suite: every item weighs the same."""
    return comparison_of(compare_models(first_predictions(outcomes), a, b, [], seed=seed).row(0, named=True))


def comparison_of(row: Mapping[str, Any]) -> Comparison:
    """A row of `compare_models` as a record."""
    drawn = row["note"] if row["note"].startswith("no interval") else "bootstrap over items"
    return Comparison(
        accuracy_a=row["accuracy_a"],
        accuracy_b=row["accuracy_b"],
        difference=row["difference"],
        low=row["low"],
        high=row["high"],
        p_value=row["p_value"],
        n=row["n"],
        a_only=row["a_only"],
        b_only=row["b_only"],
        method=f"exact McNemar test over items; {drawn}",
    )


def compare_suites(outcomes: "polars.DataFrame", a: str, b: str, *, seed: int = 0) -> Comparison:
    """Two models by the mean difference of suites (first predictions): every suite weighs the same, and n counts them.

    Suites are drawn anew for the interval; the test asks on how many of them either is better (a_only, b_only).
    """
    import polars

    pairs = paired(first_predictions(outcomes), a, b)
    means = grouped(pairs, ["suite"], polars.col("credit_a", "credit_b", "difference").mean())
    differences = np.round(means["difference"].to_numpy(), 12)  # means that are equal may differ by rounding
    estimate = bootstrap_mean(differences, seed=seed)
    a_only, b_only = float((differences > 0).sum()), float((differences < 0).sum())
    return Comparison(
        accuracy_a=float(means["credit_a"].to_numpy().mean()),
        accuracy_b=float(means["credit_b"].to_numpy().mean()),
        difference=estimate.value,
        low=estimate.low,
        high=estimate.high,
        p_value=mcnemar_exact(a_only, b_only),
        n=estimate.n,
        a_only=a_only,
        b_only=b_only,
        method=f"exact sign test over suites; {estimate.method.replace('item', 'suite')}",
    )


def published_for(outcomes: "polars.DataFrame") -> list["Figure"]:
    """What was published on the built-in suites among these outcomes."""
    from gardenpath.suites.catalog import builtin_collections
    from gardenpath.suites.published import published_figures

    collections = dict.fromkeys(suite.rpartition("/")[0] for suite in outcomes["suite"].unique(maintain_order=True))
    known = set(builtin_collections())
    return [figure for collection in collections if collection in known for figure in published_figures(collection)]


def against_published(
    outcomes: "polars.DataFrame", figures: Iterable["Figure"], *, ties: Literal["credit", "wrong"] = "credit"
) -> "polars.DataFrame":
    """Our models beside the published accuracies on the same suites, factor levels and predictions.

    A figure over several suites is set against all their items; where a model lacks one of them there is no row.
    `ties="wrong"` takes our strict accuracy, as most published figures count. Columns: model, suite, key, prediction,
    n, accuracy, low, high, reference, source, published, difference (ours - published), within (our interval), note.
    """
    import polars

    references = reference_table(figures)
    ours = on_subjects(outcomes, references)
    if ties == "wrong":
        ours = ours.with_columns(polars.col("strict").cast(polars.Float64).alias("credit"))
    complete = grouped(ours, ["model", "subject"], (polars.col("suite").n_unique() == polars.col("suites").first()))
    accuracies = accuracy(ours, ["model", "subject"]).join(
        complete.filter("suite"), on=["model", "subject"], how="semi", maintain_order="left"
    )
    difference = polars.col("accuracy") - polars.col("published")
    return (
        accuracies.drop("note")
        .join(references, on="subject", how="inner", maintain_order="left_right")
        .with_columns(
            polars.col("suites").list.join(" ").alias("suite"),
            difference.alias("difference"),
            polars.col("published").is_between("low", "high").alias("within"),
        )
        .select(
            "model", "suite", "key", "prediction", "n", "accuracy", "low", "high", "reference", "source", "published",
            "difference", "within", "note",
        )
    )  # fmt: skip


def reference_table(figures: Iterable["Figure"]) -> "polars.DataFrame":
    """Published figures as a table; `subject` numbers what they are about."""
    import polars

    numbers: dict[tuple[tuple[str, ...], str, str], int] = {}
    rows = []
    for figure in figures:
        subject = numbers.setdefault((figure.suites, figure.key, figure.prediction), len(numbers))
        rows.append(
            (subject, list(figure.suites), figure.key, figure.prediction, figure.model, figure.source, figure.accuracy,
             figure.note)
        )  # fmt: skip
    schema: dict[str, polars.DataType | type[polars.DataType]] = {
        "subject": polars.Int64, "suites": polars.List(polars.String), "key": polars.String,
        "prediction": polars.String, "reference": polars.String, "source": polars.String, "published": polars.Float64,
        "note": polars.String,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row")


def on_subjects(outcomes: "polars.DataFrame", references: "polars.DataFrame") -> "polars.DataFrame":
    """The outcomes on each subject of published figures; an outcome may belong to several."""
    import polars

    subjects = (
        references.unique("subject", maintain_order=True)
        .select("subject", "key", "prediction", polars.col("suites").alias("suite"), polars.col("suites").list.len())
        .explode("suite")
    )
    where = ["suite", "prediction"]
    parts = [outcomes.join(subjects.filter(polars.col("key") == "").drop("key"), on=where, how="inner")]
    keyed = subjects.filter(polars.col("key") != "")
    if len(keyed) and "level:key" in factors(outcomes):
        by_key = with_factors(outcomes, ["level:key"]).rename({"level:key": "key"})
        parts.append(by_key.join(keyed, on=[*where, "key"], how="inner").drop("key").select(parts[0].columns))
    return polars.concat(parts)
