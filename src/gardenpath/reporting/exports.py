"""Tables for papers and other programs: CSV, LaTeX (booktabs) and Markdown of any table."""

from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.cell_formatting import cell, nested_json, one_line
from gardenpath.reporting.latex import to_latex

if TYPE_CHECKING:
    import polars

ENDINGS = ("csv", "tex", "md")
MARKDOWN = {**{mark: f"\\{mark}" for mark in r"\|*_`[]~$#"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}


def to_csv(table: "polars.DataFrame") -> str:
    """The table with every number in full; what is missing is empty, lists and structures are JSON."""
    import polars

    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    as_json = [
        polars.Series(name, [nested_json(value) for value in table[name]], dtype=polars.String) for name in nested
    ]
    return table.with_columns(as_json).fill_nan(None).write_csv()


def to_markdown(table: "polars.DataFrame") -> str:
    """The table with pipes, numbers to the right."""
    rules = ["---:" if kind.is_numeric() else "---" for kind in table.dtypes]
    rows = [[markdown_escaped(name) for name in table.columns], rules]
    rows += [[markdown_escaped(cell(value)) for value in row] for row in table.iter_rows()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write_table(table: "polars.DataFrame", path: Path, *, caption: str = "", label: str = "") -> None:
    """Write a table in the format its file name ends in."""
    match path.suffix:
        case ".csv":
            text = to_csv(table)
        case ".tex":
            text = to_latex(table, caption=caption, label=label)
        case ".md":
            text = to_markdown(table)
        case ending:
            raise InputError(
                f"{path}: a table cannot be written as {ending or 'a file without an ending'}; "
                f"let the name end in .{', .'.join(ENDINGS[:-1])} or .{ENDINGS[-1]}"
            )
    path.write_text(text, encoding="utf-8")


def markdown_escaped(text: str) -> str:
    """Text that Markdown shows as it stands, within a cell."""
    return "".join(MARKDOWN.get(character, character) for character in one_line(text))
