"""Differences between two architectures on the same suites, by training size (Hu et al. 2020, section 4.5)."""

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.agreement import pivot_models
from gardenpath.statistics.grouping import with_unit
from gardenpath.statistics.means import add_variances, interaction_variance
from gardenpath.statistics.proportions import Floats, t_quantile
from gardenpath.statistics.scores import rows_with, shared_suites


def class_differences(scores: polars.DataFrame, a: str, b: str) -> polars.DataFrame:
    """How much higher the architecture `a` scores than `b`, for every training size that both have.

    [words, accuracy_a, accuracy_b, difference, low, high, pairs, suites, note]: the models of a size are paired in the
    order of their seeds, those without a partner are left out, and so are suites that not all models were run on. The
    interval is Student's over pairs and suites, both drawn (see `means.mean_over_models_and_suites`); over suites only
    where there is one pair.
    """
    rows = rows_with(scores, "architecture", "words").filter(polars.col("architecture").is_in([a, b]))
    rows = shared_suites(with_unit(rows), unit="unit")
    found = []
    for (words,), part in rows.sort("words", maintain_order=True).group_by("words", maintain_order=True):
        tables = [score_matrix(part.filter(polars.col("architecture") == name)) for name in (a, b)]
        pairs = min(table.shape[1] for table in tables)
        if pairs:
            one, other = (table[:, :pairs] for table in tables)
            found.append((words, one.mean(), other.mean(), *difference_interval(one - other)))
    if not found:
        raise InputError(f"needs models of {a} and of {b} with the same number of training words, on the same suites")
    numbers = dict.fromkeys(("accuracy_a", "accuracy_b", "difference", "low", "high"), polars.Float64)
    schema = {"words": polars.Int64, **numbers, "pairs": polars.Int64, "suites": polars.Int64, "note": polars.String}
    return polars.DataFrame(found, schema=schema, orient="row")


def score_matrix(rows: polars.DataFrame) -> Floats:
    """The scores of models in the order of their seeds, on suites in the order of their names: (suites, models)."""
    keys = [name for name in ("seed", "model", "unit") if name in rows.columns]
    return pivot_models(rows.sort(keys, nulls_last=True), "unit", "accuracy")[1]


def difference_interval(values: Floats) -> tuple[float, float | None, float | None, int, int, str]:
    """The mean of (suites, pairs) differences, its bounds, the numbers of pairs and suites, and a note."""
    suites, pairs = values.shape
    mean = float(values.mean())
    if suites < 2:
        return mean, None, None, pairs, suites, "no interval: one suite"
    parts = [(float(values.mean(axis=1).var(ddof=1)) / suites, suites - 1.0)]
    if pairs > 1:
        parts.append((float(values.mean(axis=0).var(ddof=1)) / pairs, pairs - 1.0))
    variance, degrees = add_variances(parts, interaction_variance(values))
    half = float(t_quantile(np.array([degrees]))[0]) * variance**0.5
    note = "one pair of models: interval over suites only" if pairs == 1 else ""
    return mean, mean - half, mean + half, pairs, suites, note
