"""Figures of surprisal: by region, by word, at reflexives; and accuracy by surface predictors of sentences."""

from collections.abc import Iterator
from typing import NamedTuple

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.curves import surface_chart
from gardenpath.reporting.figures.charts.reflexives import reflexive_chart
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.charts.surprisals import region_chart, word_chart
from gardenpath.reporting.figures.figure import Figure, file_name, keep_first
from gardenpath.runs.results import Runs
from gardenpath.statistics.robustness import pronoun_asymmetry
from gardenpath.statistics.surface_predictors import accuracy_by_predictor
from gardenpath.statistics.surprisal_profiles import condition_profiles, region_surprisals

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
ITEM_BOOTSTRAP = "with bootstrap 95 % intervals over items"


def region_figures(results: Runs) -> Iterator[Figure]:
    """Mean surprisal by region and condition, a figure for each suite whose predictions compare regions."""
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
    suites = [suite for suite in names_in_order(results.outcomes(), "suite") if suite in regional]
    if not suites:
        raise InputError(f"needs suites whose predictions compare regions, with at most {MAX_LINES} conditions")
    more = note_on_suites(len(suites), MAX_REGION_FIGURES)
    table = region_surprisals(results.scan_tokens(), suites=suites[:MAX_REGION_FIGURES])
    for (suite,), part in table.group_by("suite", maintain_order=True):
        shown, more_models = keep_first(part, "model", MAX_SUITE_PANELS)
        yield Figure(
            file_name(f"regions-{suite}"),
            f"Surprisal by region: {suite}",
            f"Mean surprisal of each region over items in each condition, {ITEM_BOOTSTRAP}.",
            region_chart(shown),
            part,
            f"{more_models} {more}".strip(),
        )


def word_figures(results: Runs) -> Iterator[Figure]:
    """Mean log probability by word and condition, a figure for each suite whose regions are words."""
    suites = suites_of_whole_sentences(results)
    equally_long = find_equally_long_items(results.scan_tokens(), suites)
    if not equally_long:
        raise InputError(
            "needs suites that compare whole sentences, most of them equally long, with regions of one or two words"
        )
    more = note_on_suites(len(equally_long), MAX_WORD_FIGURES)
    for suite in [suite for suite in suites if suite in equally_long][:MAX_WORD_FIGURES]:
        length, items, number = equally_long[suite]
        rows = results.scan_tokens().filter(polars.col("suite") == suite, polars.col("item").is_in(items))
        table = condition_profiles(rows, suite)
        shown, more_models = keep_first(table, "model", MAX_SUITE_PANELS)
        which = "" if len(items) == number else f" Only the {len(items)} of {number} items with {length} words."
        yield Figure(
            file_name(f"words-{suite}"),
            f"Log probability by word: {suite}",
            "Mean log probability (base 2) of the word at each position over items in each condition, "
            f"{ITEM_BOOTSTRAP} (of the surprisal). Positions at which items have different words are labelled by "
            f"region.{which}",
            word_chart(shown.rename({"label": "word"})),
            table,
            f"{more_models} {more}".strip(),
        )


def note_on_suites(number: int, most: int) -> str:
    """A note where only the first suites get a figure."""
    return f"Figures are drawn for the first {most} of {number} suites." if number > most else ""


def suites_of_whole_sentences(results: Runs) -> list[str]:
    """The suites whose first prediction compares whole sentences."""
    first = results.suites.unique("suite", keep="first", maintain_order=True)
    return first.filter(polars.col("formula").str.contains("(*;", literal=True))["suite"].to_list()


class EquallyLong(NamedTuple):
    """The items of a suite whose sentences all have the most frequent length."""

    length: int
    """In words."""
    items: list[str]
    number: int
    """Of all items of the suite."""


def find_equally_long_items(tokens: polars.LazyFrame, suites: list[str]) -> dict[str, EquallyLong]:
    """The equally long items of each suite in which they are the majority.

    The sentences of an item must be equally long and have a region for at least every second word.
    """
    spaces = (polars.col("start") > polars.col("end").shift(1)).sum()
    sentences = (
        tokens.filter(polars.col("suite").is_in(suites))
        .group_by("model", "suite", "item", "condition", maintain_order=True)
        .agg(
            (spaces + 1).alias("words"),
            polars.col("region").filter(polars.col("region") != "").n_unique().alias("regions"),
        )
        .group_by("suite", "item", maintain_order=True)
        .agg(polars.col("words").min(), polars.col("words").max().alias("most"), polars.col("regions").min())
    ).collect()
    found: dict[str, EquallyLong] = {}
    for (suite,), items in sentences.group_by("suite", maintain_order=True):
        even = items.filter(polars.col("words") == polars.col("most"))
        named = even.filter(2 * polars.col("regions") >= polars.col("words"), polars.col("words") <= MAX_SENTENCE_WORDS)
        if named.height:
            length = named["words"].value_counts(sort=True)["words"][0]
            equal = named.filter(polars.col("words") == length)["item"].to_list()
            if 2 * len(equal) > items.height:
                found[str(suite)] = EquallyLong(length, equal, items.height)
    return found


def reflexive_figures(results: Runs) -> Iterator[Figure]:
    """The surprisal that a distractor and ungrammaticality add at a reflexive."""
    table = pronoun_asymmetry(results.scan_tokens())
    for (experiment,), part in table.group_by("experiment", maintain_order=True):
        shown, more = keep_first(part, "model")
        yield Figure(
            file_name(f"pronouns-{experiment}"),
            f"Surprisal differential at the reflexive: {experiment}",
            "Surprisal of the reflexive minus that in the baseline, with a distractor and in ungrammatical sentences, "
            f"{ITEM_BOOTSTRAP}. A model that has learned the generalisation has a positive ungrammatical differential "
            "that exceeds that of the distractor.",
            reflexive_chart(shown),
            part,
            more,
        )


def surface_figure(results: Runs) -> Iterator[Figure]:
    """Accuracy against length, probability and perplexity of the good sentence."""
    table = accuracy_by_predictor(results.counted(), results.scan_tokens())
    shown, more = keep_first(table, "model", MAX_SURFACE_MODELS)
    yield Figure(
        "surface-predictors",
        "Accuracy by length, probability and perplexity of the good sentence",
        "Minimal pairs in bins of about equal size, with Wilson 95 % intervals.",
        surface_chart(shown),
        table,
        f"Each point is at the mean of its bin. {more}".strip(),
    )
