"""Chance from the formula alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.evaluation.chance import chance, orthant, probability
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.prediction import Reference

NPI = "[(8;%np%) < (8;%pp%)] & [(8;%nn%) < (8;%pn%)] & [(8;%np%) < (8;%pn%)]"
GARDEN_PATH = "[(5;%a%) > (5;%b%)] & [(5;%a%) > (5;%c%)] & [[(5;%a%) - (5;%b%)] > [(5;%c%) - (5;%d%)]]"
THREE_WAY = "[(*;%u%) > (*;%b%)] & [(*;%u%) > (*;%d%)]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(*;%bad%) > (*;%good%)", 1 / 2),
        (THREE_WAY, 1 / 3),
        (NPI, 5 / 24),  # by counting orders; the paper prints 5/32
        ("[(1;%a%) < (1;%b%)] & [(1;%c%) < (1;%d%)]", 1 / 4),
        ("[(1;%a%) < (1;%b%)] | [(1;%c%) < (1;%d%)]", 3 / 4),
        ("[(1;%a%) < (1;%b%)] & [(1;%b%) < (1;%a%)]", 0),
        ("(6;%a%) + (7;%a%) < (6;%b%) + (7;%b%)", 1 / 2),
        ("2 > 1", 1),
        ("(1;%a%) = (1;%b%)", 0),
    ],
)
def test_known_values(text: str, expected: float) -> None:
    assert chance(parse_formula(text)) == pytest.approx(expected)


def test_scale_is_not_guessed() -> None:
    assert math.isnan(chance(parse_formula("(1;%a%) - (1;%b%) > 5")))


def test_tie_is_broken_among_what_is_tied() -> None:
    formula = parse_formula(THREE_WAY)
    assert probability(formula, (None, None)) == pytest.approx(1 / 3)
    assert probability(formula, (None, True)) == pytest.approx(1 / 2)
    assert probability(formula, (None, False)) == 0


@pytest.mark.parametrize("text", [GARDEN_PATH, NPI, THREE_WAY, "[(1;%a%) < (1;%b%)] | [(1;%a%) - (1;%c%) > (1;%b%)]"])
def test_simulation_agrees(text: str) -> None:
    formula = parse_formula(text)
    rng = np.random.default_rng(0)
    bits = {reference: rng.normal(size=400_000) for reference in formula.references}
    assert np.mean(formula.margin(bits) > 0) == pytest.approx(chance(formula), abs=0.004)


def test_four_dimensions_by_integration() -> None:
    # For equal correlations of 1/2 the probability is 1 / (dimensions + 1).
    assert orthant(np.full((4, 4), 0.5) + 0.5 * np.eye(4)) == pytest.approx(1 / 5, abs=1e-4)


@given(st.permutations(["a", "b", "c", "d"]))
def test_names_do_not_matter(names: list[str]) -> None:
    text = NPI
    for old, new in zip(("np", "pp", "nn", "pn"), names, strict=True):
        text = text.replace(f"%{old}%", f"%{new}%")
    assert chance(parse_formula(text)) == pytest.approx(5 / 24)
    assert Reference("8", names[0]) in parse_formula(text).references
