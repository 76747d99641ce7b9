"""Values of regions from elsewhere, by item, condition and region, checked against a suite."""

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, show_value
from gardenpath.suites.formats.region_values import RegionKey, referenced_regions
from gardenpath.suites.suite import Sentence, Suite

GivenValues = Mapping[tuple[Any, str, Any], float]
"""Values by item id, condition, and name or number of a region."""


def complete_values(suite: Suite, given: GivenValues) -> dict[RegionKey, float]:
    """Return given values by region name, and NaN for those that formulas need but that are missing, with a note.

    An empty region has 0 bits. Raise if all values are missing.
    """
    if not isinstance(given, Mapping):
        raise InputError(
            "bits are what gardenpath.score returns, or a mapping of (item, condition, region) to numbers, not "
            f"{type(given).__name__}; for a table, give {{row[:3]: row[3] for row in TABLE.iter_rows()}}"
        )
    sentences = {(trial.item, trial.condition): sentence for trial, sentence in suite.trials()}
    values = dict(read_value(key, value, sentences) for key, value in given.items())
    needed = [
        (item.id, reference.condition, name)
        for reference in dict.fromkeys(reference for p in suite.predictions for reference in p.formula.references)
        for item in suite.items
        for name in referenced_regions(item, reference, values)
    ]
    lacking = [key for key in dict.fromkeys(needed) if key not in values]
    empty = [key for key in lacking if key[2] != "*" and not sentences[key[:2]].content(key[2])]
    missing = [key for key in lacking if key not in empty]
    if missing and not any(key in values for key in needed):
        first = f"the first given is {next(iter(given))}" if given else "none is given"
        raise InputError(
            f"suite {suite.name!r}: no value is that of a region in a formula; the first in a formula is {missing[0]}, "
            f"{first}"
        )
    if missing:
        advise(
            f"suite {suite.name!r}: values are missing ({len(missing)}), so their items are invalid; the first is that "
            f"of {missing[0]}"
        )
    return values | dict.fromkeys(empty, 0.0) | dict.fromkeys(missing, math.nan)


def read_value(key: Any, value: Any, sentences: Mapping[tuple[str, str], Sentence]) -> tuple[RegionKey, float]:
    """Return a value with its item as text and its region by name; None is NaN."""
    if not isinstance(key, tuple) or len(key) != 3:
        raise InputError(f"the key of a value is (item, condition, region), not {show_value(key)}")
    item, condition, region = (str(part) for part in key)
    sentence = sentences.get((item, condition))
    if sentence is not None:
        with suppress(KeyError):  # a region that is none of the suite is not needed
            region = sentence.region(region).name
    try:
        return (item, condition, region), math.nan if value is None else float(value)
    except (TypeError, ValueError):
        raise InputError(f"the value of {key} is not a number, but {show_value(value)}") from None
