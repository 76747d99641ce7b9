"""Contrasts of conditions, written out by hand."""

import pytest

from gardenpath.statistics.contrasts import Contrast, compared_regions, crossed_levels, interaction
from gardenpath.suites.formula_parser import parse_formula

GARDEN = ["reduced_ambig", "unreduced_ambig", "reduced_unambig", "unreduced_unambig"]
FILLER = ["what_gap", "that_gap", "what_nogap", "that_nogap"]
AGREEMENT = ["match_sing", "mismatch_sing", "match_plural", "mismatch_plural"]


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        ("(2;%good%) < (2;%bad%)", ["bad − good"]),
        ("[(5;%what_nogap%) > (5;%that_nogap%)] & [(6;%what_gap%) < (6;%that_gap%)]",
         ["what_nogap − that_nogap", "that_gap − what_gap"]),
        ("[(5;%reduced_ambig%) - (5;%unreduced_ambig%)] > [(5;%reduced_unambig%) - (5;%unreduced_unambig%)]",
         ["(reduced_ambig − unreduced_ambig) − (reduced_unambig − unreduced_unambig)"]),
        ("[(6;%np_mismatch%)-(6;%np_match%)]+[[(5;%vp_mismatch%)+(6;%vp_mismatch%)]-[(5;%vp_match%)+(6;%vp_match%)]]>0",
         ["(np_mismatch − np_match) + (vp_mismatch − vp_match)"]),
        ("[(p;%bad_a%) + (p;%bad_b%)] > [(p;%base_a%) + (p;%base_b%) + (p;%other%)]",
         ["bad_* − (base_a + base_b + other)"]),
        ("[(1;%a%) = (1;%b%)] & [(1;%a%) > 3]", []),
    ],
)  # fmt: skip
def test_the_contrasts_of_a_formula(formula: str, names: list[str]) -> None:
    found = compared_regions([parse_formula(formula)], lambda reference: reference.region)
    assert [one.contrast.name for one in found] == names


def test_a_sum_of_regions_is_one_contrast() -> None:
    text = "[(6;%plaus%) + (7;%plaus%)] < [(6;%implaus%) + (7;%implaus%)]"
    (found,) = compared_regions([parse_formula(text), parse_formula(text)], lambda reference: f"r{reference.region}")
    assert found.regions == ("r6", "r7")
    assert found.contrast == Contrast("implaus − plaus", {"implaus": 1.0, "plaus": -1.0})


def test_conditions_that_are_crossed() -> None:
    assert crossed_levels(FILLER)["that_nogap"] == ("that", "nogap")
    assert crossed_levels(["no-obj_no-comma", "no-obj_comma", "obj_no-comma", "obj_comma"])["obj_comma"] == (
        "obj",
        "comma",
    )
    assert crossed_levels(["a_b_x", "a_b_y", "a_c_x", "a_c_y"])["a_b_x"] == ("a_b", "x")
    assert crossed_levels(["a", "b", "c", "d"]) == {}
    assert crossed_levels(["a_x", "a_y", "b_x"]) == {}
    assert crossed_levels(["a_x", "a_y", "b_x", "b_z"]) == {}


def test_the_interaction_of_a_two_by_two_design() -> None:
    licensed = Contrast("what_nogap − that_nogap", {"what_nogap": 1.0, "that_nogap": -1.0})
    found = interaction(FILLER, [licensed])
    assert found is not None
    assert found.weights == {"what_nogap": 1.0, "that_gap": 1.0, "what_gap": -1.0, "that_nogap": -1.0}
    assert found.name in (
        "(what_nogap − that_nogap) − (what_gap − that_gap)",
        "(what_nogap − what_gap) − (that_nogap − that_gap)",
    )
    singular = Contrast("mismatch_sing − match_sing", {"mismatch_sing": 1.0, "match_sing": -1.0})
    found = interaction(AGREEMENT, [singular])
    assert found is not None
    assert found.weights == {"mismatch_sing": 1.0, "match_plural": 1.0, "match_sing": -1.0, "mismatch_plural": -1.0}


def test_a_predicted_interaction_is_not_repeated() -> None:
    text = "[(5;%reduced_ambig%) - (5;%unreduced_ambig%)] > [(5;%reduced_unambig%) - (5;%unreduced_unambig%)]"
    (found,) = compared_regions([parse_formula(text)], lambda reference: reference.region)
    assert interaction(GARDEN, [found.contrast]) is None
    assert interaction(["good", "bad"], []) is None


@pytest.mark.parametrize("formula", ["[(1;%a%) - (2;%a%)] > [(1;%b%) - (2;%b%)]", "(1;%a%) > (2;%a%)"])
def test_regions_of_one_condition_against_each_other_are_no_contrast_of_conditions(formula: str) -> None:
    (found,) = compared_regions([parse_formula(formula)], lambda reference: reference.region)
    assert found.contrast == Contrast(found.comparison, {})
    assert found.regions == ("1", "2")
