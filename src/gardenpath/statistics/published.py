"""Published accuracies beside our own, as tables of scores, and their means."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import accuracy, drop_invalid
from gardenpath.statistics.group_names import ungrouped_last
from gardenpath.statistics.grouping import aggregate, count_rows, factors, with_factors
from gardenpath.suites.prediction import ALL_PREDICTIONS, UNNAMED
from gardenpath.suites.published import PublishedAccuracy, TieRule

BLIMP = "blimp"
GENERALIZATION = "syntactic-generalization"
PUBLISHED = "published"
"""The prediction of a suite of Hu et al. 2020 that the released results are about."""
NOT_AVERAGED = tuple(f"{GENERALIZATION}/{name}" for name in ("fgd-embed3", "fgd-embed4", "nn-nv-rpl"))
"""Suites that the averages, figures and regressions of Hu et al. 2020 leave out: 31 of 34 remain."""
CORPUS_WORDS = {"bllip-xs": 1_000_000, "bllip-sm": 4_800_000, "bllip-md": 14_000_000, "bllip-lg": 42_000_000}
"""Hu et al. 2020, Table 1."""
CONTROLLED = {
    "vanilla": "LSTM", "ordered-neurons": "ON-LSTM", "rnng": "RNNG", "gpt-2": "GPT-2", "ngram": "n-gram",
}  # fmt: skip
"""The models of the controlled comparison of Hu et al. 2020, as their results name them and as the paper does."""
PERPLEXITIES = {
    "LSTM": (98.19, 65.52, 59.05, 57.09),
    "ON-LSTM": (71.76, 54.00, 56.37, 56.38),
    "RNNG": (122.46, 86.72, 71.12, 69.57),
    "GPT-2": (529.90, 183.10, 37.04, 32.14),
    "n-gram": (240.21, 158.60, 125.58, 106.09),
}
"""Hu et al. 2020, Table 4: means over seeds, for the corpora in the order of `CORPUS_WORDS`."""
TRAINED = re.compile(r"(?P<name>\S+) \((?P<corpus>bllip-..)(?P<tokens>-\w+)?(?:, seed (?P<seed>\d+))?\)")


def published_scores(figures: Iterable[PublishedAccuracy], topics: Mapping[str, Mapping[str, str]]) -> polars.DataFrame:
    """The published accuracies of single suites as a table of scores (`scores.SCORE_COLUMNS`), with their source.

    topics: phenomenon and circuit of every suite (`suites.published.suite_topics`).
    """
    single = [figure for figure in figures if len(figure.suites) == 1 and not figure.key]
    if not single:
        raise InputError(f"no figures of single suites were published; try {BLIMP} or {GENERALIZATION}")
    schema = {
        "model": polars.String, "suite": polars.String, "prediction": polars.String, "accuracy": polars.Float64,
        "n": polars.Int64, "phenomenon": polars.String, "circuit": polars.String, "architecture": polars.String,
        "corpus": polars.String, "words": polars.Int64, "seed": polars.Int64, "perplexity": polars.Float64,
        "source": polars.String,
    }  # fmt: skip
    rows = [score_row(figure) | dict(topics[figure.suites[0]]) | model_metadata(figure.model) for figure in single]
    return polars.DataFrame(rows, schema=schema)


def published_means(scores: polars.DataFrame) -> polars.DataFrame:
    """The macro mean of every published model over the suites that were averaged: [model, source, accuracy, n]."""
    rows = scores.filter(~polars.col("suite").is_in(NOT_AVERAGED))
    return aggregate(rows, ["model", "source"], polars.col("accuracy").mean(), count_rows())


def controlled_scores(scores: polars.DataFrame) -> polars.DataFrame:
    """Select the controlled comparison of Hu et al. 2020: 41 models, 31 suites."""
    return scores.filter(
        polars.col("architecture").is_in(list(CONTROLLED.values())), ~polars.col("suite").is_in(NOT_AVERAGED)
    )


def score_row(figure: PublishedAccuracy) -> dict[str, Any]:
    """The columns that the published line itself gives."""
    counted = re.match(r"(\d+) of (\d+)", figure.note)
    named = {"model": figure.model, "suite": figure.suites[0], "prediction": figure.prediction}
    n = int(counted[2]) if counted else None
    return named | {"accuracy": figure.accuracy, "n": n, "source": figure.source}


def model_metadata(model: str) -> dict[str, Any]:
    """How a published model was trained, from its name; subword versions of a corpus have its size."""
    found = TRAINED.fullmatch(model)
    if not found:
        return {}
    architecture, corpus = CONTROLLED.get(found["name"], found["name"]), found["corpus"]
    perplexities = dict(zip(CORPUS_WORDS, PERPLEXITIES.get(architecture, ()), strict=False))
    return {
        "architecture": architecture,
        "corpus": corpus,
        "words": CORPUS_WORDS[corpus],
        "seed": int(found["seed"]) if found["seed"] else None,
        "perplexity": perplexities.get(corpus),
    }


def against_published(
    outcomes: polars.DataFrame,
    figures: Iterable[PublishedAccuracy],
    *,
    ties: TieRule | Literal["published"] = "published",
) -> polars.DataFrame:
    """Our models beside the published accuracies on the same suites, factor levels and predictions.

    A figure over several suites is compared with all their items; a model that lacks one of them, or has no valid item,
    has no row. Files of SyntaxGym have no names of predictions: what SyntaxGym counts is the published one.
    ties: "published" counts our ties as the figure beside them does, "wrong" or "credit" all in one way.
    Columns: model, suite, key, prediction, tie_rule (of our accuracy), n, accuracy, low, high, chance, reference,
    source, published, difference (ours - published), within (our interval), note.
    """
    references = reference_table(figures)
    if ties != "published":
        references = references.with_columns(polars.lit(ties).alias("tie_rule"))
    ours = count_ties(on_subjects(name_published(outcomes, references), references))
    keys = ["model", "subject", "tie_rule"]
    complete = aggregate(ours, keys, polars.col("suite").n_unique() == polars.col("suites").first()).filter("suite")
    accuracies = drop_invalid(accuracy(ours, keys)).join(complete, on=keys, how="semi", maintain_order="left")
    return (
        accuracies.drop("note")
        .join(references, on=["subject", "tie_rule"], how="inner", maintain_order="left_right")
        .with_columns(
            polars.col("suites").list.join(" ").alias("suite"),
            (polars.col("accuracy") - polars.col("published")).alias("difference"),
            polars.col("published").is_between("low", "high").alias("within"),
        )
        .select(
            "model", "suite", "key", "prediction", "tie_rule", "n", "accuracy", "low", "high", "chance", "reference",
            "source", "published", "difference", "within", "note",
        )
    )  # fmt: skip


def means_beside_published(table: polars.DataFrame, by: Sequence[str] = ()) -> polars.DataFrame:
    """The rows of `against_published` about single suites, averaged over the suites of each published model.

    by: other columns of the table, such as the circuit, whose suites are averaged separately.
    """
    single = table.filter(~polars.col("suite").str.contains(" "), polars.col("key") == "")
    keys = dict.fromkeys(("model", *by, "source", "reference", "prediction", "tie_rule"))
    return (
        ungrouped_last(single, by)
        .group_by(*keys, maintain_order=True)
        .agg(
            polars.col("suite").n_unique().cast(polars.Int64).alias("suites"),
            polars.col("accuracy", "published", "difference").mean(),
        )
    )


def count_ties(outcomes: polars.DataFrame) -> polars.DataFrame:
    """The outcomes with a credit of 0 for ties where the column `tie_rule` says that they are wrong."""
    strict = polars.col("strict").cast(polars.Float64)
    return outcomes.with_columns(
        polars.when(polars.col("tie_rule") == "wrong").then(strict).otherwise("credit").alias("credit")
    )


def reference_table(figures: Iterable[PublishedAccuracy]) -> polars.DataFrame:
    """Published figures as a table; `subject` is the index of suites, level and prediction."""
    subjects: dict[tuple[tuple[str, ...], str, str], int] = {}
    rows = []
    for figure in figures:
        subject = subjects.setdefault((figure.suites, figure.key, figure.prediction), len(subjects))
        about = figure.key, figure.prediction, figure.model, figure.source, figure.accuracy, figure.ties, figure.note
        rows.append((subject, list(figure.suites), *about))
    schema: dict[str, polars.DataType | type[polars.DataType]] = {
        "subject": polars.Int64, "suites": polars.List(polars.String), "key": polars.String,
        "prediction": polars.String, "reference": polars.String, "source": polars.String, "published": polars.Float64,
        "tie_rule": polars.String, "note": polars.String,
    }  # fmt: skip
    return polars.DataFrame(rows, schema=schema, orient="row")


def name_published(outcomes: polars.DataFrame, references: polars.DataFrame) -> polars.DataFrame:
    """Give the first prediction of a suite the published name if it has none of its own, as in files of SyntaxGym."""
    published = references.filter(polars.col("prediction") == PUBLISHED)["suites"].explode().unique().implode()
    unnamed = polars.col("prediction").is_in([UNNAMED, ALL_PREDICTIONS])
    first = polars.col("prediction") == polars.col("prediction").first().over("suite")
    lacking = ~(polars.col("prediction") == PUBLISHED).any().over("suite")
    renamed = polars.col("suite").is_in(published) & unnamed & first & lacking
    named = polars.when(renamed).then(polars.lit(PUBLISHED)).otherwise("prediction").alias("prediction")
    return outcomes.with_columns(named)


def on_subjects(outcomes: polars.DataFrame, references: polars.DataFrame) -> polars.DataFrame:
    """The outcomes on each subject of published figures, once for each rule for ties; one may belong to several."""
    subjects = (
        references.unique(["subject", "tie_rule"], maintain_order=True)
        .with_columns(polars.col("suites").alias("suite"), polars.col("suites").list.len())
        .select("subject", "tie_rule", "key", "prediction", "suite", "suites")
        .explode("suite")
    )
    where = ["suite", "prediction"]
    parts = [outcomes.join(subjects.filter(polars.col("key") == "").drop("key"), on=where, how="inner")]
    keyed = subjects.filter(polars.col("key") != "")
    if len(keyed) and "level:key" in factors(outcomes):
        by_key = with_factors(outcomes, ["level:key"]).rename({"level:key": "key"})
        parts.append(by_key.join(keyed, on=[*where, "key"], how="inner").drop("key").select(parts[0].columns))
    return polars.concat(parts)
