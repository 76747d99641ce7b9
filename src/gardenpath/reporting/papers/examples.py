"""Example sentences of suites, from the tokens of their runs."""

from collections.abc import Sequence

import polars

from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import sentence_texts
from gardenpath.statistics.grouping import with_factors


def example_sentences(runs: Runs, suites: Sequence[str]) -> polars.DataFrame:
    """The sentences of the first item of every suite: [suite, condition, text]."""
    first = runs.outcomes().unique("suite", keep="first", maintain_order=True).select("suite", "item")
    tokens = runs.scan_tokens().join(first.lazy(), on=["suite", "item"], how="semi", maintain_order="left")
    texts = sentence_texts(tokens, suites).select("suite", "condition", "text")
    order = tokens.select("suite", "condition").unique(maintain_order=True).collect()
    return order.join(texts, on=["suite", "condition"], maintain_order="left")


def example_of_keys(runs: Runs, condition: str) -> polars.DataFrame:
    """The sentence of one condition of the first item of every suite and level `key`: [suite, key, example]."""
    keyed = with_factors(runs.outcomes(), ["level:key"]).rename({"level:key": "key"})
    first = keyed.unique(["suite", "key"], keep="first", maintain_order=True).select("suite", "key", "item")
    tokens = runs.scan_tokens().join(first.lazy(), on=["suite", "item"], how="semi", maintain_order="left")
    texts = sentence_texts(tokens.filter(polars.col("condition") == condition), first["suite"].unique().to_list())
    found = first.join(texts, on=["suite", "item"], maintain_order="left")
    return found.select("suite", "key", polars.col("text").alias("example"))
