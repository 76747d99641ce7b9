"""Tables read as suites: the columns in the first row decide which format a table has."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.io.table_text import DELIMITERS, first_cells, read_table_text
from gardenpath.io.tables import TableRow, holds_json, read_header, read_records, read_table_rows, to_records
from gardenpath.suites.formats.alternating_lines import build_climp_suite, chinese_column
from gardenpath.suites.formats.named_columns import ASK_FOR_COLUMNS, NamedColumns, refuse_double_use, require_named
from gardenpath.suites.formats.pair_columns import Columns, find_columns, fold_column_name, require_columns
from gardenpath.suites.formats.pairs import LEADING_COLUMNS, build_pair_suites, build_written_suites
from gardenpath.suites.formats.reflexives import build_reflexive_suite
from gardenpath.suites.formats.region_table import REGION_COLUMNS
from gardenpath.suites.formats.unlikely_regions import refuse_unlikely_regions
from gardenpath.suites.formats.variant_table import VARIANT_COLUMNS, build_variant_suites
from gardenpath.suites.formats.whole_sentence import GOOD_AND_BAD, GRAMMATICAL_PAIR
from gardenpath.suites.formats.wide_table import build_numbered_suite, build_wide_suite, find_sentence_columns
from gardenpath.suites.suite import Join, Suite

EXPECTED_COLUMNS = ("good", "bad", "grammatical", "ungrammatical", "item", "condition")
"""The columns by which tables that people write are recognised."""


class UnknownFormatError(InputError):
    """A readable file that holds no suite in any known format."""


def holds_table(path: Path) -> bool:
    """Return whether the first line of a text file names the columns of a table of sentences."""
    header = first_cells(read_table_text(path), DELIMITERS.get(path.suffix.lower(), "\t"))
    return find_columns(header) is not None or find_sentence_columns(header) is not None


def read_table_file(path: Path, join: Join) -> list[Suite]:
    """Read the suites of a table, in text or in a workbook."""
    rows = read_table_rows(path)
    header = [name.strip() for name in rows[0].cells]
    if set(REGION_COLUMNS) <= set(header):
        return [build_numbered_suite(to_records(rows, path), path, join)]
    if {"mismatch_position", "pronoun", "sentence"} <= set(header):
        return [build_reflexive_suite(to_records(rows, path), path, join)]
    if header == list(VARIANT_COLUMNS):
        return build_variant_suites(to_records(rows, path), path, join)
    if tuple(header[: len(LEADING_COLUMNS)]) == LEADING_COLUMNS:
        return build_written_suites(to_records(rows, path), path)
    if columns := find_columns(header):
        return build_pair_suites(to_records(rows, path), columns, path)
    if find_sentence_columns(header):
        return [read_wide_table(rows, path, join, NamedColumns())]
    if chinese := chinese_column(rows):
        return [build_climp_suite(rows, *chinese, path)]
    raise UnknownFormatError(
        f"{path}: the columns of the good and the bad sentences are unknown; there are {quote(header)}; "
        f"{advise_columns(header, rows[0].unit)}"
    )


def read_table_with(path: Path, join: Join, named: NamedColumns) -> list[Suite]:
    """Read the suites of a table of which the user names some columns: a table of regions, or of pairs with factors."""
    if holds_json(path):
        raise InputError(
            f"{path}: only a table has columns of factors and regions, this is JSON; name good=KEY,bad=KEY as well, or "
            "leave out --columns"
        )
    rows = read_table_rows(path)
    header = read_header(rows, path)
    require_named(named, header, f"{path}, {rows[0].unit} {rows[0].line}")
    if named.ignored:
        rows = drop_columns(rows, named.ignored)
        header = read_header(rows, path)
    if not named.of_regions and tuple(header[: len(LEADING_COLUMNS)]) == LEADING_COLUMNS:
        refuse_double_use(named, ("suite", "item", *GOOD_AND_BAD, *GRAMMATICAL_PAIR), path)
        return build_written_suites(to_records(rows, path), path, named.factors)
    if not named.of_regions and (columns := find_columns(header)):
        refuse_double_use(named, (columns.good, *columns.all_bad, columns.id, columns.suite), path)
        levels = tuple(dict.fromkeys((*columns.levels, *named.factors)))
        return build_pair_suites(to_records(rows, path), replace(columns, levels=levels), path)
    if not set(REGION_COLUMNS) <= set(header) and find_sentence_columns(header, named):
        return [read_wide_table(rows, path, join, named)]
    remedy = "leave out --columns" if set(REGION_COLUMNS) <= set(header) else "add item=COLUMN,condition=COLUMN"
    raise InputError(
        f"{path}: a table of which --columns names regions or factors has a column of items and one of conditions, or "
        f"pairs of known columns; there are {quote(header)}; {remedy}"
    )


def read_pairs_with(path: Path, columns: Columns) -> list[Suite]:
    """Read the suites of a table, or of JSON lines, of which the user names the columns of good and bad sentences."""
    if holds_json(path):
        return build_pair_suites(read_records(path), columns, path)
    rows = read_table_rows(path)
    require_columns(columns, filter(None, read_header(rows, path)), f"{path}, {rows[0].unit} {rows[0].line}")
    return build_pair_suites(to_records(rows, path), columns, path)


def drop_columns(rows: Sequence[TableRow], names: Sequence[str]) -> list[TableRow]:
    """Leave out the columns with these names."""
    kept = [name.strip() not in names for name in rows[0].cells]
    own = ([cell for number, cell in enumerate(row.cells) if number >= len(kept) or kept[number]] for row in rows)
    return [replace(row, cells=cells) for row, cells in zip(rows, own, strict=True)]


def read_wide_table(rows: list[TableRow], path: Path, join: Join, named: NamedColumns) -> Suite:
    """Read the suite of a table of regions, of which every column must have a name."""
    header = read_header(rows, path)
    columns = find_sentence_columns(header, named)
    if columns is None:
        raise UnknownFormatError(f"{path}: the columns of items and conditions are unknown; there are {quote(header)}")
    refuse_double_use(named, (columns.item, columns.condition), path)
    start = max(header.index(columns.item), header.index(columns.condition))
    for row in rows[1:]:
        for number, (name, cell) in enumerate(zip(header, row.cells, strict=False)):
            if number > start and not name and cell.strip():
                raise InputError(
                    f"{path}, {row.unit} {row.line}: cell {number + 1} holds {cell.strip()!r}, but its column has no "
                    "name; name the column after its region, or empty the cell"
                )
    records = to_records(rows, path)
    if not columns.is_long and not named.regions:
        refuse_unlikely_regions(records, columns, path)
    return build_wide_suite(records, columns, path, join)


def advise_columns(header: Sequence[str], unit: str) -> str:
    """Return what to do about a table whose columns are unknown; `unit` is a row in a workbook, a line in a text."""
    if len(header) == 1:
        if unit == "row":
            return "this sheet has one column: name another (FILE#SHEET), or put good and bad sentences in two columns"
        return "cells are separated by commas, semicolons or tabs"
    folded = {fold_column_name(name): name for name in header}
    remedy = ASK_FOR_COLUMNS
    if {"item", "condition"} & folded.keys():
        missing = "condition" if "item" in folded else "item"
        remedy = (
            f"a table of regions also has the column {missing!r} (--columns {missing}=COLUMN names another one); for "
            f"pairs, {ASK_FOR_COLUMNS}"
        )
    others = [name for name in folded if name not in EXPECTED_COLUMNS]
    # No table of pairs has conditions.
    for expected in ("item",) if "condition" in folded else EXPECTED_COLUMNS:
        near = get_close_matches(expected, others, n=1, cutoff=0.75)
        if near and expected not in folded:
            return f"did you mean {expected!r} by {folded[near[0]]!r}? If not, {remedy}"
    return remedy
