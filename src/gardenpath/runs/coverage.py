"""Notes on models whose accuracy says little about grammar: they know few of the words, or no item is valid."""

from collections.abc import Iterator, Sequence

import polars

from gardenpath.statistics.grouping import aggregate, drop_left_out, first_predictions

ENOUGH = 0.5
"""The share of items without unknown words below which a suite is named."""
MOST_MODELS = 6
REMEDY = (
    "in `gardenpath run`, --vocabulary FOLDER (of a trained model) fills suites with words that it knows, --unknown "
    "leave-out leaves out items with unknown words"
)


def coverage_notes(outcomes: polars.DataFrame) -> list[str]:
    """Note what makes accuracies say little about grammar, each in one line.

    These are suites without a valid item, items that were left out, and models that know all compared words of few
    items. Counted is the first prediction of every suite; items that the run left out do not count in the second note.

    >>> rows = {"model": ["lstm"] * 4, "suite": ["s"] * 4, "prediction": ["p"] * 4, "known": [True] + [False] * 3}
    >>> coverage_notes(polars.DataFrame(rows))[0].split("; ")[1]
    "without unknown words: 1 of 4 items (25.0 %) for 'lstm'"
    """
    firsts = first_predictions(drop_left_out(outcomes))
    notes = [*note_invalid(firsts), *note_left_out(first_predictions(outcomes))]
    known = polars.col("known").sum().cast(polars.Int64).alias("known")
    suites = aggregate(firsts, ["model", "suite"], known, polars.len().cast(polars.Int64).alias("items"))
    found = list(describe_models(suites))
    if not found:
        return notes
    return [
        *notes,
        "accuracy says little about grammar where most items have unknown words in the compared regions; without "
        f"unknown words: {list_models(found)}; {REMEDY}",
    ]


def note_invalid(outcomes: polars.DataFrame) -> list[str]:
    """Note for which models no item of some suites is valid."""
    if "status" not in outcomes.columns:
        return []
    suites = aggregate(outcomes, ["model", "suite"], (polars.col("status").cast(str) == "invalid").all().alias("none"))
    found = []
    for (model,), own in suites.group_by("model", maintain_order=True):
        if none := int(own["none"].sum()):
            found.append(f"{str(model)!r}" + (f" in {none} of {own.height} suites" if none < own.height else ""))
    if not found:
        return []
    return [
        f"no item is valid for {list_models(found)}: the bits that are compared are NaN, infinite or missing, and "
        "accuracy counts invalid items as wrong; check the model's weights, and its first symbol (--bos)"
    ]


def note_left_out(outcomes: polars.DataFrame) -> list[str]:
    """Note how many items each model left out since they have unknown words, and how many suites have no items left."""
    if "left_out" not in outcomes.columns or not outcomes["left_out"].any():
        return []
    left_out = polars.col("left_out").sum().cast(polars.Int64).alias("left_out")
    suites = aggregate(outcomes, ["model", "suite"], left_out, polars.len().cast(polars.Int64).alias("items"))
    found = []
    for (model,), own in suites.group_by("model", maintain_order=True):
        empty = own.filter(polars.col("left_out") == polars.col("items")).height
        where = f" (all items of {empty} of {own.height} suites)" if empty else ""
        if number := int(own["left_out"].sum()):
            found.append(f"{number:,} of {int(own['items'].sum()):,} items{where} for {str(model)!r}")
    return [f"left out, because they have unknown words in the compared regions: {list_models(found)}"]


def list_models(found: Sequence[str]) -> str:
    """Join what is said about models; of many, only the first."""
    more = f" and {len(found) - MOST_MODELS} more models" if len(found) > MOST_MODELS else ""
    return f"{', '.join(found[:MOST_MODELS])}{more}"


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
