"""Published scores as tables like our own, and the aggregates that were published of them."""

import re
import tomllib
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.suites.catalog import BUILTIN
from gardenpath.suites.published import Figure, published_figures

if TYPE_CHECKING:
    import polars

BLIMP = "blimp"
GENERALIZATION = "syntactic-generalization"
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
COUNTED = re.compile(r"(\d+) of (\d+)")


def published_scores(collection: str) -> "polars.DataFrame":
    """The published accuracies of single suites as a table of scores (`scores.SCORE_COLUMNS`), with their source."""
    import polars

    single = [figure for figure in published_figures(collection) if len(figure.suites) == 1 and not figure.key]
    if not single:
        raise InputError(f"nothing was published of single suites of {collection!r}; try {BLIMP} or {GENERALIZATION}")
    topics = {suite: suite_topics(suite) for suite in {figure.suites[0] for figure in single}}
    schema = {
        "model": polars.String, "suite": polars.String, "prediction": polars.String, "accuracy": polars.Float64,
        "n": polars.Int64, "phenomenon": polars.String, "circuit": polars.String, "architecture": polars.String,
        "corpus": polars.String, "words": polars.Int64, "seed": polars.Int64, "perplexity": polars.Float64,
        "source": polars.String,
    }  # fmt: skip
    rows = [score_row(figure) | topics[figure.suites[0]] | model_facts(figure.model) for figure in single]
    return polars.DataFrame(rows, schema=schema)


def published_means(collection: str) -> "polars.DataFrame":
    """The macro mean of every published model over the suites that were averaged: [model, source, accuracy, n]."""
    import polars

    rows = published_scores(collection).filter(~polars.col("suite").is_in(NOT_AVERAGED))
    return rows.group_by("model", "source", maintain_order=True).agg(
        polars.col("accuracy").mean(), polars.len().cast(polars.Int64).alias("n")
    )


def controlled_scores() -> "polars.DataFrame":
    """The scores of the controlled comparison of Hu et al. 2020: 41 models, 31 suites."""
    import polars

    return published_scores(GENERALIZATION).filter(
        polars.col("architecture").is_in(list(CONTROLLED.values())), ~polars.col("suite").is_in(NOT_AVERAGED)
    )


def score_row(figure: Figure) -> dict[str, Any]:
    """What the published line itself tells."""
    counted = COUNTED.match(figure.note)
    return {
        "model": figure.model,
        "suite": figure.suites[0],
        "prediction": figure.prediction,
        "accuracy": figure.accuracy,
        "n": int(counted[2]) if counted else None,
        "source": figure.source,
    }


def suite_topics(suite: str) -> dict[str, str]:
    """The phenomenon and the circuit of a built-in suite, from the head of its template."""
    path = BUILTIN / f"{suite}.toml"
    head = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: str(head.get(name, "")) for name in ("phenomenon", "circuit")}


def model_facts(model: str) -> dict[str, Any]:
    """How a published model was trained, where its name tells it; sub-word editions of a corpus have its size."""
    facts = TRAINED.fullmatch(model)
    if not facts:
        return {"architecture": None, "corpus": None, "words": None, "seed": None, "perplexity": None}
    architecture, corpus = CONTROLLED.get(facts["name"], facts["name"]), facts["corpus"]
    perplexities = dict(zip(CORPUS_WORDS, PERPLEXITIES.get(architecture, ()), strict=False))
    return {
        "architecture": architecture,
        "corpus": corpus,
        "words": CORPUS_WORDS[corpus],
        "seed": int(facts["seed"]) if facts["seed"] else None,
        "perplexity": perplexities.get(corpus),
    }
