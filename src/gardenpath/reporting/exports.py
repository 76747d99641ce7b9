"""Any table as CSV or Markdown."""

import polars

from gardenpath.io.csv_cells import mark_formulas
from gardenpath.reporting.cell_formatting import (
    escape_markdown,
    for_readers,
    format_cell,
    nested_json,
    shown_rows,
    with_whole_counts,
)


def to_csv(table: polars.DataFrame) -> str:
    """Write a table as CSV: numbers in full precision, missing values as empty cells, nested values as JSON.

    Counts have no decimals where all in a column are whole. A text that a spreadsheet would take for a formula gets an
    apostrophe before it, which marks it as text there.
    """
    table = with_whole_counts(table)
    as_json = [
        polars.Series(name, [nested_json(value) for value in table[name]], dtype=polars.String)
        for name, kind in table.schema.items()
        if kind.is_nested()
    ]
    return mark_formulas(table.with_columns(as_json).fill_nan(None)).write_csv()


def to_markdown(table: polars.DataFrame) -> str:
    """Write a table in Markdown, with numbers aligned to the right; shares in tables of accuracies are in per cent."""
    table = for_readers(table)
    alignments = ["---:" if kind.is_numeric() else "---" for kind in table.dtypes]
    rows = [[escape_markdown(name) for name in table.columns], alignments]
    rows += [[escape_markdown(format_cell(value)) for value in row] for row in shown_rows(table)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
