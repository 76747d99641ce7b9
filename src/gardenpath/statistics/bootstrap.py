"""How sure we are of a mean, by drawing the items, or the groups of items that share a word, again and again."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gardenpath.statistics.estimate import Estimate, Values

if TYPE_CHECKING:
    import polars

RESAMPLES = 2000
FEW = 16
"""Different values up to which it is drawn how often each value comes up, instead of every single item."""
BLOCK = 4_000_000
"""Numbers held at once while resampling."""
PERCENTILES = (2.5, 97.5)


def bootstrap_mean(
    values: ArrayLike, *, clusters: ArrayLike | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> Estimate:
    """A mean with its percentile bootstrap interval over items, or over clusters of items drawn together.

    Where there is nothing to draw from (one value, one cluster, all values equal) both ends are the mean, and the
    method says why.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not len(numbers):
        raise ValueError("no values to average: the group is empty or all its items were left out")
    if not np.isfinite(numbers).all():
        raise ValueError("some values are not finite; leave them out before averaging and say how many they were")
    names = None if clusters is None else np.asarray(clusters)
    bounds, reasons = many_bounds([numbers], [names], seed=seed, resamples=resamples)
    method = "bootstrap over items" if clusters is None else "bootstrap over clusters"
    return Estimate(float(numbers.mean()), float(bounds[0, 0]), float(bounds[0, 1]), len(numbers), reasons[0] or method)


def many_bounds(
    members: Sequence[Values], clusters: Sequence[NDArray[Any] | None], *, seed: int, resamples: int
) -> tuple[Values, list[str]]:
    """The ends of the interval of the mean of every group, (groups, 2), and why there is none.

    Every group is drawn from the same seed, so that what it gets does not hang on the other groups; those with equally
    many things to draw from are drawn together.
    """
    bounds = np.full((len(members), 2), np.nan)
    reasons = [nothing_to_draw(values, names) for values, names in zip(members, clusters, strict=True)]
    by_size: dict[int, list[tuple[int, Values, Values]]] = {}
    for row, (values, names) in enumerate(zip(members, clusters, strict=True)):
        if reasons[row]:
            bounds[row] = values.mean() if len(values) else np.nan
        elif names is not None:
            _, place = np.unique(names, return_inverse=True)
            sums = np.bincount(place, weights=values).astype(np.float64)
            by_size.setdefault(len(sums), []).append((row, sums, np.bincount(place).astype(np.float64)))
        elif len((few := np.unique(values, return_counts=True))[0]) <= FEW:
            bounds[row] = few_valued_bounds(tuple(few[0].tolist()), tuple(few[1].tolist()), seed, resamples)
        else:
            by_size.setdefault(len(values), []).append((row, values, np.ones(len(values))))
    for same in by_size.values():
        rows, all_sums, all_sizes = zip(*same, strict=True)
        bounds[list(rows)] = shared_bounds(
            np.stack(all_sums, axis=1), np.stack(all_sizes, axis=1), seed=seed, resamples=resamples
        )
    return bounds, reasons


def nothing_to_draw(values: Values, clusters: NDArray[Any] | None) -> str:
    """Why resampling would tell nothing; empty where it does."""
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
    """The interval of a mean of values of which few differ, such as credits; small groups often repeat each other."""
    n = sum(counts)
    drawn = np.random.default_rng(seed).multinomial(n, np.array(counts) / n, size=resamples)
    low, high = np.percentile(drawn.astype(np.float64) @ np.array(distinct) / n, PERCENTILES)
    return float(low), float(high)


def shared_bounds(sums: Values, sizes: Values, *, seed: int, resamples: int) -> Values:
    """The intervals of many means, (columns, 2), from the sums and sizes of what is drawn: (things, columns) both."""
    means = [(weights @ sums) / (weights @ sizes) for weights in draws(len(sums), seed=seed, resamples=resamples)]
    return np.asarray(np.percentile(np.concatenate(means), PERCENTILES, axis=0)).T


def draws(n: int, *, seed: int, resamples: int) -> Iterator[Values]:
    """How often each of n things is drawn, n drawn with replacement: blocks of (resamples, n)."""
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK // n)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = rng.integers(n, size=(rows, n))
        drawn += n * np.arange(rows)[:, None]
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def grouped_bootstrap(
    table: "polars.DataFrame",
    value: str,
    by: Sequence[str],
    *,
    clusters: str | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> "polars.DataFrame":
    """The mean of a column in every group with its bootstrap interval: [*by, VALUE, low, high, n, note].

    Each row is what `bootstrap_mean` gives for its group alone. Values that are missing or not finite are left out;
    a group with none left has no numbers and a note.
    """
    import polars

    finite = polars.col(value).cast(polars.Float64).is_finite().fill_null(value=False)
    keys = list(by) or ["_all"]
    columns = [value] if clusters is None else [value, clusters]
    groups = (
        table.with_columns(polars.lit(0).alias("_all"))
        .group_by(keys, maintain_order=True)
        .agg(polars.col(column).filter(finite).alias(f"_{place}") for place, column in enumerate(columns))
    )
    members = [np.asarray(values.to_numpy(), dtype=np.float64) for values in groups["_0"]]
    names = [None] * len(members) if clusters is None else [drawn.to_numpy() for drawn in groups["_1"]]
    bounds, notes = many_bounds(members, names, seed=seed, resamples=resamples)
    return (
        groups.select(keys)
        .with_columns(
            polars.Series(value, [float(values.mean()) if len(values) else None for values in members], polars.Float64),
            polars.Series("low", bounds[:, 0]).fill_nan(None),
            polars.Series("high", bounds[:, 1]).fill_nan(None),
            polars.Series("n", [len(values) for values in members], polars.Int64),
            polars.Series("note", notes, polars.String),
        )
        .select(*by, value, "low", "high", "n", "note")
    )
