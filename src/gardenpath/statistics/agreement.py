"""Agreement of models on which suites are hard, and on which items are correct."""

from itertools import product
from typing import Literal

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.grouping import drop_left_out
from gardenpath.statistics.proportions import ROUNDING, Floats

MODEL_PAIR: dict[str, type[polars.DataType]] = {"model_a": polars.String, "model_b": polars.String}
FEWEST_UNITS = 3
"""Units that a correlation needs: two points always lie on a line."""


def model_agreement(
    scores: polars.DataFrame, method: Literal["pearson", "spearman"] = "pearson", *, unit: str = "unit"
) -> polars.DataFrame:
    """Correlate the accuracies of every two models over the units (paradigms) both have.

    Columns: model_a, model_b, r, n, note; a row for every ordered pair, each model with itself included.
    """
    models, table = pivot_models(scores, unit, "accuracy")
    rows = []
    for a, b in product(range(len(models)), repeat=2):
        shared = ~np.isnan(table[:, a]) & ~np.isnan(table[:, b])
        r, note = correlation(table[shared, a], table[shared, b], method)
        rows.append((models[a], models[b], r, int(shared.sum()), note))
    schema = MODEL_PAIR | {"r": polars.Float64, "n": polars.Int64, "note": polars.String}
    return polars.DataFrame(rows, schema=schema, orient="row")


def pivot_models(table: polars.DataFrame, unit: str, value: str) -> tuple[list[str], Floats]:
    """The models, and the value of each unit for each model: (units, models), NaN if there is none.

    Raise if a model has several values for a unit.
    """
    models = table["model"].unique(maintain_order=True).to_list()
    units = table.select(unit).unique(maintain_order=True).with_row_index("row")
    columns = polars.DataFrame({"model": models}, schema={"model": polars.String}).with_row_index("column")
    indexed = table.join(units, on=unit, nulls_equal=True).join(columns, on="model")
    twice = indexed.filter(indexed.select("row", "column").is_duplicated())
    if len(twice):
        model, name = twice["model"][0], twice[unit][0]
        raise InputError(f"{model!r} has several values of {value!r} for the {unit} {name!r}; keep one of them")
    values = np.full((len(units), len(models)), np.nan)
    known = indexed[value].cast(polars.Float64).fill_null(np.nan).to_numpy()
    values[indexed["row"].to_numpy(), indexed["column"].to_numpy()] = known
    return models, values


def correlation(a: Floats, b: Floats, method: Literal["pearson", "spearman"]) -> tuple[float | None, str]:
    """Pearson's r, or Spearman's rho (Pearson's r of ranks, equal values sharing their mean), or why there is none."""
    if len(a) < FEWEST_UNITS:
        return None, f"fewer than {FEWEST_UNITS} units in common"
    if method == "spearman":
        # Equal accuracies may differ by rounding.
        a, b = (polars.Series(np.round(values, 12)).rank().to_numpy() for values in (a, b))
    if min(np.ptp(a), np.ptp(b)) < ROUNDING:
        return None, "the same accuracy everywhere"
    return float(np.clip(np.corrcoef(a, b)[0, 1], -1.0, 1.0)), ""


def item_agreement(outcomes: polars.DataFrame) -> polars.DataFrame:
    """The share of items on which two models agree (both strictly correct, or both not), and Cohen's kappa.

    Items that are invalid for either model, or that a run left out, do not count. Columns: model_a, model_b, n, alike,
    kappa, note; a row for every ordered pair.
    """
    valid = (
        drop_left_out(outcomes)
        .filter(polars.col("status") != "invalid")
        .with_columns(
            polars.struct("suite", "prediction", "item").alias("unit"), polars.col("strict").cast(polars.Float64)
        )
    )
    models, right = pivot_models(valid, "unit", "strict")
    valid_items = (~np.isnan(right)).astype(np.float64)
    right = np.nan_to_num(right)
    # Items that both models have, of these correct by a, correct by both: (models, models).
    n, right_a, both = valid_items.T @ valid_items, right.T @ valid_items, right.T @ right
    rows = []
    for a, b in product(range(len(models)), repeat=2):
        alike, kappa, note = cohen_kappa(int(n[a, b]), int(right_a[a, b]), int(right_a[b, a]), int(both[a, b]))
        rows.append((models[a], models[b], int(n[a, b]), alike, kappa, note))
    schema = {"n": polars.Int64, "alike": polars.Float64, "kappa": polars.Float64, "note": polars.String}
    return polars.DataFrame(rows, schema=MODEL_PAIR | schema, orient="row")


def cohen_kappa(n: int, right_a: int, right_b: int, both: int) -> tuple[float | None, float | None, str]:
    """Agreement p and Cohen's kappa (p - e) / (1 - e), e being agreement by chance; or why there is none."""
    if n == 0:
        return None, None, "no item in common"
    alike = (n - right_a - right_b + 2 * both) / n
    expected = (right_a * right_b + (n - right_a) * (n - right_b)) / n**2
    if expected == 1:
        return alike, None, "both models decide all items the same way: kappa is undefined"
    return alike, (alike - expected) / (1 - expected), ""
