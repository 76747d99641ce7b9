"""The shape of a learning curve, and the age of acquisition of a paradigm, with the noise of few items accounted for.

The points of a curve are accuracies on the same items. Every statement about a curve is one about the mean over items
of a contrast between points, such as c_j − c_i, where c is the credit of an item at a point; it is made if the interval
of the contrast excludes 0. The intervals are Bonett and Price's (2012), with Student's t, and hold for all pairs of
points of a curve at once (Bonferroni), so that the largest of many differences does not pass for a turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.special import stdtrit

from gardenpath.errors import InputError
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import aggregate, drop_left_out, first_predictions
from gardenpath.statistics.proportions import ROUNDING, Floats
from gardenpath.statistics.training_series import with_series

LEVEL = 0.05
"""The share of curves without any true change that may be given a shape."""
SHAPES = {
    (): "flat", (1,): "rising", (-1,): "falling", (-1, 1): "U", (1, -1): "inverted U",
}  # fmt: skip
"""Shapes by the directions of the swings of a curve; with two turns or more it is erratic."""
COLUMNS = {
    "series": polars.String, "suite": polars.String, "unit": polars.String, "points": polars.Int64, "n": polars.Int64,
    "effective_n": polars.Float64, "first": polars.Float64, "last": polars.Float64, "shape": polars.String,
    "turns": polars.String, "acquired": polars.Int64, "earliest": polars.Int64, "latest": polars.Int64,
    "note": polars.String,
}  # fmt: skip
NO_RISE = "not acquired: the last point is not above the first"


@dataclass(frozen=True, slots=True)
class Curve:
    """The credits of the same items at the points of a curve."""

    sizes: Sequence[int]
    """How far training had come at each point, or the size of its corpus: rising."""
    credits: Floats
    """(points, items)."""
    effective_n: float
    """How many independent items these are worth."""

    @property
    def quantile(self) -> float:
        """Student's quantile for intervals that hold for all pairs of points at once."""
        points = len(self.sizes)
        pairs = max(1, points * (points - 1) // 2)
        return float(stdtrit(max(self.effective_n - 1, 1.0), 1 - LEVEL / (2 * pairs)))

    @property
    def positions(self) -> Floats:
        """Where the points lie on a logarithmic axis: 0 at the first, 1 at the last; size 0 is left of the smallest."""
        sizes = np.array(self.sizes, dtype=np.float64)
        logs = np.log1p(sizes / sizes[sizes > 0].min()) if sizes[0] == 0 else np.log(sizes)
        return np.asarray((logs - logs[0]) / (logs[-1] - logs[0]))


def curve_shapes(outcomes: polars.DataFrame, models: polars.DataFrame) -> polars.DataFrame:
    """Classify the learning curve of every series on every suite, by its first prediction; date its acquisition.

    outcomes: a row per model, suite, prediction and item; models: a table with their training (`Runs.models`).
    Columns: series, suite, unit (of sizes), points, n (items that all models have), effective_n, first, last
    (accuracies), shape, turns (sizes of turning points), acquired, earliest, latest (sizes), note. Models of one size
    (seeds) are one point. Series with one size have no row.
    """
    rows = with_series(first_predictions(drop_left_out(outcomes)), models).drop_nulls("size")
    rows = rows.filter(polars.col("size").n_unique().over("series") > 1)
    if not rows.height:
        raise InputError("needs models trained alike on corpora of at least two sizes, or checkpoints of one training")
    found = []
    for (series, unit, suite), part in rows.group_by("series", "unit", "suite", maintain_order=True):
        shared = part.filter(polars.col("model").n_unique().over("item") == part["model"].n_unique())
        if shared.height and shared["size"].n_unique() > 1:
            found.append({"series": series, "suite": suite, "unit": unit} | describe_curve(build_curve(shared)))
    if not found:
        raise InputError("the models of no series share the items of a suite; run them on the same suites")
    return polars.DataFrame(found, schema=COLUMNS).sort("series", maintain_order=True)


def build_curve(rows: polars.DataFrame) -> Curve:
    """Collect the credits of the items of one suite, averaged over the models of one size.

    Items that share words are worth as many as at the point where they are worth least.
    """
    about = [name for name in ("fillers",) if name in rows.columns]
    firsts = (polars.col(name).first() for name in about)
    items = aggregate(rows, ["size", "item"], polars.col("credit").mean(), *firsts).sort("size", "item")
    worth = effective_items(items, "credit", ["size"])["effective_n"].min()
    sizes = items["size"].unique().sort().to_list()
    return Curve(sizes, items["credit"].to_numpy().reshape(len(sizes), -1), max(float(worth or 1.0), 1.0))  # type: ignore[arg-type]  # a number


def describe_curve(curve: Curve) -> dict[str, Any]:
    """Name the shape of a curve, and date its acquisition."""
    turns, directions = find_swings(curve)
    shape = SHAPES.get(tuple(directions), "erratic")
    if shape in ("rising", "falling") and is_sigmoid(curve, directions[0]):
        shape = f"S, {shape}"
    ages = date_acquisition(curve)
    means = curve.credits.mean(axis=1)
    return {
        "points": len(curve.sizes), "n": curve.credits.shape[1], "effective_n": curve.effective_n,
        "first": float(means[0]), "last": float(means[-1]), "shape": shape,
        "turns": ", ".join(f"{curve.sizes[turn]:,}" for turn in turns),
        **ages, "note": "" if ages["acquired"] is not None else NO_RISE,
    }  # fmt: skip


def contrast_signs(sums: Floats, squares: Floats, n: int, curve: Curve) -> NDArray[np.int64]:
    """The signs of contrasts of items, in [−1, 1], given as sums and sums of squares over items; 0 within the interval.

    m ± t √((q − m²) / (n + 2)), m = Σ v / (n + 2), q = (Σ v² + 2) / (n + 2): one item in favour of either is added. Of
    items that share words, n is the effective number, and the sums are those of as many.
    """
    worth = curve.effective_n / n
    number = curve.effective_n + 2
    mean, square = sums * worth / number, (squares * worth + 2) / number
    half = curve.quantile * np.sqrt(np.maximum(square - mean**2, 0.0) / number)
    return np.where(np.abs(mean) - half > ROUNDING, np.sign(mean), 0).astype(np.int64)


def differences(curve: Curve) -> NDArray[np.int64]:
    """(points, points): 1 where the second point is above the first, −1 where below, 0 within the interval."""
    credits = curve.credits
    totals, squares = credits.sum(axis=1), (credits**2).sum(axis=1)
    products = credits @ credits.T
    return contrast_signs(
        totals[None, :] - totals[:, None], squares[None, :] + squares[:, None] - 2 * products, credits.shape[1], curve
    )


def find_swings(curve: Curve) -> tuple[list[int], list[int]]:
    """The turning points of a curve, and the directions of its swings before, between and after them.

    A swing begins when a point differs from the lowest or the highest before it, and ends in the highest (or lowest)
    point from which a later one differs in the other direction.
    """
    signs, means = differences(curve), curve.credits.mean(axis=1)
    extreme = {1: 0, -1: 0}
    """The highest point of a rise and the lowest of a fall so far; before the first swing, of all points."""
    turns: list[int] = []
    directions: list[int] = []
    for point in range(1, len(means)):
        for way in [directions[-1]] if directions else [1, -1]:
            if way * (means[point] - means[extreme[way]]) >= 0:
                extreme[way] = point
        for way in [-directions[-1]] if directions else [1, -1]:
            if signs[extreme[-way], point] == way:
                turns += [extreme[-way]] if directions else []
                directions.append(way)
                extreme[way] = point
                break
    return turns, directions


def is_sigmoid(curve: Curve, direction: int) -> bool:
    """Whether a rise (or fall) is first below and later above the straight line from its first point to its last.

    The line is straight on the logarithmic axis on which curves are drawn.
    """
    at, credits = curve.positions[1:-1, None], curve.credits
    bends = credits[1:-1] - (1 - at) * credits[0] - at * credits[-1]
    signs = direction * contrast_signs(bends.sum(axis=1), (bends**2).sum(axis=1), credits.shape[1], curve)
    below, above = np.flatnonzero(signs < 0), np.flatnonzero(signs > 0)
    return bool(len(below) and len(above) and below[0] < above[-1])


def date_acquisition(curve: Curve) -> dict[str, int | None]:
    """The size from which on accuracy stays at least half way from the first point to the last; with an interval.

    earliest: the size from which on no point is below half way by more than its interval; latest: from which on all are
    above it by more; None if not even the last is. All are None unless the last point is above the first.
    """
    credits = curve.credits
    if differences(curve)[0, -1] != 1:
        return dict.fromkeys(("acquired", "earliest", "latest"))
    above = credits - (credits[0] + credits[-1]) / 2
    sums = above.sum(axis=1)
    signs = contrast_signs(sums, (above**2).sum(axis=1), credits.shape[1], curve)
    kept = {"acquired": sums >= -ROUNDING, "earliest": signs >= 0, "latest": signs > 0}
    return {name: size_kept_from(curve.sizes, reached) for name, reached in kept.items()}


def size_kept_from(sizes: Sequence[int], reached: NDArray[np.bool_]) -> int | None:
    """The first size from which on something holds at all points; None if it does not hold at the last."""
    failed = np.flatnonzero(~reached)
    first = 0 if not len(failed) else int(failed[-1]) + 1
    return None if first == len(sizes) else int(sizes[first])
