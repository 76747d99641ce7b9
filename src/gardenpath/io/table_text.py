"""Tables as text: their encoding (UTF-8, or UTF-16 as Excel's "Unicode text"), what separates cells, quotation."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.text_files import GZIP, advise_conversion, read_bytes, read_text

DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""What separates the cells of tables that gardenpath writes, and usually of others, by extension."""
SEPARATORS = "\t;,"
"""What may separate the cells of a table; a German Excel writes semicolons."""
LONGEST_CELL = 1_000_000
"""Characters of a cell beyond which a quotation mark was probably not closed."""
LONGEST_HEADER = 100_000
"""Characters in which the end of the first line is looked for."""
EXCEL_HINT = re.compile(r'"?sep=(?P<separator>.)"?[;,\t]*\r?\n')
"""The line that Excel writes and reads at the top to name the separator."""

NumberedCells = tuple[int, list[str]]
"""The line that a row of a table ends in, and its cells."""


def read_table_text(path: Path) -> str:
    """Read the text of a table in UTF-8, or in UTF-16 with a byte-order mark."""
    content = read_bytes(path)
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    if content.startswith(GZIP):
        return read_text(path)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        if encoding == "utf-16":
            raise InputError(
                f"{path}, line {line}: the UTF-16 text is damaged ({error.reason}); copy it again"
            ) from error
        byte = content[error.start]
        raise InputError(
            f"{path}, line {line}: the byte {byte:#04x} is not UTF-8; {advise_conversion(content)}, "
            "or save the table as 'CSV UTF-8' or .xlsx in Excel"
        ) from error
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    return text


def find_separator(text: str, usual: str) -> str:
    """Return what separates the cells of a table: the most frequent separator of its first line outside quotes.

    >>> find_separator('item;"good, we hope";bad', usual=",")
    ';'
    """
    beginning = re.sub(r'"[^"]*"', "", text[:LONGEST_HEADER]).lstrip("\r\n")
    line = re.split("[\r\n]", beginning, maxsplit=1)[0]
    return max(usual + SEPARATORS, key=line.count)  # the first of several maxima


def first_cells(text: str, usual: str) -> list[str]:
    """Return the cells of the first line of a text, as if it were the header of a table."""
    line = text.lstrip("\r\n").partition("\n")[0]
    return [cell.strip().strip('"') for cell in line.split(find_separator(text, usual))]


def split_cells(text: str, path: Path) -> list[NumberedCells]:
    """Split the text of a table into rows of cells."""
    usual = DELIMITERS.get(path.suffix.lower(), "\t")
    if hint := EXCEL_HINT.match(text):
        return list(quoted_cells(text, hint["separator"], path))[1:]
    separator = find_separator(text, usual)
    try:
        return list(quoted_cells(text, separator, path))
    except InputError:
        plain = plain_cells(text) if separator == "\t" else []
        if len({len(cells) for _, cells in plain}) != 1:
            raise
        return plain


def quoted_cells(text: str, separator: str, path: Path) -> Iterator[NumberedCells]:
    """Yield the cells of every row; those that begin with a quotation mark must end with one."""
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        if "field larger than field limit" in str(error):
            raise InputError(
                f"{path}, line {reader.line_num}: a cell has more than {LONGEST_CELL:,} characters; shorten it, or "
                "close the quotation mark with which it begins"
            ) from error
        raise InputError(
            f"{path}, line {reader.line_num}: this is not a table ({error}); a cell that begins with a "
            'quotation mark must end with one, and those inside it are doubled ("")'
        ) from error


def plain_cells(text: str) -> list[NumberedCells]:
    """Split a table as it is copied from a spreadsheet, where quotation marks are characters as others are."""
    lines = enumerate(text.replace("\r\n", "\n").split("\n"), 1)
    return [(number, line.split("\t")) for number, line in lines if line.strip()]
