"""The Hugging Face dataset `cpllab/syntaxgym` as JSON lines: one item per line, conditions and regions as arrays."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.json_text import require_key
from gardenpath.io.tables import Record
from gardenpath.suites.formats.syntaxgym import RegionsByCondition, parse_syntaxgym, to_syntaxgym_json
from gardenpath.suites.suite import Join, Suite


def build_hub_suites(records: Sequence[Record], path: Path, join: Join) -> list[Suite]:
    """Build the suites of lines of arrays."""
    suites = []
    for name, lines in groupby(records, lambda record: record.text("suite_name")):
        group = list(lines)
        formulas = require_key(group[0].cells, "predictions", list, group[0].where)
        items = [(record.cell("item_number"), read_item_conditions(record)) for record in group]
        suites.append(parse_syntaxgym(to_syntaxgym_json(name, items, formulas=formulas), path, join))
    return suites


def read_item_conditions(record: Record) -> RegionsByCondition:
    """Return the regions of one item, by condition."""
    conditions = require_key(record.cells, "conditions", dict, record.where)
    by_condition = zip_arrays(conditions, "condition_name", "regions", record.where)
    wheres = ((name, arrays, f"{record.where}, condition {name!r}") for name, arrays in by_condition)
    return [(name, zip_arrays(arrays, "region_number", "content", where)) for name, arrays, where in wheres]


def zip_arrays(holder: Any, left: str, right: str, where: str) -> list[tuple[Any, Any]]:
    """Return the elements of two arrays of an object, which must be equally many."""
    lefts, rights = (require_key(holder, key, list, where) for key in (left, right))
    if len(lefts) != len(rights):
        raise InputError(f"{where}: {left!r} has {len(lefts)} elements, but {right!r} has {len(rights)}")
    return list(zip(lefts, rights, strict=True))
