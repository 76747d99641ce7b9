"""Do models agree: on which suites are hard, and on which items are right?"""

from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np

from gardenpath.errors import InputError
from gardenpath.statistics.estimate import Values

if TYPE_CHECKING:
    import polars

FEWEST = 3
"""Units that a correlation is given for: two points always lie on a line."""


def model_agreement(
    scores: "polars.DataFrame", method: Literal["pearson", "spearman"] = "pearson", *, unit: str = "unit"
) -> "polars.DataFrame":
    """The correlation of the accuracies of every two models over the units (paradigms) both have.

    Columns: model_a, model_b, r, n, note; a row for every ordered pair, each model with itself included.
    """
    import polars

    twice = scores.filter(scores.select("model", unit).is_duplicated())
    if len(twice):
        raise InputError(
            f"{twice['model'][0]!r} has several accuracies for the {unit} {twice[unit][0]!r}; keep one prediction each"
        )
    models, table = by_model(scores, unit, "accuracy")
    rows = []
    for a, b in product(range(len(models)), repeat=2):
        shared = ~np.isnan(table[:, a]) & ~np.isnan(table[:, b])
        r, note = correlation(table[shared, a], table[shared, b], method)
        rows.append((models[a], models[b], r, int(shared.sum()), note))
    schema = {
        "model_a": polars.String, "model_b": polars.String, "r": polars.Float64, "n": polars.Int64,
        "note": polars.String,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row")


def by_model(table: "polars.DataFrame", unit: str, value: str) -> tuple[list[str], Values]:
    """The models, and the values of each unit of each model: (units, models), NaN where there is none."""
    import polars

    models = table["model"].unique(maintain_order=True).to_list()
    units = table.select(unit).unique(maintain_order=True).with_row_index("row")
    columns = polars.DataFrame({"model": models}, schema={"model": polars.String}).with_row_index("column")
    placed = table.join(units, on=unit, nulls_equal=True).join(columns, on="model")
    values = np.full((len(units), len(models)), np.nan)
    values[placed["row"].to_numpy(), placed["column"].to_numpy()] = (
        placed[value].cast(polars.Float64).fill_null(np.nan).to_numpy()
    )
    return models, values


def correlation(a: Values, b: Values, method: Literal["pearson", "spearman"]) -> tuple[float | None, str]:
    """Pearson's r, or Spearman's rho: Pearson's r of ranks, equal values sharing their mean; and why there is none."""
    from scipy.stats import rankdata

    if len(a) < FEWEST:
        return None, f"fewer than {FEWEST} units in common"
    if method == "spearman":
        a, b = rankdata(a), rankdata(b)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None, "the same accuracy everywhere"
    return float(np.clip(np.corrcoef(a, b)[0, 1], -1.0, 1.0)), ""


def item_agreement(outcomes: "polars.DataFrame") -> "polars.DataFrame":
    """The share of items that two models decide alike (strictly right or not), and Cohen's kappa.

    Items that are invalid for either are left out. Columns: model_a, model_b, n, alike, kappa, note; a row for every
    ordered pair.
    """
    import polars

    valid = outcomes.filter(polars.col("status") != "invalid").with_columns(
        polars.struct("suite", "prediction", "item").alias("unit"), polars.col("strict").cast(polars.Float64)
    )
    models, right = by_model(valid, "unit", "strict")
    there = (~np.isnan(right)).astype(np.float64)
    right = np.nan_to_num(right)
    # Over the items both have: how many, right by a, right by both. (models, models)
    n, right_a, both = there.T @ there, right.T @ there, right.T @ right
    rows = []
    for a, b in product(range(len(models)), repeat=2):
        alike, kappa, note = kappa_of(int(n[a, b]), int(right_a[a, b]), int(right_a[b, a]), int(both[a, b]))
        rows.append((models[a], models[b], int(n[a, b]), alike, kappa, note))
    schema = {
        "model_a": polars.String, "model_b": polars.String, "n": polars.Int64, "alike": polars.Float64,
        "kappa": polars.Float64, "note": polars.String,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row")


def kappa_of(n: int, right_a: int, right_b: int, both: int) -> tuple[float | None, float | None, str]:
    """The share alike p and Cohen's kappa (p - e) / (1 - e), e the share expected by chance; and why there is none."""
    if n == 0:
        return None, None, "no item in common"
    alike = (n - right_a - right_b + 2 * both) / n
    expected = (right_a * right_b + (n - right_a) * (n - right_b)) / n**2
    if expected == 1:
        return alike, None, "both decide all items the same way: kappa has no value"
    return alike, (alike - expected) / (1 - expected), ""
