"""Scores by model class: models of one architecture together, models trained elsewhere on their own."""

from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import macro_mean
from gardenpath.statistics.grouping import aggregate
from gardenpath.statistics.scores import NO_SHARED_SUITE, rows_with, shared_suites

NGRAM, GPT2 = r"(?i)^(?:n|\d+)-?grams?$", r"(?i)^gpt-?2$"
"""Architectures that are n-gram models of any order, and GPT-2."""


def architecture_class() -> polars.Expr:
    """The architecture, with n-grams of all orders as one; empty where it is not known."""
    return polars.col("architecture").fill_null("").str.replace(NGRAM, "n-gram")


def is_controlled() -> polars.Expr:
    """Whether the architecture and the training size of a model are known."""
    return (polars.col("architecture").fill_null("") != "") & polars.col("words").is_not_null()


def with_model_class(scores: polars.DataFrame) -> polars.DataFrame:
    """Add `model_class`: the architecture of models with known training size; of others the name with an asterisk."""
    own_name = polars.concat_str("model", polars.lit("*"))
    model_class = polars.when(is_controlled()).then(architecture_class()).otherwise(own_name)
    return scores.with_columns(model_class.alias("model_class"))


def class_means(scores: polars.DataFrame, by: Sequence[str] = (), *, seed: int = 0) -> polars.DataFrame:
    """The mean score of every model class, over all suites or by circuit (Hu et al. 2020, Figures 1 and 5).

    Scores are averaged over the models of a class on each suite, then over the suites that all models were run on; the
    interval is that of the mean over suites. Columns: model_class, *by, models, suites, accuracy, low, high, note.
    """
    rows = with_model_class(shared_suites(rows_with(scores, *by)))
    if not len(rows):
        raise InputError(NO_SHARED_SUITE)
    keys = ["model_class", *by]
    on_suites = aggregate(
        rows, [*keys, "suite"], polars.col("accuracy").mean(), polars.col("n").sum(), polars.col("model").n_unique()
    )
    models = aggregate(on_suites, keys, polars.col("model").max().cast(polars.Int64).alias("models"))
    means = macro_mean(on_suites, keys, seed=seed).rename({"rows": "suites"})
    return means.join(models, on=keys, maintain_order="left").select(
        *keys, "models", "suites", "accuracy", "low", "high", "note"
    )
