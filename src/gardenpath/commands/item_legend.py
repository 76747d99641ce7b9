"""What the numbers beside items and their sentences are, in words."""

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
