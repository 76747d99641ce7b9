"""`gardenpath.write_table`: a table as a file that other programs read."""

from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.json_text import to_json
from gardenpath.io.messages import suggest

SUFFIXES = (".csv", ".xlsx", ".tex", ".md", ".json")


def write_table(table: polars.DataFrame, path: str | Path) -> Path:
    """Write a table to a file: .csv, .xlsx (Excel, with the extra `tables`), .tex (LaTeX), .md (Markdown) or .json.

    In tables of accuracies, LaTeX and Markdown contain percentages, the other formats shares.

    >>> write_table(gp.accuracy(saved_run).select("suite", "n"), "accuracy.csv").read_text()
    'suite,n\\nagreement,32\\n'
    """
    path = Path(path)
    match path.suffix.lower():
        case ".csv":
            from gardenpath.reporting.exports import to_csv

            write_text_atomically(path, to_csv(table))
        case ".xlsx":
            from gardenpath.reporting.workbook import write_workbook

            write_workbook({path.stem: table}, path)
        case ".tex":
            from gardenpath.reporting.latex import to_latex

            write_text_atomically(path, to_latex(table))
        case ".md":
            from gardenpath.reporting.exports import to_markdown

            write_text_atomically(path, to_markdown(table))
        case ".json":
            write_text_atomically(path, to_json(table.to_dicts()))
        case other:
            raise InputError(
                f"{path}: a table is not written as {other or 'a file without a suffix'}; the name must end in "
                f"{', '.join(SUFFIXES)}{suggest(other, SUFFIXES)}"
            )
    return path
