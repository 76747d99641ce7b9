"""Accuracy by suite, phenomenon, factor or any other group, and means of accuracies; terminal, page and API use it."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.group_names import POOLED, group_names, name_blank_levels, ungrouped_last
from gardenpath.statistics.grouping import (
    aggregate,
    append_note,
    by_appearance,
    count_rows,
    distinguish_factors,
    drop_left_out,
    first_predictions,
    join_groups,
    note_hidden_factors,
    note_where,
    with_factors,
)
from gardenpath.statistics.means import mean_over_models_and_suites, mean_over_suites
from gardenpath.statistics.proportions import agresti_coull_bounds, binomial_tests, wilson_bounds

Interval = Literal["words", "items", "wilson", "bootstrap"]


def accuracy(
    outcomes: polars.DataFrame,
    by: str | Sequence[str] = "suite",
    *,
    interval: Interval = "words",
    clusters: str | None = None,
    leave_out_unknown: bool = False,
    seed: int = 0,
) -> polars.DataFrame:
    """Accuracy in every group, with its 95 % interval and its exact test against chance.

    outcomes: a row per model, suite, prediction and item, as `Run.outcomes()` has them.
    by: "suite": every prediction of every suite (columns model, suite, prediction);
        "phenomenon", "circuit", "field": suites pooled, every prediction on its own (model, phenomenon, prediction);
        "model": all items by the first prediction of every suite (model);
        a factor ("number", "level:number", "filler:verb"): suites by its levels (model, suite, prediction, factor);
        several of these with commas ("number,attractor", "phenomenon,number", "model,number"): crossed;
        a list: exactly these columns or factors, without items that lack a factor; all rows pooled if empty.
    interval: "words": the interval of Agresti and Coull for the effective number of items, which is smaller than n
            where items share words (`effective_items`; `clusters="filler:SLOT"` counts only words of one slot);
        "items": the same for n items, as if they shared no words; "wilson": Wilson's interval for n items;
        "bootstrap": over items, or with `clusters="filler:SLOT"` over the words they share.

    Items in the column `left_out`, or with `leave_out_unknown` those with unknown words, only count in `coverage`.
    Columns after the groups: accuracy, low, high, n, correct, ties, invalid, strict_accuracy (ties counted as wrong),
    chance, p_chance, coverage, effective_n, method (of the interval), note. A missing number is null, and `note` has
    the reason.
    """
    if clusters is not None and interval in ("items", "wilson"):
        raise InputError(f"interval={interval!r} cannot use clusters; pass interval='words' or 'bootstrap'")
    note_hidden_factors(outcomes, split_names(by) if isinstance(by, str) else ())
    keys = distinguish_factors(outcomes, group_keys(by))
    table = with_factors(outcomes, keys if clusters is None else [*keys, clusters])
    table = first_predictions(table) if pools_suites(by) else table
    if not isinstance(by, str):
        table = table.drop_nulls([name for name in keys if name not in outcomes.columns])
    used = table.filter("known") if leave_out_unknown else drop_left_out(table)
    groups = count_outcomes(table, used, keys)
    worth = effective_items(used, "credit", keys, clusters=clusters) if interval == "words" else None
    groups = with_test(with_interval(with_effective_items(groups, worth, keys), interval))
    if interval == "bootstrap":
        groups = with_bootstrap(groups, used, keys, clusters=clusters, seed=seed)
    if isinstance(by, str):
        groups = order_pooled(groups, keys)
    # Invalid items count as wrong, but say nothing about other items.
    valid = polars.col("n") > polars.col("invalid")
    groups = groups.with_columns(polars.when(valid).then(name).alias(name) for name in ("low", "high"))
    return groups.select(
        *keys, "accuracy", "low", "high", "n", "correct", "ties", "invalid", "strict_accuracy", "chance", "p_chance",
        "coverage", "effective_n", "method", "note",
    )  # fmt: skip


def order_pooled(table: polars.DataFrame, keys: Sequence[str]) -> polars.DataFrame:
    """Put the predictions of each group of pooled suites one after another; other tables keep their order."""
    if not any(name in POOLED for name in keys):
        return table
    groups = keys[: keys.index("prediction")] if "prediction" in keys else keys
    return by_appearance(ungrouped_last(table, keys), groups)


def group_keys(by: str | Sequence[str]) -> list[str]:
    """The columns that `by` of `accuracy` stands for."""
    if not isinstance(by, str):
        return list(by)
    names = split_names(by)
    if pools_suites(by):
        return list(dict.fromkeys(["model", *names]))
    pooled = [name for name in names if name in POOLED]
    return list(dict.fromkeys(["model", *(pooled or ["suite"]), "prediction", *names]))


def split_names(by: str) -> list[str]:
    """The names of columns and factors between commas."""
    return [name.strip() for name in by.split(",")]


def pools_suites(by: str | Sequence[str]) -> bool:
    """Whether `by` of `accuracy` pools all suites of a model, by the first prediction of each."""
    return isinstance(by, str) and "model" in split_names(by)


def summary_rows(table: polars.DataFrame) -> list[dict[str, Any]]:
    """The rows of `accuracy` as the manifest and `--json` have them.

    The group is named as in the table: `suite`, or `field` of suites pooled by field; the last of these names has the
    levels of factors: agreement [number=sing, attractor=plur].
    """
    keys = table.columns[: table.columns.index("accuracy")]
    numbers = ["n", "correct", "ties", "invalid", "accuracy", "strict_accuracy", "chance", "low", "high", "coverage"]
    rows = []
    for row in name_blank_levels(table, keys).to_dicts():
        named = {"model": row.get("model", ""), **group_names(row, keys), "prediction": row.get("prediction", "")}
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


def with_effective_items(
    groups: polars.DataFrame, worth: polars.DataFrame | None, keys: Sequence[str]
) -> polars.DataFrame:
    """Add `effective_n`: how many independent items those of a group are worth; n if that was not computed."""
    if worth is None or not len(worth):
        return groups.with_columns(polars.col("n").cast(polars.Float64).alias("effective_n"))
    return join_groups(groups, worth, keys).with_columns(polars.col("effective_n").fill_null(0.0))


def with_interval(groups: polars.DataFrame, interval: Interval) -> polars.DataFrame:
    """Add accuracy and its interval to n, effective_n and credit; null, and a note, where no item is left."""
    some = (groups["n"] > 0).to_numpy()
    n, worth = (groups[name].to_numpy()[some] for name in ("n", "effective_n"))
    share = groups["credit"].fill_null(0.0).to_numpy()[some] / n
    bounds = np.full((2, len(groups)), np.nan)
    if interval == "wilson":
        bounds[:, some] = wilson_bounds(share * n, n)
    else:
        bounds[:, some] = agresti_coull_bounds(share * worth, worth, degrees=n - 1)
    shared = polars.col("effective_n") < polars.col("n")
    named = polars.lit("wilson" if interval == "wilson" else "agresti-coull")
    return groups.with_columns(
        (polars.col("credit") / polars.col("n")).alias("accuracy"),
        polars.Series("low", bounds[0]).fill_nan(None),
        polars.Series("high", bounds[1]).fill_nan(None),
        polars.when(shared).then(polars.lit("agresti-coull, shared words")).otherwise(named).alias("method"),
        note_where(polars.col("n") == 0, "no item left: all have unknown words").alias("note"),
    )


def with_test(groups: polars.DataFrame) -> polars.DataFrame:
    """Add the exact binomial test of the valid items (or the effective number) against chance, or a note."""
    valid = groups["n"].to_numpy() - groups["invalid"].to_numpy()
    chance = groups["chance"].fill_null(np.nan).to_numpy()
    tested = (valid > 0) & ~np.isnan(chance)
    share = groups["credit"].fill_null(0.0).to_numpy()[tested] / valid[tested]
    # Of items that share words, as many are tested as they are worth, and one at least.
    worth = (groups["effective_n"] / groups["n"]).to_numpy()[tested] * valid[tested]
    whole = np.maximum(1, np.floor(np.round(worth, 9))).astype(np.int64)
    p_values = np.full(len(groups), np.nan)
    p_values[tested] = binomial_tests(share * whole, whole, chance[tested])
    no_chance = note_where((polars.col("n") > 0) & polars.col("chance").is_null(), "chance is not known")
    only_invalid = (polars.col("n") > 0) & (polars.col("n") == polars.col("invalid"))
    reason = polars.when(only_invalid).then(polars.lit("no valid item")).otherwise(no_chance)
    return groups.with_columns(polars.Series("p_chance", p_values).fill_nan(None), append_note(reason))


def with_bootstrap(
    groups: polars.DataFrame, used: polars.DataFrame, keys: Sequence[str], *, clusters: str | None, seed: int
) -> polars.DataFrame:
    """Replace intervals by bootstrap intervals, except where there is nothing to draw from."""
    if clusters is not None:
        # An item without the word shares it with no other item.
        alone = polars.concat_str("suite", "item", separator="\t")
        used = used.with_columns(polars.coalesce(clusters, alone).alias(clusters))
    drawn = grouped_bootstrap(used, "credit", keys, clusters=clusters, seed=seed).select(
        *keys, polars.col("low").alias("low_drawn"), polars.col("high").alias("high_drawn"),
        polars.col("note").alias("reason"),
    )  # fmt: skip
    reason = polars.col("reason").fill_null("")
    kept = (reason != "") & (polars.col("n") > polars.col("invalid"))
    kept_note = "Agresti and Coull's interval (" + reason.str.strip_prefix("no interval: ") + ")"
    method = f"bootstrap over {'items' if clusters is None else 'clusters'}"
    return join_groups(groups, drawn, keys).with_columns(
        polars.when(kept).then("low").otherwise("low_drawn").alias("low"),
        polars.when(kept).then("high").otherwise("high_drawn").alias("high"),
        polars.when(kept).then("method").otherwise(polars.lit(method)).alias("method"),
        append_note(note_where(kept, kept_note)),
    )


def macro_mean(
    table: polars.DataFrame,
    by: Sequence[str] = ("model",),
    *,
    interval: Literal["suites", "bootstrap"] = "suites",
    seed: int = 0,
) -> polars.DataFrame:
    """The mean of the accuracies of rows, each of the same weight; see `mean_columns`.

    table: a row per model and suite, as `accuracy` or `score_table` has them; suites without a valid item are left out.
    interval: "suites": what other suites (and, where `by` pools models, other models) would give;
        "bootstrap": the published procedure of Hu et al. 2020, over all rows of a group. It is too narrow for few.
    """
    rows = drop_invalid(table)
    if interval == "bootstrap":
        means = grouped_bootstrap(rows, "accuracy", by, seed=seed)
    elif "model" in by or "model" not in rows.columns:
        means = mean_over_suites(rows, "accuracy", by)
    else:
        means = mean_over_models_and_suites(rows, "accuracy", by)
    every = aggregate(table, by, count_rows("all"), polars.col("n").sum())
    found = join_groups(every, means.rename({"n": "rows"}), by)
    found = found.with_columns(polars.col("rows").fill_null(0), polars.col("note").fill_null("no finite value"))
    missing = polars.col("all") - polars.col("rows")
    note = note_where(missing > 0, polars.format("{} of {} left out: no valid item", missing, "all"))
    return mean_columns("macro", by, found.with_columns(append_note(note)))


def drop_invalid(table: polars.DataFrame) -> polars.DataFrame:
    """Drop the rows of a table of accuracies that have none, or none of a valid item."""
    rows = table.drop_nulls("accuracy")
    return rows.filter(polars.col("n") > polars.col("invalid")) if "invalid" in rows.columns else rows


def micro_mean(outcomes: polars.DataFrame, by: Sequence[str] = ("model",)) -> polars.DataFrame:
    """The accuracy over all items of the first predictions, each of the same weight; see `mean_columns`."""
    rows = first_predictions(outcomes)
    suites = aggregate(drop_left_out(rows), by, polars.col("suite").n_unique().cast(polars.Int64).alias("rows"))
    return mean_columns("micro", by, join_groups(accuracy(rows, by), suites, by))


def mean_columns(mean: str, by: Sequence[str], means: polars.DataFrame) -> polars.DataFrame:
    """The columns of a table of means: *by, mean ("macro" or "micro"), rows, n, accuracy, low, high, note."""
    return means.select(*by, polars.lit(mean).alias("mean"), "rows", "n", "accuracy", "low", "high", "note")
