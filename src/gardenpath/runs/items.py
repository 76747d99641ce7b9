"""Items of runs one by one: which failed, by how much, with which sentences; and the long table for R."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars

from gardenpath.io.csv_cells import mark_formulas
from gardenpath.io.terminal_bars import UNKNOWN
from gardenpath.runs.compared_values import Measure, with_values
from gardenpath.runs.run_tables import join_pieces, with_strings
from gardenpath.statistics.effects import WHOLE, region_sums, suite_formulas
from gardenpath.statistics.grouping import PACKED, factors, with_factors
from gardenpath.statistics.region_names import read_formula, region_order

ITEM = ("model", "suite", "item")
SENTENCE = (*ITEM, "condition")
DIGITS = 6
"""Decimals of bits in CSV files; Parquet has all."""
TERMS = {
    "suite": polars.String, "formula": polars.String, "index": polars.Int64, "region": polars.String,
    "condition": polars.String,
}  # fmt: skip
"""The columns of the terms of comparisons."""


def items_without_predictions(
    unpredicted: polars.DataFrame, tokens: polars.LazyFrame, outcomes: polars.DataFrame
) -> polars.DataFrame:
    """The items of suites without predictions as rows of outcomes, in which everything about predictions is null.

    unpredicted: suite, item, levels, as `RunTables` has them.
    """
    suites = unpredicted["suite"].unique().to_list()
    own = with_strings(tokens.select(*ITEM)).filter(polars.col("suite").is_in(suites))
    rows = own.unique(maintain_order=True).collect().join(
        unpredicted.drop_nulls(), on=["suite", "item"], how="left", maintain_order="left"
    )  # fmt: skip
    about = rows.with_columns(polars.col("levels").fill_null("{}"), polars.lit("{}").alias("fillers"))
    return polars.concat([outcomes.clear(), about], how="diagonal")


def rank_items(outcomes: polars.DataFrame, *, failed: bool = False, limit: int | None = None) -> polars.DataFrame:
    """The outcomes of items, the hardest first: those with the smallest margins; invalid ones are last.

    failed: only items that are not correct: wrong, tied or invalid. limit: at most so many rows.
    """
    rows = outcomes.filter(polars.col("status") != "correct") if failed else outcomes
    ranked = rows.sort(polars.col("margin").fill_nan(None), nulls_last=True, maintain_order=True)
    return ranked if limit is None else ranked.head(limit)


def describe_items(
    rows: polars.DataFrame, tokens: polars.LazyFrame, measures: Mapping[str, Measure]
) -> polars.DataFrame:
    """Add to outcomes the comparison that decides them, and its sentences; without a prediction, all sentences.

    Columns: model, suite, prediction, item, status, margin, credit, known, comparison, sentences, unit, levels,
    fillers. The margin is that of the comparison, in `unit`. `sentences` lists condition, region, sentence, the same
    `marked` (with unknown words in brackets), bits of the region, and `value`, the number compared; those come first
    that should be less surprising. A region without tokens has 0 bits, and null where the item is invalid.
    """
    predicted = rows.filter(polars.col("formula").is_not_null())
    others = rows.filter(polars.col("formula").is_null()).with_columns(polars.lit("").alias("comparison"))
    # Items without predictions have no margin, so that they are last wherever items are ranked.
    decided = polars.concat([with_index(predicted), others], how="diagonal").with_row_index("row")
    sums = region_sums(rows, tokens)
    compared = (
        decided.select("row", *ITEM, "formula", "index", polars.col("margin").is_finite().alias("valid"))
        .join(comparison_terms(predicted, sums), on=["suite", "formula", "index"], maintain_order="left_right")
        .join(sums, on=[*SENTENCE, "region"], how="left", maintain_order="left")
        .with_columns(polars.when("valid").then(polars.col("bits").fill_null(0.0)).otherwise("bits").alias("bits"))
    )
    whole = (
        decided.filter(polars.col("formula").is_null())
        .select("row", *ITEM)
        .join(sums.filter(polars.col("region") == WHOLE), on=list(ITEM), maintain_order="left_right")
    )
    shown = polars.concat([compared, whole], how="diagonal").join(
        marked_texts(rows, tokens), on=list(SENTENCE), maintain_order="left"
    )
    valued = with_values(shown, with_strings(tokens), measures, SENTENCE)
    listed = valued.group_by("row", maintain_order=True).agg(
        polars.struct("condition", "region", "sentence", "marked", "bits", "value").alias("sentences"),
        polars.col("unit").last(),
    )
    about = [*ITEM[:2], "prediction", "item", "status", "margin", "credit", "known", "comparison", "sentences", "unit"]
    return decided.join(listed, on="row", how="left", maintain_order="left").select(*about, "levels", "fillers")


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
    return join_pieces(tokens_of(rows, tokens), SENTENCE).rename({"text": "sentence"}).collect()


def marked_texts(rows: polars.DataFrame, tokens: polars.LazyFrame) -> polars.DataFrame:
    """The sentences of items, and these with words in brackets that the model does not know: […, marked]."""
    own = tokens_of(rows, tokens)
    bracketed = polars.when("known").then("text").otherwise(polars.format(UNKNOWN, "text")).alias("text")
    marked = join_pieces(own.with_columns(bracketed), SENTENCE).rename({"text": "marked"}).collect()
    return texts_of(rows, tokens).join(marked, on=list(SENTENCE), maintain_order="left")


def tokens_of(rows: polars.DataFrame, tokens: polars.LazyFrame) -> polars.LazyFrame:
    """The tokens of items."""
    items = rows.lazy().select(ITEM).unique()
    own = with_strings(tokens.select(*SENTENCE, "token", "text", "start", "end", "known"))
    return own.join(items, on=list(ITEM), how="semi", maintain_order="left")


def with_listed_factors(rows: polars.DataFrame) -> polars.DataFrame:
    """Add to outcomes a column for every factor of the items, and one for every slot that all items have."""
    own = with_factors(rows, factors(rows))
    return own.drop(name for name in factors(rows) if name.startswith("filler:") and own[name].null_count())


def lengthen_items(
    rows: polars.DataFrame, tokens: polars.LazyFrame, condition_levels: polars.DataFrame
) -> polars.DataFrame:
    """A row per outcome, condition of its item and region: the table in items.csv.

    Regions are those of the sentence and `*`, the whole sentence; where a prediction compares whole sentences,
    only `*`.
    Columns: model, suite, prediction, item, status, credit, margin, margins (of all comparisons, as JSON), known (by
    the model: all words that the prediction compares), condition, region, compared (by the prediction), bits, sentence,
    those of `with_listed_factors`, and one for every factor of the conditions (`condition_levels`: suite, condition,
    factor, level). An item without tokens has one row without a condition. Items of suites without predictions have
    neither prediction nor outcome.
    """
    sums = region_sums(rows, tokens)
    regions = listed_regions(rows, sums)
    number = polars.element().round(DIGITS).fill_nan(None).cast(polars.String).fill_null("null")
    margins = polars.format("[{}]", polars.col("margins").list.eval(number).list.join(", ")).alias("margins")
    names = [name for name in rows.columns if name.partition(":")[0] in PACKED]
    long = (
        rows.with_columns(margins)
        .join(regions, on=["suite", "formula"], how="left", nulls_equal=True, maintain_order="left_right")
        .join(sums, on=[*ITEM, "region"], how="left", maintain_order="left_right")
        .filter(polars.col("condition").is_not_null() | (polars.col("region") == WHOLE))  # some items lack a region
        .join(texts_of(rows, tokens), on=list(SENTENCE), how="left", maintain_order="left")
    )
    long, added = with_condition_levels(long, condition_levels)
    names += added
    about = ["model", "suite", "prediction", "item", "status", "credit", "margin", "margins", "known"]
    about += ["condition", "region", "compared", "bits", "sentence"]
    return long.select(*about, *names).rename(factor_columns(names))


def listed_regions(rows: polars.DataFrame, sums: polars.DataFrame) -> polars.DataFrame:
    """The regions whose bits are listed for every formula of a suite: suite, formula, region, compared.

    A suite without predictions has the formula null. Regions have the order of the sentence, `*` is last.
    """
    predicted = rows.filter(polars.col("formula").is_not_null())
    terms = comparison_terms(predicted, sums)
    compared: dict[tuple[str, str | None], dict[str, None]] = {}
    for suite, formula, region in terms.select("suite", "formula", "region").iter_rows():
        compared.setdefault((suite, formula), {})[region] = None
    listed = []
    for suite, formula in rows.select("suite", "formula").unique(maintain_order=True).iter_rows():
        named = compared.get((suite, formula), {})
        own = sums.filter(polars.col("suite") == suite, polars.col("region") != WHOLE)
        whole_only = bool(named) and named.keys() == {WHOLE}
        order = [] if whole_only else [*region_order(own), *(name for name in named if name != WHOLE)]
        listed += [(suite, formula, region, region in named) for region in dict.fromkeys([*order, WHOLE])]
    schema = {"suite": polars.String, "formula": polars.String, "region": polars.String, "compared": polars.Boolean}
    return polars.DataFrame(listed, schema=schema, orient="row")


def with_condition_levels(long: polars.DataFrame, levels: polars.DataFrame) -> tuple[polars.DataFrame, list[str]]:
    """Add a column `condition:FACTOR` for every factor of the conditions; return their names too."""
    if not len(levels):
        return long, []
    named = levels.with_columns(polars.format("condition:{}", "factor").alias("factor"))
    wide = named.pivot("factor", index=["suite", "condition"], values="level")
    return long.join(wide, on=["suite", "condition"], how="left", maintain_order="left"), wide.columns[2:]


def factor_columns(names: Sequence[str]) -> dict[str, str]:
    """The headings of factors: their own names, unless there are two of a name, or a column has it already."""
    taken = ["model", "suite", "prediction", "item", "status", "credit", "margin", "margins", "condition", "region"]
    taken += ["known", "compared", "bits", "sentence", *(name.partition(":")[2] for name in names)]
    plain = {name: name.partition(":")[2] for name in names}
    return {name: own if taken.count(own) == 1 else name.replace(":", "_", 1) for name, own in plain.items()}


def round_items(table: polars.DataFrame) -> polars.DataFrame:
    """Round the table of `lengthen_items` as files have it; missing values are empty."""
    return table.with_columns(polars.col("credit", "margin", "bits").round(DIGITS)).fill_nan(None)


def items_csv(table: polars.DataFrame) -> str:
    """Write the table of `lengthen_items` as CSV: missing values are empty, texts like formulas are marked."""
    return mark_formulas(round_items(table)).write_csv()
