"""What has nothing to do with grammar and still predicts accuracy: length, probability, perplexity."""

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.estimate import Values, wilson
from gardenpath.statistics.grouping import by_appearance
from gardenpath.statistics.scores import rows_with

if TYPE_CHECKING:
    import polars

Feature = Literal["length", "log_probability", "perplexity"]
PAIR = r"^\s*\(\*;%([^%]+)%\)\s*<\s*\(\*;%[^%]+%\)\s*$"
"""A prediction that compares two whole sentences; the first is to be the more probable."""
SENTENCE = ["model", "suite", "item", "condition"]


def binned(
    outcomes: "polars.DataFrame", tokens: "polars.LazyFrame", feature: Feature, bins: int = 10
) -> "polars.DataFrame":
    """Accuracy on minimal pairs as a function of their good sentence (Warstadt et al. 2020, Figure 1).

    [model, feature, bin, from, to, mean, n, accuracy, low, high]: bins hold equally many pairs over all models, as far
    as equal values allow; from and to are their limits (`to` belongs to the next bin), mean is the feature's (of
    perplexities the geometric one), low and high are Wilson's interval. Of the good sentence, `length` is in words,
    `log_probability` in bits (log2), `perplexity` per word.
    """

    if feature not in get_args(Feature):
        raise InputError(f"{feature!r} is no shallow predictor; known are {', '.join(get_args(Feature))}")
    return in_bins(good_sentences(outcomes, tokens), feature, bins)


def every_feature(outcomes: "polars.DataFrame", tokens: "polars.LazyFrame", bins: int = 10) -> "polars.DataFrame":
    """What `binned` gives for every feature, one after the other, from one pass over the tokens."""
    import polars

    rows = good_sentences(outcomes, tokens)
    return polars.concat(in_bins(rows, feature, bins) for feature in get_args(Feature))


def good_sentences(outcomes: "polars.DataFrame", tokens: "polars.LazyFrame") -> "polars.DataFrame":
    """The good sentence of every pair: [model, suite, item, condition, credit, length, log_probability, perplexity]."""
    pairs = sentence_pairs(outcomes)
    own = tokens.join(pairs.lazy().select(SENTENCE), on=SENTENCE, how="semi", maintain_order="left")
    return pairs.join(sentence_features(own).collect(), on=SENTENCE, how="inner", maintain_order="left")


def in_bins(sentences: "polars.DataFrame", feature: str, bins: int) -> "polars.DataFrame":
    """The table of `binned` from good sentences."""
    import polars

    if bins < 1:
        raise InputError(f"{bins} bins are too few; ask for at least one")
    rows = sentences.with_columns(polars.col(feature).alias("value")).filter(polars.col("value").is_finite())
    if not len(rows):
        raise InputError(
            f"no good sentence has a {feature.replace('_', ' ')}: its tokens have no prices or are missing"
        )
    edges = bin_edges(rows["value"].to_numpy(), bins)
    place = np.clip(np.searchsorted(edges, rows["value"].to_numpy(), side="right") - 1, 0, max(len(edges) - 2, 0))
    # Perplexities are powers of mean bits: by their geometric mean one strange sentence does not carry a bin away.
    value = polars.col("value")
    mean = value.log().mean().exp() if feature == "perplexity" else value.mean()
    groups = (
        rows.with_columns(polars.Series("bin", place, dtype=polars.Int64))
        .group_by("model", "bin", maintain_order=True)
        .agg(mean.alias("mean"), polars.col("credit").sum(), polars.len().alias("n"))
    )
    groups = by_appearance(groups, ["model"], "bin")
    estimates = [wilson(credit, n) for credit, n in groups.select("credit", "n").iter_rows()]
    return groups.select(
        "model",
        polars.lit(feature).alias("feature"),
        "bin",
        polars.Series("from", edges[groups["bin"].to_numpy()]),
        polars.Series("to", edges[np.minimum(groups["bin"].to_numpy() + 1, len(edges) - 1)]),
        "mean",
        polars.col("n").cast(polars.Int64),
        polars.Series("accuracy", [estimate.value for estimate in estimates]),
        polars.Series("low", [estimate.low for estimate in estimates]),
        polars.Series("high", [estimate.high for estimate in estimates]),
    )


def bin_edges(values: Values, bins: int) -> Values:
    """Limits between which about equally many values lie; fewer bins where values are equal."""
    return np.unique(np.quantile(values, np.linspace(0, 1, bins + 1)))


def sentence_pairs(outcomes: "polars.DataFrame") -> "polars.DataFrame":
    """The outcomes of predictions that compare two whole sentences: [model, suite, item, condition, credit]."""
    import polars

    good = polars.col("formula").str.extract(PAIR, 1).alias("condition")
    pairs = outcomes.select("model", "suite", "item", good, "credit", "status").filter(
        polars.col("condition").is_not_null(), polars.col("status") != "invalid"
    )
    if not len(pairs):
        raise InputError(
            "no prediction compares two whole sentences, so there is no good sentence to measure; "
            "take in a suite of minimal pairs such as blimp or marvin-linzen"
        )
    return pairs.drop("status")


def sentence_features(tokens: "polars.LazyFrame") -> "polars.LazyFrame":
    """Length in words, log2-probability and perplexity per word: [model, suite, item, condition, …].

    A first token without a price (the model has no first symbol) is left out of the sum, as is its word; any other
    missing price makes the sentence's probability missing.
    """
    import polars

    # A word begins where a blank was passed over; the tokens of a sentence stand one after the other.
    begins = (polars.col("token") == 0) | (polars.col("start") > polars.col("end").shift(1))
    unpriced = (polars.col("token") == 0) & polars.col("bits").is_nan()
    bits = polars.when(unpriced).then(0.0).otherwise(polars.col("bits"))
    words = polars.col("length") - polars.col("unpriced")
    return (
        tokens.with_columns(begins.alias("begins"), unpriced.alias("unpriced"), bits.alias("bits"))
        .group_by(SENTENCE)
        .agg(
            polars.col("begins").sum().cast(polars.Float64).alias("length"),
            (-polars.col("bits").sum()).alias("log_probability"),
            polars.col("unpriced").sum().cast(polars.Float64),
        )
        .with_columns((2.0 ** (-polars.col("log_probability") / words)).alias("perplexity"))
        .drop("unpriced")
    )


def perplexity_vs_score(scores: "polars.DataFrame", *, seed: int = 0) -> "polars.DataFrame":
    """The perplexity of every model beside its mean score over suites (Hu et al. 2020, Figure 2).

    [model, architecture, corpus, words, seed, perplexity, score, low, high, n, note]: the interval is a bootstrap over
    the n suites; models of unknown perplexity are left out.
    """
    import polars

    rows = rows_with(scores, "perplexity")
    facts = [name for name in ("architecture", "corpus", "words", "seed", "perplexity") if name in rows.columns]
    means = grouped_bootstrap(rows.rename({"accuracy": "score"}), "score", ["model"], seed=seed)
    known = rows.unique("model", keep="first", maintain_order=True).select("model", *facts)
    return known.join(means, on="model", how="left", maintain_order="left").sort(polars.col("perplexity"))
