"""SyntaxGym files that carry values: read without a model, evaluated by the formulas."""

from copy import deepcopy
from math import isnan
from typing import Any

import numpy as np
import pytest
from suite_files import Write
from test_format_syntaxgym import SUITE

from gardenpath.errors import InputError
from gardenpath.runs.evaluate import json_files
from gardenpath.suites.formats.region_values import read_region_values


def scored(values: dict[str, list[Any]], metric: Any = "sum") -> dict[str, Any]:
    """The suite with a value for each region of each condition."""
    data = deepcopy(SUITE)
    data["meta"] |= {"metric": metric, "model": "gpt2"}
    for condition in data["items"][0]["conditions"]:
        for region, value in zip(condition["regions"], values[condition["condition_name"]], strict=True):
            region["metric_value"] = value
    return data


SUMS = {"match": [{"sum": 10.0}, {"sum": 3.5}, {"sum": 1}], "mismatch": [{"sum": 10.0}, {"sum": 8.0}, {"sum": None}]}


def test_values_go_by_item_condition_and_region(write: Write) -> None:
    measured = read_region_values(write("s.json", scored(SUMS)))
    assert measured.model == "gpt2"
    assert measured.metric == "sum"
    assert measured.values["1", "match", "Unnamed: 7"] == 3.5
    assert isnan(measured.values["1", "mismatch", "end"])


def test_formulas_are_evaluated_on_them(write: Write) -> None:
    data = scored(SUMS)
    data["predictions"].append({"type": "formula", "formula": "(*;%match%) < 15"})
    measured = read_region_values(write("s.json", data))
    margins = [prediction.formula.margin(measured.bits()) for prediction in measured.suite.predictions]
    assert np.array_equal(margins, [[0.5], [4.5], [0.5]])  # the first: all predictions


def test_the_metric_of_the_file_is_taken(write: Write) -> None:
    values = {condition: [{"mean": 2.0, "max": 5.0}] * 3 for condition in SUMS}
    assert read_region_values(write("s.json", scored(values, "max"))).values["1", "match", "np"] == 5.0
    assert read_region_values(write("s.json", scored(values, ["mean", "max"]))).metric == "mean"
    with pytest.raises(
        InputError, match="condition 'match', region 1: no value for 'sum'; the values are 'mean', 'max'"
    ):
        read_region_values(write("s.json", scored(values, "all")))


def test_empty_values_are_none(write: Write) -> None:
    with pytest.raises(InputError, match=r"no region has a 'metric_value'; score the suite"):
        read_region_values(write("s.json", scored({condition: [{}] * 3 for condition in SUMS})))


def test_a_folder_is_read_file_by_file(write: Write) -> None:
    write("runs/a.json", scored(SUMS))
    path = write("runs/b/b.json", scored(SUMS))
    assert len([read_region_values(file) for file in json_files([path.parent.parent])]) == 2
    assert json_files([path]) == [path]


def test_a_folder_without_files_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="there is no JSON file in it"):
        json_files([write("runs/a.txt", "x").parent])


def test_a_file_without_values_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match=r"s\.json: no region has a 'metric_value'; score the suite"):
        read_region_values(write("s.json", SUITE))


def test_a_value_that_is_no_number_is_refused(write: Write) -> None:
    values = SUMS | {"match": ["much"] * 3}
    with pytest.raises(InputError, match="item '1', condition 'match', region 1: 'metric_value' must be a number"):
        read_region_values(write("s.json", scored(values)))
