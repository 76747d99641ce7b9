"""Predictions that choices decide: kept where a suite has them, added where not."""

import pytest

from gardenpath.human.choice_predictions import better_and_worse, compared_pairs, with_choice_prediction
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.load import load_suite
from small_responses import pairs_suite


@pytest.mark.parametrize(
    ("formula", "pair"),
    [
        ("(verb;%a%) < (verb;%b%)", ("a", "b")),
        ("(verb;%a%) > (verb;%b%)", ("b", "a")),
        ("(6;%a%) + (7;%a%) < (6;%b%) + (7;%b%)", ("a", "b")),
        ("(6;%a%) < (7;%a%)", None),
        ("(6;%a%) - (6;%b%) < (6;%c%) - (6;%d%)", None),
        ("(6;%a%) = (6;%b%)", None),
    ],
)
def test_a_comparison_tells_which_condition_is_better(formula: str, pair: tuple[str, str] | None) -> None:
    assert better_and_worse(parse_formula(formula).comparisons[0]) == pair


def test_a_formula_is_about_conditions_that_were_shown_together() -> None:
    formula = parse_formula("((v;%a%) < (v;%b%)) & ((v;%a%) < (v;%c%))")
    assert compared_pairs(formula, "abc") == [("a", "b"), ("a", "c")]
    assert compared_pairs(formula, "ab") is None


def test_a_pair_stays_as_it_is() -> None:
    suite = pairs_suite("keys", 2)
    assert with_choice_prediction(suite, ("good", "bad")) is suite


def test_the_comparison_of_the_shown_conditions_becomes_the_first_prediction() -> None:
    suite = load_suite("agreement", sample=2)
    asked = with_choice_prediction(suite, ("match_plural", "mismatch_plural"))
    assert [one.name for one in asked.predictions] == ["choice", *(one.name for one in suite.predictions)]
    assert compared_pairs(asked.predictions[0].formula, ("match_plural", "mismatch_plural"))
    assert "*" not in asked.predictions[0].formula.text
    assert with_choice_prediction(asked, ("match_plural", "mismatch_plural")) is asked


def test_conditions_that_no_prediction_compares_are_compared_as_sentences() -> None:
    suite = load_suite("agreement", sample=2)
    asked = with_choice_prediction(suite, ("match_sing", "mismatch_plural", "mismatch_sing"))
    assert len(asked.predictions[0].formula.comparisons) == 2
    assert "(*;%match_sing%) < (*;%mismatch_plural%)" in asked.predictions[0].formula.text
