"""Design matrices of regressions: columns for factors, numbers and their products."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.statistics.proportions import Floats

INTERCEPT = "(intercept)"


@dataclass(frozen=True, slots=True)
class Design:
    """A matrix with named columns."""

    columns: tuple[str, ...]
    """`architecture[lstm]` for a level of a factor, `log_words` for a number, `a[x]:b` for a product."""
    terms: tuple[str, ...]
    """The term each column belongs to."""
    matrix: Floats


def build_design(table: polars.DataFrame, terms: Sequence[str]) -> Design:
    """The intercept and the columns of some terms; `a:b` is a product, text a factor without its first level."""
    columns, owners, parts = [INTERCEPT], [INTERCEPT], [np.ones(len(table))]
    for term in terms:
        coded = [code_column(table, name) for name in term.split(":")]
        for combination in product(*coded):
            columns.append(":".join(name for name, _ in combination))
            owners.append(term)
            parts.append(np.prod([values for _, values in combination], axis=0))
    return Design(tuple(columns), tuple(owners), np.column_stack(parts))


def code_column(table: polars.DataFrame, name: str) -> list[tuple[str, Floats]]:
    """The design columns of a variable: itself if it is numeric, else one for every level but the first."""
    column = require_complete(table, name)
    if column.dtype.is_numeric():
        return [(name, column.cast(float).to_numpy())]
    values = column.cast(str).to_numpy()
    levels = sorted(set(values.tolist()))
    if len(levels) < 2:
        raise InputError(
            f"{name!r} has the one value {levels[0]!r} in all {len(table)} rows: nothing can depend on it; "
            "add models or suites that differ in it, or leave it out"
        )
    return [(f"{name}[{level}]", (values == level).astype(float)) for level in levels[1:]]


def group_codes(table: polars.DataFrame, name: str) -> NDArray[np.int64]:
    """The index of the group of each row, by a column."""
    values = require_complete(table, name).cast(str).to_numpy()
    groups, codes = np.unique(values.astype(str), return_inverse=True)
    if len(groups) < 2:
        raise InputError(f"{name!r} is {str(groups[0])!r} in every row; a random effect needs at least two groups")
    return codes.astype(np.int64)


def require_complete(table: polars.DataFrame, name: str) -> polars.Series:
    """A column; raise if it does not exist or has missing values."""
    if name not in table.columns:
        raise InputError(f"the table has no column {name!r}; it has {', '.join(table.columns)}")
    if not len(table):
        raise InputError("the table has no rows; there is nothing to fit")
    column = table[name]
    missing = column.null_count()
    if column.dtype.is_float():
        missing += int((~column.is_finite()).fill_null(value=False).sum())
    if missing:
        raise InputError(f"{name!r} is missing in {missing} of {len(table)} rows; fill it in or leave those rows out")
    return column


def require_rank(design: Design) -> None:
    """Raise if columns are linear combinations of others."""
    scaled = design.matrix / np.maximum(np.linalg.norm(design.matrix, axis=0), 1e-300)
    if np.linalg.matrix_rank(scaled) == len(design.columns):
        return
    found: list[int] = []
    for column in range(len(design.columns)):
        if np.linalg.matrix_rank(scaled[:, [*found, column]]) == len(found) + 1:
            found.append(column)
    surplus = [name for column, name in enumerate(design.columns) if column not in found]
    raise InputError(
        f"the effect of {', '.join(surplus)} cannot be separated from those of the other terms: in these rows they "
        "always go together; add models that separate them, or leave a term out"
    )
