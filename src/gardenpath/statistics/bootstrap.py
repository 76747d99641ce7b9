"""Bootstrap intervals of means, over items or over clusters of items that share a word."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars
from numpy.typing import ArrayLike, NDArray

from gardenpath.statistics.grouping import aggregate
from gardenpath.statistics.proportions import Estimate, Floats

RESAMPLES = 2000
FEW_VALUES = 16
"""Number of distinct values up to which the counts of values are drawn instead of single items."""
BLOCK_SIZE = 4_000_000
"""Numbers held in memory at once while resampling."""
PERCENTILES = (2.5, 97.5)


def bootstrap_mean(
    values: ArrayLike, *, clusters: ArrayLike | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> Estimate:
    """A mean with its percentile bootstrap interval over items, or over clusters of items drawn together.

    If resampling is pointless (one value, one cluster, all values equal), the bounds are NaN, and the method says why.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers):
        raise ValueError("no values to average: the group is empty or all its items were left out")
    if not np.isfinite(numbers).all():
        raise ValueError("some values are not finite; leave them out before averaging, and report how many")
    labels = None if clusters is None else np.asarray(clusters)
    bounds, reasons = bootstrap_bounds([numbers], [labels], seed=seed, resamples=resamples)
    method = "bootstrap over items" if clusters is None else "bootstrap over clusters"
    return Estimate(float(numbers.mean()), float(bounds[0, 0]), float(bounds[0, 1]), len(numbers), reasons[0] or method)


def bootstrap_bounds(
    members: Sequence[Floats], clusters: Sequence[NDArray[Any] | None], *, seed: int, resamples: int
) -> tuple[Floats, list[str]]:
    """The bounds of the mean of every group, (groups, 2), and the reason where there is no interval.

    Every group is drawn from the same seed, so that its interval does not depend on the other groups; groups with
    equally many units to draw are drawn together.
    """
    bounds = np.full((len(members), 2), np.nan)
    reasons = list(map(reason_not_to_draw, members, clusters))
    by_size: dict[int, list[tuple[int, Floats, Floats]]] = {}
    for row, (values, labels) in enumerate(zip(members, clusters, strict=True)):
        if reasons[row]:
            continue
        if labels is not None:
            _, cluster = np.unique(labels, return_inverse=True)
            sums = np.bincount(cluster, weights=values).astype(np.float64)
            by_size.setdefault(len(sums), []).append((row, sums, np.bincount(cluster).astype(np.float64)))
        elif len((counted := np.unique(values, return_counts=True))[0]) <= FEW_VALUES:
            bounds[row] = few_valued_bounds(tuple(counted[0].tolist()), tuple(counted[1].tolist()), seed, resamples)
        else:
            by_size.setdefault(len(values), []).append((row, values, np.ones(len(values))))
    for same in by_size.values():
        rows, all_sums, all_sizes = zip(*same, strict=True)
        bounds[list(rows)] = shared_bounds(
            np.stack(all_sums, axis=1), np.stack(all_sizes, axis=1), seed=seed, resamples=resamples
        )
    return bounds, reasons


def reason_not_to_draw(values: Floats, clusters: NDArray[Any] | None) -> str:
    """The reason why resampling is pointless; empty if it is not."""
    if not len(values):
        return "no finite value"
    if len(values) == 1:
        return "no interval: one item"
    if clusters is not None and np.all(clusters == clusters[0]):
        return "no interval: one cluster"
    return "no interval: all values equal" if values.min() == values.max() else ""


@lru_cache(maxsize=4096)
def few_valued_bounds(
    distinct: tuple[float, ...], counts: tuple[int, ...], seed: int, resamples: int
) -> tuple[float, float]:
    """The interval of a mean of few distinct values, such as credits; cached, as small groups often coincide."""
    n = sum(counts)
    drawn = np.random.default_rng(seed).multinomial(n, np.array(counts) / n, size=resamples)
    low, high = np.percentile(drawn.astype(np.float64) @ np.array(distinct) / n, PERCENTILES)
    return float(low), float(high)


def shared_bounds(sums: Floats, sizes: Floats, *, seed: int, resamples: int) -> Floats:
    """The intervals of many means, (columns, 2), from the sums and sizes of the units drawn, both (units, columns)."""
    means = [(weights @ sums) / (weights @ sizes) for weights in draw_counts(len(sums), seed=seed, resamples=resamples)]
    return np.asarray(np.percentile(np.concatenate(means), PERCENTILES, axis=0)).T


def draw_counts(n: int, *, seed: int, resamples: int) -> Iterator[Floats]:
    """How often each of n units is drawn with replacement, in blocks of (resamples, n)."""
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK_SIZE // n)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = rng.integers(n, size=(rows, n))
        drawn += n * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def grouped_bootstrap(
    table: polars.DataFrame, value: str, by: Sequence[str], *, clusters: str | None = None, seed: int = 0
) -> polars.DataFrame:
    """The mean of a column in every group with its bootstrap interval: [*by, VALUE, low, high, n, note].

    Each row equals `bootstrap_mean` of its group alone. Missing and non-finite values are left out; a group with fewer
    than two different ones has no interval, as its note says.
    """
    finite = polars.col(value).cast(polars.Float64).is_finite().fill_null(value=False)
    drawn = {"_values": value, "_labels": clusters or value}
    groups = aggregate(table, by, *(polars.col(column).filter(finite).alias(name) for name, column in drawn.items()))
    members = [np.asarray(values.to_numpy(), dtype=np.float64) for values in groups["_values"]]
    labels = [None if clusters is None else names.to_numpy() for names in groups["_labels"]]
    bounds, notes = bootstrap_bounds(members, labels, seed=seed, resamples=RESAMPLES)
    return groups.with_columns(
        polars.Series(value, [float(values.mean()) if len(values) else None for values in members], polars.Float64),
        polars.Series("low", bounds[:, 0]).fill_nan(None),
        polars.Series("high", bounds[:, 1]).fill_nan(None),
        polars.Series("n", [len(values) for values in members], polars.Int64),
        polars.Series("note", notes, polars.String),
    ).select(*by, value, "low", "high", "n", "note")
