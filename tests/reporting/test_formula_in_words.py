"""Formulas in words."""

import pytest

from gardenpath.reporting.formula_in_words import formula_in_words
from gardenpath.suites.formula_parser import parse_formula


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("(verb;%a%) < (verb;%b%)", "verb is less surprising in a than in b"),
        ("(verb;%a%) >= (verb;%b%)", "verb is at least as surprising in a as in b"),
        ("(verb;%a%) = (verb;%b%)", "verb is as surprising in a as in b"),
        (
            "(v;%a%) < (v;%b%) & (v;%c%) < (v;%d%)",
            "v is less surprising in a than in b, and v is less surprising in c than in d",
        ),
        (
            "(v;%a%) < (v;%b%) | (v;%c%) < (v;%d%)",
            "either v is less surprising in a than in b, or v is less surprising in c than in d",
        ),
        ("(v;%a%) + (w;%a%) < (v;%b%) + (w;%b%)", "v and w are together less surprising in a than in b"),
        ("(v;%a%) - (v;%b%) > (v;%c%) - (v;%d%)", "the surprisal of v falls more from a to b than from c to d"),
        ("(v;%a%) < (w;%b%)", "v in a is less surprising than w in b"),
        (
            "(w;%a%) - (w;%b%) + (v;%c%) + (w;%c%) - (v;%d%) - (w;%d%) > 0",
            "w in a plus v and w in c are together more surprising than w in b plus v and w in d",
        ),
        ("(v;%a%) - (v;%b%) > 2", "(v;%a%) - (v;%b%) > 2"),
    ],
)
def test_a_formula_in_words(formula: str, words: str):
    assert formula_in_words(parse_formula(formula), lambda reference: reference.region) == words
