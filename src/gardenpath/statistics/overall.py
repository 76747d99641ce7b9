"""Overall accuracy: the mean over suites and over items, of each model and of predictions that suites share."""

from typing import Any

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import (
    accuracy,
    group_keys,
    macro_mean,
    mean_columns,
    micro_mean,
    split_names,
)
from gardenpath.statistics.group_names import POOLED, ungrouped_last
from gardenpath.statistics.grouping import aggregate, by_appearance, drop_left_out, first_predictions, join_groups


def overall_accuracy(outcomes: polars.DataFrame) -> polars.DataFrame:
    """The accuracy of every model over all its suites, and by every prediction that several suites share.

    outcomes: a row per model, suite, prediction and item.
    Columns: model, prediction, mean, rows (suites), n (items), accuracy, low, high, note. `mean` is "macro": every
    suite has the same weight, and the interval is over suites; or "micro": every item has the same weight. Where
    `prediction` is empty, every suite counts by its first prediction; if several predictions are shared and one of them
    is the first of every suite, its rows are these. A model with one suite has no rows.
    """
    shared = shared_predictions(outcomes)
    firsts = first_predictions(outcomes)
    named_first = bool(shared) and firsts["prediction"].n_unique() == 1
    parts = [] if named_first else [macro_mean(accuracy(firsts)), micro_mean(firsts)]
    if shared:
        by = ["model", "prediction"]
        own = outcomes.filter(polars.col("prediction").is_in(shared))
        suites = aggregate(drop_left_out(own), by, polars.col("suite").n_unique().cast(polars.Int64).alias("rows"))
        parts += [macro_mean(accuracy(own), by), mean_columns("micro", by, join_groups(accuracy(own, by), suites, by))]
    filled = [
        part if "prediction" in part.columns else part.with_columns(polars.lit("").alias("prediction"))
        for part in parts
    ]
    columns = ["model", "prediction", "mean", "rows", "n", "accuracy", "low", "high", "note"]
    table = polars.concat(part.select(columns) for part in filled).filter(polars.col("rows") > 1)
    order = {model: rank for rank, model in enumerate(outcomes["model"].unique(maintain_order=True))}
    rank = polars.col("model").replace_strict(order, return_dtype=polars.Int64)
    named = {name: index for index, name in enumerate(["", *shared])}
    return table.sort(
        rank, polars.col("prediction").replace_strict(named, return_dtype=polars.Int64), "mean", maintain_order=True
    )


def means_over_suites(outcomes: polars.DataFrame, by: str) -> polars.DataFrame:
    """The mean of the accuracies of the suites of each circuit, phenomenon or field: every suite has the same weight.

    `accuracy` pools the items of these suites instead. by: one of these, or several with commas.
    Columns: model, those of `by`, prediction, mean ("macro"), rows (suites), n, accuracy, low, high, note.
    """
    if other := [name for name in split_names(by) if name not in POOLED]:
        raise InputError(f"means over suites are of groups of suites, by {', '.join(POOLED)}, not by {other[0]!r}")
    keys = group_keys(by)
    means = macro_mean(accuracy(outcomes, [*keys, "suite"]), keys)
    return by_appearance(ungrouped_last(means, keys), keys[:-1])


def shared_predictions(outcomes: polars.DataFrame) -> list[str]:
    """The predictions that several suites have, where the suites have predictions of several names."""
    pairs = outcomes.select("suite", "prediction").unique(maintain_order=True)
    names = pairs["prediction"].unique(maintain_order=True).to_list()
    if len(names) < 2:
        return []
    counts = dict(pairs.group_by("prediction").len().iter_rows())
    return [name for name in names if counts[name] > 1]


def overall_rows(table: polars.DataFrame) -> list[dict[str, Any]]:
    """The rows of `overall_accuracy` as `--json` has them after those of `summary_rows`: with `mean` and `suites`."""
    numbers = ("n", "accuracy", "low", "high")
    titles = {"macro": "mean over {} suites", "micro": "all items of {} suites"}
    return [
        {"model": row["model"], "suite": titles[row["mean"]].format(row["rows"]), "prediction": row["prediction"]}
        | {"mean": row["mean"], "suites": row["rows"]}
        | {name: row[name] for name in numbers}
        for row in table.to_dicts()
    ]
