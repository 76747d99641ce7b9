"""Files of the tables that commands print: CSV, LaTeX and Excel workbooks."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.commands.terminal import print_line
from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.printable import printable_lines

if TYPE_CHECKING:
    import polars

STDOUT = Path("-")
"""The file that stands for standard output."""


def refuse_two_on_stdout(*files: Path | None, as_json: bool) -> None:
    """Raise where more than one of some files and of JSON would be printed."""
    if files.count(STDOUT) + as_json > 1:
        raise InputError("two of --csv -, --latex - and --json would be printed at once; name a file for one of them")


def write_csv(table: "polars.DataFrame", path: Path | None) -> None:
    """Write a table as CSV, if a file is wanted, and print where it is; or print the CSV."""
    if path is not None:
        from gardenpath.reporting.exports import to_csv

        write_or_print(to_csv(table), path, table.height)


def write_latex(table: "polars.DataFrame", path: Path | None) -> None:
    """Write a table as LaTeX, if a file is wanted, and print where it is; or print the LaTeX."""
    if path is not None:
        from gardenpath.reporting.latex import to_latex

        write_or_print(to_latex(table), path, table.height)


def write_or_print(text: str, path: Path, rows: int) -> None:
    """Write the text of a table to a file, or to standard output for `-`."""
    if path == STDOUT:
        sys.stdout.write(printable_lines(text))
        return
    write_text_atomically(path, text)
    print_line(f"{rows:,} {'row is' if rows == 1 else 'rows are'} in {path}")


def require_workbook(path: Path | None) -> Path | None:
    """Refuse what cannot be the file of `--xlsx`, before anything is computed."""
    if path == STDOUT:
        raise InputError("a workbook cannot be printed; name a file with --xlsx, such as table.xlsx")
    if path is not None and path.suffix.lower() != ".xlsx":
        raise InputError(f"{path}: a workbook is written as .xlsx; name it {path.parent / (path.stem or 'table')}.xlsx")
    return path


def write_xlsx(sheets: "Mapping[str, polars.DataFrame]", path: Path | None) -> None:
    """Write tables as the sheets of a workbook, if one is wanted, and print where it is."""
    if path is None:
        return
    from gardenpath.reporting.workbook import write_workbook

    write_workbook(sheets, path)
    what = "1 sheet is" if len(sheets) == 1 else f"{len(sheets)} sheets are"
    print_line(f"{what} in {path}: {', '.join(sheets)}")
