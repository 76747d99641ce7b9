"""Tests between pronouns: whether a distractor adds more surprisal at one reflexive than at another."""

from itertools import combinations

import numpy as np
import polars
from scipy.special import stdtr, stdtrit

from gardenpath.errors import InputError
from gardenpath.statistics.compare import holm
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import aggregate, count_rows, join_groups, note_where

FEWEST_ITEMS = 2
PRONOUNS = ("himself", "herself", "themselves")
"""The order of the pronouns in tables; others follow."""


def compare_pronouns(differentials: polars.DataFrame) -> polars.DataFrame:
    """Compare the differentials of every two pronouns, paired by item (Hu, Chen & Levy 2020, section 5.4).

    differentials: model, experiment, pronoun, contrast, item, bits (`robustness.pronoun_differentials`), and with
        `fillers` the words of the items, as outcomes have them.
    The difference of differentials, its 95 % t interval and the paired t-test over the items that both pronouns have,
    or over as many as they are worth where they share words (`effective_items`); Holm's correction over all rows.
    Columns: model, experiment, contrast, pronoun_a, pronoun_b, bits_a, bits_b, difference (a - b), low, high, t, n,
    effective_n, p_value, p_holm, note.
    """
    keys = ["model", "experiment", "contrast"]
    pronouns = sorted(differentials["pronoun"].unique(), key=lambda name: (*PRONOUNS, name).index(name))
    pairs = [
        differentials.filter(polars.col("pronoun") == a)
        .join(differentials.filter(polars.col("pronoun") == b), on=[*keys, "item"], suffix="_b", maintain_order="left")
        .rename({"pronoun": "pronoun_a", "bits": "bits_a"})
        for a, b in combinations(pronouns, 2)
    ]
    paired = polars.concat(pairs) if pairs else polars.DataFrame()
    if not len(paired):
        raise InputError(
            "no experiment was run with two pronouns on the same items; run for example "
            "reflexives/2b-sentential-complement-himself and reflexives/2b-sentential-complement-herself"
        )
    # Digits beyond are rounding of models in single precision, and would pass for a difference.
    difference = (polars.col("bits_a") - polars.col("bits_b")).round(5)
    rows = paired.with_columns(difference.alias("difference")).filter(polars.col("difference").is_finite())
    pair = [*keys, "pronoun_a", "pronoun_b"]
    sums = aggregate(
        rows,
        pair,
        polars.col("bits_a", "bits_b", "difference").mean(),
        polars.col("difference").std().alias("spread"),
        count_rows(),
    )
    worth = join_groups(sums, effective_items(rows, "difference", pair), pair)
    return with_paired_test(worth.sort(keys, maintain_order=True))


def with_paired_test(sums: polars.DataFrame) -> polars.DataFrame:
    """Add t, interval, p-values and a note to means of differences with their spread, n and effective_n."""
    n, spread = sums["n"].to_numpy(), sums["spread"].fill_null(0.0).to_numpy()
    tested = (n >= FEWEST_ITEMS) & (spread > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(tested, spread / np.sqrt(sums["effective_n"].to_numpy()), np.nan)
        t = sums["difference"].to_numpy() / error
    freedom = np.maximum(n - 1, 1)
    half = stdtrit(freedom, 0.975) * error
    p_values = 2 * stdtr(freedom, -np.abs(t))
    corrected = np.full(len(p_values), np.nan)
    corrected[tested] = holm(p_values[tested].tolist())
    columns = {"t": t, "low": sums["difference"] - half, "high": sums["difference"] + half}
    columns |= {"p_value": p_values, "p_holm": corrected}
    reason = polars.when(polars.col("n") < FEWEST_ITEMS).then(polars.lit("no test: one item")).otherwise(
        note_where(polars.col("spread") == 0, "no test: all differences equal")
    )  # fmt: skip
    return sums.with_columns(
        *(polars.Series(name, values).fill_nan(None).alias(name) for name, values in columns.items()),
        reason.alias("note"),
    ).select(
        "model", "experiment", "contrast", "pronoun_a", "pronoun_b", "bits_a", "bits_b", "difference", "low", "high",
        "t", "n", "effective_n", "p_value", "p_holm", "note",
    )  # fmt: skip
