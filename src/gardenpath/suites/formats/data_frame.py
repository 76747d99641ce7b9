"""Suites from data frames: polars, pandas, or any object with the Arrow or the dataframe-interchange protocol.

A long table has the columns item, condition, region and content, one region per row; a wide one has item, condition
and one column per region, in the order of the columns. An empty cell is an empty region.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, locate_errors, quote
from gardenpath.io.tables import Record
from gardenpath.suites.forgotten_cells import mark_forgotten_cells
from gardenpath.suites.formats.region_table import build_region_suite
from gardenpath.suites.formats.unlikely_regions import find_unlikely_regions
from gardenpath.suites.formats.wide_table import SentenceColumns, region_rows
from gardenpath.suites.given_predictions import parse_prediction
from gardenpath.suites.suite import Join, Suite

LONG_COLUMNS = ("region", "content")
"""The columns that identify a long table."""

SHORT_NAMES = {"item_number": "item", "condition_name": "condition", "region_name": "region"}
"""Our names of columns of SyntaxGym's tables."""


def suite_from_table(
    frame: Any, prediction: str | Mapping[str, str], name: str, join: Join, levels: Sequence[str]
) -> Suite:
    """Build the suite of a long or wide table; see `Suite.from_table`."""
    rows = read_frame(frame, name)
    levels_of = read_levels(rows, levels)
    formulas = {"prediction": prediction} if isinstance(prediction, str) else prediction
    predictions = []
    for title, text in formulas.items():
        with locate_errors(f"suite {name!r}, prediction {title!r}"):
            predictions.append(parse_prediction(title, text))
    columns = [column for column in rows[0].cells if column not in ("item", "condition", *levels)]
    is_long = set(LONG_COLUMNS) <= set(columns)
    regions = LONG_COLUMNS if is_long else tuple(columns)
    named = SentenceColumns("item", "condition", tuple(levels), regions, is_long=is_long)
    if not is_long and (unlikely := find_unlikely_regions(rows, named)):
        reasons = "; ".join(f"{column!r} {reason}" for column, reason in unlikely.items())
        advise(f"table {name!r}: {reasons}, but scored as a region; name factors in levels={[*unlikely]}")
    suite = build_region_suite(list(region_rows(rows, named)), Path(name), join)
    items = tuple(replace(item, levels=levels_of[item.id]) for item in suite.items)
    # The circuit was guessed from the name, as for files of SyntaxGym.
    read = replace(suite, name=name, items=items, predictions=tuple(predictions), circuit="", source="")
    return mark_forgotten_cells(read)


def read_levels(rows: Sequence[Record], columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the factor levels of every item, which all its rows must share."""
    levels: dict[str, dict[str, str]] = {}
    for row in rows:
        found = {column: row.text(column) for column in columns}
        if levels.setdefault(row.cells["item"], found) != found:
            raise InputError(
                f"{row.where}: item {row.cells['item']!r} has the levels {found} here, but {levels[row.cells['item']]} "
                "before; levels are properties of items, not of conditions"
            )
    return levels


def read_frame(frame: Any, name: str) -> list[Record]:
    """Return the rows of a frame with every cell as text; raise if a column or a required cell is missing."""
    columns = read_columns(frame)
    wanted = ("item", "condition", *(LONG_COLUMNS if columns.keys() & set(LONG_COLUMNS) else ()))
    missing = [column for column in wanted if column not in columns]
    if missing:
        raise InputError(
            f"table {name!r}: no column {quote(missing)}; the columns are {quote(columns)}; a long table has item, "
            "condition, region and content, a wide one item, condition and one column per region"
        )
    if len(columns) == 2:
        raise InputError(f"table {name!r}: no column besides 'item' and 'condition'; add one column per region")
    cells = zip(*columns.values(), strict=True)
    rows = [Record(Path(name), n, dict(zip(columns, row, strict=True)), "row") for n, row in enumerate(cells, 1)]
    if not rows:
        raise InputError(f"table {name!r}: there are no rows under the columns {quote(columns)}")
    for row in rows:
        for column in wanted[:3]:
            row.text(column)
    return rows


def read_columns(frame: Any) -> dict[str, list[str]]:
    """Return the columns of a frame as lists of texts; missing values are empty."""
    if isinstance(frame, Mapping):
        columns = {str(column): list(values) for column, values in frame.items()}
    elif hasattr(frame, "iloc"):  # pandas: its Arrow and interchange protocols need pyarrow, its columns do not
        names = [str(column) for column in frame.columns]
        repeated = [column for column, count in Counter(names).items() if count > 1]
        if repeated:
            raise InputError(f"the table has two columns called {repeated[0]!r}; rename one of them")
        known = frame.astype(object).where(frame.notna(), None)
        columns = {name: known.iloc[:, index].tolist() for index, name in enumerate(names)}
    elif hasattr(frame, "__arrow_c_stream__"):
        import polars as pl

        columns = pl.DataFrame(frame).to_dict(as_series=False)
    elif hasattr(frame, "__dataframe__"):
        return read_columns(from_interchange(frame))
    else:
        raise InputError(
            f"a table is a polars or pandas frame, or has the Arrow or the dataframe-interchange protocol; "
            f"{type(frame).__name__} is none of these"
        )
    texts = {}
    for column, values in columns.items():
        name = SHORT_NAMES.get(column, column)
        texts[column if name in columns else name] = [text_of(value) for value in values]
    return texts


def from_interchange(frame: Any) -> Any:
    """Return a pandas frame of an object that only has the interchange protocol."""
    try:
        from pandas.api.interchange import from_dataframe
    except ImportError as error:
        raise InputError(
            f"{type(frame).__name__} only has the dataframe-interchange protocol, which is read with pandas: "
            "install pandas, or give a polars frame"
        ) from error
    return from_dataframe(frame)


def text_of(value: object) -> str:
    """Return a cell as text: empty for null and NaN, whole numbers without decimals."""
    if value is None or value != value:
        return ""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value).strip()
