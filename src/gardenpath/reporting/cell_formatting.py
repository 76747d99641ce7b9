"""Cell formatting: values, column names and escapes of tables that people read."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import polars

from gardenpath.io.json_text import without_nan

MARKDOWN = {**{mark: f"\\{mark}" for mark in r"\|*_`[]~$#"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}

ACCURACY = re.compile(r"(strict_)?accuracy(_.*)?")
"""The names of columns with accuracies."""
BESIDE_ACCURACY = re.compile(r"low|high|difference|chance|coverage(_.*)?|published")
"""The names of columns that are shares, or differences of shares, in a table that has accuracies."""

COUNTS = ("a_only", "b_only", "effective_n")
"""Columns of counts that ties or shared words may make fractional."""
P_VALUE = re.compile(r"p_(value|holm|chance)")
"""The names of columns with p-values."""
SMALL_P = 0.001


def for_readers(table: polars.DataFrame) -> polars.DataFrame:
    """Round a table for people: shares in per cent, and counts that are not all whole, with one decimal."""
    table = with_percentages(with_whole_counts(table))
    return table.with_columns(
        polars.Series(name, [one_decimal(count) for count in table[name]], polars.Decimal(scale=1))
        for name in COUNTS
        if name in table.columns and table[name].dtype.is_float()
    )


def with_whole_counts(table: polars.DataFrame) -> polars.DataFrame:
    """Make integers of counts that could be fractional, where all in a column are whole.

    >>> with_whole_counts(polars.DataFrame({"a_only": [1.0, 0.0], "b_only": [0.5, 2.0]})).row(0)
    (1, 0.5)
    """
    floats = [name for name in COUNTS if name in table.columns and table[name].dtype.is_float()]
    whole = [name for name in floats if all(value is None or value.is_integer() for value in table[name])]
    return table.with_columns(polars.col(whole).cast(polars.Int64))


def one_decimal(count: float | None) -> Decimal | None:
    """A count rounded to one decimal."""
    return None if count is None or not math.isfinite(count) else Decimal(f"{count:.1f}")


def shown_values(table: polars.DataFrame, name: str) -> list[Any]:
    """The values of a column, where small p-values are text, as on the screen.

    >>> shown_values(polars.DataFrame({"p_value": [0.0009, 0.25]}), "p_value")
    ['<0.001', 0.25]
    """
    values = table[name].to_list()
    small = bool(P_VALUE.fullmatch(name)) and table[name].dtype.is_float()
    return [f"<{SMALL_P}" if small and value is not None and value < SMALL_P else value for value in values]


def shown_rows(table: polars.DataFrame) -> Iterator[tuple[Any, ...]]:
    """The rows of a table with its `shown_values`."""
    return zip(*(shown_values(table, name) for name in table.columns), strict=True)


def with_percentages(table: polars.DataFrame) -> polars.DataFrame:
    """Turn the shares in a table of accuracies into per cent with one decimal, for tables that people read.

    >>> with_percentages(polars.DataFrame({"n": [3], "accuracy": [2 / 3], "p_value": [0.5]})).rows()
    [(3, Decimal('66.7'), 0.5)]
    """
    shares = [name for name in share_columns(table.columns) if table[name].dtype.is_float()]
    return table.with_columns(
        polars.Series(name, [percentage(share) for share in table[name]], polars.Decimal(scale=1)) for name in shares
    )


def share_columns(names: Sequence[str]) -> list[str]:
    """The columns that are shares by their names; none where no column is an accuracy.

    >>> share_columns(["n", "accuracy_a", "low"]), share_columns(["bits", "low"])
    (['accuracy_a', 'low'], [])
    """
    if not any(map(ACCURACY.fullmatch, names)):
        return []
    return [name for name in names if ACCURACY.fullmatch(name) or BESIDE_ACCURACY.fullmatch(name)]


def percentage(share: float | None) -> Decimal | None:
    """A share in per cent, rounded as `format_percent` does."""
    return None if share is None or not math.isfinite(share) else Decimal(format_percent(share))


def format_cell(value: Any) -> str:
    """Format a value: three decimals, scientific notation for tiny numbers, a dash for a missing value."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float() if math.isnan(value):
            return "–"
        case float() if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        case float():  # an exponent only where all decimals would be zero, and no minus before a zero
            return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value + 0.0:.3f}"
        case Decimal():  # as `for_readers` rounds them
            return str(value or abs(value))  # no minus before a zero
        case str() | int() | date():
            return str(value)
        case _:
            return nested_json(value) or "–"


def format_percent(share: float | None) -> str:
    """Format a share in per cent with one decimal; a dash where it is missing."""
    return "–" if share is None or math.isnan(share) else f"{100 * share:.1f}"


def format_heading(name: str) -> str:
    """Format the name of a column."""
    return name.replace("_", " ")


def is_finite_number(value: Any) -> bool:
    """Whether a value is a finite number; booleans are not."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool) and math.isfinite(value)


def nested_json(value: Any) -> str | None:
    """Write a list or struct as JSON; None stays None."""
    if value is None:
        return None
    plain = value.to_list() if hasattr(value, "to_list") else value
    return json.dumps(without_nan(plain), ensure_ascii=False, default=str)


def as_one_line(text: str) -> str:
    """Replace line breaks, tabs and other control characters by spaces."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text)


def escape_markdown(text: str) -> str:
    """Escape text so that Markdown shows it literally, also within a table cell."""
    return "".join(MARKDOWN.get(character, character) for character in as_one_line(text))
