"""Suites as a table with one region per line: SyntaxGym's CSV, and the same with tabs. It holds no predictions."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.input_files import Record, advise, listed, read_records
from gardenpath.suites.formats.contents import contents, region_numbers, warn_of_join
from gardenpath.suites.formats.parts import suite_name
from gardenpath.suites.formats.syntaxgym import parse_suite
from gardenpath.suites.suite import Join, Suite

COLUMNS = ("item_number", "condition_name", "region_number", "region_name", "content")


def read_long_table(path: Path, join: Join = "natural") -> Suite:
    """Read a table of regions."""
    return suite_of_regions(read_records(path), path, join)


def suite_of_regions(records: Sequence[Record], path: Path, join: Join) -> Suite:
    """The suite that lines of regions make."""
    names: dict[str, str] = {}
    items: dict[str, dict[str, dict[str, str]]] = {}
    for record in records:
        item, condition, number, name, content = (record.cell(column) for column in COLUMNS)
        names.setdefault(number, name)
        regions = items.setdefault(item, {}).setdefault(condition, {})
        if number in regions:
            raise InputError(f"{record.where}: item {item!r}, condition {condition!r} has region {number} already")
        regions[number] = content
    return parse_suite(as_json(suite_name(path), names, items), path, join)


def as_json(name: str, names: dict[str, str], items: dict[str, dict[str, dict[str, str]]]) -> dict[str, Any]:
    """The same in the shape of SyntaxGym JSON."""
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


def write_tsv(suite: Suite, path: Path) -> None:
    """Write a suite as a table with one region per line; its predictions are left out, which is said."""
    warn_of_join(suite)
    if suite.predictions:
        left_out = listed(prediction.name for prediction in suite.predictions)
        advise(f"suite {suite.name!r}: a table of regions holds no predictions; left out: {left_out}")
    numbers = region_numbers(suite)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        for trial, sentence in suite.trials():
            for name, content in contents(sentence):
                writer.writerow((trial.item, trial.condition, numbers[name], name, content))
