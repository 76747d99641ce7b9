"""Accuracy by suite, phenomenon, factor or any other group, and means of accuracies; terminal, page and API use it."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.grouping import (
    aggregate,
    append_note,
    by_appearance,
    count_rows,
    drop_left_out,
    first_predictions,
    join_groups,
    note_where,
    with_factors,
)
from gardenpath.statistics.proportions import binomial_tests, wilson_bounds

POOLED = ("phenomenon", "circuit")
"""Properties of suites by which `accuracy` pools them."""


def accuracy(
    outcomes: polars.DataFrame,
    by: str | Sequence[str] = "suite",
    *,
    interval: Literal["wilson", "bootstrap"] = "wilson",
    clusters: str | None = None,
    leave_out_unknown: bool = False,
    seed: int = 0,
) -> polars.DataFrame:
    """Accuracy in every group, with its 95 % interval and its exact test against chance.

    outcomes: a row per model, suite, prediction and item, as `Run.outcomes()` has them.
    by: "suite": every prediction of every suite (columns model, suite, prediction);
        "phenomenon", "circuit": suites pooled, every prediction on its own (model, phenomenon, prediction);
        "model": all items by the first prediction of every suite (model);
        a factor ("number", "level:number", "filler:verb"): suites by its levels (model, suite, prediction, factor);
        a list: exactly these columns or factors, without items that lack a factor; all rows pooled if empty.
    interval: Wilson's, or bootstrap over items, or with `clusters="filler:SLOT"` over the words they share.

    Items in the column `left_out`, or with `leave_out_unknown` those with unknown words, only count in `coverage`.
    Columns after the groups: accuracy, low, high, n, correct, ties, invalid, strict_accuracy (ties counted as wrong),
    chance, p_chance, coverage, method (of the interval), note. A missing number is null, and `note` has the reason.
    """
    if clusters is not None and interval == "wilson":
        raise InputError("Wilson's interval cannot use clusters; pass interval='bootstrap' with clusters")
    keys = group_keys(by)
    table = with_factors(outcomes, keys if clusters is None else [*keys, clusters])
    table = first_predictions(table) if by == "model" else table
    if not isinstance(by, str):
        table = table.drop_nulls([name for name in keys if name not in outcomes.columns])
    used = table.filter("known") if leave_out_unknown else drop_left_out(table)
    groups = with_test(with_wilson(count_outcomes(table, used, keys)))
    if interval == "bootstrap":
        groups = with_bootstrap(groups, used, keys, clusters=clusters, seed=seed)
    if by in POOLED:
        groups = by_appearance(groups, keys[:-1])
    return groups.select(
        *keys, "accuracy", "low", "high", "n", "correct", "ties", "invalid", "strict_accuracy", "chance", "p_chance",
        "coverage", "method", "note",
    )  # fmt: skip


def group_keys(by: str | Sequence[str]) -> list[str]:
    """The columns that `by` of `accuracy` stands for."""
    if not isinstance(by, str):
        return list(by)
    if by == "model":
        return [by]
    return ["model", by, "prediction"] if by in POOLED else list(dict.fromkeys(["model", "suite", "prediction", by]))


def summary_rows(table: polars.DataFrame) -> list[dict[str, Any]]:
    """The rows of `accuracy` as the manifest and `--json` have them: `suite` is the suite, `suite [level]` or group."""
    keys = table.columns[: table.columns.index("accuracy")]
    groups = [name for name in keys if name not in ("model", "suite", "prediction")]
    numbers = ["n", "correct", "ties", "invalid", "accuracy", "strict_accuracy", "chance", "low", "high", "coverage"]
    rows = []
    for row in table.to_dicts():
        group = " ".join(str(row[name]) for name in groups if row[name])
        if "suite" in keys:
            suite = f"{row['suite']} [{group}]" if group else row["suite"]
        else:
            suite = group or ("(none)" if groups else "(all)")
        named = {"model": row.get("model", ""), "suite": suite, "prediction": row.get("prediction", "")}
        rows.append(named | {name: row[name] for name in numbers})
    return rows


def count_outcomes(table: polars.DataFrame, used: polars.DataFrame, keys: Sequence[str]) -> polars.DataFrame:
    """Chance and coverage of every group of a table, and counts and credit of those of its rows that are used."""
    statuses = {"correct": "correct", "tie": "ties", "invalid": "invalid"}
    chance = polars.col("chance").cast(polars.Float64).fill_nan(None)
    mean_chance = polars.when(chance.n_unique() == 1).then(chance.first()).otherwise(chance.mean())
    whole = aggregate(
        table,
        keys,
        polars.when(chance.null_count() == 0).then(mean_chance).alias("chance"),
        polars.col("known").mean().alias("coverage"),
    )
    sums = aggregate(
        used,
        keys,
        count_rows(),
        *((polars.col("status") == one).sum().cast(polars.Int64).alias(name) for one, name in statuses.items()),
        polars.col("credit"),
        polars.col("strict").mean().alias("strict_accuracy"),
    )
    # numpy adds pairwise, which loses fewer digits of thirds than polars does.
    credit = [float(credits.to_numpy().sum()) for credits in sums["credit"]]
    sums = sums.with_columns(polars.Series("credit", credit, polars.Float64))
    return join_groups(whole, sums, keys).with_columns(polars.col("n", "correct", "ties", "invalid").fill_null(0))


def with_wilson(groups: polars.DataFrame) -> polars.DataFrame:
    """Add accuracy and Wilson's interval to n and credit; null, and a note, where no item is left."""
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = wilson_bounds(groups["credit"].fill_null(0.0).to_numpy(), groups["n"].to_numpy())
    return groups.with_columns(
        (polars.col("credit") / polars.col("n")).alias("accuracy"),
        polars.Series("low", low).fill_nan(None),
        polars.Series("high", high).fill_nan(None),
        polars.lit("wilson").alias("method"),
        note_where(polars.col("n") == 0, "no item left: all have unknown words").alias("note"),
    )


