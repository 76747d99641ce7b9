"""Surprisal along sentences, word by word and region by region."""

from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.grouping import aggregate, by_appearance, count_rows

TokenTable = polars.LazyFrame | polars.DataFrame


def word_profile(tokens: TokenTable, suite: str, item: str) -> polars.DataFrame:
    """One item word by word: model, condition, position (from 1), word, region, bits, log_probability (-bits).

    A word without bits (the first of a sentence, for a model without a first symbol) has null.
    """
    rows = tokens.lazy().filter(polars.col("suite") == suite, polars.col("item") == item).collect()
    if not len(rows):
        raise InputError(f"suite {suite!r} has no item {item!r} among these results")
    bits = polars.col("bits").fill_nan(None)
    return merge_words(rows).select(
        "model", "condition", "position", "word", "region", bits, (-bits).alias("log_probability")
    )


def merge_words(tokens: polars.DataFrame) -> polars.DataFrame:
    """Merge the tokens of one suite into words: model, item, condition, position, word, region, bits.

    Words are separated by spaces; the punctuation mark at the end of a sentence is a word of its own. The region of a
    word is that of its first token.
    """
    sentence = ["model", "item", "condition"]
    after_space = polars.col("start") > polars.col("end").shift(1).over(sentence)
    first = polars.col("token") == polars.col("token").min().over(sentence)
    last = polars.col("token") == polars.col("token").max().over(sentence)
    mark = last & polars.col("text").str.contains(r"^\p{P}+$")
    position = (first | after_space | mark).cast(polars.Int64).cum_sum().over(sentence).alias("position")
    return (
        tokens.with_columns(position)
        .group_by([*sentence, "position"], maintain_order=True)
        .agg(polars.col("text").str.join("").alias("word"), polars.col("region").first(), polars.col("bits").sum())
    )


def condition_profiles(tokens: TokenTable, suite: str, *, seed: int = 0) -> polars.DataFrame:
    """The mean bits of every word position of a condition over the items of a suite, with bootstrap intervals.

    `label` is the word if all items have the same one, else the region. Columns: model, condition, position, label,
    region, bits, log_probability (-bits), low, high (both of bits), n, note.
    """
    rows = tokens.lazy().filter(polars.col("suite") == suite).collect()
    if not len(rows):
        raise InputError(f"no tokens of a suite {suite!r} among these results")
    words = merge_words(rows)
    keys = ["model", "condition", "position"]
    region = polars.col("region").mode().sort().first()
    labels = words.group_by(keys, maintain_order=True).agg(
        polars.when(polars.col("word").n_unique() == 1)
        .then(polars.col("word").first())
        .when(region != "")
        .then(region)
        .otherwise(polars.format("word {}", polars.col("position").first()))
        .alias("label"),
        region.alias("region"),
        count_rows("all"),
    )
    means = grouped_bootstrap(words, "bits", keys, seed=seed)
    found = means.join(labels, on=keys, how="left", maintain_order="left").with_columns(
        (-polars.col("bits")).alias("log_probability"), note_missing()
    )
    return by_appearance(found, ["model", "condition"], "position").select(
        *keys, "label", "region", "bits", "log_probability", "low", "high", "n", "note"
    )


def note_missing() -> polars.Expr:
    """The note of a mean, or the number of items without bits if there are any."""
    missing = polars.col("all") - polars.col("n")
    items = polars.format("{} of {} items without a surprisal", missing, "all")
    return polars.when(missing == 0).then("note").otherwise(items).alias("note")


def region_surprisals(tokens: TokenTable, *, suites: Sequence[str] | None = None, seed: int = 0) -> polars.DataFrame:
    """The mean bits of every region of a condition: sums within items, means and bootstrap intervals over items.

    Columns: model, suite, condition, place (of the region in the suite, from 1), region, bits, low, high, n, note.
    """
    rows = tokens.lazy().filter(polars.col("region") != "")
    if suites is not None:
        rows = rows.filter(polars.col("suite").is_in(list(suites)))
    keys = ["model", "suite", "condition", "region"]
    regions = rows.group_by([*keys, "item"], maintain_order=True)
    sums = regions.agg(polars.col("bits").sum(), polars.col("token").min()).collect()
    rank = polars.col("token").rank("ordinal").over("suite").cast(polars.Int64).alias("place")
    ranks = aggregate(sums, ["suite", "region"], polars.col("token").mean()).with_columns(rank).drop("token")
    found = (
        grouped_bootstrap(sums, "bits", keys, seed=seed)
        .join(ranks, on=["suite", "region"], how="left", maintain_order="left")
        .join(aggregate(sums, keys, count_rows("all")), on=keys, how="left", maintain_order="left")
        .with_columns(note_missing())
    )
    order = ["model", "suite", "condition"]
    return by_appearance(found, order, "place").select(*order, "place", "region", "bits", "low", "high", "n", "note")
