"""The Hugging Face dataset `cpllab/syntaxgym` as JSON lines: one item per line, conditions and regions as arrays."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.json_text import require_key
from gardenpath.io.tables import Record
from gardenpath.suites.formats.syntaxgym import parse_syntaxgym
from gardenpath.suites.suite import Join, Suite


def build_hub_suites(records: Sequence[Record], path: Path, join: Join) -> list[Suite]:
    """Build the suites of lines of arrays."""
    return [
        parse_syntaxgym(convert_arrays(name, list(lines)), path, join)
        for name, lines in groupby(records, lambda record: record.text("suite_name"))
    ]


def convert_arrays(name: str, records: Sequence[Record]) -> dict[str, Any]:
    """Return the lines of a suite in the shape of SyntaxGym JSON."""
    formulas = require_key(records[0].cells, "predictions", list, records[0].where)
    return {
        "meta": {"name": name},
        "predictions": [{"type": "formula", "formula": formula} for formula in formulas],
        "items": [
            {"item_number": record.cell("item_number"), "conditions": convert_conditions(record)} for record in records
        ],
    }


def convert_conditions(record: Record) -> list[dict[str, Any]]:
    """Return the conditions of one item as objects."""
    conditions = require_key(record.cells, "conditions", dict, record.where)
    names = require_key(conditions, "condition_name", list, record.where)
    regions = require_key(conditions, "regions", list, record.where)
    if len(names) != len(regions):
        raise InputError(f"{record.where}: {len(names)} condition names, but regions for {len(regions)} conditions")
    return [
        {"condition_name": name, "regions": convert_regions(arrays, f"{record.where}, condition {name!r}")}
        for name, arrays in zip(names, regions, strict=True)
    ]


def convert_regions(arrays: Any, where: str) -> list[dict[str, Any]]:
    """Return the regions of one sentence as objects."""
    numbers = require_key(arrays, "region_number", list, where)
    contents = require_key(arrays, "content", list, where)
    if len(numbers) != len(contents):
        raise InputError(f"{where}: {len(numbers)} region numbers, but {len(contents)} contents")
    return [{"region_number": n, "content": content} for n, content in zip(numbers, contents, strict=True)]
