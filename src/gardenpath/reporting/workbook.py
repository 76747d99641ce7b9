"""Tables as an Excel workbook, a sheet each."""

import io
import re
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import polars
import polars.selectors

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_bytes_atomically
from gardenpath.io.extras import require_extras
from gardenpath.reporting.cell_formatting import nested_json

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS, MOST_COLUMNS = 1_048_575, 16_384
"""Rows below the headings, and columns, that a sheet can hold."""
LONGEST_TEXT, LONGEST_NAME = 32_767, 31
"""Characters of a cell, and of the name of a sheet, that Excel can hold."""
WIDEST = 400
"""Width in pixels from which on a column is no wider, whatever is in it."""
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
"""Texts stay texts, whatever they begin with; an infinite value is an error value, which no mean passes over."""


def write_workbook(tables: Mapping[str, polars.DataFrame], path: str | Path) -> None:
    """Write tables by name as the sheets of an Excel workbook: numbers with 16 digits, missing values empty.

    >>> from gardenpath.io.workbook import read_sheet
    >>> write_workbook({"suites": polars.DataFrame({"suite": ["agreement"], "n": [32]})}, "tables.xlsx")
    >>> list(read_sheet(Path("tables.xlsx"), "suites"))
    [(1, ['suite', 'n']), (2, ['agreement', '32'])]
    """
    with require_extras("writing an Excel workbook"):
        from xlsxwriter import Workbook
    for name, table in tables.items():
        require_fit(name, table, path)
    content = io.BytesIO()
    with Workbook(content, OPTIONS) as workbook:
        bold = workbook.add_format({"bold": True})
        for name, table in zip(sheet_names(tables), tables.values(), strict=True):
            fill_sheet(workbook.add_worksheet(name), with_plain_cells(table), bold)
    write_bytes_atomically(Path(path), content.getvalue())


def sheet_names(names: Iterable[str]) -> list[str]:
    """Names as Excel allows them for sheets: short, without brackets and slashes, different also in lower case.

    >>> sheet_names(["accuracy-by-a/b", "Accuracy-by-a:b", "accuracy-by-the-number-of-attractors"])
    ['accuracy-by-a_b', 'Accuracy-by-a_b-2', 'accuracy-by-the-number-of-attra']
    """
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[\[\]:*?/\\']", "_", name) or "table"
        ends = ("" if number == 1 else f"-{number}" for number in count(1))
        numbered = (plain[: LONGEST_NAME - len(end)] + end for end in ends)
        own = next(one for one in numbered if one.lower() not in {*found, "history"})
        found[own.lower()] = own
    return list(found.values())


def require_fit(name: str, table: polars.DataFrame, path: str | Path) -> None:
    """Raise where a sheet of Excel cannot hold a table, which would lose rows or texts silently."""
    if table.height > MOST_ROWS or table.width > MOST_COLUMNS:
        raise InputError(
            f"{path}: the table {name!r} has {table.height:,} rows and {table.width:,} columns; a sheet of Excel holds "
            f"{MOST_ROWS:,} and {MOST_COLUMNS:,}: write CSV, or fewer rows"
        )
    for column in table.select(polars.selectors.string()):
        if (column.str.len_chars() > LONGEST_TEXT).any():
            raise InputError(
                f"{path}: a text in {column.name!r} has more than {LONGEST_TEXT:,} characters, which no cell of Excel "
                "holds: write CSV"
            )


def with_plain_cells(table: polars.DataFrame) -> polars.DataFrame:
    """Turn nested values into JSON, and NaN into missing values."""
    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    texts = [polars.Series(name, map(nested_json, table[name]), dtype=polars.String) for name in nested]
    return table.with_columns(texts).fill_nan(None)


def fill_sheet(sheet: "Worksheet", table: polars.DataFrame, heading: "Format") -> None:
    """Write a table below its headings, which stay in view and can be filtered by."""
    for index, column in enumerate(table):
        # As text, so that a heading or a level such as `1` is not taken for a number.
        sheet.write_string(0, index, column.name, heading)
        for row, value in enumerate(column, 1):
            match value:
                case None:
                    continue
                case bool():
                    sheet.write_boolean(row, index, value)
                case int() | float():
                    sheet.write_number(row, index, value)
                case _:
                    sheet.write_string(row, index, str(value))
    sheet.freeze_panes(1, 0)
    if table.width:
        sheet.autofilter(0, 0, max(table.height, 1), table.width - 1)
    sheet.autofit(WIDEST)
