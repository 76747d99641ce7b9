"""From region bits to outcomes: whether, and by what margin, each prediction holds for each item."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.evaluation.chance import Truths, chance_of, holds, probability
from gardenpath.evaluation.region_bits import RegionBits, is_missing_cancelled
from gardenpath.io.choices import Ties
from gardenpath.suites.prediction import BitsComparison, Formula, Prediction, Values
from gardenpath.suites.suite import Suite

Status = Literal["correct", "wrong", "tie", "invalid"]
FALSE, TRUE, TIED = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one prediction for one item."""

    item: str
    prediction: str
    margin: float
    """Bits by which the prediction holds (positive) or fails (negative)."""
    status: Status
    credit: float
    """1 correct, 0 wrong or invalid; for a tie what the rule (`Ties`) says: by default the expected value when ties are
    broken at random."""
    margins: tuple[float, ...]
    """The margin of each comparison, from left to right."""
    known: bool
    """Whether the model knows every token of the regions compared."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The results of one prediction for every item of a suite, in flat arrays."""

    suite: str
    prediction: str
    items: tuple[str, ...]
    margin: Values
    margins: Values  # (items, comparisons)
    credit: Values
    tied: NDArray[np.bool_]
    """Items whose outcome depends on how ties are broken, whatever credit the rule gives them."""
    strict: NDArray[np.bool_]
    """Whether the prediction holds with every tie counted as wrong, as in most published figures."""
    known: NDArray[np.bool_]
    chance: float

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Outcome]:
        for row, item in enumerate(self.items):
            margin, credit, known = float(self.margin[row]), float(self.credit[row]), bool(self.known[row])
            margins = tuple(self.margins[row].tolist())
            yield Outcome(item, self.prediction, margin, self.status(row), credit, margins, known)

    @property
    def invalid(self) -> NDArray[np.bool_]:
        """Items whose margin is not a number."""
        return ~np.isfinite(self.margin)

    def status(self, row: int) -> Status:
        """Return the status of one item."""
        if not np.isfinite(self.margin[row]):
            return "invalid"
        if self.tied[row]:
            return "tie"
        return "correct" if self.credit[row] == 1 else "wrong"


def evaluate(suite: Suite, regions: RegionBits, *, noise: float, ties: Ties = "share") -> list[Outcomes]:
    """Evaluate every prediction of a suite; a comparison closer than `noise` bits is a tie."""
    return [evaluate_prediction(suite, each, regions, noise=noise, ties=ties) for each in suite.predictions]


def evaluate_prediction(
    suite: Suite, prediction: Prediction, regions: RegionBits, *, noise: float, ties: Ties = "share"
) -> Outcomes:
    """Evaluate one prediction for all items."""
    formula = prediction.formula
    n_items = len(suite.items)
    columns = []
    for comparison in formula.comparisons:
        margin = np.broadcast_to(comparison.margin(regions.bits), (n_items,)).astype(np.float64)
        columns.append(np.where(is_missing_cancelled(comparison, regions), margin, np.nan))
    margins = np.stack(columns, axis=1)
    valid = np.all(np.isfinite(margins), axis=1)
    pairs = zip(formula.comparisons, margins.T, strict=True)
    truths = np.stack([truth(comparison, margin, noise) for comparison, margin in pairs], axis=1)
    credit, strict = credits(formula, truths)
    tied = (credit > 0) & (credit < 1)
    if ties != "share":
        shared = np.all(truths == TIED, axis=1) if ties == "all" else np.zeros(n_items, dtype=np.bool_)
        credit = np.where(shared, credit, strict)
    unknown = sum(regions.unknown[reference] for reference in formula.references)
    return Outcomes(
        suite.name,
        prediction.name,
        tuple(item.id for item in suite.items),
        np.where(valid, formula.fold_margins(margins), np.nan),
        margins,
        np.where(valid, credit, 0.0),
        tied & valid,
        strict & valid,
        np.broadcast_to(np.asarray(unknown) == 0, (n_items,)),
        chance_of(prediction),
    )


def truth(comparison: BitsComparison, margin: Values, noise: float) -> NDArray[np.int8]:
    """Return FALSE, TRUE or TIED for every item; only a strict inequality can be tied: the others define equality."""
    match comparison.operator:
        case "<" | ">":
            return np.where(np.abs(margin) <= noise, TIED, np.where(margin > 0, TRUE, FALSE)).astype(np.int8)
        case "<=" | ">=":
            return np.where(margin >= -noise, TRUE, FALSE).astype(np.int8)
        case "=":
            return np.where(margin >= 0, TRUE, FALSE).astype(np.int8)


def credits(formula: Formula, truths: NDArray[np.int8]) -> tuple[Values, NDArray[np.bool_]]:
    """Return, for every item, the probability that the formula holds with ties broken at random, and whether it holds
    strictly."""
    patterns, pattern_of = np.unique(truths, axis=0, return_inverse=True)
    meaning: dict[int, bool | None] = {FALSE: False, TRUE: True, TIED: None}
    decoded: list[Truths] = [tuple(meaning[int(code)] for code in pattern) for pattern in patterns]
    credit = np.array([probability(formula, pattern) for pattern in decoded])
    strict = np.array([holds(formula, [truth is True for truth in pattern]) for pattern in decoded])
    return credit[pattern_of.ravel()], strict[pattern_of.ravel()]
