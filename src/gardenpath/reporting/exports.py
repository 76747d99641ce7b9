"""Any table as CSV, LaTeX (booktabs) or Markdown."""

from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.reporting.cell_formatting import escape_markdown, format_cell, nested_json
from gardenpath.reporting.latex import to_latex

EXTENSIONS = ("csv", "tex", "md")


def to_csv(table: polars.DataFrame) -> str:
    """Write a table as CSV: numbers in full precision, missing values as empty cells, nested values as JSON."""
    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    as_json = [
        polars.Series(name, [nested_json(value) for value in table[name]], dtype=polars.String) for name in nested
    ]
    return table.with_columns(as_json).fill_nan(None).write_csv()


def to_markdown(table: polars.DataFrame) -> str:
    """Write a table in Markdown, with numbers aligned to the right."""
    alignments = ["---:" if kind.is_numeric() else "---" for kind in table.dtypes]
    rows = [[escape_markdown(name) for name in table.columns], alignments]
    rows += [[escape_markdown(format_cell(value)) for value in row] for row in table.iter_rows()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write_table(table: polars.DataFrame, path: Path, *, caption: str = "", label: str = "") -> None:
    """Write a table in the format that the extension of its file names."""
    match path.suffix:
        case ".csv":
            text = to_csv(table)
        case ".tex":
            text = to_latex(table, caption=caption, label=label)
        case ".md":
            text = to_markdown(table)
        case extension:
            raise InputError(
                f"{path}: a table cannot be written as {extension or 'a file without an extension'}; "
                f"use .{', .'.join(EXTENSIONS[:-1])} or .{EXTENSIONS[-1]}"
            )
    write_text_atomically(path, text)
