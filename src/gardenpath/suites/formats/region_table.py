"""Suites as tables with one region per row: SyntaxGym's CSV, and the same with tabs. They hold no predictions."""

import csv
from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import Record
from gardenpath.suites.formats.rare_conditions import note_rare_conditions
from gardenpath.suites.formats.region_contents import region_contents, region_numbers, require_joinable
from gardenpath.suites.formats.syntaxgym import parse_syntaxgym, to_syntaxgym_json
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
    note_rare_conditions(records, *REGION_COLUMNS[:2])
    by_condition = [(item, [(name, cells.items()) for name, cells in found.items()]) for item, found in items.items()]
    return parse_syntaxgym(to_syntaxgym_json(suite_name(path), by_condition, names), path, join)


def write_region_table(suite: Suite, path: Path) -> None:
    """Write a suite as a table with one region per row, and a column per factor; warn of predictions left out."""
    require_joinable(suite)
    if suite.predictions:
        left_out = quote(prediction.name for prediction in suite.predictions)
        advise(f"suite {suite.name!r}: a table of regions cannot hold predictions; left out: {left_out}")
    numbers = region_numbers(suite)
    factors, of_condition = table_factors(suite), {one.name: one.levels for one in suite.conditions}
    of_item = {item.id: item.levels for item in suite.items}
    with atomic_write(path) as scratch, scratch.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow((*REGION_COLUMNS, *factors))
        for trial, sentence in suite.trials():
            known = {**of_condition[trial.condition], **of_item[trial.item]}
            levels = [known.get(factor, "") for factor in factors]
            for name, content in region_contents(sentence):
                writer.writerow((trial.item, trial.condition, numbers[name], name, content, *levels))


def table_factors(suite: Suite) -> list[str]:
    """Return the factors that get columns of a table; warn of those that share a name, and are left out."""
    of_items = dict.fromkeys(name for item in suite.items for name in item.levels)
    of_conditions = dict.fromkeys(name for one in suite.conditions for name in one.levels)
    names = list(of_items | of_conditions)
    lost = [name for name in names if name in REGION_COLUMNS or (name in of_items and name in of_conditions)]
    if lost:
        advise(
            f"suite {suite.name!r}: factors left out, since their columns would have the name of another: "
            f"{quote(lost)}; write SyntaxGym JSON to keep them"
        )
    return [name for name in names if name not in lost]
