"""Means over people and items, both drawn from more of their kind: intervals of shares and of other numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars

from gardenpath.statistics.proportions import (
    ROUNDING,
    Floats,
    Integers,
    agresti_coull_bounds,
    t_quantile,
)

ASSUMED_CORRELATION = 0.1
"""Correlation of two answers to one item, or of one person, that is assumed beside what few answers show."""
ASSUMED_DEGREES = 2.0
"""Degrees of freedom that the assumed correlation counts as much as."""
Equal = Literal["answers", "items", "strata"]
"""What has the same weight in a mean: every answer, every item, or every stratum with its items."""


@dataclass(frozen=True, slots=True)
class CrossedMean:
    """A mean over people and items, and its variance."""

    mean: float
    variance: float
    degrees: float
    """Satterthwaite's degrees of freedom."""
    independent: float
    """The variance it would have if all answers were independent."""
    assumed: float
    """How many times that variance it has by the assumed correlations."""


def crossed_mean(
    values: Floats, people: Integers, items: Integers, strata: Integers, weights: Floats | None = None
) -> CrossedMean:
    """The mean of answers, and its variance if people and items were drawn again.

    V = V(items) + V(people) - V(answers): squared sums of weighted residuals by item, by person, and of single answers,
    which both others contain (clustering two ways). Strata are fixed: residuals are from the mean of the stratum, and
    items vary within it.
    """
    weights = np.full(len(values), 1 / len(values)) if weights is None else weights / weights.sum()
    strata = merge_single(items, strata)
    means = np.bincount(strata, weights=values) / np.bincount(strata)
    residuals = weights * (values - means[strata])
    item_sums, stratum_of = np.bincount(items, weights=residuals), first_of(strata, items)
    counts = np.bincount(stratum_of)[stratum_of]
    by_item = float((item_sums**2 * counts / np.maximum(counts - 1, 1)).sum())
    person_sums = np.bincount(people, weights=residuals)
    number = len(person_sums)
    by_person = float((person_sums**2).sum()) * number / max(number - 1, 1)
    independent = float((residuals**2).sum())
    variance = max(by_item + by_person - independent, by_item, by_person)
    parts = ((by_item, len(item_sums) - len(means)), (by_person, number - 1))
    error = sum(part**2 / max(degrees, 1) for part, degrees in parts)
    degrees = variance**2 / error if error > 0 else float(parts[0][1])
    shared = sum(float((np.bincount(codes, weights=weights) ** 2).sum()) for codes in (items, people))
    assumed = 1 + ASSUMED_CORRELATION * (shared / float((weights**2).sum()) - 2)
    return CrossedMean(float(weights @ values), variance, max(degrees, 1.0), independent, assumed)


def merge_single(items: Integers, strata: Integers) -> Integers:
    """Codes of strata, of which those with one item are one; if that still has one item, all are one."""
    _, codes = np.unique(strata, return_inverse=True)
    number = np.bincount(first_of(codes, items))
    merged = np.where(number[codes] == 1, len(number), codes)
    if np.unique(items[merged == len(number)]).size == 1:
        return np.zeros(len(items), dtype=np.int64)
    return np.asarray(np.unique(merged, return_inverse=True)[1], dtype=np.int64)


def first_of(values: Integers, codes: Integers) -> Integers:
    """The value of the first row of every code."""
    _, first = np.unique(codes, return_index=True)
    return np.asarray(values[first])


def share_bounds(found: CrossedMean, answers: int) -> tuple[float, float, float]:
    """The bounds of a share of right answers, and how many independent answers it is worth.

    The interval is that of Agresti and Coull for as many answers as have the variance found, with Student's t. The
    variance is that of the answers, and for some degrees of freedom more the assumed one: few answers without an error
    say nothing about how much people and items differ.
    """
    share, degrees = min(max(found.mean, 0.0), 1.0), found.degrees + ASSUMED_DEGREES
    worth = answers / found.assumed
    if found.independent > ROUNDING / answers:
        times = (found.degrees * found.variance / found.independent + ASSUMED_DEGREES * found.assumed) / degrees
        times = max(times, 1.0)
        worth = share * (1 - share) / (times * found.independent)
        # What people and items add is known from few of them, the variance of single answers from all answers.
        degrees = times**2 / ((times - 1) ** 2 / degrees + 1 / answers)
    worth = max(worth, 1.0)
    low, high = agresti_coull_bounds(np.array([share * worth]), np.array([worth]), degrees=np.array([degrees]))
    return float(low[0]), float(high[0]), worth


def mean_bounds(found: CrossedMean) -> tuple[float, float]:
    """The bounds of a mean by Student's t."""
    half = float(t_quantile(np.array([found.degrees]))[0]) * found.variance**0.5
    return found.mean - half, found.mean + half


def crossed_means(
    answers: polars.DataFrame,
    value: str,
    by: Sequence[str],
    *,
    share: bool = True,
    stratum: str = "cell",
    equal: Equal = "items",
) -> polars.DataFrame:
    """The mean of a column in every group, with its 95 % interval over people and items.

    answers: a row per answer, with the columns participant, suite, item and the stratum, within which items vary.
    share: the column is true or false, and the interval stays between 0 and 1; else it is Student's. equal: what has
    the same weight in the mean.
    Columns: *by, VALUE, low, high, n, participants, items, effective_n (of a share), note.
    """
    rows = answers.drop_nulls(value).with_columns(polars.concat_str("suite", "item", separator="\t").alias("_unit"))
    weight = {
        "answers": polars.lit(1.0),
        "items": 1 / polars.len().over([*by, "_unit"]),
        "strata": 1 / polars.len().over([*by, "_unit"]) / polars.col("_unit").n_unique().over([*by, stratum]),
    }[equal]
    rows = rows.with_columns(weight.alias("_weight"))
    parts = (rows.partition_by(*by, maintain_order=True) if by else [rows]) if rows.height else []
    found = [
        {**{name: part[name][0] for name in by}, **mean_of_group(part, value, share=share, stratum=stratum)}
        for part in parts
    ]
    numbers = {**dict.fromkeys((value, "low", "high"), polars.Float64)}
    counts = dict.fromkeys(("n", "participants", "items"), polars.Int64)
    schema = {name: rows.schema[name] for name in by} | numbers | counts
    return polars.DataFrame(found, schema=schema | {"effective_n": polars.Float64, "note": polars.String})


def mean_of_group(answers: polars.DataFrame, value: str, *, share: bool, stratum: str) -> dict[str, Any]:
    """The mean of one group with its interval; see `crossed_means`."""
    values = answers[value].cast(polars.Float64).to_numpy()
    people, items, strata = (
        answers[name].cast(polars.String).rank("dense").cast(polars.Int64).to_numpy() - 1
        for name in ("participant", "_unit", stratum)
    )
    found = crossed_mean(values, people, items, strata, answers["_weight"].to_numpy())
    counts = {"n": len(values), "participants": int(people.max()) + 1, "items": int(items.max()) + 1}
    # Sums of weights may exceed 1 by rounding.
    mean = min(max(found.mean, float(values.min())), float(values.max()))
    row: dict[str, Any] = {value: mean, **counts, "note": ""}
    if min(counts["participants"], counts["items"]) < 2:
        return row | {"note": f"no interval: one {'item' if counts['items'] < 2 else 'participant'}"}
    if share:
        return row | dict(zip(("low", "high", "effective_n"), share_bounds(found, len(values)), strict=True))
    return row | dict(zip(("low", "high"), mean_bounds(found), strict=True))
