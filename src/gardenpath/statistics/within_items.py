"""Means of conditions with intervals within items: differences between items are removed first."""

from collections.abc import Sequence

import polars

from gardenpath.statistics.grouping import aggregate, count_rows
from gardenpath.statistics.means import with_t_interval
from gardenpath.statistics.proportions import ROUNDING

NOTHING = "no item with all its surprisals"


def within_item_means(bits: polars.DataFrame, design: Sequence[str]) -> polars.DataFrame:
    """The mean bits of every condition with Cousineau-Morey intervals (Morey 2008).

    bits: a row per item and condition of every design, such as model, suite and region. y' = y - mean of the item +
    grand mean; the variance of y' in a condition is multiplied by C / (C - 1). Only items with all conditions count.
    Where the intervals from low_adjusted to high_adjusted of two conditions do not overlap, the interval of their
    difference does not contain 0 (Baguley 2012): they are narrower by the square root of two.
    Columns: *design, condition, bits, low, high, low_adjusted, high_adjusted, standard_error, n, note.
    """
    conditions = polars.col("condition").n_unique().over(design).alias("conditions")
    finite = polars.col("bits").is_finite().fill_null(value=False)
    table = bits.with_columns(conditions).with_columns(
        (finite.sum().over([*design, "item"]) == polars.col("conditions")).alias("complete")
    )
    complete = polars.col("bits").filter("complete")
    centred = table.with_columns(
        polars.when("complete")
        .then(polars.col("bits") - polars.col("bits").mean().over([*design, "item"]) + complete.mean().over(design))
        .alias("within"),
        (polars.col("bits").max() - polars.col("bits").min()).over([*design, "item"]).alias("range"),
    )
    number = polars.col("conditions").first()
    several = number > 1
    spread = polars.col("within").drop_nulls().std() * (number / (number - 1)).sqrt()
    means = aggregate(
        centred,
        [*design, "condition"],
        complete.mean().alias("bits"),
        polars.when(several).then(spread).otherwise(complete.std()).alias("spread"),
        polars.when(several).then(0.5**0.5).otherwise(1.0).alias("adjustment"),
        polars.col("complete").sum().cast(polars.Int64).alias("n"),
        count_rows("all"),
        what_is_constant(complete).alias("constant"),
    )
    mean, adjustment = polars.col("bits"), polars.col("adjustment")
    return with_t_interval(means, "bits", nothing=NOTHING).select(
        *design, "condition", "bits", "low", "high",
        (mean + adjustment * (polars.col("low") - mean)).alias("low_adjusted"),
        (mean + adjustment * (polars.col("high") - mean)).alias("high_adjusted"),
        "standard_error", "n", "note",
    )  # fmt: skip


def what_is_constant(complete: polars.Expr) -> polars.Expr:
    """Why a condition may have no spread within items: its values, or only their differences within an item, are equal.

    complete: the bits of a condition. range: how far apart the conditions of each item are.
    """
    return (
        polars.when(complete.max() - complete.min() < ROUNDING)
        .then(polars.lit("all values equal"))
        .when(polars.col("range").filter("complete").max() < ROUNDING)
        .then(polars.lit("the same in all conditions of an item"))
        .otherwise(polars.lit("the same difference from the item's mean in all items"))
    )
