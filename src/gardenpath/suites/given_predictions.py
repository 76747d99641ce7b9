"""Predictions that a user gives beside suites: names choose some of a suite's own, formulas are added."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, locate_errors, quote, suggest
from gardenpath.suites.formats.region_contents import region_contents
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Suite

NAMED = re.compile(r"\s*(?P<name>[^()\[\]<>=&|%;]*[^\W\d_][^()\[\]<>=&|%;]*?)\s*=(?P<formula>.*)", re.DOTALL)
"""NAME=FORMULA. A name has a letter and no bracket: `0 = (verb, a) - (verb, b)` is a formula."""

FORMULA_SIGN = re.compile(r"[()\[\]<>=&|%;]")
"""What formulas have and names of predictions usually do not."""

Formulas = str | Sequence[str] | Mapping[str, str]
"""The name of a prediction, a formula, several of these (also NAME=FORMULA), or formulas by name."""


def list_formulas(formulas: Formulas) -> list[str]:
    """Return formulas as the command line has them."""
    if isinstance(formulas, str):
        return [formulas]
    return [f"{name}={formula}" for name, formula in formulas.items()] if isinstance(formulas, Mapping) else [*formulas]


def parse_predictions(texts: Sequence[str]) -> tuple[Prediction, ...]:
    """Parse predictions, each a FORMULA or NAME=FORMULA; those without a name are numbered where there are several.

    >>> [prediction.name for prediction in parse_predictions(["whole=(*, a) < (*, b)", "(verb, a) < (verb, b)"])]
    ['whole', 'prediction-2']
    """
    predictions = []
    for number, text in enumerate(texts, 1):
        named = NAMED.fullmatch(text)
        name = named["name"] if named else name_unnamed(number, len(texts))
        with locate_errors(f"prediction {name!r}"):
            predictions.append(parse_prediction(name, named["formula"] if named else text))
    return tuple(predictions)


def parse_prediction(name: str, text: str) -> Prediction:
    """Parse the formula of a prediction; refuse one with a comparison that has the same outcome whatever the bits."""
    prediction = Prediction.parse(name, text)
    for comparison in prediction.formula.comparisons:
        if not comparison.difference.terms:
            raise InputError(
                f"both sides of '{comparison}' are the same, so it says nothing about the bits; compare two conditions "
                "or two regions"
            )
    return prediction


def name_unnamed(number: int, formulas: int) -> str:
    """Name a formula that is given without a name, by its number among several."""
    return "prediction" if formulas == 1 else f"prediction-{number}"


def choose_predictions(suites: Sequence[Suite], wanted: Formulas) -> list[Suite]:
    """Keep the predictions of suites that are named, and give the formulas to suites that have no predictions.

    Where every suite has predictions, the formulas are added to those of each. A suite that has none of the names, or
    no predictions where only names are given, is left out, with a note. A text that is the name of no prediction, and
    no formula, is refused.
    """
    names, formulas = separate_names(suites, list_formulas(wanted))
    given = parse_predictions(formulas)
    added = given if all(suite.predictions for suite in suites) else ()
    chosen = []
    for suite in suites:
        wanted_of = (*keep_named(suite, names), *added) if suite.predictions else given
        with locate_errors(suite.source or f"suite {suite.name!r}"):
            chosen.append(replace(suite, predictions=wanted_of))
    kept = [suite for suite in chosen if suite.predictions]
    if left_out := [suite.name for suite in chosen if not suite.predictions]:
        advise(f"left out, since they have no prediction {quote(names)}: {quote(left_out, most=6)}")
    return kept


def separate_names(suites: Sequence[Suite], texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Separate the names of predictions of suites from formulas; raise for a name that no suite has."""
    known = list(dict.fromkeys(prediction.name for suite in suites for prediction in suite.predictions))
    names = [text for text in texts if text in known]
    for text in texts:
        if text not in known and not FORMULA_SIGN.search(text):
            raise InputError(
                f"there is no prediction {text!r}; these suites have {quote(known)}{suggest(text, known)}"
                if known
                else f"there is no prediction {text!r}: these suites have none; give a formula, for example "
                f'"{example_formula(suites[0])}"'
            )
    return names, [text for text in texts if text not in known]


def keep_named(suite: Suite, names: Sequence[str]) -> tuple[Prediction, ...]:
    """The predictions of a suite that have one of the names, in its order; all where no name is given."""
    return tuple(one for one in suite.predictions if one.name in names) if names else suite.predictions


def example_formula(suite: Suite) -> str:
    """Return a formula as an example: the first conditions that differ in one region, or in the fewest."""
    contents = {name: dict(region_contents(sentence)) for name, sentence in suite.items[0].sentences.items()}
    pairs = [(pair, differing) for pair in combinations(contents, 2) if (differing := differing_names(contents, *pair))]
    if not pairs:
        better, other = [*(condition.name for condition in suite.conditions), "CONDITION"][:2]
        region = next(iter(next(iter(contents.values()))))
        return f"({region}, {better}) < ({region}, {other})"
    (better, other), regions = min(pairs, key=lambda found: len(found[1]))
    return f"({regions[0]}, {better}) < ({regions[0]}, {other})"


def differing_names(contents: Mapping[str, Mapping[str, str]], one: str, other: str) -> list[str]:
    """Name the regions that two conditions both have, with different content."""
    left, right = contents[one], contents[other]
    return [name for name in left if name in right and left[name] != right[name]]
