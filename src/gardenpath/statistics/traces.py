"""What sentences cost on the way: word by word, region by region."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.grouping import by_appearance

if TYPE_CHECKING:
    import polars

SENTENCE = ("model", "item", "condition")


def word_traces(tokens: "polars.LazyFrame | polars.DataFrame", suite: str, item: str) -> "polars.DataFrame":
    """One item word by word: model, condition, position (from 1), word, region, bits, log_probability (-bits).

    A word whose price is missing (the first of a sentence, for a model without a first symbol) has null bits.
    """
    import polars

    rows = of_suite(tokens, suite).filter(polars.col("item") == item).collect()
    if not len(rows):
        raise InputError(f"suite {suite!r} has no item {item!r} among these results")
    bits = polars.col("bits").fill_nan(None)
    return words(rows).select(
        "model", "condition", "position", "word", "region", bits, (-bits).alias("log_probability")
    )


def of_suite(tokens: "polars.LazyFrame | polars.DataFrame", suite: str) -> "polars.LazyFrame":
    """The tokens of one suite."""
    import polars

    return tokens.lazy().filter(polars.col("suite") == suite)


def words(tokens: "polars.DataFrame") -> "polars.DataFrame":
    """Tokens of one suite put together to words: SENTENCE, position, word, region, bits.

    A word is what stands between blanks; the mark at the end of a sentence is a word of its own. Its region is that of
    its first token.
    """
    import polars

    sentence = list(SENTENCE)
    apart = polars.col("start") > polars.col("end").shift(1).over(sentence)
    first = polars.col("token") == polars.col("token").min().over(sentence)
    last = polars.col("token") == polars.col("token").max().over(sentence)
    mark = last & polars.col("text").str.contains(r"^\p{P}+$")
    position = (first | apart | mark).cast(polars.Int64).cum_sum().over(sentence).alias("position")
    return (
        tokens.with_columns(position)
        .group_by([*sentence, "position"], maintain_order=True)
        .agg(polars.col("text").str.join("").alias("word"), polars.col("region").first(), polars.col("bits").sum())
    )


def condition_traces(tokens: "polars.LazyFrame | polars.DataFrame", suite: str, *, seed: int = 0) -> "polars.DataFrame":
    """The mean bits of every word position of a condition over the items of a suite, with bootstrap intervals.

    `label` is the word where all items have the same one, else the region. Columns: model, condition, position, label,
    region, bits, log_probability (-bits), low, high (both of bits), n, note.
    """
    import polars

    rows = of_suite(tokens, suite).collect()
    if not len(rows):
        raise InputError(f"no tokens of a suite {suite!r} among these results")
    table = words(rows)
    keys = ["model", "condition", "position"]
    region = polars.col("region").mode().sort().first()
    about = table.group_by(keys, maintain_order=True).agg(
        polars.when(polars.col("word").n_unique() == 1)
        .then(polars.col("word").first())
        .when(region != "")
        .then(region)
        .otherwise(polars.format("word {}", polars.col("position").first()))
        .alias("label"),
        region.alias("region"),
        polars.len().alias("all"),
    )
    means = grouped_bootstrap(table, "bits", keys, seed=seed)
    found = means.join(about, on=keys, how="left", maintain_order="left").with_columns(
        (-polars.col("bits")).alias("log_probability"), note_of_missing()
    )
    return by_appearance(found, ["model", "condition"], "position").select(
        *keys, "label", "region", "bits", "log_probability", "low", "high", "n", "note"
    )


def note_of_missing() -> "polars.Expr":
    """The note of a mean, with the number of items without a price where there are any."""
    import polars

    missing = polars.col("all").cast(polars.Int64) - polars.col("n")
    told = polars.format("{} of {} without a price", missing, "all")
    return polars.when(missing == 0).then("note").otherwise(told).alias("note")


def region_surprisals(
    tokens: "polars.LazyFrame | polars.DataFrame", *, suites: Sequence[str] | None = None, seed: int = 0
) -> "polars.DataFrame":
    """The mean bits of every region of a condition over items: summed within each item first, with intervals.

    Columns: model, suite, condition, place (of the region in the suite, from 1), region, bits, low, high, n, note.
    """
    import polars

    rows = tokens.lazy().filter(polars.col("region") != "")
    if suites is not None:
        rows = rows.filter(polars.col("suite").is_in(list(suites)))
    keys = ["model", "suite", "condition", "region"]
    sums = (
        rows.group_by([*keys, "item"], maintain_order=True)
        .agg(polars.col("bits").sum(), polars.col("token").min())
        .collect()
    )
    places = (
        sums.group_by("suite", "region", maintain_order=True)
        .agg(polars.col("token").mean())
        .with_columns(polars.col("token").rank("ordinal").over("suite").cast(polars.Int64).alias("place"))
        .drop("token")
    )
    means = grouped_bootstrap(sums, "bits", keys, seed=seed)
    counts = sums.group_by(keys).agg(polars.len().alias("all"))
    found = (
        means.join(places, on=["suite", "region"], how="left", maintain_order="left")
        .join(counts, on=keys, how="left", maintain_order="left")
        .with_columns(note_of_missing())
    )
    order = ["model", "suite", "condition"]
    return by_appearance(found, order, "place").select(*order, "place", "region", "bits", "low", "high", "n", "note")
