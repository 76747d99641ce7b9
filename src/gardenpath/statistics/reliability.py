"""How well means over people would be repeated by other people: split halves, and the ceiling of correlations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.statistics.agreement import FEWEST_UNITS
from gardenpath.statistics.proportions import ROUNDING, Floats, Integers

SPLITS = 500


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """The reliability of the means of units over people."""

    halves: float | None
    """The mean correlation of the two halves; None where it is undefined: few units, or all means equal."""
    reliability: float | None
    """That of all people together: 2r / (1 + r) (Spearman and Brown)."""
    ceiling: float | None
    """Its square root: the highest correlation that anything can be expected to have with these means."""
    units: int
    splits: int


def split_half(
    judgments: polars.DataFrame,
    value: str,
    *,
    unit: str = "unit",
    people: str = "session",
    within: Sequence[str] = ("list",),
    seed: int = 0,
) -> SplitHalf:
    """Correlate the means of units over two random halves of the people, many times, and correct for the halving.

    judgments: a row per person and unit; units that only one half judged are left out of a split. The people of every
    group of `within` (a list) are halved, so that both halves judge each unit about equally often.
    """
    rows = judgments.drop_nulls(value)
    units = int(rows[unit].n_unique())
    values = rows[value].cast(polars.Float64).to_numpy()
    unit_of = rows[unit].rank("dense").cast(polars.Int64).to_numpy() - 1
    groups = rows.select(people, *within).unique(maintain_order=True).with_row_index("person")
    person_of = rows.join(groups, on=[people, *within], nulls_equal=True, maintain_order="left")["person"].to_numpy()
    group_of = groups.select(polars.struct(within).rank("dense") if within else polars.lit(1)).to_series().to_numpy()
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(SPLITS if units >= FEWEST_UNITS else 0):
        second = halve(group_of, rng)[person_of]
        r = correlate_halves(values, unit_of, second, units)
        if r is not None:
            found.append(r)
    if not found:
        return SplitHalf(None, None, None, units, 0)
    r = float(np.mean(found))
    reliability = 2 * r / (1 + r)
    return SplitHalf(r, reliability, float(np.sqrt(reliability)) if reliability > 0 else None, units, len(found))


def halve(groups: Integers, rng: np.random.Generator) -> Integers:
    """Put every second person of each group, in random order, into the second half; which begins is random, too."""
    order = np.lexsort((rng.random(len(groups)), groups))
    first = np.flatnonzero(np.diff(groups[order], prepend=-1))
    rank = np.arange(len(groups)) - np.repeat(first, np.diff(np.append(first, len(groups))))
    begins = np.repeat(rng.integers(2, size=len(first)), np.diff(np.append(first, len(groups))))
    half = np.empty(len(groups), dtype=np.int64)
    half[order] = (rank + begins) % 2
    return half


def correlate_halves(values: Floats, unit_of: Integers, second: Integers, units: int) -> float | None:
    """The correlation of the means of units over the halves; None where it is undefined."""
    cells = unit_of * 2 + second
    sums = np.bincount(cells, weights=values, minlength=2 * units).reshape(-1, 2)
    counts = np.bincount(cells, minlength=2 * units).reshape(-1, 2)
    both = counts.min(axis=1) > 0
    means = sums[both] / counts[both]
    if len(means) < FEWEST_UNITS or np.ptp(means, axis=0).min() < ROUNDING:
        return None
    return float(np.corrcoef(means.T)[0, 1])
