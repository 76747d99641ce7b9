"""Data of jsPsych: that of pages which gardenpath exported, and any other by a map of columns."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.human.formats.collected import Collected, join_collected
from gardenpath.human.formats.columns import USUAL_NAMES, ColumnMap, find_columns, parse_column_map
from gardenpath.human.formats.exported_page import collect_exported, is_exported
from gardenpath.human.formats.jatos import Result, read_results
from gardenpath.human.formats.long_table import collect_records
from gardenpath.io.messages import quote
from gardenpath.io.tables import Record

RESULT_NAME = "gardenpath result"
"""The column of the participant where the data name none: every result is one."""


def read_jspsych(paths: Sequence[Path], columns: str | ColumnMap | None = None, digest: str = "") -> Collected:
    """Read the results of files, archives of JATOS, and folders of them; `digest`: that of the materials, if known."""
    given = parse_column_map(columns, USUAL_NAMES)
    results = [result for path in paths for result in read_results(path)]
    others = [result for result in results if not is_exported(result)]
    found = collect_exported((result for result in results if is_exported(result)), digest)
    return join_collected([found, collect_others(others, given, paths[0])]) if others else found


def collect_others(results: list[Result], given: ColumnMap, path: Path) -> Collected:
    """Turn data of other pages into responses, by the columns that the user named and those with usual names."""
    records = [flat for result in results for record in result.trials for flat in [flatten(record, result.name)]]
    header = dict.fromkeys(name for record in records for name in record.cells if name != RESULT_NAME)
    columns = find_columns(header, given, str(path))
    columns.setdefault("participant", RESULT_NAME)
    if "item" not in columns and "sentence" not in columns:
        raise InputError(
            f"{path}: no trial names its item; name the column with --columns item=COLUMN; there is "
            f"{quote(header, most=30)}"
        )
    return collect_records((place_choice(record, columns) for record in records), columns, path.stem)


def flatten(record: Record, result: str) -> Record:
    """A trial with the values of objects in it as columns of their own, such as `response.Q0`."""
    return replace(record, cells={RESULT_NAME: result, **dict(flat_cells(record.cells))})


def flat_cells(cells: Any, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the cells of an object and of the objects in it."""
    for name, value in cells.items():
        yield f"{prefix}{name}", value
        if isinstance(value, dict) and depth < 3:
            yield from flat_cells(value, f"{prefix}{name}.", depth + 1)


def place_choice(record: Record, columns: ColumnMap) -> Record:
    """Replace the index of a button, from 0, by the condition shown there."""
    choice = record.cells.get(columns.get("choice", ""))
    order = record.cells.get(columns.get("order", ""))
    if isinstance(choice, bool) or not isinstance(choice, int) or not isinstance(order, list):
        return record
    if 0 <= choice < len(order):
        return replace(record, cells={**record.cells, columns["choice"]: order[choice]})
    return record
