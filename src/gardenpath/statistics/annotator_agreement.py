"""Agreement between people who judge the same units: Krippendorff's alpha, and agreement of pairs of judgments."""

from typing import Literal

import numpy as np
import polars

from gardenpath.statistics.proportions import ROUNDING, Floats

Level = Literal["nominal", "ordinal", "interval"]
"""How two values differ: at all, in their ranks, or in their numbers."""


def krippendorff_alpha(
    judgments: polars.DataFrame, value: str, *, unit: str = "unit", level: Level = "nominal"
) -> float | None:
    """Krippendorff's alpha: 1 - observed / expected disagreement of pairs of judgments.

    judgments: a row per judgment of a unit; rows without a value are left out, and units with one judgment say nothing.
    The observed disagreement is that within units, each pair weighted by 1 / (m - 1) for m judgments of its unit; the
    expected one is that between all judgments (Krippendorff 2011). None where nothing varies, or no unit has two.
    """
    values, counts = count_values(judgments, value, unit)
    judged = counts.sum(axis=1, keepdims=True)  # (units, 1)
    # o_ck: how often the values c and k meet in a unit.
    weighted = counts / np.maximum(judged - 1, 1)
    coincidences = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    totals = coincidences.sum(axis=0)
    distances = squared_distances(values, totals, level)
    expected = float(totals @ distances @ totals)
    if totals.sum() < 2 or expected < ROUNDING:
        return None
    return 1 - float((totals.sum() - 1) * (coincidences * distances).sum() / expected)


def pairwise_agreement(judgments: polars.DataFrame, value: str, *, unit: str = "unit") -> float | None:
    """The share of pairs of judgments of the same unit that have the same value; None where there is no pair."""
    _, counts = count_values(judgments, value, unit)
    judged = counts.sum(axis=1)
    pairs = float((judged * (judged - 1)).sum())
    return float((counts * (counts - 1)).sum()) / pairs if pairs else None


def count_values(judgments: polars.DataFrame, value: str, unit: str) -> tuple[Floats, Floats]:
    """The distinct values, and how often each was given to each unit with two judgments or more: (units, values).

    Values that are no numbers have their rank in the alphabet.
    """
    rows = judgments.select(unit, value).drop_nulls()
    number = rows[value].dtype.is_numeric() or rows[value].dtype == polars.Boolean
    values = rows[value].cast(polars.Float64) if number else rows[value].rank("dense").cast(polars.Float64)
    units = rows[unit].rank("dense").cast(polars.Int64).to_numpy() - 1
    distinct, codes = np.unique(values.to_numpy(), return_inverse=True)
    counts = np.zeros((int(units.max(initial=-1)) + 1, len(distinct)))
    np.add.at(counts, (units, codes), 1.0)
    return distinct, counts[counts.sum(axis=1) > 1]


def squared_distances(values: Floats, totals: Floats, level: Level) -> Floats:
    """How much every two values disagree, squared: (values, values); ordinal: the judgments between two values."""
    match level:
        case "nominal":
            return 1.0 - np.eye(len(values))
        case "interval":
            return np.asarray((values[:, None] - values) ** 2)
        case "ordinal":
            middles = np.cumsum(totals) - totals / 2
            return np.asarray((middles[:, None] - middles) ** 2)