def with_test(groups: polars.DataFrame) -> polars.DataFrame:
    """Add the exact binomial test of the valid items against chance, and a note where there is none."""
    valid = groups["n"].to_numpy() - groups["invalid"].to_numpy()
    chance = groups["chance"].fill_null(np.nan).to_numpy()
    tested = (valid > 0) & ~np.isnan(chance)
    p_values = np.full(len(groups), np.nan)
    p_values[tested] = binomial_tests(groups["credit"].fill_null(0.0).to_numpy()[tested], valid[tested], chance[tested])
    no_chance = note_where((polars.col("n") > 0) & polars.col("chance").is_null(), "chance is not known")
    only_invalid = (polars.col("n") > 0) & (polars.col("n") == polars.col("invalid"))
    reason = polars.when(only_invalid).then(polars.lit("no valid item")).otherwise(no_chance)
    return groups.with_columns(polars.Series("p_chance", p_values).fill_nan(None), append_note(reason))


def with_bootstrap(
    groups: polars.DataFrame, used: polars.DataFrame, keys: Sequence[str], *, clusters: str | None, seed: int
) -> polars.DataFrame:
    """Replace Wilson's intervals by bootstrap intervals, except where there is nothing to draw from."""
    if clusters is not None:
        # An item without the word shares it with no other item.
        alone = polars.concat_str("suite", "item", separator="\t")
        used = used.with_columns(polars.coalesce(clusters, alone).alias(clusters))
    drawn = grouped_bootstrap(used, "credit", keys, clusters=clusters, seed=seed).select(
        *keys, polars.col("low").alias("low_drawn"), polars.col("high").alias("high_drawn"),
        polars.col("note").alias("reason"),
    )  # fmt: skip
    reason = polars.col("reason").fill_null("")
    kept = (reason != "") & (polars.col("n") > 0)
    kept_note = "Wilson's interval (" + reason.str.strip_prefix("no interval: ") + ")"
    method = f"bootstrap over {'items' if clusters is None else 'clusters'}"
    return join_groups(groups, drawn, keys).with_columns(
        polars.when(kept).then("low").otherwise("low_drawn").alias("low"),
        polars.when(kept).then("high").otherwise("high_drawn").alias("high"),
        polars.when(kept).then("method").otherwise(polars.lit(method)).alias("method"),
        append_note(note_where(kept, kept_note)),
    )


def macro_mean(table: polars.DataFrame, by: Sequence[str] = ("model",), *, seed: int = 0) -> polars.DataFrame:
    """The mean of the accuracies of rows, each of the same weight, with a bootstrap interval; see `mean_columns`."""
    rows = table.drop_nulls("accuracy")
    means = grouped_bootstrap(rows, "accuracy", by, seed=seed).rename({"n": "rows"})
    return mean_columns("macro", by, join_groups(means, aggregate(rows, by, polars.col("n").sum()), by))


def micro_mean(table: polars.DataFrame, by: Sequence[str] = ("model",)) -> polars.DataFrame:
    """The accuracy over all items of the rows, of the same weight, with Wilson's interval; see `mean_columns`."""
    credit = (polars.col("accuracy") * polars.col("n")).sum().alias("credit")
    sums = aggregate(table.filter(polars.col("n") > 0), by, count_rows("rows"), polars.col("n").sum(), credit)
    return mean_columns("micro", by, with_wilson(sums))


def mean_columns(mean: str, by: Sequence[str], means: polars.DataFrame) -> polars.DataFrame:
    """The columns of a table of means: *by, mean ("macro" or "micro"), rows, n, accuracy, low, high, note."""
    return means.select(*by, polars.lit(mean).alias("mean"), "rows", "n", "accuracy", "low", "high", "note")
