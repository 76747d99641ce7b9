"""Times of reading: means by region and condition, with intervals within participants."""

from collections.abc import Sequence

import polars

from gardenpath.statistics.grouping import aggregate, by_appearance, count_rows
from gardenpath.statistics.within_items import NOTHING, within_item_means

OF_PARTICIPANTS = {
    NOTHING: "no participant with all conditions",
    "items without a surprisal": "participants left out",
    "one item": "one participant",
    "an item": "a participant",
    "the item's mean in all items": "the participant's mean in all participants",
}
"""Notes of `within_item_means`, whose items are participants here."""


def region_times(words: polars.DataFrame, design: Sequence[str] = ("suite", "region")) -> polars.DataFrame:
    """The mean time of a word by region and condition, with Cousineau-Morey intervals within participants.

    words: a row per word read, with participant, condition, word (its index), rt in ms and the columns of `design`. The
    time of a participant is the mean over the words of all sentences in a condition; participants without some
    condition are left out. Columns: *design, condition, ms, low, high, log_ms, log_low, log_high (natural logarithms),
    participants, words, note.
    """
    keys = [*design, "condition"]
    means = {}
    for name, value in {"ms": polars.col("rt"), "log_ms": polars.col("rt").log()}.items():
        by_person = aggregate(words, [*keys, "participant"], value.mean().alias("bits"))
        means[name] = within_item_means(by_person.rename({"participant": "item"}), design)
    counts = aggregate(words, keys, count_rows("words"), polars.col("word").mean().alias("position"))
    logs = means["log_ms"].select(
        *keys, polars.col("bits").alias("log_ms"), polars.col("low").alias("log_low"),
        polars.col("high").alias("log_high"),
    )  # fmt: skip
    note = polars.col("note").str.replace_many(OF_PARTICIPANTS)
    plain = means["ms"].rename({"bits": "ms", "n": "participants"}).with_columns(note)
    joined = plain.join(logs, on=keys, nulls_equal=True, maintain_order="left")
    table = joined.join(counts, on=keys, nulls_equal=True, maintain_order="left")
    # In the order of the sentence, the conditions of a region together.
    position = polars.col("position").mean().over(design)
    return by_appearance(table, design[:1], position, "condition").select(
        *keys, "ms", "low", "high", "log_ms", "log_low", "log_high", "participants", "words", "note"
    )


def answer_times(answers: polars.DataFrame, by: Sequence[str]) -> polars.DataFrame:
    """The median time of an answer in every group, with the quartiles: *by, n, quarter, median, three_quarters (ms)."""
    time = polars.col("rt")
    return aggregate(
        answers.filter(time.is_not_null()),
        by,
        count_rows(),
        time.quantile(0.25, "linear").alias("quarter"),
        time.median().alias("median"),
        time.quantile(0.75, "linear").alias("three_quarters"),
    )


def with_participant_scores(ratings: polars.DataFrame) -> polars.DataFrame:
    """Add `z`: the rating in standard deviations from the mean of its participant; null where those do not vary."""
    rating = polars.col("rating")
    spread = rating.std().over("participant")
    centred = rating - rating.mean().over("participant")
    return ratings.with_columns(polars.when(spread > 0).then(centred / spread).alias("z"))
