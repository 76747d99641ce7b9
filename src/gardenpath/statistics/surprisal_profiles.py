"""Surprisal along sentences, word by word and region by region."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.contrasts import ComparedRegions, compared_regions, interaction
from gardenpath.statistics.effective_items import effective_items
from gardenpath.statistics.effects import WHOLE, SuiteFormulas, region_sums, suite_formulas
from gardenpath.statistics.grouping import aggregate, by_appearance, count_rows, drop_left_out, join_groups
from gardenpath.statistics.means import with_t_interval
from gardenpath.statistics.region_names import region_order
from gardenpath.statistics.within_items import NOTHING, within_item_means

TokenTable = polars.LazyFrame | polars.DataFrame
MAX_CONTRASTS = 6
"""Differences of a suite that can be distinguished, beside the interaction."""
MAX_LABEL_WORDS = 3
"""Words in the label of a position."""
WHOLE_SENTENCE = "whole sentence"


def word_profile(tokens: TokenTable, suite: str, item: str) -> polars.DataFrame:
    """One item word by word: model, condition, position (from 1), word, region, bits, log_probability (-bits).

    A word without bits (the first of a sentence, for a model without a first symbol) has null.
    """
    rows = tokens.lazy().filter(polars.col("suite") == suite, polars.col("item") == item).collect()
    if not len(rows):
        raise InputError(f"suite {suite!r} has no item {item!r} among these results")
    bits = polars.col("bits").fill_nan(None)
    return merge_words(rows).select(
        "model", "condition", "position", "word", "region", bits, (-bits).alias("log_probability")
    )


def merge_words(tokens: polars.DataFrame) -> polars.DataFrame:
    """Merge the tokens of one suite into words: model, item, condition, position, word, region, bits.

    Words are separated by spaces; the punctuation mark at the end of a sentence is a word of its own. The region of a
    word is that of its first token.
    """
    sentence = ["model", "item", "condition"]
    after_space = polars.col("start") > polars.col("end").shift(1).over(sentence)
    first = polars.col("token") == polars.col("token").min().over(sentence)
    last = polars.col("token") == polars.col("token").max().over(sentence)
    mark = last & polars.col("text").str.contains(r"^\p{P}+$")
    position = (first | after_space | mark).cast(polars.Int64).cum_sum().over(sentence).alias("position")
    return (
        tokens.with_columns(position)
        .group_by([*sentence, "position"], maintain_order=True)
        .agg(polars.col("text").str.join("").alias("word"), polars.col("region").first(), polars.col("bits").sum())
    )


@dataclass(frozen=True, slots=True)
class Profiles:
    """Surprisal along the sentences of suites: of every condition, and the differences between conditions."""

    means: polars.DataFrame
    """model, suite, condition, position, region, critical, bits, low, high, low_adjusted, high_adjusted, n, note: means
    over items with intervals within items, see `within_item_means`. Positions count from 1."""
    differences: polars.DataFrame
    """model, suite, contrast, position, region, critical, bits, low, high, bootstrap_low, bootstrap_high, n, note: the
    contrasts that predictions make, and the interaction of a 2 × 2 design, averaged over items, with paired t intervals
    (low, high) and bootstrap intervals. A comparison of several regions together has a position after all regions."""


def region_profiles(
    outcomes: polars.DataFrame, tokens: TokenTable, *, suites: Sequence[str] | None = None, seed: int = 0
) -> Profiles:
    """The bits of every region, summed within items, of the items that count; critical regions are compared.

    In the region of a comparison, its difference is that of `effects`. A suite without predictions has no outcomes: all
    its items count.
    """
    found = region_values(outcomes, tokens, suites=suites)
    return profiles(found.outcomes, found.bits, found.formulas, labels=found.labels, seed=seed)


def region_means(outcomes: polars.DataFrame, tokens: TokenTable) -> polars.DataFrame:
    """The means of conditions that `region_profiles` has, without their differences: `Profiles.means`."""
    found = region_values(outcomes, tokens)
    return condition_means(found.bits, found.labels)


class RegionValues(NamedTuple):
    """The bits of the regions of items, with what describes them."""

    outcomes: polars.DataFrame
    """Those of items that have tokens."""
    bits: polars.DataFrame
    """model, suite, item, condition, region, bits, position, critical."""
    formulas: dict[str, SuiteFormulas]
    labels: polars.DataFrame
    """The order of regions; see `region_positions`."""


def region_values(
    outcomes: polars.DataFrame, tokens: TokenTable, *, suites: Sequence[str] | None = None
) -> RegionValues:
    """Sum the bits of every region of the items that count."""
    own = tokens.lazy() if suites is None else tokens.lazy().filter(polars.col("suite").is_in(list(suites)))
    items = own.select(polars.col("model", "suite", "item").cast(polars.String)).unique(maintain_order=True).collect()
    rows = drop_left_out(outcomes).join(items, on=["model", "suite", "item"], how="semi", maintain_order="left")
    unpredicted = items.join(outcomes, on="suite", how="anti", maintain_order="left")
    counted = polars.concat([rows.select("model", "suite", "item"), unpredicted])
    sums = region_sums(counted, own)
    formulas: dict[str, SuiteFormulas] = dict.fromkeys(unpredicted["suite"].unique(), ([], str))
    formulas |= suite_formulas(rows, sums)
    regions = sums.filter(polars.col("region") != WHOLE)
    positions = region_positions(regions, formulas)
    values = regions.join(positions, on=["suite", "region"], maintain_order="left")
    return RegionValues(rows, values, formulas, positions)


def region_positions(regions: polars.DataFrame, formulas: Mapping[str, SuiteFormulas]) -> polars.DataFrame:
    """The order of regions, and whether predictions compare them: suite, region, position, critical."""
    found = []
    for (suite,), own in regions.group_by("suite", maintain_order=True):
        texts, name_of = formulas[str(suite)]
        compared = {name_of(reference) for formula in texts for reference in formula.references}
        order = region_order(own)
        found += [(str(suite), region, position, region in compared) for position, region in enumerate(order, 1)]
    schema = {
        "suite": polars.String, "region": polars.String, "position": polars.Int64, "critical": polars.Boolean
    }  # fmt: skip
    return polars.DataFrame(found, schema=schema, orient="row")


def word_profiles(
    outcomes: polars.DataFrame, tokens: TokenTable, suite: str, *, items: Sequence[str] | None = None, seed: int = 0
) -> Profiles:
    """The bits of the word at every position of the sentences of a suite; critical where the sentences of items differ.

    `region` is the word if all items and conditions have the same one, else the region, or words of both. items: those
    whose sentences are compared word by word, such as equally long ones; whole sentences are of all items.
    """
    rows = drop_left_out(outcomes).filter(polars.col("suite") == suite)
    own = tokens.lazy().filter(polars.col("suite") == suite).collect()
    if not len(own) or not len(rows):
        raise InputError(f"no tokens of a suite {suite!r} among these results")
    counted = own.join(rows.select("model", "item").unique(), on=["model", "item"], how="semi", maintain_order="left")
    chosen = counted if items is None else counted.filter(polars.col("item").is_in(list(items)))
    words = merge_words(chosen).with_columns(polars.lit(suite).alias("suite"))
    sums = region_sums(rows, own.lazy())
    return profiles(rows, words.drop("region"), suite_formulas(rows, sums), labels=word_labels(words), seed=seed)


def word_labels(words: polars.DataFrame) -> polars.DataFrame:
    """The label of every position: suite, position, region (numbered where several are of one), critical."""
    differ = polars.col("word").n_unique().over("model", "item", "position") > 1
    region = polars.col("region").mode().sort().first()
    labels = words.with_columns(differ.alias("critical")).group_by(
        "suite", "condition", "position", maintain_order=True
    )
    named = labels.agg(
        polars.when(polars.col("word").n_unique() == 1)
        .then(polars.col("word").first())
        .when(region != "")
        .then(region)
        .otherwise(polars.format("word {}", polars.col("position").first()))
        .alias("region"),
        polars.col("critical").any(),
    )
    names = polars.col("region").unique(maintain_order=True)
    more = polars.when(names.len() > MAX_LABEL_WORDS).then(polars.lit(" / …")).otherwise(polars.lit(""))
    both = named.group_by("suite", "position", maintain_order=True)
    label = names.head(MAX_LABEL_WORDS).str.join(" / ") + more
    table = both.agg(label.alias("region"), polars.col("critical").any()).sort("position")
    # A region of several words has one label at several positions.
    again = polars.col("region").is_in(words["region"].unique().to_list()) & polars.col("region").is_duplicated()
    counted = polars.format("{} {}", "region", polars.col("region").cum_count().over("region"))
    return table.with_columns(polars.when(again).then(counted).otherwise("region").alias("region"))


def profiles(
    outcomes: polars.DataFrame,
    values: polars.DataFrame,
    formulas: Mapping[str, SuiteFormulas],
    *,
    labels: polars.DataFrame,
    seed: int,
) -> Profiles:
    """Average values (model, suite, item, condition, position, bits) over items, and their differences."""
    design = ["model", "suite", "position"]
    means = condition_means(values, labels)
    weights = contrast_weights(values, formulas)
    differences = [
        contrast_values(values, weights).join(labels, on=["suite", "position"], maintain_order="left"),
        compared_together(outcomes, formulas, labels),
    ]
    found = polars.concat(one.select(*design, "contrast", "item", "region", "critical", "bits") for one in differences)
    if "fillers" in outcomes.columns:
        words = outcomes.select("model", "suite", "item", "fillers").unique(["model", "suite", "item"], keep="first")
        found = found.join(words, on=["model", "suite", "item"], how="left", maintain_order="left")
    keys = ["model", "suite", "contrast", "position", "region", "critical"]
    ranks = weights.select("suite", "contrast").unique(maintain_order=True).with_row_index("rank")
    averaged = mean_differences(found, keys, seed=seed).join(ranks, on=["suite", "contrast"], how="left")
    averaged = by_appearance(averaged, ["model", "suite"], "rank", "position")
    numbers = ("bits", "low", "high", "bootstrap_low", "bootstrap_high", "n")
    return Profiles(means, averaged.select(*keys, *numbers, "note"))


def condition_means(values: polars.DataFrame, labels: polars.DataFrame) -> polars.DataFrame:
    """Average values (model, suite, item, condition, position, bits) over items: `Profiles.means`."""
    design = ["model", "suite", "position"]
    means = within_item_means(values.select(*design, "item", "condition", "bits"), design)
    columns = ("region", "critical", "bits", "low", "high", "low_adjusted", "high_adjusted", "n", "note")
    return by_appearance(
        means.join(labels, on=["suite", "position"], maintain_order="left"), ["model", "suite", "condition"], "position"
    ).select("model", "suite", "condition", "position", *columns)


def contrast_weights(values: polars.DataFrame, formulas: Mapping[str, SuiteFormulas]) -> polars.DataFrame:
    """The contrasts of every suite: suite, contrast, condition, weight, needed (the number of conditions)."""
    rows = []
    for (suite,), own in values.group_by("suite", maintain_order=True):
        compared = compared_regions(*formulas[str(suite)])
        contrasts = list({one.contrast.name: one.contrast for one in compared if one.contrast.weights}.values())
        conditions = own["condition"].unique(maintain_order=True).to_list()
        added = interaction(conditions, contrasts)
        for contrast in [*contrasts[:MAX_CONTRASTS], *([added] if added else [])]:
            needed = len(contrast.weights)
            rows += [(suite, contrast.name, *weight, needed) for weight in contrast.weights.items()]
    names = {"suite": polars.String, "contrast": polars.String, "condition": polars.String}
    schema = names | {"weight": polars.Float64, "needed": polars.Int64}
    return polars.DataFrame(rows, schema=schema, orient="row")


def contrast_values(values: polars.DataFrame, weights: polars.DataFrame) -> polars.DataFrame:
    """The contrasts of every item at every position that all their conditions have."""
    joined = values.join(weights, on=["suite", "condition"], maintain_order="left_right")
    groups = joined.group_by("model", "suite", "contrast", "position", "item", maintain_order=True)
    found = groups.agg(
        (polars.col("bits") * polars.col("weight")).sum(), polars.len().alias("have"), polars.col("needed").first()
    )
    return found.filter(polars.col("have") == polars.col("needed"))


def compared_together(
    outcomes: polars.DataFrame, formulas: Mapping[str, SuiteFormulas], labels: polars.DataFrame
) -> polars.DataFrame:
    """The margins of comparisons of several regions, or of whole sentences, at positions after the regions."""
    last = dict(labels.group_by("suite").agg(polars.col("position").max()).iter_rows())
    rows = []
    for suite, (texts, name_of) in formulas.items():
        together = {one.comparison: one for one in compared_regions(texts, name_of) if is_together(one)}
        sets = list(dict.fromkeys(one.regions for one in together.values()))
        for text in texts:
            for index, comparison in enumerate(map(str, text.comparisons)):
                if one := together.pop(comparison, None):
                    name = WHOLE_SENTENCE if one.regions == (WHOLE,) else " + ".join(one.regions)
                    position = last[suite] + 1 + sets.index(one.regions)
                    rows.append((suite, str(text), index, one.contrast.name, name, position))
    schema = {
        "suite": polars.String, "formula": polars.String, "index": polars.Int64, "contrast": polars.String,
        "region": polars.String, "position": polars.Int64,
    }  # fmt: skip
    named = polars.DataFrame(rows, schema=schema, orient="row")
    return outcomes.join(named, on=["suite", "formula"], maintain_order="left_right").with_columns(
        polars.col("margins").list.get(polars.col("index"), null_on_oob=True).alias("bits"),
        polars.lit(value=True).alias("critical"),
    )


def is_together(compared: ComparedRegions) -> bool:
    """Whether a comparison is not one of a single region, which has its own position."""
    return len(compared.regions) > 1 or compared.regions == (WHOLE,)


def mean_differences(values: polars.DataFrame, keys: Sequence[str], *, seed: int) -> polars.DataFrame:
    """The means of differences over items, with paired t intervals, as in `effects`, and bootstrap intervals."""
    finite = polars.col("bits").is_finite().fill_null(value=False)
    bits = polars.col("bits").filter(finite)
    means = aggregate(
        values, keys, bits.mean().alias("bits"), bits.std().alias("spread"),
        finite.sum().cast(polars.Int64).alias("n"), count_rows("all"),
    )  # fmt: skip
    drawn = grouped_bootstrap(values, "bits", keys, seed=seed).select(
        *keys, polars.col("low").alias("bootstrap_low"), polars.col("high").alias("bootstrap_high")
    )
    means = join_groups(means, effective_items(values.filter(finite), "bits", keys), keys)
    return join_groups(with_t_interval(means, "bits", nothing=NOTHING), drawn, keys)
