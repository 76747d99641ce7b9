"""The table of suite scores that regressions, learning curves and comparisons of model classes are made from."""

from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import first_predictions, grouped

SCORE_COLUMNS = (
    "model", "suite", "prediction", "accuracy", "n", "phenomenon", "circuit", "architecture", "corpus", "words", "seed",
    "perplexity",
)  # fmt: skip
"""A row per model, suite and prediction; what is not known of a model is null."""
NOTHING_SHARED = "no suite was run with all models, so that their means cannot be compared; run them on the same suites"
WHERE_TOLD = {
    "architecture": "a checkpoint of ours tells it; for other models give it in a table of model facts",
    "words": "a checkpoint of ours tells its number of training words; for others give it in a table of model facts",
    "perplexity": "a checkpoint of ours tells its perplexity; for others give it in a table of model facts",
    "circuit": "suites tell it as `circuit`",
}


def score_table(outcomes: polars.DataFrame, *, first_only: bool = False) -> polars.DataFrame:
    """Accuracy of every model on every prediction (or the first) of every suite, with the metadata of both.

    Columns: model, suite, prediction, accuracy, strict_accuracy, low, high, n, chance, phenomenon, circuit,
    architecture, corpus, words, seed, perplexity.
    """
    rows = first_predictions(outcomes) if first_only else outcomes
    keys = ["model", "suite", "prediction"]
    metadata = [name for name in SCORE_COLUMNS[5:] if name in rows.columns]
    about = grouped(rows, keys, *(polars.col(name).first() for name in metadata))
    scores = accuracy(rows).join(about, on=keys, how="left", maintain_order="left")
    return scores.select(*keys, "accuracy", "strict_accuracy", "low", "high", "n", "chance", *metadata)


def rows_with(scores: polars.DataFrame, *needed: str) -> polars.DataFrame:
    """The rows that have an accuracy and some facts; a clear message where there are none."""
    missing = [name for name in ("model", "suite", "accuracy", *needed) if name not in scores.columns]
    if missing:
        raise InputError(f"the table of scores has no column {', '.join(missing)}; it needs {', '.join(SCORE_COLUMNS)}")
    rows = scores.filter(polars.col("accuracy").is_not_null(), polars.col("accuracy").cast(float).is_not_nan())
    if not len(rows):
        raise InputError("the table of scores has no accuracies; run at least one model on at least one suite")
    for name in needed:
        told = polars.col(name).is_not_null() & (polars.col(name).cast(str) != "")
        rows = rows.filter(told)
        if not len(rows):
            hint = WHERE_TOLD.get(name, "fill it in")
            raise InputError(f"{name!r} is not known of any model or suite in the table of scores; {hint}")
    return rows


def shared_suites(scores: polars.DataFrame, by: Sequence[str] = (), *, unit: str = "suite") -> polars.DataFrame:
    """The rows of suites that all models (of a group) were run on: means of models are to be over the same suites."""
    models = polars.col("model").n_unique()
    return scores.filter(models.over([*by, unit]) == (models.over(by) if by else models))


def with_unit(scores: polars.DataFrame) -> polars.DataFrame:
    """With the column `unit`, what is scored: the suite, and its prediction where a suite has several."""
    if "prediction" not in scores.columns:
        return scores.with_columns(polars.col("suite").alias("unit"))
    several = polars.col("prediction").n_unique().over("suite") > 1
    named = polars.concat_str(["suite", "prediction"], separator=": ", ignore_nulls=True)
    return scores.with_columns(polars.when(several).then(named).otherwise("suite").alias("unit"))


def distinct(scores: polars.DataFrame, column: str, *, least: int, purpose: str) -> None:
    """Refuse a table in which a column has too few values."""
    values = sorted(scores[column].unique().cast(str).to_list())
    shown = "suite" if column == "unit" else column
    if len(values) < least:
        raise InputError(
            f"{purpose} needs at least {least} different values of {shown!r}, and the table has "
            f"{len(values)} ({', '.join(values)}); take in more models or suites"
        )
