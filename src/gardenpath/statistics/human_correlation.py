"""Correlation of what models prefer with what people prefer, item by item, beside the ceiling that people set."""

from collections.abc import Mapping

import numpy as np
import polars

from gardenpath.statistics.agreement import correlation
from gardenpath.statistics.bootstrap import PERCENTILES, RESAMPLES
from gardenpath.statistics.proportions import ROUNDING, Floats

ALL, WITHIN = "(all items)", "(within suites)"
"""Rows over all suites: of the numbers as they are, and of their deviations from the means of their suites."""
FEWEST_ITEMS = 10
"""Items below which a bootstrap interval would say nothing."""
SCHEMA = {
    "model": polars.String, "suite": polars.String, "n": polars.Int64, "pearson": polars.Float64,
    "low": polars.Float64, "high": polars.Float64, "spearman": polars.Float64, "ceiling": polars.Float64,
    "note": polars.String,
}  # fmt: skip


def human_correlation(
    outcomes: polars.DataFrame,
    people: polars.DataFrame,
    *,
    ceilings: Mapping[str, float | None] | None = None,
    seed: int = 0,
) -> polars.DataFrame:
    """Correlate the margins of every model with a number of people, over the items of each suite and of all.

    outcomes: a row per model, suite, prediction and item, with `margin`; people: a row per suite, prediction and item,
    with `value`, such as the share of people who chose the right sentence. ceilings: by suite, or `ALL` or `WITHIN`.
    Columns: model, suite, n, pearson, low, high (95 %, bootstrap over items), spearman, ceiling, note.
    """
    keys = ["suite", "prediction", "item"]
    finite = polars.col("margin").is_finite().fill_null(value=False)
    known = people.select(*keys, "value").drop_nulls()
    joined = outcomes.filter(finite).join(known, on=keys, maintain_order="left")
    rows = []
    for (model,), own in joined.partition_by("model", as_dict=True, maintain_order=True).items():
        parts = dict(own.partition_by("suite", as_dict=True, maintain_order=True))
        several = {ALL: own, WITHIN: centre_by_suite(own)} if len(parts) > 1 else {}
        for suite, part in {**several, **{str(name): part for (name,), part in parts.items()}}.items():
            found = correlate_items(part["margin"].to_numpy(), part["value"].to_numpy(), seed=seed)
            rows.append((str(model), suite, part.height, *found[:4], (ceilings or {}).get(suite), found[4]))
    return polars.DataFrame(rows, schema=SCHEMA, orient="row")


def centre_by_suite(rows: polars.DataFrame) -> polars.DataFrame:
    """Subtract the means of suites from margins and values."""
    return rows.with_columns(polars.col("margin", "value") - polars.col("margin", "value").mean().over("suite"))


def correlate_items(
    margins: Floats, values: Floats, *, seed: int
) -> tuple[float | None, float | None, float | None, float | None, str]:
    """Pearson's r, the bounds of its bootstrap interval over items, Spearman's rho, and a note where there is none."""
    pearson, note = correlation(margins, values, "pearson")
    if pearson is None:
        return None, None, None, None, note.replace("units in common", "items").replace("accuracy", "value")
    spearman, _ = correlation(margins, values, "spearman")
    if len(margins) < FEWEST_ITEMS:
        return pearson, None, None, spearman, f"no interval: fewer than {FEWEST_ITEMS} items"
    low, high = bootstrap_correlation(margins, values, seed=seed)
    return pearson, low, high, spearman, ""


def bootstrap_correlation(a: Floats, b: Floats, *, seed: int) -> tuple[float | None, float | None]:
    """The percentile bootstrap interval of Pearson's r; samples in which nothing varies are left out."""
    rng = np.random.default_rng(seed)
    found: list[float] = []
    step = max(1, 2_000_000 // len(a))
    for start in range(0, RESAMPLES, step):
        drawn = rng.integers(len(a), size=(min(step, RESAMPLES - start), len(a)))
        x, y = a[drawn], b[drawn]
        x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
        spread = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
        varies = spread > ROUNDING
        found += ((x * y).sum(axis=1)[varies] / spread[varies]).tolist()
    if len(found) < RESAMPLES / 2:
        return None, None
    low, high = np.percentile(found, PERCENTILES)
    return float(low), float(high)
