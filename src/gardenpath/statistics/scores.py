"""Tables of suite scores, the input of regressions, learning curves and comparisons of architectures."""

from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import aggregate, first_predictions, join_groups

SCORE_COLUMNS = (
    "model", "suite", "prediction", "accuracy", "n", "phenomenon", "circuit", "architecture", "corpus", "words", "seed",
    "perplexity",
)  # fmt: skip
"""A row per model, suite and prediction; unknown metadata of a model are null."""
ALL_GROUPS = "all"
"""Name of the mean over all circuits or phenomena in a table."""
NO_SHARED_SUITE = "no suite was run with all models, so their means cannot be compared; run them on the same suites"
RECORDED = "models trained with gardenpath record it; for others add it to the table of model metadata"
PROGRESS = (
    "models trained with gardenpath record the words of their corpus, and names such as chck_1M or step1000 tell the "
    "progress of checkpoints; for others give --models FILE with a column words, words_read, tokens_read or step "
    "(docs/report.md)"
)
SOURCES = dict.fromkeys(("architecture", "words", "perplexity"), RECORDED) | {
    "circuit": "suites have it as `circuit`",
    "size": PROGRESS,
}
"""Where a missing column of a table of scores comes from."""
TITLES = {"size": "the training size or progress"}
"""Columns that no user names."""


def score_table(outcomes: polars.DataFrame, *, first_only: bool = False) -> polars.DataFrame:
    """Accuracy of every model on every prediction (or the first) of every suite, with the metadata of both.

    Columns: model, suite, prediction, accuracy, strict_accuracy, low, high, n, chance, phenomenon, circuit,
    architecture, corpus, words, seed, perplexity. The accuracy of a suite without a valid item is missing.
    """
    rows = first_predictions(outcomes) if first_only else outcomes
    keys = ["model", "suite", "prediction"]
    metadata = [name for name in SCORE_COLUMNS[5:] if name in rows.columns]
    about = aggregate(rows, keys, *(polars.col(name).first() for name in metadata))
    scores = accuracy(rows).join(about, on=keys, how="left", maintain_order="left")
    shares = ["accuracy", "strict_accuracy", "low", "high"]
    valid = polars.col("n") > polars.col("invalid")
    scores = scores.with_columns(polars.when(valid).then(name).alias(name) for name in shares)
    return scores.select(*keys, "accuracy", "strict_accuracy", "low", "high", "n", "chance", *metadata)


def rows_with(scores: polars.DataFrame, *needed: str) -> polars.DataFrame:
    """Keep the rows that have an accuracy and some metadata; raise if there is none."""
    if missing := [name for name in ("model", "suite", "accuracy", *needed) if name not in scores.columns]:
        raise InputError(f"the table of scores has no column {', '.join(missing)}; it needs {', '.join(SCORE_COLUMNS)}")
    rows = scores.filter(polars.col("accuracy").cast(float).is_not_nan())
    if not len(rows):
        raise InputError("the table of scores has no accuracies; run at least one model on at least one suite")
    for name in needed:
        rows = rows.filter(polars.col(name).cast(str) != "")
        if not len(rows):
            hint = SOURCES.get(name, "fill it in")
            shown = TITLES.get(name, repr(name))
            raise InputError(f"{shown} is not known for any model or suite in the table of scores; {hint}")
    return rows


def shared_suites(scores: polars.DataFrame, by: Sequence[str] = (), *, unit: str = "suite") -> polars.DataFrame:
    """Keep the suites that all models (of a group) were run on, so that means of models are over the same suites."""
    models = polars.col("model").n_unique()
    return scores.filter(models.over([*by, unit]) == (models.over(by) if by else models))


def mean_chance(scores: polars.DataFrame, by: Sequence[str] = ()) -> polars.DataFrame:
    """The mean of chance over suites (of every group): [*by, chance]; null where it is not known of all of them."""
    chance = polars.col("chance")
    mean = polars.when(chance.null_count() == 0).then(chance.mean()).alias("chance")
    return aggregate(scores.unique([*by, "suite"], keep="first", maintain_order=True), by, mean)


def with_chance(table: polars.DataFrame, scores: polars.DataFrame, by: Sequence[str] = ()) -> polars.DataFrame:
    """Add the column `chance` of `mean_chance` to a table of means of these scores."""
    return join_groups(table, mean_chance(scores, by), by)


def require_values(scores: polars.DataFrame, column: str, *, least: int, purpose: str) -> None:
    """Raise if a column has too few distinct values."""
    values = sorted(scores[column].unique().cast(str).to_list())
    shown = "suite" if column == "unit" else column
    if len(values) < least:
        raise InputError(
            f"{purpose} needs at least {least} different values of {shown!r}, and the table has "
            f"{len(values)} ({', '.join(values)}); add models or suites"
        )
