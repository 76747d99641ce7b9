"""Workbooks that commands write beside what they print."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.commands.terminal import print_line

if TYPE_CHECKING:
    import polars


def write_xlsx(sheets: "Mapping[str, polars.DataFrame]", path: Path | None) -> None:
    """Write tables as the sheets of a workbook, if one is wanted, and print where it is."""
    if path is None:
        return
    from gardenpath.reporting.workbook import write_workbook

    write_workbook(sheets, path)
    what = "1 sheet is" if len(sheets) == 1 else f"{len(sheets)} sheets are"
    print_line(f"{what} in {path}: {', '.join(sheets)}")
