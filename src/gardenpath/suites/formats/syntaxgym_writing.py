"""SyntaxGym JSON, written: what `syntaxgym` reads back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.numbers import is_whole_number
from gardenpath.suites.formats.region_contents import region_contents, region_numbers, require_joinable
from gardenpath.suites.formats.syntaxgym import (
    ALTERNATIVES,
    rename_regions,
    to_condition_json,
    unnamed_in_file,
    with_conjunction,
    without_conjunction,
)
from gardenpath.suites.given_predictions import name_unnamed
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Item, Suite


def write_syntaxgym(suite: Suite, path: Path) -> None:
    """Write a suite in SyntaxGym JSON; names, levels and formulas by region name are in keys of our own."""
    write_text_atomically(path, json.dumps(convert_suite(suite), ensure_ascii=False, indent=1) + "\n")


def convert_suite(suite: Suite) -> dict[str, Any]:
    """Return a suite in the shape of SyntaxGym JSON."""
    require_joinable(suite)
    numbers = region_numbers(suite)
    own = without_conjunction(suite.predictions)
    predictions = without_given_names(own)
    together = predictions != own or with_conjunction(own) == [*suite.predictions]
    stated = {"phenomenon": suite.phenomenon, "circuit": suite.circuit, **suite.metadata}
    kept = {key: value for key, value in stated.items() if value and key not in ("name", "metric")}
    return {
        "meta": {"name": suite.name, "metric": "sum"} | kept | ({} if together else {ALTERNATIVES: True}),
        "region_meta": {str(number): name for name, number in numbers.items()},
        "predictions": [convert_prediction(p, index, numbers) for index, p in enumerate(predictions)],
        "items": [convert_suite_item(suite, item, numbers) for item in suite.items],
    }


def without_given_names(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Return predictions under the names of unnamed ones in a file, if all were given as formulas without names."""
    given = [name_unnamed(number, len(predictions)) for number, _ in enumerate(predictions, 1)]
    if given != [prediction.name for prediction in predictions]:
        return [*predictions]
    return [replace(prediction, name=unnamed_in_file(index)) for index, prediction in enumerate(predictions)]


def convert_prediction(prediction: Prediction, index: int, numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return a prediction with regions by number, as SyntaxGym requires."""
    text = prediction.formula.text
    by_number = rename_regions(text, {name: str(number) for name, number in numbers.items() if name != "*"})
    written: dict[str, Any] = {"type": "formula", "formula": by_number}
    if by_number != text:
        written["formula_by_name"] = text
    if prediction.name != unnamed_in_file(index):
        written["name"] = prediction.name
    if prediction.chance is not None:
        written["chance"] = prediction.chance
    return written


def convert_suite_item(suite: Suite, item: Item, numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return an item with all its sentences, region by region."""
    whole_number = is_whole_number(item.id) and str(int(item.id)) == item.id
    conditions = []
    for condition in suite.conditions:
        if condition.name in item.sentences:
            contents = region_contents(item.sentences[condition.name])
            regions = [(numbers[name], content) for name, content in contents]
            conditions.append(to_condition_json(condition.name, regions, condition.levels))
    levels = {"levels": dict(item.levels)} if item.levels else {}
    return {"item_number": int(item.id) if whole_number else item.id, **levels, "conditions": conditions}
