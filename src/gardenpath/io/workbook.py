"""Sheets of Excel and OpenDocument workbooks as rows of text; a path may name a sheet: `items.xlsx#Sheet2`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.io.extras import require_extras
from gardenpath.io.messages import advise, quote, suggest
from gardenpath.io.text_files import explain_read_errors, read_bytes

if TYPE_CHECKING:
    from fastexcel import ExcelReader

WORKBOOK_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".ods")
WORKBOOK_BEGINNINGS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The first bytes of zipped files (.xlsx, .ods) and of the older .xls."""


def split_sheet(path: Path) -> tuple[Path, str]:
    """Return the file of a path and the sheet that it names after `#`; empty for none.

    >>> split_sheet(Path("no such file.xlsx#Sheet2"))
    (PosixPath('no such file.xlsx#Sheet2'), '')
    """
    name, mark, sheet = path.name.rpartition("#")
    file = path.with_name(name) if name else path
    return (file, sheet) if mark and not path.exists() and file.is_file() else (path, "")


def is_workbook(file: Path) -> bool:
    """Return whether a file begins as workbooks do, whatever its name."""
    with explain_read_errors(file), file.open("rb") as opened:
        return opened.read(4) in WORKBOOK_BEGINNINGS


def read_sheet(file: Path, sheet: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of every row of a sheet; without a name, of the first that is not empty."""
    with require_extras(f"{file} is a workbook; reading it"):
        import fastexcel
    try:
        workbook = fastexcel.read_excel(read_bytes(file))
        if sheet:
            require_sheet(workbook, sheet, file)
            rows = load_rows(workbook, sheet)
        else:
            rows = load_first_rows(workbook, file)
    except fastexcel.FastExcelError as error:
        cause = str(error).partition("\n")[0].removeprefix("calamine error: ")
        raise InputError(
            f"{file}: the workbook cannot be read ({cause}); open it, remove its password if it has one, and save it "
            "as .xlsx, .ods or .csv"
        ) from error
    yield from enumerate(rows, 1)


def require_sheet(workbook: "ExcelReader", sheet: str, file: Path) -> None:
    """Raise if a workbook has no sheet of that name."""
    names = workbook.sheet_names
    if sheet not in names:
        raise InputError(f"{file}: there is no sheet {sheet!r}; the sheets are {quote(names)}{suggest(sheet, names)}")


def load_first_rows(workbook: "ExcelReader", file: Path) -> list[list[str]]:
    """Return the rows of the first sheet that is not empty; advise which it is where others are not empty either."""
    filled = {name: rows for name in workbook.sheet_names if (rows := load_rows(workbook, name))}
    first, *others = filled or [""]
    if others:
        other = f"{file.name}#{others[0]}"
        advise(f"{file}: the sheet {first!r} was read; there is also {quote(others)}: write {other} to read it")
    return filled.get(first, [])


def load_rows(workbook: "ExcelReader", sheet: str) -> list[list[str]]:
    """Return the cells of a sheet as text; the first row of the sheet is the first of the list."""
    # skip_rows=0 keeps the empty rows at the top, so that messages have the row numbers that a spreadsheet shows.
    loaded = workbook.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string")
    if not loaded.width:
        return []
    return [["" if cell is None else cell for cell in row] for row in loaded.to_polars().rows()]
