"""Scores by model class: models of one architecture together, models trained elsewhere on their own."""

from collections.abc import Sequence
from typing import Literal

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import macro_mean
from gardenpath.statistics.grouping import aggregate, with_unit
from gardenpath.statistics.scores import NO_SHARED_SUITE, rows_with, shared_suites

NGRAM, GPT2 = r"(?i)^(?:n|\d+)-?grams?$", r"(?i)^(?:word-level )?gpt-?2$"
"""Architectures that are n-gram models of any order, and GPT-2 with tokens of any kind."""


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


def class_means(
    scores: polars.DataFrame,
    by: Sequence[str] = (),
    *,
    interval: Literal["suites", "bootstrap"] = "suites",
    seed: int = 0,
) -> polars.DataFrame:
    """The mean score of every model class, over all suites or by circuit (Hu et al. 2020, Figures 1 and 5).

    The mean over the models of a class and the suites that all models were run on, with the interval of `macro_mean`:
    over models and suites, or the published bootstrap. Columns: model_class, *by, models, suites, accuracy, low, high,
    note.
    """
    rows = with_model_class(shared_suites(with_unit(rows_with(scores, *by)), unit="unit"))
    if not len(rows):
        raise InputError(NO_SHARED_SUITE)
    keys = ["model_class", *by]
    counts = aggregate(rows, keys, polars.col("model", "suite").n_unique().cast(polars.Int64).name.suffix("s"))
    means = macro_mean(rows, keys, interval=interval, seed=seed)
    return counts.join(means, on=keys, maintain_order="left").select(
        *keys, "models", "suites", "accuracy", "low", "high", "note"
    )
