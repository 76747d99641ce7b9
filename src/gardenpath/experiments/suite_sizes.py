"""How many sentences suites have, for estimates: counted where that is cheap, known where items are drawn."""

from contextlib import suppress
from functools import cache

from gardenpath.errors import InputError
from gardenpath.suites.catalog import builtin_collections
from gardenpath.suites.load import load_suites

DRAWN = "blimp"
"""The collection whose items are drawn, which takes long."""
DRAWN_SENTENCES = 2000
"""Of every suite of it."""


@cache
def count_sentences(suite: str, sample: int | None) -> int:
    """About how many sentences a suite or collection has, with at most `sample` items of each suite."""
    if suite.startswith(DRAWN):
        suites = len(builtin_collections()[DRAWN]) if suite == DRAWN else 1
        return suites * (DRAWN_SENTENCES if sample is None else 2 * sample)
    with suppress(InputError):  # what is wrong with a suite is reported by the step that reads it
        return sum(len(item.sentences) for found in load_suites(suite, sample=sample) for item in found.items)
    return 0
