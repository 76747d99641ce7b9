"""What the numbers beside items and their sentences are, in words."""

from typing import Any

import polars

LEGEND = "; the first sentence of an item should be the less surprising"
LEGEND_OF_SUMS = "; of more than two, those come first whose sum should be the smaller one"
LEGEND_OF_BITS = "; the numbers of the sentences are bits of their tokens, from which the margin does not follow"


def describe_order(items: polars.DataFrame) -> str:
    """Say what the numbers of items are, and which of their sentences come first."""
    sentences = items.filter(polars.col("margin").is_not_null())["sentences"].to_list()
    sums = any(len({one["condition"] for one in row or []}) > 2 for row in sentences)
    bits_only = any(one["value"] is None and one["bits"] is not None for row in sentences for one in row or [])
    units = units_of(items)
    unit = f"in {units[0]}" if len(units) == 1 else "each item in its unit"
    return unit + LEGEND + LEGEND_OF_SUMS * sums + LEGEND_OF_BITS * bits_only


def units_of(items: polars.DataFrame) -> list[str]:
    """The units of the margins of items."""
    return items.drop_nulls("margin")["unit"].drop_nulls().unique(maintain_order=True).to_list() or ["bits"]


def has_unknown_words(items: polars.DataFrame) -> bool:
    """Whether the sentences of items have words in brackets, which the model does not know."""
    return any(one["marked"] != one["sentence"] for row in items["sentences"].to_list() for one in row or [])


def name_regions(sentences: list[dict[str, Any]]) -> list[str]:
    """Name the regions whose bits are shown; none where they are those of whole sentences.

    >>> name_regions([{"region": "verb"}, {"region": "verb"}]), name_regions([{"region": "*"}])
    (['at verb'], [])
    """
    names = list(dict.fromkeys(one["region"] for one in sentences if one["region"] != "*"))
    return [f"at {' + '.join(names)}"] if names else []
