"""The effective number of items where items share words.

Items with one verb or noun tend to have the same outcome, so n items that share words tell less than n independent
ones. The design effect is the factor by which the variance of the mean grows; the effective number of items is n
divided by it, with Student's correction for few words (Kish 1965; Korn and Graubard 1998). The variance over words is
that of sums within words; over several slots, what each adds to the variance over items is summed up, as in two-way
clustering (Cameron, Gelbach and Miller 2011).
"""

from collections.abc import Sequence

import numpy as np
import polars

from gardenpath.statistics.grouping import aggregate, count_rows, join_groups, unpack_factors
from gardenpath.statistics.proportions import ROUNDING, t_quantile

FEWEST_WORDS = 5
"""Words of a slot below which they are taken as chosen, not as a sample of words."""
ASSUMED_CORRELATION = 0.1
"""Correlation of the items of one word that is assumed for one word more than there are.

Few words tell little about how much words vary: all items right says nothing about it.
"""


def effective_items(
    rows: polars.DataFrame, value: str, by: Sequence[str], *, clusters: str | None = None
) -> polars.DataFrame:
    """How many independent items those of every group are worth: [*by, effective_n].

    rows: an item each, with its `fillers`; value: the column that is averaged, such as `credit`.
    clusters: a column of words (or other groups of items) to count as shared; by default the words of all slots of the
    fillers that have several items to a word and at least five words.
    """
    keys = list(by)
    mean = polars.col(value).mean().alias("_mean")
    squares = ((polars.col(value) - polars.col(value).mean()) ** 2).sum().alias("_squares")
    groups = aggregate(rows, keys, count_rows("_n"), mean, squares)
    words = words_of_items(rows, value, keys, clusters)
    slots = slot_effects(words, groups, keys, fewest=FEWEST_WORDS if clusters is None else 2)
    added = (polars.col("_effect") - 1).clip(lower_bound=0)
    error = polars.when(added > 0).then(polars.col("_effect") ** 2 / polars.col("_degrees")).otherwise(0.0)
    fewest = polars.col("_degrees").min().alias("_fewest")
    sums = join_groups(
        groups, aggregate(slots, keys, added.sum().alias("_added"), error.sum().alias("_error"), fewest), keys
    )
    n = sums["_n"].to_numpy()
    effect, error_of_effect, least = (sums[name].fill_null(0.0).to_numpy() for name in ("_added", "_error", "_fewest"))
    # Satterthwaite's degrees of freedom: at least those of the slot with the fewest words, at most those of the items.
    degrees = np.clip((1 + effect) ** 2 / np.maximum(error_of_effect, 1e-12), least, np.maximum(n - 1.0, least))
    effective = np.minimum(n, n / (1 + effect) * (t_quantile(n - 1) / t_quantile(degrees)) ** 2)
    # Sums of several processes differ in their last digits.
    return sums.select(*keys, polars.Series("effective_n", np.round(effective, 6), polars.Float64))


def slot_effects(
    words: polars.DataFrame, groups: polars.DataFrame, keys: Sequence[str], *, fewest: int
) -> polars.DataFrame:
    """The design effect of every slot whose words items of a group share: [*keys, _effect, _degrees].

    With e = value − mean, K = n² / Σ n_w² (the number of words if all have equally many items): Σ_w (Σ e)² · K/(K − 1)
    over Σ e² · n/(n − 1), and the effect of one more word whose items have the assumed correlation.
    """
    items, n, squares = (polars.col(name) for name in ("_items", "_n", "_squares"))
    sums = aggregate(
        join_groups(words, groups, keys),
        [*keys, "_slot"],
        ((polars.col("_sum") - items * polars.col("_mean")) ** 2).sum().alias("_between"),
        (items.cast(polars.Float64) ** 2).sum().alias("_pairs"),
        items.sum().alias("_with"),
        count_rows("_words"),
        *(polars.col(name).first() for name in ("_n", "_squares")),
        polars.col("_which").hash(seed=0).sum().alias("_partition"),
    )
    shared = sums.filter(polars.col("_words") >= fewest, polars.col("_with") > polars.col("_words"))
    # Slots that divide the items of a group in the same way count once.
    shared = shared.unique([*keys, "_partition"], keep="first", maintain_order=True)
    # Items without the slot are words of their own; their share of the squares is approximately that of all items.
    without = n - polars.col("_with")
    number = n.cast(polars.Float64) ** 2 / (polars.col("_pairs") + without)
    between = (polars.col("_between") + squares * without / n) * number / (number - 1)
    seen = polars.when(squares > n * ROUNDING**2).then(between / (squares * n / (n - 1))).otherwise(1.0)
    assumed = 1 + ASSUMED_CORRELATION * (n / number - 1)
    effect = (seen * (number - 1) + assumed) / number
    return shared.select(*keys, effect.alias("_effect"), (number - 1).alias("_degrees"))


def words_of_items(rows: polars.DataFrame, value: str, keys: Sequence[str], clusters: str | None) -> polars.DataFrame:
    """The items and the sum of a value for every word of every slot: [*keys, _slot, _word, _items, _sum, _which].

    _which tells different sets of items apart.
    """
    items = rows.with_row_index("_row")
    if clusters is None:
        words = filler_words(rows).rename({"slot": "_slot", "word": "_word"})
        words = words.cast({"_slot": polars.Categorical, "_word": polars.Categorical})  # grouped faster than names
        if not len(words):
            items = items.clear()
        fillers = polars.col("fillers") if "fillers" in rows.columns else polars.lit("").alias("fillers")
        long = items.select(*keys, "_row", value, fillers).join(words, on="fillers")
    else:
        long = items.with_columns(polars.lit(0).alias("_slot"), polars.col(clusters).alias("_word"))
        long = long.drop_nulls("_word")
    row = polars.col("_row").cast(polars.UInt64)
    which = polars.struct(row.min().alias("first"), row.max().alias("last"), (row * row).sum().alias("squares"))
    sums = polars.col(value).sum().alias("_sum"), count_rows("_items"), which.alias("_which")
    return aggregate(long, [*keys, "_slot", "_word"], *sums)


def filler_words(rows: polars.DataFrame) -> polars.DataFrame:
    """The word of every slot for each different text in the column `fillers`: [fillers, slot, word]."""
    texts: list[str | None] = rows["fillers"].unique().to_list() if "fillers" in rows.columns else []
    found = [unpack_factors(text) for text in texts]
    columns = {
        "fillers": [text for text, own in zip(texts, found, strict=True) for _ in own],
        "slot": [slot for own in found for slot in own],
        "word": [str(word) for own in found for word in own.values()],
    }
    return polars.DataFrame(columns, schema=dict.fromkeys(columns, polars.String))
