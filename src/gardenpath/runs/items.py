"""Items of runs one by one: which failed, by how much, with which sentences; and the long table for R."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars

from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.csv_cells import mark_formulas
from gardenpath.runs.run_tables import join_pieces, with_strings
from gardenpath.statistics.effects import region_sums, suite_formulas
from gardenpath.statistics.grouping import factors, with_factors
from gardenpath.statistics.region_names import read_formula

ITEM = ("model", "suite", "item")
SENTENCE = (*ITEM, "condition")
DIGITS = 6
"""Decimals of bits in CSV files; Parquet has all."""
TERMS = {
    "suite": polars.String, "formula": polars.String, "index": polars.Int64, "region": polars.String,
    "condition": polars.String,
}  # fmt: skip
"""The columns of the terms of comparisons."""


def rank_items(outcomes: polars.DataFrame, *, failed: bool = False, limit: int | None = None) -> polars.DataFrame:
    """The outcomes of items, the hardest first: those with the smallest margins; invalid ones are last.

    failed: only items that are not correct: wrong, tied or invalid. limit: at most so many rows.
    """
    rows = outcomes.filter(polars.col("status") != "correct") if failed else outcomes
    ranked = rows.sort(polars.col("margin").fill_nan(None), nulls_last=True, maintain_order=True)
    return ranked if limit is None else ranked.head(limit)


def describe_items(rows: polars.DataFrame, tokens: polars.LazyFrame) -> polars.DataFrame:
    """Add to outcomes the comparison that decides them, and its sentences.

    Columns: model, suite, prediction, item, status, margin, credit, comparison, sentences, levels, fillers. The margin
    is that of the comparison. `sentences` lists condition, region, sentence and bits of the region; those come first
    that should be less surprising. Tokens have neither the end of a sentence nor a division by its length.
    """
    decided = with_index(rows).with_row_index("row")
    sums = region_sums(rows, tokens)
    shown = (
        decided.select("row", *ITEM, "formula", "index")
        .join(comparison_terms(rows, sums), on=["suite", "formula", "index"], maintain_order="left_right")
        .join(sums, on=[*SENTENCE, "region"], maintain_order="left")
        .join(texts_of(rows, tokens), on=list(SENTENCE), how="left", maintain_order="left")
    )
    listed = shown.group_by("row", maintain_order=True).agg(
        polars.struct("condition", "region", "sentence", "bits").alias("sentences")
    )
    names = ["model", "suite", "prediction", "item", "status", "margin", "credit", "comparison", "sentences"]
    return decided.join(listed, on="row", how="left", maintain_order="left").select(*names, "levels", "fillers")


def with_index(rows: polars.DataFrame) -> polars.DataFrame:
    """Add `index` and `comparison`: the one whose margin is that of the item; none where the item is invalid."""
    none = rows.clear().with_row_index("order")
    parts = [none.with_columns(polars.lit(0, polars.Int64).alias("index"), polars.lit("").alias("comparison"))]
    for (text,), part in rows.with_row_index("order").group_by("formula", maintain_order=True):
        comparisons = read_formula(str(text)).comparisons
        margins = np.array(part["margins"].to_list(), dtype=np.float64).reshape(len(part), -1)
        distance = np.abs(margins - part["margin"].to_numpy()[:, None])
        index = polars.Series("index", np.nan_to_num(distance, nan=np.inf).argmin(axis=1), polars.Int64)
        invalid = ~polars.col("margin").is_finite().fill_null(value=False)
        named = polars.Series("comparison", [str(comparisons[one]) for one in index], polars.String)
        parts.append(
            part.with_columns(index, named).with_columns(
                polars.when(~invalid).then("comparison").otherwise(polars.lit("")).alias("comparison")
            )
        )
    return polars.concat(parts).sort("order").drop("order")


def comparison_terms(rows: polars.DataFrame, sums: polars.DataFrame) -> polars.DataFrame:
    """The regions and conditions of every comparison of every formula, those that should have fewer bits first."""
    terms = []
    for suite, (formulas, name_of) in suite_formulas(rows, sums).items():
        for formula in formulas:
            for index, comparison in enumerate(formula.comparisons):
                ordered = sorted(comparison.difference.terms, key=lambda term: term[1] > 0)
                terms += [(suite, formula.text, index, name_of(one), one.condition) for one, _ in ordered]
    return polars.DataFrame(terms, schema=TERMS, orient="row").unique(maintain_order=True)


def texts_of(rows: polars.DataFrame, tokens: polars.LazyFrame) -> polars.DataFrame:
    """The sentences of items: model, suite, item, condition, sentence."""
    items = rows.lazy().select(ITEM).unique()
    own = with_strings(tokens.select(*SENTENCE, "token", "text", "start", "end"))
    chosen = own.join(items, on=list(ITEM), how="semi", maintain_order="left")
    return join_pieces(chosen, SENTENCE).rename({"text": "sentence"}).collect()


def lengthen_items(
    rows: polars.DataFrame, tokens: polars.LazyFrame, condition_levels: polars.DataFrame | None = None
) -> polars.DataFrame:
    """A row per outcome, condition of its item and region that its prediction compares: the table in items.csv.

    Columns: model, suite, prediction, item, status, credit, margin, margins (of all comparisons, as JSON),
    condition, region (`*`: the whole sentence), bits, sentence, a column for every factor of the items, one for
    every slot that all items have, and one for every factor of the conditions (`condition_levels`: suite, condition,
    factor, level). An item without tokens has one row without a condition.
    """
    sums = region_sums(rows, tokens)
    regions = comparison_terms(rows, sums).select("suite", "formula", "region").unique(maintain_order=True)
    number = polars.element().round(DIGITS).fill_nan(None).cast(polars.String).fill_null("null")
    margins = polars.format("[{}]", polars.col("margins").list.eval(number).list.join(", ")).alias("margins")
    own = with_factors(rows, factors(rows)).with_columns(margins)
    names = [name for name in factors(rows) if name.startswith("level:") or not own[name].null_count()]
    long = (
        own.join(regions, on=["suite", "formula"], how="left", maintain_order="left_right")
        .join(sums, on=[*ITEM, "region"], how="left", maintain_order="left_right")
        .join(texts_of(rows, tokens), on=list(SENTENCE), how="left", maintain_order="left")
    )
    if condition_levels is not None:
        long, added = with_condition_levels(long, condition_levels)
        names += added
    about = ["model", "suite", "prediction", "item", "status", "credit", "margin", "margins"]
    return long.select(*about, "condition", "region", "bits", "sentence", *names).rename(factor_columns(names))


def with_condition_levels(long: polars.DataFrame, levels: polars.DataFrame) -> tuple[polars.DataFrame, list[str]]:
    """Add a column `condition:FACTOR` for every factor of the conditions of these suites; return their names too."""
    own = levels.join(long.select("suite").unique(), on="suite", how="semi", maintain_order="left")
    if not len(own):
        return long, []
    named = own.with_columns(polars.format("condition:{}", "factor").alias("factor"))
    wide = named.pivot("factor", index=["suite", "condition"], values="level")
    return long.join(wide, on=["suite", "condition"], how="left", maintain_order="left"), wide.columns[2:]


def factor_columns(names: Sequence[str]) -> dict[str, str]:
    """The headings of factors: their own names, unless there are two of a name, or a column has it already."""
    taken = ["model", "suite", "prediction", "item", "status", "credit", "margin", "margins", "condition", "region"]
    taken += ["bits", "sentence", *(name.partition(":")[2] for name in names)]
    plain = {name: name.partition(":")[2] for name in names}
    return {name: own if taken.count(own) == 1 else name.replace(":", "_", 1) for name, own in plain.items()}


def round_items(table: polars.DataFrame) -> polars.DataFrame:
    """Round the table of `lengthen_items` as files have it; missing values are empty."""
    return table.with_columns(polars.col("credit", "margin", "bits").round(DIGITS)).fill_nan(None)


def items_csv(table: polars.DataFrame) -> str:
    """Write the table of `lengthen_items` as CSV: missing values are empty, texts like formulas are marked."""
    return mark_formulas(round_items(table)).write_csv()


def write_items(table: polars.DataFrame, path: Path) -> None:
    """Write the table of `lengthen_items` to a CSV file."""
    write_text_atomically(path, items_csv(table))
