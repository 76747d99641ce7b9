"""What the numbers beside items and their sentences are, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars

from gardenpath.commands.terminal import print_line

LEGEND = "; the first sentence of an item should be the less surprising"
LEGEND_OF_SUMS = "; of more than two, those come first whose sum should be the smaller one"
LEGEND_OF_EQUALS = "; sentences that are compared by = should be equally surprising"
LEGEND_OF_BITS = "; the numbers of the sentences are bits of their tokens, from which the margin does not follow"


def print_legend(items: polars.DataFrame, unpredicted: list[str]) -> None:
    """Print what the numbers of items are, and which suites have no margins."""
    if items["margin"].count():
        print_line(f"({describe_order(items)})")
    if unpredicted:
        print_line(f"Without prediction, and so without margin: {', '.join(unpredicted)}; --csv has all bits by region")


def describe_order(items: polars.DataFrame) -> str:
    """Say what the numbers of items are, and which of their sentences come first."""
    judged = items.filter(polars.col("margin").is_not_null())
    equal = polars.col("comparison").str.contains(" = ", literal=True)
    equals, others = judged.filter(equal), judged.filter(~equal)
    # Of an invalid item no comparison is named; its sentences have the order of those that are ordered.
    ordered = others.filter(polars.col("comparison") != "").height or not equals.height
    sums = any(len({one["condition"] for one in row or []}) > 2 for row in others["sentences"].to_list())
    bits_only = any(has_bits_only(row or []) for row in judged["sentences"].to_list())
    units = units_of(items)
    unit = f"in {units[0]}" if len(units) == 1 else "each item in its unit"
    order = LEGEND + LEGEND_OF_SUMS * sums if ordered else ""
    return unit + order + LEGEND_OF_EQUALS * bool(equals.height) + LEGEND_OF_BITS * bits_only


def has_bits_only(sentences: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether sentences of an item have bits, but not the number that is compared."""
    return any(one["value"] is None and one["bits"] is not None for one in sentences)


def units_of(items: polars.DataFrame) -> list[str]:
    """The units of the margins of items."""
    return items.drop_nulls("margin")["unit"].drop_nulls().unique(maintain_order=True).to_list() or ["bits"]


def has_unknown_words(items: polars.DataFrame) -> bool:
    """Whether the sentences of items have words in brackets, which the model does not know."""
    return any(one["marked"] != one["sentence"] for row in items["sentences"].to_list() for one in row or [])


def name_regions(sentences: Iterable[Mapping[str, Any]]) -> list[str]:
    """Name the regions whose bits are shown; none where they are those of whole sentences.

    >>> name_regions([{"region": "verb"}, {"region": "verb"}]), name_regions([{"region": "*"}])
    (['at verb'], [])
    """
    names = list(dict.fromkeys(one["region"] for one in sentences if one["region"] != "*"))
    return [f"at {' + '.join(names)}"] if names else []
