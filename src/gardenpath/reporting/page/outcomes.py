"""The items of a suite and their outcomes as columns for the page."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from gardenpath.reporting.page.packing import encode_names, margins_to_thousandths, to_thousandths
from gardenpath.suites.prediction import Formula

CODES = {"correct": "c", "wrong": "w", "tie": "t", "invalid": "i"}
ABSENT = "-"
"""The code of an item that a model was not run on."""


def item_features(outcomes: polars.DataFrame, column: str) -> dict[str, Any]:
    """The levels or the fillers of every item, an encoded column for each factor or slot."""
    texts = outcomes.unique("item", keep="first", maintain_order=True)[column].to_list()
    features = {text: json.loads(text) for text in dict.fromkeys(texts)}
    names = dict.fromkeys(name for values in features.values() for name in values)
    return {name: encode_names([str(features[text].get(name, "")) for text in texts]) for name in names}


def prediction_columns(
    outcomes: polars.DataFrame, formula: Formula, items: Mapping[str, int], noise: float
) -> dict[str, Any]:
    """The outcomes of one prediction for one model: a status per item, and the margin of every comparison."""
    rows = np.array([items[item] for item in outcomes["item"].to_list()], dtype=np.int64)
    status = np.full(len(items), ABSENT)
    status[rows] = [CODES[name] for name in outcomes["status"].to_list()]
    unknown = np.zeros(len(items), dtype=bool)
    unknown[rows] = ~outcomes["known"].to_numpy()
    columns: dict[str, Any] = {"status": "".join(status.tolist()), "unknown": np.flatnonzero(unknown).tolist()}
    margins = margin_matrix(outcomes, len(formula.comparisons)).T
    columns["margins"] = [
        scatter(to_thousandths(own) if part.operator == "=" else margins_to_thousandths(own, noise), rows, len(items))
        for part, own in zip(formula.comparisons, margins, strict=True)
    ]
    if len(formula.comparisons) > 1:
        whole = outcomes["margin"].to_numpy().astype(np.float64)
        columns["margin"] = scatter(margins_to_thousandths(whole, noise), rows, len(items))
    credit, tied = outcomes["credit"].to_numpy(), (outcomes["status"] == "tie").to_numpy()
    if ((credit > 0) & (credit < 1) & ~tied).any():  # shares of people, which status and margin do not give
        columns["credit"] = scatter(credit.round(4).tolist(), rows, len(items))
    return columns


def margin_matrix(outcomes: polars.DataFrame, comparisons: int) -> NDArray[np.float64]:
    """The margins of all comparisons, a row per item."""
    return np.array(outcomes["margins"].to_list(), dtype=np.float64).reshape(-1, comparisons)


def scatter(values: Sequence[Any], rows: NDArray[np.int64], size: int) -> list[Any]:
    """Put values at the rows of their items in a column; None elsewhere."""
    column: list[Any] = [None] * size
    for row, value in zip(rows.tolist(), values, strict=True):
        column[row] = value
    return column


def choose_items(outcomes: polars.DataFrame, items: Mapping[str, int], share: float) -> NDArray[np.int64]:
    """Choose a share of the items: up to half of them failures, both kinds spread evenly over the suite."""
    failed = {items[item] for item in outcomes.filter(outcomes["status"] != "correct")["item"].to_list()}
    number = max(1, int(share * len(items)))
    failures = choose_evenly(sorted(failed), number // 2 + number % 2)
    others = [row for row in range(len(items)) if row not in set(failures)]
    return np.array(sorted({*failures, *choose_evenly(others, number - len(failures))}), dtype=np.int64)


def choose_evenly(values: Sequence[int], number: int) -> list[int]:
    """Choose a number of values that are evenly spaced."""
    if number >= len(values):
        return list(values)
    return [values[index] for index in np.linspace(0, len(values) - 1, max(0, number)).round().astype(int).tolist()]
