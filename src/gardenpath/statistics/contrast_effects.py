"""Effects in bits by contrast of conditions, and the interactions of 2 × 2 designs."""

from collections.abc import Iterator, Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.accuracy import group_keys, split_names
from gardenpath.statistics.contrasts import ComparedRegions, Contrast, compared_regions, interaction
from gardenpath.statistics.effects import EFFECT, WHOLE, mean_effects, region_sums, suite_formulas
from gardenpath.statistics.grouping import (
    RESULTS,
    aggregate,
    by_appearance,
    distinguish_factors,
    drop_left_out,
    join_groups,
    note_hidden_factors,
    with_factors,
)
from gardenpath.suites.prediction import Formula

WHOLE_SENTENCE = "whole sentence"
ABOUT = ("model", "suite", "item", "fillers")
NAMES = ("effect", "contrast", "region")
"""The columns that name an effect within its group."""
NO_GROUPS = {
    "prediction": "a contrast that several predictions make is one row; choose predictions by name (--prediction)",
    "item": "one item has no interval; items.csv of the run and `gardenpath items` have the bits of every item",
}


def contrast_effects(
    outcomes: polars.DataFrame,
    tokens: polars.LazyFrame | polars.DataFrame,
    *,
    groups: str | Sequence[str] = "suite",
) -> polars.DataFrame:
    """The mean of every contrast that predictions make, and of the interaction of a 2 × 2 design, in bits.

    outcomes: a row per model, suite, prediction and item, with `formula` and `margins`.
    tokens: a row per token with model, suite, item, condition, region and bits.
    groups: as `by` of `accuracy`: "suite", factors of items ("number,attractor": suites by their levels), a list of
    columns; "phenomenon", "circuit", "field", "model": contrasts of the same conditions and region, pooled over suites.
    Columns: the groups (model, suite, …), effect ("contrast" or "interaction"), prediction (those that make the
    contrast), contrast, region, bits, low, high, standard_error, n, effective_n, p_value, note; intervals and tests are
    those of `effects`. A contrast is positive where its prediction holds. An interaction that is no prediction is
    computed in those compared regions that all conditions have, from the bits of tokens, which have neither the end of
    a sentence nor a division by its length.
    """
    keys = effect_groups(outcomes, groups)
    grouped = with_factors(outcomes, keys)
    if not isinstance(groups, str):
        grouped = grouped.drop_nulls([name for name in keys if name not in outcomes.columns])
    rows = drop_left_out(grouped)
    rows = rows if "fillers" in rows.columns else rows.with_columns(polars.lit("").alias("fillers"))
    sums = region_sums(rows, tokens.lazy())
    parts = []
    for suite, (formulas, name_of) in suite_formulas(rows, sums).items():
        compared = compared_regions(formulas, name_of)
        own = rows.filter(polars.col("suite") == suite)
        parts += list(contrast_margins(own, formulas, compared))
        parts += list(interaction_values(own, sums.filter(polars.col("suite") == suite), compared))
    columns = (*keys, "effect", "prediction", *NAMES[1:], *EFFECT)
    if not parts:
        return polars.DataFrame(schema=dict.fromkeys(columns, polars.String))
    values = polars.concat(parts)
    added = [name for name in keys if name not in values.columns]
    items = rows.select(*ABOUT[:3], *added).unique(ABOUT[:3], keep="first", maintain_order=True)
    values = values.join(items, on=list(ABOUT[:3]), how="left", maintain_order="left")
    predictions = polars.col("prediction").explode().unique(maintain_order=True).drop_nulls().str.join(", ")
    means = join_groups(
        mean_effects(values, [*keys, *NAMES]), aggregate(values, [*keys, *NAMES], predictions), [*keys, *NAMES]
    )
    return by_appearance(means.select(columns), keys or NAMES)


def effect_groups(outcomes: polars.DataFrame, groups: str | Sequence[str]) -> list[str]:
    """The columns that `groups` of `contrast_effects` stands for; factors with names of results are `level:NAME`."""
    names = split_names(groups) if isinstance(groups, str) else list(groups)
    for name in names:
        if name in NO_GROUPS:
            raise InputError(f"effects cannot be grouped by {name!r}: {NO_GROUPS[name]}")
    note_hidden_factors(outcomes, names if isinstance(groups, str) else ())
    keys = [key for key in group_keys(groups) if key != "prediction"]
    return distinguish_factors(outcomes, keys, results=(*RESULTS, *NAMES, *EFFECT))


def contrast_margins(
    outcomes: polars.DataFrame, formulas: list[Formula], compared: list[ComparedRegions]
) -> Iterator[polars.DataFrame]:
    """Yield the margins of items for every comparison, each once: model, suite, item, fillers, bits and names."""
    for one in compared:
        found = [
            (formula.text, index)
            for formula in formulas
            for index, comparison in enumerate(formula.comparisons)
            if str(comparison) == one.comparison
        ]
        formula, index = found[0]
        making = outcomes.filter(polars.col("formula").is_in([text for text, _ in found]))
        predictions = making["prediction"].unique(maintain_order=True).to_list()
        first = outcomes.filter(polars.col("formula") == formula).unique(ABOUT[:3], keep="first", maintain_order=True)
        margin = polars.col("margins").list.get(index, null_on_oob=True).alias("bits")
        yield first.select(*ABOUT, margin, *name_effect("contrast", one.contrast.name, one.regions, predictions))


def interaction_values(
    outcomes: polars.DataFrame, sums: polars.DataFrame, compared: list[ComparedRegions]
) -> Iterator[polars.DataFrame]:
    """Yield the interaction of a 2 × 2 design in every set of regions that is compared and that all conditions have."""
    contrasts = list({one.contrast.name: one.contrast for one in compared if one.contrast.weights}.values())
    added = interaction(sums["condition"].unique(maintain_order=True).to_list(), contrasts)
    if added is None:
        return
    items = outcomes.select(ABOUT).unique(ABOUT[:3], keep="first", maintain_order=True)
    sets = {frozenset(one.regions): one.regions for one in reversed(compared) if one.contrast.weights}
    for regions in reversed(sets.values()):
        weighted = weighted_sums(sums.filter(polars.col("region").is_in(regions)), added)
        if weighted["bits"].null_count() == weighted.height:
            continue  # a condition has no such region, as a sentence with a gap has no object
        values = items.join(weighted, on=list(ABOUT[:3]), how="left", maintain_order="left")
        yield values.select(*ABOUT, "bits", *name_effect("interaction", added.name, regions))


def weighted_sums(sums: polars.DataFrame, contrast: Contrast) -> polars.DataFrame:
    """The value of a contrast for every item that has all its conditions."""
    weights = polars.DataFrame({"condition": list(contrast.weights), "weight": list(contrast.weights.values())})
    joined = sums.join(weights, on="condition")
    complete = polars.col("condition").n_unique() == len(contrast.weights)
    total = (polars.col("bits") * polars.col("weight")).sum()
    return joined.group_by(ABOUT[:3]).agg(polars.when(complete).then(total).alias("bits"))


def name_effect(
    effect: str, contrast: str, regions: tuple[str, ...], predictions: Sequence[str] = ()
) -> list[polars.Expr]:
    """The columns that name an effect."""
    region = WHOLE_SENTENCE if regions == (WHOLE,) else " + ".join(regions)
    names = {"effect": effect, "contrast": contrast, "region": region}
    making = polars.lit(list(predictions), dtype=polars.List(polars.String)).alias("prediction")
    return [making, *(polars.lit(value).alias(name) for name, value in names.items())]
