"""Designs of suites for the terminal."""

from rich.console import Console

from gardenpath.reporting.suite_design import design_of_suite
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Suite, join_regions


def shown(suite: Suite) -> list[str]:
    """The lines of a design on a wide terminal."""
    console = Console(width=160, no_color=True, highlight=False)
    with console.capture() as capture:
        console.print(design_of_suite(suite))
    return [line.rstrip() for line in capture.get().splitlines()]


def agreement(**changes: object) -> Suite:
    sentences = {
        "good": join_regions([("subject", "The key to the cabinets"), ("verb", "is"), ("rest", "rusty")]),
        "bad": join_regions([("subject", "The key to the cabinets"), ("verb", "are"), ("rest", "rusty")]),
    }
    given = {
        "name": "keys",
        "conditions": (Condition("good"), Condition("bad")),
        "items": (Item("1", sentences),),
        "predictions": (Prediction.parse("agreement", "(2;%good%) < (2;%bad%)"),),
        "phenomenon": "agreement",
        "circuit": "Agreement",
        "source": "made up",
        "metadata": {"ungrammatical": "bad", "modifier_of": "locks", "phenomena": "Number"},
        **changes,
    }
    return Suite(**given)


def test_a_design_by_hand():
    assert shown(agreement()) == [
        "keys",
        "agreement · Agreement · 1 item in 2 conditions",
        "",
        "item 1",
        "condition     1 subject                2 verb  3 rest",
        "─" * 53,
        "good          The key to the cabinets  is      rusty",
        "bad        *  The key to the cabinets  are     rusty",
        "* ungrammatical",
        "",
        "agreement  (chance 50.0 %)",
        "  verb is less surprising in good than in bad",
        "  (2;%good%) < (2;%bad%)",
        "",
        "the items of locks, with a modifier",
        "touches on Number",
        "source: made up",
        "",
    ]


def test_an_empty_region_is_an_empty_cell():
    gap = join_regions([("subject", "The key"), ("verb", ""), ("rest", "rusty")])
    full = join_regions([("subject", "The key"), ("verb", "is"), ("rest", "rusty")])
    prediction = Prediction.parse("p", "(rest;%good%) < (rest;%bad%)")
    lines = shown(agreement(items=(Item("1", {"good": full, "bad": gap}),), predictions=(prediction,)))
    good, bad = (next(line for line in lines if line.startswith(name)) for name in ("good", "bad"))
    assert good.index("rusty") == bad.index("rusty")


def test_a_whole_sentence_is_named_and_needs_no_marks():
    prediction = Prediction.parse("p", "(*;%good%) < (*;%bad%)")
    lines = shown(agreement(predictions=(prediction,), metadata={}))
    assert "  the whole sentence is less surprising in good than in bad" in lines
    assert not any("*  The key" in line for line in lines)
