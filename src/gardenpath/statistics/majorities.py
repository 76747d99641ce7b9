"""Choices of several people: shares and majorities by item, and which cells of a design people agree on."""

import polars

from gardenpath.statistics.grouping import aggregate, count_rows

PAIR = ("cell", "suite", "item")
SHARE, FEWEST_PAIRS = 0.8, 5
"""A cell is accepted if the majority is right on at least 4 of 5 pairs; one with fewer than five pairs is a filler."""


def pair_majorities(choices: polars.DataFrame) -> polars.DataFrame:
    """Count the choices of every item: cell, suite, item, n, right, other, share, majority.

    choices: a row per choice, with `choice` and whether it is `correct`. other: choices of the wrong sentence that was
    chosen most often. majority: `right`, `wrong` or `tie`.
    """
    known = choices.drop_nulls("correct")
    wrong = known.filter(~polars.col("correct"))
    each = aggregate(wrong, [*PAIR, "choice"], count_rows("other"))
    most = aggregate(each, PAIR, polars.col("other").max())
    pairs = aggregate(known, PAIR, count_rows(), polars.col("correct").sum().cast(polars.Int64).alias("right"))
    pairs = pairs.join(most, on=PAIR, how="left", maintain_order="left").with_columns(polars.col("other").fill_null(0))
    lead = polars.col("right") - polars.col("other")
    named = polars.when(lead > 0).then(polars.lit("right")).when(lead < 0).then(polars.lit("wrong"))
    return pairs.with_columns(
        (polars.col("right") / polars.col("n")).alias("share"), named.otherwise(polars.lit("tie")).alias("majority")
    )


def accept_cells(pairs: polars.DataFrame, *, share: float = SHARE, fewest: int = FEWEST_PAIRS) -> polars.DataFrame:
    """Decide by its pairs whether a cell is accepted: cell, pairs, majority_correct, tied_pairs, accepted.

    accepted: whether the majority is right on this share of the pairs, ties counted as wrong; null for a filler, a cell
    with fewer pairs.
    """
    majority = polars.col("majority")
    cells = aggregate(
        pairs,
        ["cell"],
        count_rows("pairs"),
        (majority == "right").sum().cast(polars.Int64).alias("majority_correct"),
        (majority == "tie").sum().cast(polars.Int64).alias("tied_pairs"),
    )
    # 4 of 5 is .8, whatever its rounding.
    enough = polars.col("majority_correct") >= share * polars.col("pairs") - 1e-9
    return cells.with_columns(polars.when(polars.col("pairs") >= fewest).then(enough).alias("accepted"))
