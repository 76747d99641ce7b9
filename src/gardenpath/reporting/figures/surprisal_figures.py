"""The figures that the prices of tokens support: regions, words, reflexives, shallow predictors."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.curves import shallow_figure
from gardenpath.reporting.figures.charts.reflexives import pronoun_figure
from gardenpath.reporting.figures.charts.style import Figure, first_of, in_order, slug
from gardenpath.reporting.figures.charts.surprisals import region_figure, trace_figure

if TYPE_CHECKING:
    import polars

    from gardenpath.runs.results import Runs

SUITES = 40
"""Suites that get a figure of their own."""
MODELS = 6
"""Panels of a figure of one suite."""
CONDITIONS = 12
"""Lines that can be told apart."""
TRACES = 24
"""Suites that get a figure of their words."""
WORDS = 25
BOOTSTRAP = "with bootstrapped 95 % intervals over items"


def draw_regions(results: "Runs") -> Iterator[Figure]:
    """The mean surprisal of every region in every condition, a figure for each suite that compares regions."""
    import polars

    from gardenpath.statistics.traces import region_surprisals

    sizes = (
        results.scan_tokens()
        .filter(polars.col("region") != "")
        .group_by("suite")
        .agg(polars.col("region", "condition").n_unique())
        .filter(polars.col("region") > 1, polars.col("condition") <= CONDITIONS)
        .collect()
    )
    # Of a pair that is judged by whole sentences, regions tell little.
    regional = set(sizes["suite"].to_list()) - set(whole_sentences(results))
    found = [suite for suite in in_order(results.outcomes(), "suite") if suite in regional]
    if not found:
        raise InputError(f"needs suites whose predictions compare regions, with at most {CONDITIONS} conditions")
    more = f"Drawn are the first {SUITES} of {len(found)} suites." if len(found) > SUITES else ""
    table = region_surprisals(results.scan_tokens(), suites=found[:SUITES])
    for (suite,), part in table.group_by("suite", maintain_order=True):
        shown, note = first_of(part, "model", MODELS)
        yield Figure(
            slug(f"regions-{suite}"),
            f"Surprisal by region: {suite}",
            f"Mean surprisal of each region over items, in each condition, {BOOTSTRAP}.",
            region_figure(shown),
            part,
            f"{note} {more}".strip(),
        )


def draw_traces(results: "Runs") -> Iterator[Figure]:
    """The mean log probability of every word, a figure for each suite whose regions are words."""
    import polars

    from gardenpath.statistics.traces import condition_traces

    whole = whole_sentences(results)
    lengths = item_lengths(results.scan_tokens(), whole)
    if not lengths:
        raise InputError(
            "needs suites that compare whole sentences, most of them equally long, with regions of one or two words"
        )
    more = f"Drawn are the first {TRACES} of {len(lengths)} suites." if len(lengths) > TRACES else ""
    for suite in [suite for suite in whole if suite in lengths][:TRACES]:
        words, items, all_items = lengths[suite]
        rows = results.scan_tokens().filter(polars.col("suite") == suite, polars.col("item").is_in(items))
        table = condition_traces(rows, suite)
        shown, note = first_of(table, "model", MODELS)
        which = "" if len(items) == all_items else f" Of {all_items} items, the {len(items)} of {words} words."
        yield Figure(
            slug(f"words-{suite}"),
            f"Log probability by word: {suite}",
            f"Mean log probability (base 2) of the word at each position over items, in each condition, {BOOTSTRAP} "
            f"(of the surprisal). Where items have different words, the label is the region.{which}",
            trace_figure(shown.rename({"label": "word"})),
            table,
            f"{note} {more}".strip(),
        )


def whole_sentences(results: "Runs") -> list[str]:
    """The suites whose first prediction compares whole sentences."""
    import polars

    first = results.suites.unique("suite", keep="first", maintain_order=True)
    return first.filter(polars.col("formula").str.contains("(*;", literal=True))["suite"].to_list()


def item_lengths(tokens: "polars.LazyFrame", suites: list[str]) -> dict[str, tuple[int, list[str], int]]:
    """Of suites most items of which have the same number of words: that number, the items, the number of all items.

    Sentences of an item must be equally long, with a region for at least every second word.
    """
    import polars

    blanks = (polars.col("start") > polars.col("end").shift(1)).sum() + 1
    sentences = (
        tokens.filter(polars.col("suite").is_in(suites))
        .group_by("model", "suite", "item", "condition", maintain_order=True)
        .agg(blanks.alias("words"), polars.col("region").filter(polars.col("region") != "").n_unique().alias("regions"))
        .group_by("suite", "item", maintain_order=True)
        .agg(polars.col("words").min(), polars.col("words").max().alias("most"), polars.col("regions").min())
    ).collect()
    found: dict[str, tuple[int, list[str], int]] = {}
    for (suite,), items in sentences.group_by("suite", maintain_order=True):
        even = items.filter(polars.col("words") == polars.col("most"))
        named = even.filter(2 * polars.col("regions") >= polars.col("words"), polars.col("words") <= WORDS)
        if named.height:
            words = named["words"].value_counts(sort=True)["words"][0]
            like = named.filter(polars.col("words") == words)["item"].to_list()
            if 2 * len(like) > items.height:
                found[str(suite)] = (words, like, items.height)
    return found


def draw_pronouns(results: "Runs") -> Iterator[Figure]:
    """What a distractor and what ungrammaticality add to the cost of a reflexive."""
    from gardenpath.statistics.stability import pronoun_asymmetry

    table = pronoun_asymmetry(results.scan_tokens())
    for (experiment,), part in table.group_by("experiment", maintain_order=True):
        shown, more = first_of(part, "model")
        yield Figure(
            slug(f"pronouns-{experiment}"),
            f"Surprisal differential at the reflexive: {experiment}",
            "How many bits more the reflexive costs than in the baseline, with a distractor and in ungrammatical "
            f"sentences, {BOOTSTRAP}. Where the generalisation is learnt, the ungrammatical differential is positive "
            "and above that of the distractor.",
            pronoun_figure(shown),
            part,
            more,
        )


def draw_shallow(results: "Runs") -> Iterator[Figure]:
    """Accuracy against length, probability and perplexity of the good sentence."""
    from gardenpath.statistics.shallow import every_feature

    table = every_feature(results.counted(), results.scan_tokens())
    shown, more = first_of(table, "model", 8)
    yield Figure(
        "shallow-predictors",
        "Accuracy by length, probability and perplexity of the good sentence",
        "Minimal pairs in bins of about equal size, with Wilson's 95 % intervals.",
        shallow_figure(shown),
        table,
        f"A point stands at the mean of its bin. {more}".strip(),
    )
