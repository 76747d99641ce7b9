"""Paired comparisons of models on the same items, with exact tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np
import polars
from scipy.special import bdtr

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import group_keys, order_pooled, pools_suites, split_names
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import (
    aggregate,
    count_rows,
    distinguish_factors,
    drop_left_out,
    first_predictions,
    join_groups,
    note_hidden_factors,
    note_where,
    with_factors,
)
from gardenpath.statistics.means import difference_over_suites
from gardenpath.statistics.proportions import Floats, paired_difference_bounds
from gardenpath.statistics.training_series import checkpoint_pairs

ITEM = ("suite", "prediction", "item")
"""The columns by which outcomes of two models are paired."""
OVER_SUITES = "mean over suites"
"""The name of what `compare_suites` computes; n, a_only and b_only of it count suites."""


def compare(
    outcomes: polars.DataFrame, models: Sequence[str] | None = None, *, by: str | Sequence[str] = "model"
) -> polars.DataFrame:
    """Compare every pair of models on the items they share, with Holm's correction over all rows.

    outcomes: a row per model, suite, prediction and item.
    models: the models to compare, in this order; all by default. Pairs without a common item are left out.
    by: "model" for one row per pair, over the first prediction of every suite; "suite", "phenomenon", a factor, several
        with commas, or a list for a row per group, as in `accuracy`.

    Columns: model_a, model_b, and those of `compare_models`.
    """
    note_hidden_factors(outcomes, split_names(by) if isinstance(by, str) else ())
    rows = drop_left_out(outcomes)
    names = rows["model"].unique(maintain_order=True).to_list() if models is None else list(models)
    if len(names) < 2:
        raise InputError(
            f"a comparison needs two models; there is {f'only {names[0]}' if names else 'none'}: run another"
        )
    rows = first_predictions(rows) if pools_suites(by) else rows
    pairs = sharing_pairs(rows, names)
    if not pairs:
        raise InputError(f"no two of {', '.join(names)} have an item in common; run them on the same suites")
    return compare_pairs(rows, pairs, comparison_keys(rows, by))


def comparison_keys(outcomes: polars.DataFrame, by: str | Sequence[str]) -> list[str]:
    """The columns of `compare` that name a group for `by`; a factor with the name of a result is `level:NAME`."""
    return [key for key in distinguish_factors(outcomes, group_keys(by)) if key != "model"]


def compare_pairs(
    outcomes: polars.DataFrame, pairs: Sequence[tuple[str, str]], by: Sequence[str] = ("suite", "prediction")
) -> polars.DataFrame:
    """Compare pairs of models group by group, with Holm's correction over all rows: `compare_models` for each."""
    tables = [
        compare_models(outcomes, a, b, by).select(
            polars.lit(a).alias("model_a"), polars.lit(b).alias("model_b"), polars.all()
        )
        for a, b in pairs
    ]
    return with_holm(polars.concat(tables))


def with_holm(table: polars.DataFrame) -> polars.DataFrame:
    """The table with Holm's correction of its column `p_value` over all rows."""
    return table.with_columns(polars.Series("p_holm", holm(table["p_value"].to_list()), polars.Float64))


def comparable_pairs(outcomes: polars.DataFrame) -> tuple[list[tuple[str, str]], list[str]]:
    """The pairs of models that share items, and why some of them cannot be compared: their items differ.

    Of the many pairs of checkpoints only some are among them (`checkpoint_pairs`).
    """
    pairs, reasons = [], []
    models = outcomes["model"].unique(maintain_order=True).to_list()
    for pair in checkpoint_pairs(sharing_pairs(outcomes, models)):
        try:
            pair_items(outcomes, *pair)
        except InputError as error:
            reasons.append(str(error))
        else:
            pairs.append(pair)
    return pairs, reasons


