"""Figures of surprisal: by region, by word, at reflexives; and accuracy by surface predictors of sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.curves import surface_chart
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.charts.surprisals import reflexive_chart, region_chart, word_chart
from gardenpath.reporting.figures.figure import Figure, chance_note, file_name, interval_note, keep_first
from gardenpath.reporting.formula_in_words import enumerate_names
from gardenpath.runs.results import Runs
from gardenpath.statistics.grouping import drop_left_out
from gardenpath.statistics.robustness import pronoun_asymmetry
from gardenpath.statistics.surface_predictors import SENTENCE_PAIR, accuracy_by_predictor, sentence_pairs
from gardenpath.statistics.surprisal_profiles import WHOLE_SENTENCE, region_profiles, word_profiles

MAX_REGION_FIGURES = 40
"""Suites that get a figure of their regions."""
MAX_WORD_FIGURES = 24
"""Suites that get a figure of their words."""
MAX_SUITE_PANELS = 6
"""Panels in the figure of a suite."""
MAX_LINES = 12
"""Conditions whose lines can be distinguished."""
MAX_SENTENCE_WORDS = 25
"""Words of a sentence that fit on an axis."""
MAX_SURFACE_MODELS = 8
"""Lines in the figure of surface predictors."""
MOST_BINS = 10
PAIRS_IN_A_BIN = 20
"""Pairs that a bin of surface predictors has on average: the accuracy of fewer says next to nothing."""
LEAST_DRAWN = 10
"""Pairs from which a bin is drawn: where many sentences are equally long, bins differ in size."""
FEATURE_NAMES = {"length": "length", "log_probability": "probability", "perplexity": "perplexity"}
WITHIN_ITEMS = (
    "95 % intervals within items (Cousineau-Morey, with Baguley's adjustment: those of two conditions overlap about "
    "where the interval of their difference contains 0)"
)
PAIRED = (
    "Differences with 95 % intervals of the paired t-test over items and the words they share (bars), and of the "
    "bootstrap over items as if they shared none (ticks)."
)
CRITICAL_REGIONS = "Shaded: regions that predictions compare."
DIFFERENT_WORDS = "Shaded: positions at which the sentences of an item differ."
TABLE_INTERVALS = "low and high of conditions are not adjusted, low_adjusted and high_adjusted are."


def with_surprisals(results: Runs) -> Runs:
    """Leave out models without any surprisal: people, who are beside models in tables of accuracy only."""
    found = results.scan_tokens().group_by("model").agg(polars.col("bits").is_not_null().any()).collect()
    without = found.filter(~polars.col("bits"))["model"].to_list()
    if not without:
        return results
    own = ~polars.col("model").is_in(without)
    tables = replace(results.tables, outcomes=results.outcomes().filter(own), tokens=results.scan_tokens().filter(own))
    return replace(results, tables=tables)


def region_figures(results: Runs, look: Look) -> Iterator[Figure]:
    """Mean surprisal by region and condition, a figure for each suite whose predictions, if any, compare regions."""
    results = with_surprisals(results)
    sizes = (
        results.scan_tokens()
        .filter(polars.col("region") != "")
        .group_by("suite")
        .agg(polars.col("region", "condition").n_unique())
        .filter(polars.col("region") > 1, polars.col("condition") <= MAX_LINES)
        .collect()
    )
    # Where whole sentences are compared, single regions say little.
    regional = set(sizes["suite"].to_list()) - set(suites_of_whole_sentences(results))
    named = dict.fromkeys(suite.name for manifest in results.manifests for suite in manifest.suites)
    suites = [suite for suite in named if suite in regional]
    if not suites:
        raise InputError(f"needs suites whose predictions compare regions, with at most {MAX_LINES} conditions")
    more = note_on_suites(len(suites), MAX_REGION_FIGURES)
    found = region_profiles(results.outcomes(), results.scan_tokens(), suites=suites[:MAX_REGION_FIGURES])
    means, differences = look.in_order(found.means), look.in_order(found.differences)
    for (suite,), part in means.group_by("suite", maintain_order=True):
        own = differences.filter(polars.col("suite") == suite)
        shown, more_models = keep_first(part, "model", MAX_SUITE_PANELS)
        chart = region_chart(shown, own.filter(polars.col("model").is_in(shown["model"].unique().to_list())), look)
        caption = f"Mean surprisal of each region over items in each condition{describe_intervals(part, own)}"
        note = " ".join(filter(None, (CRITICAL_REGIONS if part["critical"].any() else "", more_models, more)))
        name, title = file_name(f"regions-{suite}"), f"Surprisal by region: {suite}"
        yield Figure(name, title, caption, chart, with_differences(part, own), note, TABLE_INTERVALS)


def describe_intervals(means: polars.DataFrame, differences: polars.DataFrame) -> str:
    """The end of a caption: what the intervals of conditions and of differences are, if there are any."""
    within, paired = (table.filter(polars.col("low") < polars.col("high")).height for table in (means, differences))
    return f"{f', with {WITHIN_ITEMS}' if within else ''}.{f' {PAIRED}' if paired else ''}"


def with_differences(means: polars.DataFrame, differences: polars.DataFrame) -> polars.DataFrame:
    """One table of conditions and of differences between them, which `kind` tells apart."""
    kinds = (("condition", means), ("difference", differences.rename({"contrast": "condition"})))
    return polars.concat(
        [table.with_columns(polars.lit(kind).alias("kind")) for kind, table in kinds], how="diagonal"
    ).select(
        "model", "suite", "kind", "condition", polars.exclude("model", "suite", "kind", "condition", "note"), "note"
    )


def word_figures(results: Runs, look: Look) -> Iterator[Figure]:
    """Mean log probability by word and condition, a figure for each suite whose regions are words."""
    results = with_surprisals(results)
    suites = suites_of_whole_sentences(results)
    equally_long = {row["suite"]: row for row in equally_long_items(results.scan_tokens(), suites).to_dicts()}
    if not equally_long:
        raise InputError(
            "needs suites that compare whole sentences, most of them equally long, with regions of one or two words"
        )
    more = note_on_suites(len(equally_long), MAX_WORD_FIGURES)
    for suite in [suite for suite in suites if suite in equally_long][:MAX_WORD_FIGURES]:
        items, number = equally_long[suite]["items"], equally_long[suite]["number"]
        which = f" Only the {len(items)} of {number} items with {equally_long[suite]['words']} words."
        yield word_figure(results, look, suite, items, note=which if len(items) < number else "", more=more)


def word_figure(
    results: Runs, look: Look, suite: str, items: Sequence[str], *, note: str = "", more: str = ""
) -> Figure:
    """Mean log probability by word and condition of equally long items of a suite; `note` says which they are."""
    found = word_profiles(results.outcomes(), results.scan_tokens(), suite, items=items)
    means, differences = look.in_order(found.means), look.in_order(found.differences)
    shown, more_models = keep_first(means, "model", MAX_SUITE_PANELS)
    chart = word_chart(shown, differences.filter(polars.col("model").is_in(shown["model"].unique().to_list())), look)
    signs = " Log probability is negative surprisal; differences are of surprisal." if differences.height else ""
    whole = " Whole sentences: all items." if note and WHOLE_SENTENCE in differences["region"] else ""
    caption = (
        "Mean log probability (base 2) of the word at each position over items in each condition"
        f"{describe_intervals(means, differences)}{signs} Positions at which items have different words are labelled "
        f"by region.{note}{whole}"
    )
    name, title = file_name(f"words-{suite}"), f"Log probability by word: {suite}"
    chart_note = " ".join(filter(None, (DIFFERENT_WORDS if means["critical"].any() else "", more_models, more)))
    table = with_differences(means.with_columns((-polars.col("bits")).alias("log_probability")), differences)
    return Figure(name, title, caption, chart, table, chart_note, TABLE_INTERVALS)


def note_on_suites(number: int, most: int) -> str:
    """A note where only the first suites get a figure."""
    return f"Figures are drawn for the first {most} of {number} suites." if number > most else ""


def suites_of_whole_sentences(results: Runs) -> list[str]:
    """The suites whose first prediction compares whole sentences."""
    first = results.suites.unique("suite", keep="first", maintain_order=True)
    return first.filter(polars.col("formula").str.contains("(*;", literal=True))["suite"].to_list()


def equally_long_items(tokens: polars.LazyFrame, suites: list[str]) -> polars.DataFrame:
    """The items with the most frequent number of words, for each suite in which they are the majority.

    The sentences of an item must be equally long and have a region for at least every second word.
    Columns: suite, words (in a sentence), items, number (of all items of the suite).
    """
    words, regions = polars.col("words"), polars.col("regions")
    return (
        items_of_one_length(tokens.filter(polars.col("suite").is_in(suites)))
        .filter(2 * regions >= words, words <= MAX_SENTENCE_WORDS)
        .group_by("suite", "words", maintain_order=True)
        .agg(polars.col("item").alias("items"), polars.col("number").first())
        .filter(2 * polars.col("items").list.len() > polars.col("number"))
        .collect()
    )


def items_of_one_length(tokens: polars.LazyFrame) -> polars.LazyFrame:
    """The items whose sentences have equally many words: [suite, item, words, regions, number].

    regions: the fewest of a sentence; number: all items of the suite.
    """
    spaces = (polars.col("start") > polars.col("end").shift(1)).sum()
    words = polars.col("words")
    return (
        tokens.group_by("model", "suite", "item", "condition", maintain_order=True)
        .agg(
            (spaces + 1).alias("words"),
            polars.col("region").filter(polars.col("region") != "").n_unique().alias("regions"),
        )
        .group_by("suite", "item", maintain_order=True)
        .agg(words.min(), words.max().alias("most"), polars.col("regions").min())
        .with_columns(polars.len().over("suite").alias("number"))
        .filter(words == polars.col("most"))
        .drop("most")
    )


def reflexive_figures(results: Runs, look: Look) -> Iterator[Figure]:
    """The surprisal that a distractor and ungrammaticality add at a reflexive."""
    results = with_surprisals(results)
    table = look.in_order(pronoun_asymmetry(results.scan_tokens(), results.outcomes()))
    for (experiment,), part in table.group_by("experiment", maintain_order=True):
        shown, more = keep_first(part, "model")
        caption = (
            "Surprisal of the reflexive minus that in the baseline, with a distractor and in ungrammatical sentences. "
            "A model that has learned the generalisation has a positive ungrammatical differential that exceeds that "
            f"of the distractor.{interval_note(part, 'With 95 % t intervals over items and the words they share.')}"
        )
        name, title = file_name(f"pronouns-{experiment}"), f"Surprisal differential at the reflexive: {experiment}"
        yield Figure(name, title, caption, reflexive_chart(shown, look), part, more)


def surface_figure(results: Runs, look: Look) -> Iterator[Figure]:
    """Accuracy against length, probability and perplexity of the good sentence."""
    outcomes = drop_left_out(results.outcomes())
    chance = outcomes.filter(polars.col("formula").str.contains(SENTENCE_PAIR))["chance"].unique()
    bins = choose_surface_bins(outcomes)
    found = look.in_order(accuracy_by_predictor(outcomes, results.scan_tokens(), bins=bins)).with_columns(
        polars.lit(chance[0] if len(chance) == 1 else None, polars.Float64).alias("chance")
    )
    large = found.filter(polars.col("n") >= LEAST_DRAWN)
    drawn = large.filter(polars.col("bin").n_unique().over("feature") > 1)
    if not drawn.height:
        raise InputError("the good sentences are too alike in length, probability and perplexity to be compared")
    shown, more = keep_first(drawn, "model", MAX_SURFACE_MODELS)
    features = [FEATURE_NAMES[feature] for feature in names_in_order(drawn, "feature")]
    title = f"Accuracy by {enumerate_names(features)} of the good sentence"
    caption = "Minimal pairs in bins of about equal size, with 95 % intervals over items and the words they share."
    few = f"Bins of fewer than {LEAST_DRAWN} pairs, and properties of a single bin, are in the table only."
    notes = ("Each point is at the mean of its bin.", few if drawn.height < found.height else "")
    note = " ".join(filter(None, (*notes, chance_note(shown, ticks=False), more)))
    yield Figure("surface-predictors", title, caption, surface_chart(shown, look), found, note)


def choose_surface_bins(outcomes: polars.DataFrame) -> int:
    """Return the number of bins in which every model has enough pairs; raise if it is less than two."""
    fewest = min(len(pairs) for _, pairs in sentence_pairs(outcomes).group_by("model"))
    bins = min(MOST_BINS, fewest // PAIRS_IN_A_BIN)
    if bins < 2:
        raise InputError(
            f"needs at least {2 * PAIRS_IN_A_BIN} minimal pairs of every model, two bins of {PAIRS_IN_A_BIN}; one has "
            f"{fewest}"
        )
    return bins
