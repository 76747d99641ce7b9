"""Suites as tables with one region per row: SyntaxGym's CSV, and the same with tabs. They hold no predictions."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import Record
from gardenpath.suites.formats.region_contents import region_contents, region_numbers, require_joinable
from gardenpath.suites.formats.syntaxgym import parse_syntaxgym
from gardenpath.suites.formats.whole_sentence import suite_name
from gardenpath.suites.suite import Join, Suite

REGION_COLUMNS = ("item_number", "condition_name", "region_number", "region_name", "content")


def build_region_suite(records: Sequence[Record], path: Path, join: Join) -> Suite:
    """Build the suite of rows of regions."""
    names: dict[str, str] = {}
    items: dict[str, dict[str, dict[str, str]]] = {}
    for record in records:
        item, condition, number, name, content = (record.cell(column) for column in REGION_COLUMNS)
        names.setdefault(number, name)
        regions = items.setdefault(item, {}).setdefault(condition, {})
        if number in regions:
            raise InputError(f"{record.where}: item {item!r}, condition {condition!r} already has region {number}")
        regions[number] = content
    return parse_syntaxgym(convert_regions_to_json(suite_name(path), names, items), path, join)


def convert_regions_to_json(
    name: str, names: dict[str, str], items: dict[str, dict[str, dict[str, str]]]
) -> dict[str, Any]:
    """Return the regions in the shape of SyntaxGym JSON."""
    return {
        "meta": {"name": name},
        "region_meta": names,
        "predictions": [],
        "items": [
            {
                "item_number": item,
                "conditions": [
                    {
                        "condition_name": condition,
                        "regions": [{"region_number": n, "content": content} for n, content in regions.items()],
                    }
                    for condition, regions in by_condition.items()
                ],
            }
            for item, by_condition in items.items()
        ],
    }


def write_region_table(suite: Suite, path: Path) -> None:
    """Write a suite as a table with one region per row; warn that predictions are left out."""
    require_joinable(suite)
    if suite.predictions:
        left_out = quote(prediction.name for prediction in suite.predictions)
        advise(f"suite {suite.name!r}: a table of regions cannot hold predictions; left out: {left_out}")
    numbers = region_numbers(suite)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(REGION_COLUMNS)
        for trial, sentence in suite.trials():
            for name, content in region_contents(sentence):
                writer.writerow((trial.item, trial.condition, numbers[name], name, content))
