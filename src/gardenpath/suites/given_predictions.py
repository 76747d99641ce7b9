"""Predictions that a user gives beside a suite whose file cannot hold any, such as a table of regions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gardenpath.errors import InputError
from gardenpath.io.messages import locate_errors, quote
from gardenpath.suites.formats.region_contents import region_contents
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Suite

NAMED = re.compile(r"\s*(?P<name>[^()\[\]<>=&|%;]*[^\W\d_][^()\[\]<>=&|%;]*?)\s*=(?P<formula>.*)", re.DOTALL)
"""NAME=FORMULA. A name has a letter and no bracket: `0 = (verb, a) - (verb, b)` is a formula."""

Formulas = str | Sequence[str] | Mapping[str, str]
"""A formula, several of which some may be NAME=FORMULA, or formulas by name."""


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
        name = named["name"] if named else "prediction" if len(texts) == 1 else f"prediction-{number}"
        with locate_errors(f"prediction {name!r}"):
            predictions.append(Prediction.parse(name, named["formula"] if named else text))
    return tuple(predictions)


def require_use(suites: Sequence[Suite]) -> None:
    """Raise if no suite can use predictions that are given."""
    if all(suite.predictions for suite in suites):
        named = quote((suite.name for suite in suites), most=5)
        raise InputError(
            f"predictions are for suites whose files have none, but each of these has its own: {named}; leave them "
            "out, or name a table with the columns item, condition and one column per region"
        )


def add_predictions(suites: Sequence[Suite], formulas: Formulas) -> list[Suite]:
    """Add predictions to every suite that has none; raise if one names a region or a condition that is not there."""
    predictions = parse_predictions(list_formulas(formulas))
    return [suite if suite.predictions else replace(suite, predictions=predictions) for suite in suites]


def example_formula(suite: Suite) -> str:
    """Return a formula over the regions and conditions of a suite, as an example of one."""
    contents = [dict(region_contents(sentence)) for sentence in suite.items[0].sentences.values()]
    varied = [name for name, content in contents[0].items() if any(content != one.get(name) for one in contents)]
    region = (varied or list(contents[0]))[0]
    better, *others = (condition.name for condition in suite.conditions)
    return f"({region}, {better}) < ({region}, {others[0] if others else 'CONDITION'})"
