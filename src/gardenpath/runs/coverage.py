"""A note on models that know few of the words that suites compare: their accuracy says little about grammar."""

from collections.abc import Iterator

import polars

from gardenpath.statistics.grouping import aggregate, drop_left_out, first_predictions

ENOUGH = 0.5
"""The share of items without unknown words below which a suite is named."""
MOST_MODELS = 6
REMEDY = (
    "--vocabulary FOLDER (of a trained model) fills suites with words that it knows, --unknown leave-out leaves out "
    "items with unknown words"
)


def coverage_notes(outcomes: polars.DataFrame) -> list[str]:
    """Note which models know all compared words of fewer than half of the items of a suite, in one line.

    Counted is the first prediction of every suite; items that the run left out do not count.

    >>> rows = {"model": ["lstm"] * 4, "suite": ["s"] * 4, "prediction": ["p"] * 4, "known": [True] + [False] * 3}
    >>> coverage_notes(polars.DataFrame(rows))[0].split("; ")[1]
    "without unknown words: 1 of 4 items (25.0 %) for 'lstm'"
    """
    firsts = first_predictions(drop_left_out(outcomes))
    known = polars.col("known").sum().cast(polars.Int64).alias("known")
    suites = aggregate(firsts, ["model", "suite"], known, polars.len().cast(polars.Int64).alias("items"))
    found = list(describe_models(suites))
    if not found:
        return []
    more = f" and {len(found) - MOST_MODELS} more models" if len(found) > MOST_MODELS else ""
    return [
        "accuracy says little about grammar where most items have unknown words in the compared regions; without "
        f"unknown words: {', '.join(found[:MOST_MODELS])}{more}; {REMEDY}"
    ]


def describe_models(suites: polars.DataFrame) -> Iterator[str]:
    """Yield how many items of its little-known suites a model knows, for every model that has some."""
    for (model,), own in suites.group_by("model", maintain_order=True):
        poor = own.filter(polars.col("known") < ENOUGH * polars.col("items"))
        known, items = int(poor["known"].sum()), int(poor["items"].sum())
        if items:
            where = f" in {poor.height} of {own.height} suites" if poor.height < own.height else ""
            yield (
                f"{known:,} of {items:,} items ({known / items:.1%})".replace("%", " %") + f"{where} for {str(model)!r}"
            )
