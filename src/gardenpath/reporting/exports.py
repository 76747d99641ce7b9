"""Any table as CSV or Markdown."""

import re

import polars
import polars.selectors

from gardenpath.reporting.cell_formatting import escape_markdown, format_cell, nested_json

LIKE_FORMULA = r"^([=+\-@\t\r])"
"""How a text begins that a spreadsheet reads as a formula."""


def to_csv(table: polars.DataFrame) -> str:
    """Write a table as CSV: numbers in full precision, missing values as empty cells, nested values as JSON.

    A text that a spreadsheet would take for a formula gets an apostrophe before it, which marks it as text there.
    """
    as_json = [
        polars.Series(name, [nested_json(value) for value in table[name]], dtype=polars.String)
        for name, kind in table.schema.items()
        if kind.is_nested()
    ]
    plain = table.with_columns(as_json).fill_nan(None)
    texts = polars.selectors.by_dtype(polars.String, polars.Categorical, polars.Enum)
    marked = plain.with_columns(texts.cast(polars.String).str.replace(LIKE_FORMULA, "'$1"))
    return marked.rename(lambda name: re.sub(LIKE_FORMULA, r"'\1", name)).write_csv()


def to_markdown(table: polars.DataFrame) -> str:
    """Write a table in Markdown, with numbers aligned to the right."""
    alignments = ["---:" if kind.is_numeric() else "---" for kind in table.dtypes]
    rows = [[escape_markdown(name) for name in table.columns], alignments]
    rows += [[escape_markdown(format_cell(value)) for value in row] for row in table.iter_rows()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
