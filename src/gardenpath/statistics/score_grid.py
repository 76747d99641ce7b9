"""The grid of an experiment: mean scores by architecture and training size, over all suites and over groups of them."""

from collections.abc import Iterable

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.grouping import aggregate, by_appearance, join_groups
from gardenpath.statistics.scores import ALL_GROUPS, NO_SHARED_SUITE, mean_chance

SAME_SIZE = 1.05
"""Sizes whose ratio is below it are one size: samples of 60,000 words rarely have exactly so many."""


def score_grid(scores: polars.DataFrame, *, group: str = "circuit", apart: Iterable[str] = ()) -> polars.DataFrame:
    """Mean accuracy and coverage of the models in every cell of architecture and training size.

    scores: a row per model and suite: model, architecture, words, suite, `group`, accuracy, n, invalid, chance,
    coverage. Of a model twice on a suite, the last row counts. Models without a training size are rows of their own,
    named as they are. Suites are those on which all models with a training size were run (all models, if none has one);
    the others, and those of `apart`, such as people, are averaged over as many of these as they were run on.

    Columns: group ("all", then the groups of suites), architecture, words (null without a training size), models,
    suites, score, sd, least, most (over models), chance, coverage. The score of a model is the mean over suites of the
    same weight; suites without a valid item are left out of it.
    """
    rows = with_cells(scores.unique(["model", "suite"], keep="last", maintain_order=True))
    rows = shared_by_trained(rows, set(apart))
    named = polars.col(group).fill_null("") != ""
    groups = rows.filter(named).with_columns(polars.col(group).alias("group"))
    grouped = polars.concat([rows.with_columns(polars.lit(ALL_GROUPS).alias("group")), groups])
    valid = polars.when(polars.col("n") > polars.col("invalid")).then("accuracy").fill_nan(None)
    models = aggregate(
        grouped,
        ["group", "row", "size", "model"],
        valid.mean().alias("score"),
        polars.col("coverage").mean(),
        polars.col("suite").n_unique().cast(polars.Int64).alias("suites"),
    )
    score = polars.col("score")
    cells = aggregate(
        models,
        ["group", "row", "size"],
        polars.len().cast(polars.Int64).alias("models"),
        polars.col("suites").max(),
        score.mean(),
        score.std().alias("sd"),
        score.min().alias("least"),
        score.max().alias("most"),
        polars.col("coverage").mean(),
    )
    cells = join_groups(cells, mean_chance(grouped, ["group"]), ["group"]).rename({"row": "architecture"})
    ordered = by_appearance(cells.rename({"size": "words"}), ["group", "architecture"], "words")
    return ordered.select(
        "group", "architecture", "words", "models", "suites", "score", "sd", "least", "most", "chance", "coverage"
    )


def with_cells(scores: polars.DataFrame) -> polars.DataFrame:
    """Add the cell of every model: `row`, its architecture or else its name, and `size`, its training size."""
    sizes = join_sizes(scores["words"].drop_nulls().unique().to_list())
    known = polars.col("words").is_not_null() & (polars.col("architecture").fill_null("") != "")
    return scores.with_columns(
        polars.when(known).then("architecture").otherwise("model").alias("row"),
        polars.col("words").replace_strict(sizes, return_dtype=polars.Int64, default=None).alias("size"),
    )


def join_sizes(sizes: Iterable[int]) -> dict[int, int]:
    """Map sizes that hardly differ to the largest of them."""
    groups: list[list[int]] = []
    for size in sorted(sizes):
        if groups and size < SAME_SIZE * groups[-1][0]:
            groups[-1].append(size)
        else:
            groups.append([size])
    return {size: group[-1] for group in groups for size in group}


def shared_by_trained(rows: polars.DataFrame, apart: set[str]) -> polars.DataFrame:
    """Keep the suites on which all models with a training size were run; all models but `apart`, if none has one."""
    models = rows.filter(~polars.col("model").is_in(sorted(apart)))
    trained = models.filter(polars.col("size").is_not_null())
    compared = trained if trained.height else models if models.height else rows
    counts = aggregate(compared, ["suite"], polars.col("model").n_unique().alias("of"))
    shared = counts.filter(polars.col("of") == compared["model"].n_unique())["suite"].to_list()
    if not shared:
        raise InputError(NO_SHARED_SUITE)
    return rows.filter(polars.col("suite").is_in(shared))
