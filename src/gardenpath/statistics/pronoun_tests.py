"""Tests between pronouns: whether a distractor adds more surprisal at one reflexive than at another."""

from itertools import combinations

import numpy as np
import polars
from scipy.special import stdtr

from gardenpath.errors import InputError
from gardenpath.statistics.compare import holm
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import aggregate, count_rows, join_groups
from gardenpath.statistics.means import with_t_interval

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
    means = with_t_interval(sums, "difference")
    tested = polars.col("low").is_not_null()
    t = means.select(polars.when(tested).then(polars.col("difference") / polars.col("standard_error")))["difference"]
    p_values = 2 * stdtr(np.maximum(means["n"].to_numpy() - 1, 1), -np.abs(t.fill_null(np.nan).to_numpy()))
    columns = {"t": t, "p_value": polars.Series(p_values), "p_holm": polars.Series(holm(p_values.tolist()))}
    return means.with_columns(
        *(values.fill_nan(None).alias(name) for name, values in columns.items()),
        polars.col("note").str.replace("no interval", "no test"),
    ).select(
        "model", "experiment", "contrast", "pronoun_a", "pronoun_b", "bits_a", "bits_b", "difference", "low", "high",
        "t", "n", "effective_n", "p_value", "p_holm", "note",
    )  # fmt: skip
