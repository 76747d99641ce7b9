"""Regressions with crossed random effects: the structure that answers allow, and what was left out."""

import numpy as np
import polars
import pytest
from scipy.special import expit

from gardenpath.errors import InputError
from gardenpath.statistics.crossed_regression import crossed_regression


def answers(slopes: float, *, items_within: bool = True, seed: int = 0) -> polars.DataFrame:
    """Ratings and choices of 30 people on 24 items in two conditions, with an effect of 1 that varies."""
    rng = np.random.default_rng(seed)
    rows = []
    people, items = (rng.normal(0, 1, (number, 2)) * [1.0, slopes] for number in (30, 24))
    for person in range(30):
        for item in range(24):
            second = (person + item) % 2 if items_within else item % 2
            contrast = second - 0.5
            mean = 0.5 + contrast + people[person] @ [1, contrast] + items[item] @ [1, contrast]
            right = bool(rng.random() < expit(mean))
            rows.append((f"p{person}", f"i{item}", "ab"[second], mean + rng.normal(0, 0.5), right))
    return polars.DataFrame(rows, schema=["participant", "item", "condition", "rating", "correct"], orient="row")


def test_slopes_by_people_and_items_are_fitted_where_there_are_some() -> None:
    fitted = crossed_regression(answers(0.8), "rating", "condition")
    assert fitted.formula == "rating ~ condition + (1 + condition | participant) + (1 + condition | item)"
    assert fitted.table["estimate"][1] == pytest.approx(1, abs=0.5)
    assert fitted.notes == ()


def test_slopes_that_do_not_vary_are_left_out_and_reported() -> None:
    fitted = crossed_regression(answers(0.0), "rating", "condition")
    assert fitted.formula == "rating ~ condition + (1 | participant) + (1 | item)"
    assert len(fitted.notes) == 3
    assert fitted.notes[0].startswith("without (1 + condition | participant) + (1 + condition | item): singular fit")


def test_items_of_one_condition_have_no_slopes() -> None:
    fitted = crossed_regression(answers(0.8, items_within=False), "rating", "condition")
    assert "(1 | item)" in fitted.formula
    assert fitted.notes[0] == "no slopes by item: the factor does not vary within any"


def test_choices_are_logistic() -> None:
    fitted = crossed_regression(answers(1.0), "correct", "condition", family="logistic")
    assert fitted.method.startswith("logistic")
    assert fitted.table["estimate"][1] == pytest.approx(1, abs=0.9)


def test_a_factor_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'number'"):
        crossed_regression(answers(0.5), "rating", "number")
