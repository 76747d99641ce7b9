"""Predictors of accuracy that have nothing to do with grammar: length, probability and perplexity."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import with_interval
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import aggregate, by_appearance, count_rows, drop_left_out, join_groups
from gardenpath.statistics.means import mean_over_suites
from gardenpath.statistics.scores import rows_with

Predictor = Literal["length", "log_probability", "perplexity"]
PREDICTORS: tuple[Predictor, ...] = get_args(Predictor)
SENTENCE_PAIR = r"^\s*\(\*;%([^%]+)%\)\s*<\s*\(\*;%[^%]+%\)\s*$"
"""A prediction that compares two whole sentences, of which the first should be more probable."""
SENTENCE_KEYS = ["model", "suite", "item", "condition"]


def accuracy_by_predictor(
    outcomes: polars.DataFrame,
    tokens: polars.LazyFrame,
    predictors: Sequence[Predictor] = PREDICTORS,
    *,
    bins: int = 10,
) -> polars.DataFrame:
    """Accuracy on minimal pairs as a function of their good sentence (Warstadt et al. 2020, Figure 1).

    [model, feature, bin, from, to, mean, n, accuracy, low, high]: bins hold equally many pairs over all models, as far
    as equal values allow; from and to are their limits (`to` belongs to the next bin), mean is that of the predictor
    (geometric for perplexity), low and high are those of `accuracy`. For the good sentence, `length` is in words,
    `log_probability` in bits (log2), `perplexity` per word.
    """
    if unknown := [name for name in predictors if name not in PREDICTORS]:
        raise InputError(f"{unknown[0]!r} is not a surface predictor; known are {', '.join(PREDICTORS)}")
    if bins < 1:
        raise InputError(f"{bins} bins are too few; choose at least one")
    pairs = sentence_pairs(outcomes)
    own = tokens.join(pairs.lazy().select(SENTENCE_KEYS), on=SENTENCE_KEYS, how="semi", maintain_order="left")
    sentences = pairs.join(measure_sentences(own).collect(), on=SENTENCE_KEYS, how="inner", maintain_order="left")
    return polars.concat(bin_sentences(sentences, name, bins) for name in predictors)


def bin_sentences(sentences: polars.DataFrame, predictor: str, bins: int) -> polars.DataFrame:
    """Accuracy in bins of one predictor."""
    # The same sums differ in their last digits from process to process, which would move sentences to other bins.
    value = polars.col(predictor).round_sig_figs(12).alias("value")
    rows = sentences.with_columns(value).filter(polars.col("value").is_finite())
    if not len(rows):
        raise InputError(f"no good sentence has a {predictor.replace('_', ' ')}: its tokens or their bits are missing")
    values = rows["value"].to_numpy()
    edges = np.unique(np.quantile(values, np.linspace(0, 1, bins + 1)))  # fewer bins if values are equal
    index = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, max(len(edges) - 2, 0))
    # Perplexity is exponential in bits: in its geometric mean, one odd sentence does not dominate a bin.
    value = polars.col("value")
    mean = value.log().mean().exp() if predictor == "perplexity" else value.mean()
    rows = rows.with_columns(polars.Series("bin", index, dtype=polars.Int64))
    keys = ["model", "bin"]
    means = aggregate(rows, keys, mean.round_sig_figs(12).alias("mean"), polars.col("credit").sum(), count_rows())
    groups = join_groups(means, effective_items(rows, "credit", keys), keys)
    groups = by_appearance(with_interval(groups, "words"), ["model"], "bin")
    return groups.select(
        "model",
        polars.lit(predictor).alias("feature"),
        "bin",
        polars.Series("from", edges[groups["bin"].to_numpy()]),
        polars.Series("to", edges[np.minimum(groups["bin"].to_numpy() + 1, len(edges) - 1)]),
        "mean",
        "n",
        "accuracy",
        "low",
        "high",
    )


def sentence_pairs(outcomes: polars.DataFrame) -> polars.DataFrame:
    """Outcomes of predictions that compare two whole sentences: [model, suite, item, condition, credit, fillers]."""
    good = polars.col("formula").str.extract(SENTENCE_PAIR, 1).alias("condition")
    fillers = polars.col("fillers") if "fillers" in outcomes.columns else polars.lit("").alias("fillers")
    pairs = (
        drop_left_out(outcomes)
        .select("model", "suite", "item", good, "credit", fillers, "status")
        .filter(polars.col("condition").is_not_null(), polars.col("status") != "invalid")
    )
    if not len(pairs):
        raise InputError(
            "no prediction compares two whole sentences, so there is no good sentence to measure; "
            "add a suite of minimal pairs such as blimp or marvin-linzen"
        )
    return pairs.drop("status")


def measure_sentences(tokens: polars.LazyFrame) -> polars.LazyFrame:
    """Length in words, log2-probability and perplexity per word: [model, suite, item, condition, …].

    A first token without bits (the model has no first symbol) is left out of the sum, as is its word; if other bits
    are missing, so is the probability of the sentence.
    """
    # A word begins after a space; the tokens of a sentence follow one another.
    begins = (polars.col("token") == 0) | (polars.col("start") > polars.col("end").shift(1))
    missing = (polars.col("token") == 0) & polars.col("bits").is_nan()
    bits = polars.when(missing).then(0.0).otherwise(polars.col("bits"))
    words = polars.col("length") - polars.col("missing")
    return (
        tokens.with_columns(begins.alias("begins"), missing.alias("missing"), bits.alias("bits"))
        .group_by(SENTENCE_KEYS)
        .agg(
            polars.col("begins").sum().cast(polars.Float64).alias("length"),
            (-polars.col("bits").sum()).alias("log_probability"),
            polars.col("missing").sum().cast(polars.Float64),
        )
        .with_columns((2.0 ** (-polars.col("log_probability") / words)).alias("perplexity"))
        .drop("missing")
    )


def perplexity_and_score(scores: polars.DataFrame) -> polars.DataFrame:
    """The perplexity of every model beside its mean score over suites (Hu et al. 2020, Figure 2).

    [model, architecture, corpus, words, seed, perplexity, score, low, high, n, note]: the interval is over the n
    suites; models of unknown perplexity are left out.
    """
    rows = rows_with(scores, "perplexity")
    metadata = [name for name in ("architecture", "corpus", "words", "seed", "perplexity") if name in rows.columns]
    means = mean_over_suites(rows.rename({"accuracy": "score"}), "score", ["model"])
    known = rows.unique("model", keep="first", maintain_order=True).select("model", *metadata)
    return known.join(means, on="model", how="left", maintain_order="left").sort(polars.col("perplexity"))
