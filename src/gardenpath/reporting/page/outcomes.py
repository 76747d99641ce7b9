"""The items of a suite and what came of them, as columns for the page."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.reporting.page.packing import coded, signed_thousandths, thousandths
from gardenpath.suites.prediction import Formula

if TYPE_CHECKING:
    import polars

CODES = {"correct": "c", "wrong": "w", "tie": "t", "invalid": "i"}
ABSENT = "-"
"""The code of an item that a model has not read."""


def item_features(outcomes: "polars.DataFrame", column: str) -> dict[str, Any]:
    """The levels or the fillers of every item, a coded column per factor or slot."""
    texts = outcomes.unique("item", keep="first", maintain_order=True)[column].to_list()
    read = {text: json.loads(text) for text in dict.fromkeys(texts)}
    names = dict.fromkeys(name for features in read.values() for name in features)
    return {name: coded([str(read[text].get(name, "")) for text in texts]) for name in names}


def prediction_columns(
    outcomes: "polars.DataFrame", formula: Formula, items: Mapping[str, int], noise: float
) -> dict[str, Any]:
    """What came of one prediction in one model: a status per item, and the margin of every comparison."""
    rows = np.array([items[item] for item in outcomes["item"].to_list()], dtype=np.int64)
    status = np.full(len(items), ABSENT)
    status[rows] = [CODES[name] for name in outcomes["status"].to_list()]
    unknown = np.zeros(len(items), dtype=bool)
    unknown[rows] = ~outcomes["known"].to_numpy()
    margins = margin_matrix(outcomes, len(formula.comparisons))
    columns: dict[str, Any] = {"status": "".join(status.tolist()), "unknown": np.flatnonzero(unknown).tolist()}
    columns["margins"] = [
        spread(
            thousandths(margin) if comparison.operator == "=" else signed_thousandths(margin, noise), rows, len(items)
        )
        for comparison, margin in zip(formula.comparisons, margins.T, strict=True)
    ]
    if len(formula.comparisons) > 1:
        whole = outcomes["margin"].to_numpy().astype(np.float64)
        columns["margin"] = spread(signed_thousandths(whole, noise), rows, len(items))
    return columns


def margin_matrix(outcomes: "polars.DataFrame", comparisons: int) -> NDArray[np.float64]:
    """The margins of all comparisons, a row per item."""
    return np.array(outcomes["margins"].to_list(), dtype=np.float64).reshape(-1, comparisons)


def spread(values: Sequence[Any], rows: NDArray[np.int64], size: int) -> list[Any]:
    """Values put in the places of their items; None elsewhere."""
    column: list[Any] = [None] * size
    for row, value in zip(rows.tolist(), values, strict=True):
        column[row] = value
    return column


def kept_items(outcomes: "polars.DataFrame", items: Mapping[str, int], share: float) -> NDArray[np.int64]:
    """The items of a suite whose tokens are kept where not all fit: half of them failures, evenly over both kinds."""
    failed = {items[item] for item in outcomes.filter(outcomes["status"] != "correct")["item"].to_list()}
    number = max(1, int(share * len(items)))
    failures = evenly(sorted(failed), number // 2 + number % 2)
    others = [place for place in range(len(items)) if place not in set(failures)]
    return np.array(sorted({*failures, *evenly(others, number - len(failures))}), dtype=np.int64)


def evenly(values: Sequence[int], number: int) -> list[int]:
    """So many of the values, spread over all of them."""
    if number >= len(values):
        return list(values)
    return [values[place] for place in np.linspace(0, len(values) - 1, max(0, number)).round().astype(int).tolist()]