def sharing_pairs(outcomes: polars.DataFrame, models: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of models that have an item in common."""
    require_known_models(outcomes, models)
    outcomes = drop_left_out(outcomes)
    items = {model: set(outcomes.filter(polars.col("model") == model).select(ITEM).rows()) for model in models}
    return [(a, b) for a, b in combinations(models, 2) if not items[a].isdisjoint(items[b])]


def require_known_models(outcomes: polars.DataFrame, models: Sequence[str]) -> None:
    """Raise if there are no outcomes of a model."""
    known = outcomes["model"].unique(maintain_order=True).to_list()
    if unknown := [model for model in models if model not in known]:
        raise InputError(f"no outcomes of a model {unknown[0]!r}; there are those of {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """The difference between two models on the same items."""

    accuracy_a: float
    accuracy_b: float
    difference: float
    """The first accuracy minus the second."""
    low: float | None
    high: float | None
    """None where there is no interval: over one suite."""
    p_value: float
    n: int
    a_only: float
    """Items that only the first model gets right, with ties broken at random: the sum of credit_a (1 - credit_b)."""
    b_only: float
    method: str
    """The test, and the kind of interval."""


def mcnemar_exact(a_only: float, b_only: float) -> float:
    """Exact two-sided McNemar test of the items that only one model gets right; 1 where there are none.

    Fractional counts, as ties give them, are rounded towards no difference, so that ties never add evidence.
    """
    if not (a_only >= 0 and b_only >= 0):
        raise ValueError(f"{a_only:g} and {b_only:g} are not possible counts of items; both must be at least 0")
    return mcnemar_tests(np.array([a_only]), np.array([b_only]))[0]


def mcnemar_tests(a_only: Floats, b_only: Floats) -> list[float]:
    """Exact McNemar tests of many pairs of counts: the smaller one against Binomial(a_only + b_only, 1/2)."""
    # Sums of credits such as thirds are whole up to rounding.
    near = np.round([a_only, b_only], 9)
    fewer, more = np.ceil(near.min(axis=0)), np.floor(near.max(axis=0))
    both_tails = 2 * bdtr(fewer, (fewer + more).astype(np.int64), 0.5)
    # Of counts that differ by at most one, either tail has half of the probability or more: p is 1, without rounding.
    return [float(value) for value in np.where(more - fewer <= 1, 1.0, np.minimum(1.0, both_tails))]


def holm(p_values: Sequence[float | None]) -> list[float]:
    """Holm's adjusted p-values: p(i) times the number of tests not yet rejected, never falling, at most 1.

    A missing p-value (NaN or None) is no test: it stays NaN and does not count.
    """
    values = np.array([np.nan if value is None else value for value in p_values], dtype=np.float64)
    if np.any((values < 0) | (values > 1)):
        raise ValueError("some p-values are not probabilities; they must lie between 0 and 1")
    order = np.argsort(values, kind="stable")[: int(np.isfinite(values).sum())]  # NaN comes last
    adjusted = np.full(len(values), np.nan)
    steps = values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(value) for value in adjusted]


def pair_items(outcomes: polars.DataFrame, a: str, b: str) -> polars.DataFrame:
    """The items that two models share, with credit_a, credit_b, difference and whether either is invalid.

    Those that a run left out do not count.
    """
    require_known_models(outcomes, (a, b))
    outcomes = drop_left_out(outcomes)
    if a == b:
        raise InputError(f"{a!r} cannot be compared with itself; name two models")
    about = [column for column in ("fillers", "levels") if column in outcomes.columns]
    theirs = outcomes.filter(polars.col("model") == b).select(*ITEM, "credit", "status", *about)
    ours = outcomes.filter(polars.col("model") == a)
    both = ours.join(theirs, on=list(ITEM), how="inner", maintain_order="left", suffix="_b")
    if not len(both):
        raise InputError(f"{a!r} and {b!r} have no item in common; run both on the same suites with the same sample")
    require_same_items(both, about, a, b)
    return both.with_columns(
        polars.col("credit").alias("credit_a"),
        (polars.col("credit") - polars.col("credit_b")).alias("difference"),
        ((polars.col("status") == "invalid") | (polars.col("status_b") == "invalid")).alias("invalid"),
    )


def require_same_items(both: polars.DataFrame, about: Sequence[str], a: str, b: str) -> None:
    """Raise if items of one name differ, as in suites drawn with different seeds."""
    for column in about:
        other = both.filter(polars.col(column) != polars.col(f"{column}_b"))
        if len(other):
            first = other.row(0, named=True)
            raise InputError(
                f"item {first['item']!r} of suite {first['suite']!r} is not the same for {a!r} ({first[column]}) and "
                f"{b!r} ({first[f'{column}_b']}); draw the suite with the same --seed for both"
            )


def compare_models(
    outcomes: polars.DataFrame, a: str, b: str, by: Sequence[str] = ("suite", "prediction")
) -> polars.DataFrame:
    """Compare two models on the items they share, group by group.

    Columns: *by, n, accuracy_a, accuracy_b, difference (a - b), low, high (Bonett and Price 2012), a_only, b_only
    (items that only this model gets right), p_value (exact McNemar test), p_holm (corrected for the number of rows),
    invalid, effective_n, note. Where items share words, interval and test are those of the effective number of items.
    """
    keys = distinguish_factors(outcomes, by)
    unpacked = [name for name in keys if name not in outcomes.columns]
    table = pair_items(with_factors(outcomes, keys), a, b).drop_nulls(unpacked)
    sums = aggregate(
        table,
        keys,
        count_rows(),
        polars.col("credit_a").mean().alias("accuracy_a"),
        polars.col("credit_b").mean().alias("accuracy_b"),
        polars.col("difference").mean(),
        only_right("credit_a", "credit_b").sum().alias("a_only"),
        only_right("credit_b", "credit_a").sum().alias("b_only"),
        polars.col("invalid").sum().cast(polars.Int64),
    )
    both = order_pooled(join_groups(sums, effective_items(table, "difference", keys), keys), keys)
    worth = (both["effective_n"] / both["n"]).to_numpy()
    a_only, b_only = (both[name].to_numpy() * worth for name in ("a_only", "b_only"))
    low, high = paired_difference_bounds(a_only, b_only, both["effective_n"].to_numpy())
    tests = mcnemar_tests(a_only, b_only)
    wrong = note_where(polars.col("invalid") > 0, polars.format("{} invalid, counted as wrong", "invalid"))
    return both.with_columns(
        polars.Series("low", low),
        polars.Series("high", high),
        polars.Series("p_value", tests, polars.Float64),
        polars.Series("p_holm", holm(tests), polars.Float64),
        wrong.alias("note"),
    ).select(
        *keys, "n", "accuracy_a", "accuracy_b", "difference", "low", "high", "a_only", "b_only", "p_value", "p_holm",
        "invalid", "effective_n", "note",
    )  # fmt: skip


def only_right(right: str, wrong: str) -> polars.Expr:
    """The probability that one model gets an item right and the other does not, with ties broken at random."""
    return polars.col(right) * (1 - polars.col(wrong))


def compare_overall(outcomes: polars.DataFrame, a: str, b: str) -> ModelComparison:
    """Compare two models over all items they share, by the first prediction of every suite."""
    return comparison_of(compare_models(first_predictions(outcomes), a, b, []).row(0, named=True))


def comparison_of(row: Mapping[str, Any]) -> ModelComparison:
    """A row of `compare_models` as a record."""
    numbers = {field.name: row[field.name] for field in fields(ModelComparison) if field.name != "method"}
    shared = " that share words" if row["effective_n"] < row["n"] else ""
    return ModelComparison(**numbers, method=f"exact McNemar test over items{shared}; interval of Bonett and Price")


def compare_suites(outcomes: polars.DataFrame, a: str, b: str) -> ModelComparison:
    """Compare two models by the mean difference of suites (first predictions); n counts suites.

    The interval is over suites; the sign test is of the suites on which either model is better (a_only, b_only).
    Suites of which no item is valid for both models are left out.
    """
    pairs = pair_items(first_predictions(outcomes), a, b)
    means = aggregate(
        pairs,
        ["suite"],
        polars.col("credit_a", "credit_b", "difference").mean(),
        only_right("credit_a", "credit_b").mean().alias("a_only"),
        only_right("credit_b", "credit_a").mean().alias("b_only"),
        polars.col("invalid").all(),
    )
    valid = means.filter(~polars.col("invalid"))
    if not len(valid):
        raise InputError(f"no suite has an item that is valid for both {a!r} and {b!r}")
    differences = np.round(valid["difference"].to_numpy(), 12)  # means that are equal may differ by rounding
    low, high = difference_over_suites(valid["a_only"].to_numpy(), valid["b_only"].to_numpy())
    a_only, b_only = float((differences > 0).sum()), float((differences < 0).sum())
    left_out = f"; {len(means) - len(valid)} without a valid item left out" if len(valid) < len(means) else ""
    return ModelComparison(
        accuracy_a=float(valid["credit_a"].to_numpy().mean()),
        accuracy_b=float(valid["credit_b"].to_numpy().mean()),
        difference=float(differences.mean()),
        low=low,
        high=high,
        p_value=mcnemar_exact(a_only, b_only),
        n=len(valid),
        a_only=a_only,
        b_only=b_only,
        method=f"exact sign test over suites; interval of Bonett and Price over suites{left_out}",
    )
