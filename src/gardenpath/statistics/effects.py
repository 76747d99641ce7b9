"""Effects in bits: by how much comparisons hold, and the surprisal of regions in every condition."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import polars
from scipy.special import stdtr

from gardenpath.errors import InputError
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.grouping import aggregate, append_note, count_rows, drop_left_out, join_groups, note_where
from gardenpath.statistics.means import with_t_interval
from gardenpath.statistics.proportions import ROUNDING
from gardenpath.statistics.region_names import margins_agree, read_formula, region_names, region_order
from gardenpath.statistics.within_items import NOTHING, within_item_means
from gardenpath.suites.prediction import Formula, Reference

SuiteFormulas = tuple[list[Formula], Callable[[Reference], str]]
"""The formulas of a suite, and a function that names the regions of their references."""
WHOLE = "*"
EFFECT = ("bits", "low", "high", "standard_error", "n", "effective_n", "p_value", "note")
"""The columns of a mean difference."""


def effects(
    outcomes: polars.DataFrame,
    tokens: polars.LazyFrame | polars.DataFrame | None = None,
    *,
    by: Literal["comparison", "condition"] = "comparison",
) -> polars.DataFrame:
    """Mean differences or surprisals in bits, with 95 % intervals within items.

    outcomes: a row per model, suite, prediction and item, with `formula` and `margins` (one for each comparison).
    tokens: a row per token with model, suite, item, condition, region and bits; only `by="condition"` needs it.
    by: "comparison": by how many bits every comparison of every formula holds on average, with the interval and the
        two-sided p-value of the paired t-test over items, or over as many as they are worth where they share words.
        Columns: model, suite, prediction, comparison, bits, low, high, standard_error, n, effective_n, p_value, note.
        "condition": mean bits of every region that a formula names (`*` is the whole sentence) in every condition, with
        Cousineau-Morey intervals: differences between items are removed before the t interval is computed (Morey 2008).
        Columns: model, suite, region, condition, bits, low, high, standard_error, n, note.

    n counts the items with all their surprisals; the note has the number of the others. Items that a run left out
    (`left_out`) do not count. A number that cannot be computed is null, and the note has the reason.
    """
    if by not in ("comparison", "condition"):
        raise InputError(
            f"effects by {by!r} are not computed; `by` is 'comparison', 'condition' or, of a run, 'contrast'"
        )
    if missing := [name for name in ("formula", "margins") if name not in outcomes.columns]:
        raise InputError(f"effects need outcomes with the column {' and '.join(missing)}, as a run has them")
    rows = drop_left_out(outcomes)
    if by == "comparison":
        return comparison_effects(rows)
    if tokens is None:
        raise InputError("effects by condition need the tokens of the run beside its outcomes")
    return condition_effects(rows, tokens.lazy())


def comparison_effects(outcomes: polars.DataFrame) -> polars.DataFrame:
    """The mean margin of every comparison with its paired t interval and test."""
    keys = ["model", "suite", "prediction", "comparison"]
    indices = polars.int_ranges(polars.col("margins").list.len()).alias("index")
    long = outcomes.with_columns(indices).explode("margins", "index").rename({"margins": "bits"})
    texts = {text: list(map(str, read_formula(text).comparisons)) for text in outcomes["formula"].unique()}
    means = mean_effects(long, ["model", "suite", "prediction", "index", "formula"])
    names = [texts[text][index] for text, index in means.select("formula", "index").rows()]
    named = means.with_columns(polars.Series("comparison", names, polars.String))
    return named.select(*keys, *EFFECT)


def mean_effects(values: polars.DataFrame, keys: Sequence[str]) -> polars.DataFrame:
    """The means of `bits` over the items of every group, with paired t intervals and tests: [*keys, *EFFECT]."""
    finite = polars.col("bits").is_finite().fill_null(value=False)
    bits = polars.col("bits").filter(finite)
    means = aggregate(
        values,
        keys,
        bits.mean().alias("bits"),
        bits.std().alias("spread"),
        finite.sum().cast(polars.Int64).alias("n"),
        count_rows("all"),
    )
    means = join_groups(means, effective_items(values.filter(finite), "bits", keys), keys)
    table = with_t_interval(means, "bits", nothing=NOTHING)
    degrees = np.maximum(table["n"].to_numpy() - 1, 1)
    ratio = (table["bits"] / table["standard_error"]).cast(polars.Float64).abs().fill_null(np.nan).to_numpy()
    p_value = polars.Series("p_value", 2 * stdtr(degrees, -ratio)).fill_nan(None)
    equal = (polars.col("n") > 1) & (polars.col("spread") < ROUNDING)
    table = table.with_columns(p_value).with_columns(
        polars.when(~equal).then("p_value").alias("p_value"),
        append_note(note_where(equal, "no test")),
    )
    return table.select(*keys, *EFFECT)


def condition_effects(outcomes: polars.DataFrame, tokens: polars.LazyFrame) -> polars.DataFrame:
    """The mean bits of named regions in every condition, with Cousineau-Morey intervals."""
    sums = region_sums(outcomes, tokens)
    design = ["model", "suite", "region"]
    table = named_regions(outcomes, sums).join(sums, on=design, how="left", maintain_order="left_right")
    # Regions are named in the order of their first mention, conditions in that of the sentences.
    means = within_item_means(table, design)
    return means.select(*design, "condition", "bits", "low", "high", "standard_error", "n", "note")


def region_sums(outcomes: polars.DataFrame, tokens: polars.LazyFrame) -> polars.DataFrame:
    """The bits of every region, and of the whole sentence (`*`), of the items that have outcomes."""
    sentence = ["model", "suite", "item", "condition"]
    items = outcomes.select("model", "suite", "item").unique()
    rows = (
        tokens.select(*sentence, "region", "bits")
        .with_columns(polars.col(polars.Categorical).cast(polars.String))
        .join(items.lazy(), on=["model", "suite", "item"], how="semi", maintain_order="left")
        .collect()
    )
    whole = rows.with_columns(polars.lit(WHOLE).alias("region"))
    return (
        polars.concat([rows.filter(polars.col("region") != ""), whole])
        .group_by([*sentence, "region"], maintain_order=True)
        .agg(polars.col("bits").sum())
    )


def named_regions(outcomes: polars.DataFrame, sums: polars.DataFrame) -> polars.DataFrame:
    """The regions that formulas name, by first mention: a row per model, suite and region."""
    names = []
    for suite, (formulas, name_of) in suite_formulas(outcomes, sums).items():
        mentioned = dict.fromkeys(name_of(reference) for formula in formulas for reference in formula.references)
        names += [(suite, region) for region in mentioned]
    regions = polars.DataFrame(names, schema={"suite": polars.String, "region": polars.String}, orient="row")
    models = outcomes.select("model", "suite").unique(maintain_order=True)
    return models.join(regions, on="suite", maintain_order="left_right")


def suite_formulas(outcomes: polars.DataFrame, sums: polars.DataFrame) -> dict[str, SuiteFormulas]:
    """The formulas of every suite, and a function that names their regions."""
    found = {}
    for (suite,), rows in outcomes.group_by("suite", maintain_order=True):
        formulas = [read_formula(text) for text in rows["formula"].unique(maintain_order=True)]
        own = sums.filter(polars.col("suite") == suite)
        order = region_order(own.filter(polars.col("region") != WHOLE))
        found[str(suite)] = formulas, region_names(formulas, order, check_margins(rows, own))
    return found


def check_margins(rows: polars.DataFrame, sums: polars.DataFrame) -> Callable[[Callable[[Reference], str]], bool]:
    """A check whether region names give the recorded margins of a suite's first model."""
    first = polars.col("model") == rows["model"][0]
    keyed = sums.filter(first).partition_by("region", "condition", as_dict=True)

    def check(name_of: Callable[[Reference], str]) -> bool:
        for (text,), part in rows.filter(first).group_by("formula", maintain_order=True):
            items = part.select("item")
            bits = {
                (str(region), str(condition)): items.join(own, on="item", how="left", maintain_order="left")["bits"]
                .fill_null(0.0)
                .to_numpy()
                for (region, condition), own in keyed.items()
            }
            margins = np.array(part["margins"].to_list(), dtype=np.float64)
            if not margins_agree(read_formula(str(text)), bits, margins, name_of):
                return False
        return True

    return check
