"""Our models beside published ones and people, in the wide form of the papers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.tables import abbreviate_suites
from gardenpath.runs.results import Runs
from gardenpath.statistics.grouping import aggregate, drop_left_out
from gardenpath.statistics.published import against_published, count_ties, published_scores
from gardenpath.statistics.scores import score_table
from gardenpath.suites.published import PublishedAccuracy, TieRule, published_accuracies, suite_topics

OURS = "these runs"
HUMANS = "humans"
PEOPLE = "people"
"""How tables name human participants."""


@cache
def published_suite_scores(collection: str) -> polars.DataFrame:
    """The published scores on single suites of a collection, people included."""
    figures = published_accuracies(collection)
    scores = published_scores(figures, suite_topics(figures))
    return scores.with_columns(
        polars.col("model").str.replace(f"^{HUMANS}", PEOPLE),
        polars.col("source").str.replace(r" \([^)]*\)$", ""),  # the name of the authors' file
    )


def tie_rule(figures: Iterable[PublishedAccuracy]) -> TieRule:
    """How published models count ties; people have none. Raise if the models of a table do not count alike."""
    rules = {figure.ties for figure in figures if not figure.model.startswith(HUMANS)}
    if len(rules) != 1:
        raise ValueError(f"the published accuracies of one table count ties in {len(rules)} ways: {sorted(rules)}")
    return rules.pop()


def outcomes_as_published(runs: Runs, collection: str) -> polars.DataFrame:
    """The outcomes of runs, with ties counted as the published accuracies of a collection count them."""
    rule = tie_rule(published_accuracies(collection))
    return count_ties(runs.outcomes().with_columns(polars.lit(rule).alias("tie_rule"))).drop("tie_rule")


def runs_as_published(runs: Runs, collection: str) -> Runs:
    """The runs, with ties counted as in `outcomes_as_published`."""
    return replace(runs, tables=replace(runs.tables, outcomes=outcomes_as_published(runs, collection)))


def scores_as_published(runs: Runs, collection: str) -> polars.DataFrame:
    """The score of every model on every suite, with ties counted as in `outcomes_as_published`."""
    return score_table(outcomes_as_published(runs, collection), first_only=True)


def beside_published(runs: Runs, figures: Sequence[PublishedAccuracy]) -> polars.DataFrame:
    """Our accuracies beside the published ones of a table: a row per suites, level and prediction, a column per model.

    Our ties are counted as the published models count theirs. Columns: suite, key, prediction, tie_rule, n, chance, our
    models, published models with `(published)`, people.
    """
    table = against_published(drop_left_out(runs.outcomes()), figures, ties=tie_rule(figures))
    if not len(table):
        raise InputError(f"needs suites such as {' '.join(figures[0].suites)}")
    keys = ["suite", "key", "prediction", "tie_rule"]
    people = polars.col("reference") == HUMANS
    named = polars.when(people).then(polars.lit(PEOPLE)).otherwise(polars.col("reference") + " (published)")
    ours = widen(table, keys, "model", "accuracy")
    published = widen(table.with_columns(named.alias("reference")), keys, "reference", "published")
    n = aggregate(table, keys, polars.col("n", "chance").first())
    return n.join(ours, on=keys, maintain_order="left").join(published, on=keys, maintain_order="left")


def caveats(
    figures: Iterable[PublishedAccuracy], table: polars.DataFrame, *, describe: Callable[[str], str] = str
) -> str:
    """A sentence with the notes on those published values that a table of `beside_published` shows; empty without any.

    Each note stands once, with the suites and levels that it is about, and the models if it is not about all.
    describe: a level in words.
    """
    models: dict[tuple[str, str], list[str]] = {subject: [] for subject in table.select("suite", "key").iter_rows()}
    notes: dict[str, dict[tuple[str, str], list[str]]] = {}
    for figure in figures:
        subject = (" ".join(figure.suites), figure.key)
        if subject in models:
            models[subject].append(figure.model)
            if figure.note:
                notes.setdefault(figure.note, {}).setdefault(subject, []).append(figure.model)
    listed = []
    for note, about in notes.items():
        named = [
            ", ".join(
                [name_suites(suites), *filter(None, [describe(key)]), *(own if own != models[suites, key] else ())]
            )
            for (suites, key), own in about.items()
        ]
        listed.append(f"{note} ({'; '.join(named)})")
    return f" On published values: {'; '.join(listed)}." if listed else ""


def name_suites(suites: str) -> str:
    """Name suites without their collection: the first, and how many more."""
    return abbreviate_suites(" ".join(suite.rpartition("/")[2] for suite in suites.split(" ")))


def widen(table: polars.DataFrame, keys: Sequence[str], column: str, value: str) -> polars.DataFrame:
    """Turn the names in a column into columns of values, in order of appearance; a row for each combination of keys."""
    names = table[column].unique(maintain_order=True).to_list()
    wide = table.unique([*keys, column], maintain_order=True).pivot(column, index=list(keys), values=value)
    return wide.select(*keys, *names)
