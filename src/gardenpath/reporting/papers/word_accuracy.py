"""Accuracy by a word of the grammatical sentence (Marvin & Linzen 2018, section 6)."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.papers.beside_published import outcomes_as_published, widen
from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import sentence_texts
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import aggregate, drop_left_out, first_predictions


@dataclass(frozen=True, slots=True)
class WordTable:
    """A table of accuracies by word, with the published values."""

    title: str
    word: str
    """The kind of word."""
    suite: str
    """Without its collection."""
    pattern: str
    """Its group is the word in the grammatical sentence."""
    model: str
    """The published model."""
    printed: Mapping[str, float]
    """Its accuracy by word."""


def accuracy_by_word(runs: Runs, suite: str, pattern: str) -> polars.DataFrame:
    """Accuracy on the items of every word, with ties as published: [word, n, our models], in order of the words."""
    collection = suite.rpartition("/")[0]
    rows = first_predictions(drop_left_out(outcomes_as_published(runs, collection)))
    rows = rows.filter(polars.col("suite") == suite)
    if not len(rows):
        raise InputError(f"needs the suite {suite}")
    tokens = runs.scan_tokens().filter(polars.col("suite") == suite, polars.col("condition") == "grammatical")
    word = polars.col("text").str.to_lowercase().str.extract(pattern).alias("word")
    words = sentence_texts(tokens, [suite]).select("suite", "item", word)
    named = rows.join(words, on=["suite", "item"], maintain_order="left").drop_nulls("word")
    table = accuracy(named, ("model", "word"))
    counts = aggregate(table, ["word"], polars.col("n").max()).sort("word")
    return counts.join(widen(table, ["word"], "model", "accuracy"), on="word", maintain_order="left")
