"""SyntaxGym files with a value for each region: results of some model, to be evaluated without it."""

import json
import math
import sys
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.json_text import parse_json
from gardenpath.io.messages import quote, show_value
from gardenpath.io.tables import label_text
from gardenpath.io.text_files import read_text
from gardenpath.suites.formats.region_contents import region_numbers
from gardenpath.suites.formats.syntaxgym import (
    RegionCell,
    all_regions,
    build_syntaxgym_suite,
    name_regions,
    parse_cells,
    read_metric,
)
from gardenpath.suites.formats.syntaxgym_writing import convert_suite
from gardenpath.suites.prediction import Reference
from gardenpath.suites.suite import Item, Join, Suite

RegionKey = tuple[str, str, str]
"""The item id, the condition and the name of a region."""


@dataclass(frozen=True, slots=True)
class MeasuredSuite:
    """A suite, and the value a model assigned to each of its regions."""

    suite: Suite
    values: Mapping[RegionKey, float]
    """By item id, condition and region name; a region without a value is NaN."""
    metric: str
    """How the file combines a region's tokens into one value; the published files sum bits."""
    model: str
    """The model, if the file names it."""

    def bits(self) -> dict[Reference, NDArray[np.float64]]:
        """Return a value per item for each region and condition that a formula names."""
        references = {reference for p in self.suite.predictions for reference in p.formula.references}
        return {
            reference: np.array([self.of(item, reference) for item in self.suite.items]) for reference in references
        }

    def of(self, item: Item, reference: Reference) -> float:
        """Return the value of one region of one item; `*` sums all of them, unless it has a value of its own."""
        names = referenced_regions(item, reference, self.values)
        return sum(self.values[item.id, reference.condition, name] for name in names)


def referenced_regions(item: Item, reference: Reference, values: Container[RegionKey]) -> list[str]:
    """Return the names of the regions of an item whose values make up that of a reference."""
    sentence = item.sentences[reference.condition]
    if reference.region != "*":
        return [sentence.region(reference.region).name]
    if (item.id, reference.condition, "*") in values:
        return ["*"]
    return [region.name for region in sentence.regions] or ["*"]


def read_region_values(path: Path, join: Join = "natural") -> MeasuredSuite:
    """Read a SyntaxGym file whose regions already have `metric_value`."""
    data = parse_json(read_text(path), path)
    cells = parse_cells(data, path)
    suite = build_syntaxgym_suite(data, cells, path, join)
    if all(cell.value in (None, {}) for regions in all_regions(cells) for cell in regions):
        raise InputError(
            f"{path}: no region has a 'metric_value'; score the suite with a model (gardenpath run --suite {path} "
            f"--out RUN) and write its values (gardenpath suites export {path} --format syntaxgym --with-values RUN "
            "--out FILE)"
        )
    names = name_regions(data, cells, path)
    metric = read_metric(data["meta"], path)
    values = {
        (id_, condition, names[cell.number]): value_of(cell, metric, f"{path}, item {id_!r}, condition {condition!r}")
        for id_, by_condition in cells.items()
        for condition, regions in by_condition.items()
        for cell in regions
    }
    return MeasuredSuite(suite, values, metric, label_text(data["meta"].get("model")))


def write_region_values(measured: MeasuredSuite, path: Path) -> None:
    """Write a suite in SyntaxGym JSON with the value of every region, as `read_region_values` reads it."""
    data = convert_suite(measured.suite)
    data["meta"] |= {"metric": measured.metric, "model": measured.model}
    names = {number: name for name, number in region_numbers(measured.suite).items()}
    for item, written in zip(measured.suite.items, data["items"], strict=True):
        for condition in written["conditions"]:
            for region in condition["regions"]:
                value = measured.values[item.id, condition["condition_name"], names[region["region_number"]]]
                region["metric_value"] = {measured.metric: None if math.isnan(value) else value}
    write_text_atomically(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def value_of(cell: RegionCell, metric: str, where: str) -> float:
    """Return the region's value by the chosen metric; NaN if it has none."""
    value = cell.value
    if isinstance(value, dict):
        if metric not in value:
            raise InputError(f"{where}, region {cell.number}: no value for {metric!r}; the values are {quote(value)}")
        value = value[metric]
    if value is None:
        return float("nan")
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
        return float(value)
    raise InputError(f"{where}, region {cell.number}: 'metric_value' must be a number, not {show_value(value)}")
