"""Means over suites, over models and suites, and over items, with intervals that hold for few of them."""

from collections.abc import Sequence

import numpy as np
import polars

from gardenpath.statistics.agreement import pivot_models
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import aggregate, join_groups, with_unit
from gardenpath.statistics.proportions import (
    ROUNDING,
    Z95,
    Floats,
    Integers,
    agresti_coull_bounds,
    paired_difference_bounds,
    t_quantile,
)

ASSUMED_OF_ACCURACIES, ASSUMED_OF_DIFFERENCES = 0.3, 0.05
"""Correlation of the items of one suite that is assumed for one suite more than there are.

Few suites tell little about how much suites vary: three suites without an error say nothing about it. Differences of
two models vary less, as both find the same suites hard.
"""


def mean_over_suites(table: polars.DataFrame, value: str, by: Sequence[str]) -> polars.DataFrame:
    """The mean of accuracies, each of the same weight, with its interval over suites: [*by, VALUE, low, high, n, note].

    The interval is that of Agresti and Coull for as many items as the suites are worth (`items_worth`), with Student's
    t of n − 1 degrees of freedom. Missing values are left out; one suite alone has no interval.
    """
    finite = polars.col(value).cast(polars.Float64).is_finite().fill_null(value=False)
    groups = aggregate(table, by, polars.col(value).filter(finite))
    members = [np.asarray(values.to_numpy(), dtype=np.float64) for values in groups[value]]
    n = np.array([len(values) for values in members])
    means = np.array([values.mean() if len(values) else np.nan for values in members])
    spreads = np.array([values.var(ddof=1) if len(values) > 1 else np.nan for values in members])
    bounds = np.full((2, len(members)), np.nan)
    if (several := n > 1).any():
        share, size = means[several], n[several]
        worth = items_worth(size, spreads[several], share * (1 - share), assumed=ASSUMED_OF_ACCURACIES)
        bounds[:, several] = agresti_coull_bounds(share * worth, worth, degrees=size - 1)
    reasons = ["" if size > 1 else "no interval: one suite" if size else "no finite value" for size in n.tolist()]
    return groups.with_columns(
        polars.Series(value, means).fill_nan(None),
        polars.Series("low", bounds[0]).fill_nan(None),
        polars.Series("high", bounds[1]).fill_nan(None),
        polars.Series("n", n, polars.Int64),
        polars.Series("note", reasons, polars.String),
    ).select(*by, value, "low", "high", "n", "note")


def items_worth(suites: Integers, spread: Floats, item_variance: Floats, *, assumed: float) -> Floats:
    """How many independent items the mean over suites is worth: k / r for k suites.

    r = ((k − 1) · spread / item_variance + assumed) / k: the correlation of the items of a suite that follows from the
    variance of the suites' means and that of single items, and the assumed one for one suite more.
    """
    correlation = np.where(item_variance > ROUNDING, spread / np.maximum(item_variance, ROUNDING), 0.0)
    return np.asarray(suites**2 / ((suites - 1) * correlation + assumed))


def difference_over_suites(a_only: Floats, b_only: Floats) -> tuple[float | None, float | None]:
    """The bounds of the mean difference of two models over suites, from the shares of items that only one gets right.

    The interval of Bonett and Price for as many pairs as the suites are worth, with Student's t; none for one suite.
    """
    suites = len(a_only)
    if suites < 2:
        return None, None
    a, b = a_only.mean(), b_only.mean()
    spread, item_variance = (a_only - b_only).var(ddof=1), np.array([a + b - (a - b) ** 2])
    worth = items_worth(np.array([suites]), spread, item_variance, assumed=ASSUMED_OF_DIFFERENCES)
    worth = worth * (Z95 / t_quantile(np.array([suites - 1]))) ** 2
    low, high = paired_difference_bounds(a * worth, b * worth, worth)
    return float(low[0]), float(high[0])


def mean_over_models_and_suites(table: polars.DataFrame, value: str, by: Sequence[str]) -> polars.DataFrame:
    """The mean accuracy of several models on several suites: [*by, VALUE, low, high, n, note]; n counts accuracies.

    Each prediction of a suite with several counts as a suite. Models and suites are both drawn: the variance of the
    mean is that over models plus that over suites less that of their interaction, which both contain (a two-way
    analysis of variance). The interval is that of Agresti and Coull for as many items as have this variance, with
    Student's t of Satterthwaite's degrees of freedom.
    """
    finite = table.filter(polars.col(value).cast(polars.Float64).is_finite())
    rows = with_unit(finite).with_columns(polars.lit(0).alias("_all"))
    parts = rows.partition_by(*(by or ["_all"]), maintain_order=True)
    groups = polars.concat([part.select(by).head(1) for part in parts] or [rows.select(by)])
    means = [crossed_interval(pivot_models(part, "unit", value)[1]) for part in parts]
    schema = dict.fromkeys((value, "low", "high"), polars.Float64) | {"n": polars.Int64, "note": polars.String}
    return polars.concat([groups, polars.DataFrame(means, schema=schema, orient="row")], how="horizontal")


