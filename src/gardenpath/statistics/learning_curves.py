"""Accuracy as a function of training size, for every phenomenon (Warstadt et al. 2020, section 6.3)."""

import math
from typing import Any

import numpy as np
import polars
from scipy.stats import t

from gardenpath.errors import InputError
from gardenpath.statistics.grouping import aggregate, count_rows
from gardenpath.statistics.proportions import Floats
from gardenpath.statistics.scores import ALL_GROUPS, NO_SHARED_SUITE, require_values, rows_with, shared_suites


def learning_curve(scores: polars.DataFrame, *, size: str = "words") -> polars.DataFrame:
    """The mean accuracy of models of one training size, and its spread over seeds (Warstadt et al. 2020, Figure 4).

    [series, phenomenon, SIZE, mean, sd, n]: the accuracy of a model on a phenomenon is the mean over its suites, on
    `all` the mean over phenomena; n is the number of models, and sd is null if it is one. Models of one `series` are
    trained alike on corpora of different sizes, or checkpoints of one training (`training_series`); without this
    column, of one architecture. size: the column that orders them (`training_series.SIZES`).
    """
    mean, spread = polars.col("accuracy").mean().alias("mean"), polars.col("accuracy").std().alias("sd")
    points = phenomenon_accuracy(scores, size)
    return aggregate(points, ["series", "phenomenon", size], mean, spread, count_rows())


def slopes(scores: polars.DataFrame, *, per: float = 2.0) -> polars.DataFrame:
    """The slope of accuracy over log training size (Warstadt et al. 2020, section 6.3).

    [series, phenomenon, slope, low, high, p, r2, n, sizes, note]: the accuracy gained each time the training
    size is multiplied by `per` (2: per doubling), least squares over models, with Student's 95 % interval. Two models
    determine a line and have no interval, as the note says. Series with one size have no row, nor have checkpoints of
    one training, whose points are not independent (`curve_shapes`).
    """
    points = phenomenon_accuracy(scores)
    several = points.filter(polars.col("words").n_unique().over("series") > 1)
    if not len(several):
        require_values(points, "words", least=2, purpose="a learning curve")
        raise InputError("no series has models of two training sizes; train one of them on more or fewer words")
    rows: list[dict[str, Any]] = []
    for (series, phenomenon), part in several.group_by("series", "phenomenon", maintain_order=True):
        x = part["words"].cast(float).log(per).to_numpy()
        line = fit_line(x, part["accuracy"].to_numpy())
        rows.append({"series": series, "phenomenon": phenomenon} | line)
    names = ["series", "phenomenon", "slope", "low", "high", "p", "r2", "n", "sizes", "note"]
    numbers = dict.fromkeys(("low", "high", "p", "r2"), polars.Float64)  # which may all be missing
    table = polars.DataFrame(rows, schema=names, schema_overrides=numbers)
    return table.sort("series", -polars.col("slope"))


def fit_line(x: Floats, y: Floats) -> dict[str, Any]:
    """Fit a line by least squares: slope, interval and test; no interval if the line fits exactly."""
    n, sizes = len(x), len(np.unique(x))
    slope = float(np.cov(x, y)[0, 1] / x.var(ddof=1))
    residual = y - y.mean() - slope * (x - x.mean())
    total = float(((y - y.mean()) ** 2).sum())
    squares = float(residual @ residual)
    line: dict[str, Any] = {"slope": slope, "n": n, "sizes": sizes, "r2": 1 - squares / total if total else None}
    if n < 3:
        return line | {"low": None, "high": None, "p": None, "note": "no interval: two models"}
    error = math.sqrt(squares / (n - 2) / float(((x - x.mean()) ** 2).sum()))
    if error <= 1e-12 * max(abs(slope), 1.0):
        return line | {"low": None, "high": None, "p": None, "note": "no interval: all points lie on the line"}
    half = float(t.ppf(0.975, n - 2)) * error
    p = float(2 * t.sf(abs(slope) / error, n - 2))
    return line | {"low": slope - half, "high": slope + half, "p": p, "note": ""}


def phenomenon_accuracy(scores: polars.DataFrame, size: str = "words") -> polars.DataFrame:
    """The accuracy of models on every phenomenon and on all: [series, SIZE, model, phenomenon, accuracy].

    Suites that not all models of a series were run on are left out, so that a curve is over the same suites.
    """
    rows = rows_with(scores, size)
    phenomenon = polars.col("phenomenon") if "phenomenon" in rows.columns else polars.lit("")
    named = polars.when(phenomenon.fill_null("") != "").then(phenomenon).otherwise("suite").alias("phenomenon")
    known = next((name for name in ("series", "architecture") if name in rows.columns), "")
    series = (polars.col(known) if known else polars.lit("")).fill_null("").alias("series")
    rows = shared_suites(rows.with_columns(named, series), ["series"])
    if not len(rows):
        raise InputError(NO_SHARED_SUITE)
    keys = ["series", size, "model"]
    points = aggregate(rows, [*keys, "phenomenon"], polars.col("accuracy").mean())
    means = aggregate(points, keys, polars.col("accuracy").mean())
    means = means.with_columns(polars.lit(ALL_GROUPS).alias("phenomenon")).select(points.columns)
    both = polars.concat([points, means]) if points["phenomenon"].n_unique() > 1 else points
    return both.sort("series", "phenomenon", size, "model", maintain_order=True)
