"""The formula language: parsing, errors, and margins."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.prediction import Reference

A, B, C = Reference("1", "a"), Reference("1", "b"), Reference("1", "c")


def values(a: float, b: float, c: float = 0.0) -> dict[Reference, np.ndarray]:
    return {A: np.array([a]), B: np.array([b]), C: np.array([c])}


def margin(text: str, a: float, b: float, c: float = 0.0) -> float:
    return float(parse_formula(text).margin(values(a, b, c))[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1;%a%) < (1;%b%)", 2.0),
        ("(1;%a%) > (1;%b%)", -2.0),
        ("[ (1;%b%) - (1;%a%) ] > 0", 2.0),
        ("-(1;%a%) > - (1;%b%)", 2.0),
        ("(1;%a%) <= (1;%b%) - 1", 1.0),
        ("((1;%a%) + [(1;%c%) - 1]) >= 2.5e0", 1.0 + 4.0 - 1.0 - 2.5),
        ("[(1;%a%) < (1;%b%)] & [(1;%c%) > (1;%b%)]", 1.0),
        ("[(1;%a%) > (1;%b%)] | [(1;%c%) > (1;%b%)]", 1.0),
        ("( 1 ; % a % ) < (1;%b%)", 2.0),
    ],
)
def test_margin_subtracts_and_takes_min_and_max(text: str, expected: float) -> None:
    assert margin(text, a=1.0, b=3.0, c=4.0) == pytest.approx(expected)


def test_equality_has_syntaxgyms_tolerance() -> None:
    assert margin("(1;%a%) = (1;%b%)", 100.0, 100.0019) > 0  # 1e-3 + 1e-5 * 100.0019 = 0.002000019
    assert margin("(1;%a%) = (1;%b%)", 100.0, 100.0021) < 0


def test_regions_go_by_number_name_or_star() -> None:
    formula = parse_formula("(NP/Z;%a-1%) + (Ambiguous verb;%b_2%) > (*;%c%)")
    assert formula.references == (Reference("NP/Z", "a-1"), Reference("Ambiguous verb", "b_2"), Reference("*", "c"))


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters=",;%()[]<>=&|", exclude_categories=["Cc", "Z"]), min_size=1
)
PHRASES = st.lists(NAMES, min_size=1, max_size=3).map(" ".join) | st.just("*") | st.integers(1, 20).map(str)


@given(PHRASES, PHRASES, st.sampled_from(["({}, {})", "[{},{}]", "( {} ,  {} )"]))
def test_both_spellings_of_a_reference_parse_equal(region: str, condition: str, spelling: str) -> None:
    text = "{0} - 1 < {0} & [{0} > {0} | {0} = 2.5]"
    short = parse_formula(text.format(spelling.format(region, condition)))
    long = parse_formula(text.format(f"({region};%{condition}%)"))
    assert short == long
    assert short.references == (Reference(region, condition),)
    assert parse_formula(str(short)) == short


def test_commas_in_names_keep_syntaxgyms_spelling() -> None:
    formula = parse_formula("(the noun, again;%a, b%) < (verb, a)")
    assert formula.references == (Reference("the noun, again", "a, b"), Reference("verb", "a"))
    assert str(formula) == "(the noun, again;%a, b%) < (verb;%a%)"


def test_every_inequality_keeps_its_own_margin() -> None:
    formula = parse_formula("[(1;%a%) < (1;%b%)] & [(1;%a%) < (1;%c%)]")
    assert [float(part.margin(values(1, 3, 2))[0]) for part in formula.comparisons] == [2.0, 1.0]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(1;%a%) < (1;%b%) < (1;%c%)", "chain of comparisons"),
        ("(1;%a%) + 2", "compare it with"),
        ("((1;%a%) < 2", r"'\)' is missing"),
        ("[(1;%a%) < 2)", r"'\]' is missing"),
        ("", "the formula is empty"),
        ("(1;%a%) < ", "bracket before 'the end'"),
        ("((1;%a%) < 2) + 1 > 0", "claim, not a number"),
        ("(1;a) < 2", r"written \(REGION, CONDITION\), or \(REGION;%CONDITION%\) if a name contains a comma"),
        ("(a, b, c) < 2", "'a' cannot be parsed here"),
        ("(a, ) < 2", "'a' cannot be parsed here"),
        ("(1;%a%) < 2 2", "unexpected '2' after the end"),
        ("(1;%a%) & (1;%b%)", "compare it with"),
        ("__import__('os')", "cannot be parsed here"),
        ("(1, a < (1, b)", "missing after 'a'\n  \\(1, a < \\(1, b\\)\n       \\^"),
        ("(1, a) < (1, b", "missing after 'b'"),
        ("1 + verb, b) > 2", "missing before 'verb'"),
        ("(1, a) < (1, b) and (1, a) < 2", "write & for 'and'"),
        ("(1, a) < (1, b) OR (1, a) < 2", r"write \| for 'or'"),
        ("“(1, a)” < (1, b)", "'“' is a quotation mark"),
        ("（1, a) < (1, b)", r"'（' \(fullwidth left parenthesis\) is not a symbol of formulas; write '\('"),
        ("(verb， a) < 2", r"'，' \(fullwidth comma\) .* write ','\n  .*\n       \^"),
        ("(1, a) ≤ (1, b)", "write '<='"),
    ],
)
def test_invalid_formulas_are_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_formula(text)


def test_mixed_connectives_without_brackets_are_reported_and_and_binds_tighter() -> None:
    text = "(1;%a%) < (1;%b%) | (1;%a%) < (1;%b%) & (1;%c%) < 0"
    with pytest.warns(InputWarning, match="mixed without brackets"):
        formula = parse_formula(text)
    assert float(formula.margin(values(1, 2, 5))[0]) == 1.0  # from left to right it would fail


def test_nan_stays_nan_in_any_part() -> None:
    assert np.isnan(margin("[(1;%a%) < (1;%b%)] | [(1;%c%) > 0]", np.nan, 1.0, 5.0))


numbers = st.floats(-50, 50)


@given(a=numbers, b=numbers, c=numbers)
def test_sign_of_the_margin_is_the_published_boolean(a: float, b: float, c: float) -> None:
    text = "[(1;%a%) < (1;%b%)] & [(1;%b%) - (1;%c%) > (1;%a%)]"
    assert (margin(text, a, b, c) > 0) == (a < b and b - c > a)


@given(st.text(alphabet="(1;%a%) <>=&|[]+-.*", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        try:
            formula = parse_formula(text)
        except InputError:
            return
    assert parse_formula(str(formula.root)).root == formula.root
