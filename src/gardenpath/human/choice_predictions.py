"""Predictions that choices between sentences are about: models beside people are to be asked the same."""

from collections.abc import Sequence
from dataclasses import replace

from gardenpath.suites.prediction import BitsComparison, Formula, Prediction
from gardenpath.suites.suite import Suite

CHOICE = "choice"
"""The name of a prediction that is added for people."""


def better_and_worse(comparison: BitsComparison) -> tuple[str, str] | None:
    """The conditions with fewer and with more bits, of a comparison of one with one other."""
    terms = comparison.difference.terms
    better, worse = ({one.condition for one, weight in terms if weight * sign > 0} for sign in (-1, 1))
    if comparison.operator == "=" or comparison.difference.constant or len(better) != 1 or len(worse) != 1:
        return None
    return (better.pop(), worse.pop()) if better != worse else None


def compared_pairs(formula: Formula, shown: Sequence[str]) -> list[tuple[str, str]] | None:
    """The better and the worse condition of every comparison; None unless all of them were shown together."""
    pairs = [pair for pair in map(better_and_worse, formula.comparisons) if pair is not None and {*pair} <= {*shown}]
    return pairs if len(pairs) == len(formula.comparisons) else None


def with_choice_prediction(suite: Suite, shown: Sequence[str]) -> Suite:
    """Put a prediction first that choices decide, where the first one also compares conditions that are not shown.

    shown: the conditions between which people choose, the acceptable one first. The comparisons of these conditions are
    those of the suite's predictions, where they have them, or of whole sentences.
    """
    named = {prediction.name for prediction in suite.predictions}
    if CHOICE in named or (suite.predictions and compared_pairs(suite.predictions[0].formula, shown)):
        return suite
    known = {
        pair: str(comparison)
        for prediction in reversed(suite.predictions)
        for comparison in reversed(prediction.formula.comparisons)
        if (pair := better_and_worse(comparison)) is not None
    }
    good, *others = shown
    parts = [known.get((good, bad), f"(*;%{good}%) < (*;%{bad}%)") for bad in others]
    formula = parts[0] if len(parts) == 1 else " & ".join(f"({part})" for part in parts)
    return replace(suite, predictions=(Prediction.parse(CHOICE, formula), *suite.predictions))
