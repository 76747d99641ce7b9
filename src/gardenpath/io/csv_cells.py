"""Texts in CSV files that spreadsheets open."""

import re

import polars
import polars.selectors

LIKE_FORMULA = r"^([=+\-@\t\r])"
"""How a text begins that a spreadsheet reads as a formula."""


def mark_formulas(table: polars.DataFrame) -> polars.DataFrame:
    """Put an apostrophe before texts and headings that a spreadsheet would take for a formula; it marks text there."""
    texts = polars.selectors.by_dtype(polars.String, polars.Categorical, polars.Enum)
    marked = table.with_columns(texts.cast(polars.String).str.replace(LIKE_FORMULA, "'$1"))
    return marked.rename(lambda name: re.sub(LIKE_FORMULA, r"'\1", name))