def crossed_interval(values: Floats) -> tuple[float, float | None, float | None, int, str]:
    """The mean of (suites, models) accuracies, bounds, number, note; NaN where a model was not run on a suite."""
    mean, n = float(np.nanmean(values)), int(np.isfinite(values).sum())
    suites, models = np.nanmean(values, axis=1), np.nanmean(values, axis=0)
    if len(suites) < 2:
        return mean, None, None, n, "no interval: one suite"
    item_variance = np.array([max(mean * (1 - mean), ROUNDING)])
    size = np.array([len(suites)])
    worth = items_worth(size, suites.var(ddof=1), item_variance, assumed=ASSUMED_OF_ACCURACIES)
    parts = [(float((item_variance / worth)[0]), len(suites) - 1.0)]
    if len(models) > 1:
        parts.append((float(models.var(ddof=1)) / len(models), len(models) - 1.0))
    variance, degrees = add_variances(parts, interaction_variance(values) if n == values.size else 0.0)
    effective = item_variance / variance
    low, high = agresti_coull_bounds(mean * effective, effective, degrees=np.array([degrees]))
    note = {1: "one model: interval over suites only", 2: "two models: their interval may be too narrow"}.get(
        len(models), ""
    )
    return mean, float(low[0]), float(high[0]), n, note


def add_variances(parts: Sequence[tuple[float, float]], shared: float) -> tuple[float, float]:
    """The sum of variances that each have degrees of freedom, less what they share, and Satterthwaite's degrees."""
    variances = [variance for variance, _ in parts]
    total = max([*variances, sum(variances) - shared])
    error = sum(variance**2 / degrees for variance, degrees in parts)
    return total, total**2 / error if error else parts[0][1]


def interaction_variance(values: Floats) -> float:
    """The variance of the mean of a table of values that the interaction of its rows and columns gives."""
    rows, columns = values.shape
    if min(rows, columns) < 2:
        return 0.0
    residual = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return float((residual**2).sum() / ((rows - 1) * (columns - 1) * values.size))


def mean_over_items(table: polars.DataFrame, value: str, by: Sequence[str]) -> polars.DataFrame:
    """The mean of a column in every group with Student's interval over its rows: [*by, VALUE, low, high, n, note].

    With the column `fillers`, the interval is that of as many items as they are worth where they share words. Missing
    and non-finite values are left out; one value alone, or equal ones, have no interval.
    """
    finite = polars.col(value).cast(polars.Float64).is_finite().fill_null(value=False)
    kept = polars.col(value).filter(finite)
    means = aggregate(table, by, kept.mean(), kept.std().alias("spread"), finite.sum().cast(polars.Int64).alias("n"))
    if "fillers" in table.columns:
        means = join_groups(means, effective_items(table.filter(finite), value, by), by)
    return with_t_interval(means, value).select(*by, value, "low", "high", "n", "note")


def with_t_interval(means: polars.DataFrame, value: str, *, nothing: str = "no finite value") -> polars.DataFrame:
    """Add standard_error, Student's interval (low, high) and note to the means in a column, with their spread and n.

    means: with `effective_n`, the interval is that of so many items; with `all`, the note has how many more items than
    n there are; with `constant`, it has that where the spread is zero. nothing: the note where n is 0.
    """
    n, worth = polars.col("n"), polars.col("effective_n" if "effective_n" in means.columns else "n")
    error = polars.when(n > 1).then(polars.col("spread") / worth.sqrt())
    equal = (n > 1) & (polars.col("spread") < ROUNDING)
    constant = polars.col("constant") if "constant" in means.columns else polars.lit("all values equal")
    missing = polars.col("all") - n if "all" in means.columns else polars.lit(0)
    reason = (
        polars.when(n == 0)
        .then(polars.lit(nothing))
        .when(n == 1)
        .then(polars.lit("no interval: one item"))
        .when(equal)
        .then(polars.format("no interval: {}", constant))
        .when(missing > 0)
        .then(polars.format("{} of {} items without a surprisal", missing, n + missing))
        .otherwise(polars.lit(""))
    )
    quantile = polars.Series("quantile", t_quantile(means["n"].to_numpy() - 1))
    half = polars.when(~equal).then(polars.lit(quantile) * error)
    return means.with_columns(
        error.alias("standard_error"),
        (polars.col(value) - half).alias("low"),
        (polars.col(value) + half).alias("high"),
        reason.alias("note"),
    )
