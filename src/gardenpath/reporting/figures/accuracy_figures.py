"""Figures of accuracy: by suite, by phenomenon, by level of factors, by method."""

from collections.abc import Iterator, Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.accuracy import accuracy_rows_chart, level_chart, method_chart
from gardenpath.reporting.figures.charts.dots import single_chance
from gardenpath.reporting.figures.charts.heat_maps import accuracy_heat_map
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import names_in_order
from gardenpath.reporting.figures.figure import (
    CUT,
    Figure,
    any_beyond,
    chance_note,
    exclusion_note,
    file_name,
    keep_first,
)
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.factors import accuracy_by_factors
from gardenpath.statistics.grouping import first_predictions, with_factors
from gardenpath.statistics.robustness import PREFIX_METHODS, method_comparison
from gardenpath.statistics.scores import shared_suites
from gardenpath.suites.formats.whole_sentence import FULL_SENTENCE
from gardenpath.suites.phenomena import phenomenon_name

MAX_POINTS = 160
"""Points with intervals that fit into one chart."""
MAX_HEAT_MAP_ROWS, MAX_HEAT_MAP_MODELS = 100, 40
"""Rows and columns of a heat map that fit into one chart."""
MAX_FACTORS = 12
"""Factors that get a figure."""


FIRST_SHOWN = "Of suites with several predictions, the first is shown."


def suite_figures(outcomes: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """Accuracy by suite for each collection: with intervals where they fit, and as a heat map."""
    table = accuracy(first_predictions(outcomes))
    note = FIRST_SHOWN if several_predictions(outcomes) else ""
    for (collection,), part in table.group_by(collection_of_suite().alias("collection"), maintain_order=True):
        name = file_name("-".join(filter(None, ("accuracy", str(collection)))))
        title = f"Accuracy on {collection}" if collection else "Accuracy by suite"
        intervals = interval_methods(part)
        if part.height <= MAX_POINTS:
            chart = accuracy_rows_chart(part, "suite", look)
            yield Figure(name, title, f"{intervals} {note}".strip(), chart, part, chance_note(part))
        if part["model"].n_unique() > 1 and part["suite"].n_unique() > 1:
            shown, more_suites = keep_first(part, "suite", MAX_HEAT_MAP_ROWS)
            shown, more_models = keep_first(shown, "model", MAX_HEAT_MAP_MODELS)
            notes = ("Accuracy in per cent.", heat_map_chance(shown), more_suites, more_models)
            chart = accuracy_heat_map(shown, "suite", look)
            as_table = f"{title}, as a table"
            yield Figure(f"{name}-table", as_table, note, chart, part, " ".join(filter(None, notes)), intervals)


def several_predictions(outcomes: polars.DataFrame) -> bool:
    """Whether some suite has several predictions."""
    return outcomes.select("suite", "prediction").n_unique() > outcomes["suite"].n_unique()


def interval_methods(table: polars.DataFrame) -> str:
    """A sentence on the kind of intervals in a table of accuracies."""
    shared = (table["effective_n"] < table["n"]).any()
    return f"With 95 % intervals over items{' and the words they share' if shared else ''}."


def heat_map_chance(table: polars.DataFrame) -> str:
    """How a heat map shows chance."""
    chance = single_chance(table)
    if chance is not None:
        return f"Chance: {100 * chance:.1f} %."
    return "Last column: chance." if table["chance"].count() else ""


def collection_of_suite() -> polars.Expr:
    """The folder of a suite whose name is a path; empty for others."""
    return polars.col("suite").str.extract(r"^([\w.-]+(?:/[\w.-]+)*)/[\w.-]+$").fill_null("")


def with_groups(outcomes: polars.DataFrame) -> polars.DataFrame:
    """Add the column `group`: the phenomenon, with the collection where several collections have the phenomenon."""
    phenomenon = polars.col("phenomenon").fill_null("").map_elements(phenomenon_name, return_dtype=polars.String)
    shared = polars.col("collection").n_unique().over("phenomenon") > 1
    both = polars.concat_str(phenomenon, polars.lit(" ("), "collection", polars.lit(")"))
    return outcomes.with_columns(collection_of_suite().alias("collection")).with_columns(
        polars.when(shared & (polars.col("collection") != "")).then(both).otherwise(phenomenon).alias("group")
    )


def shared_in_groups(outcomes: polars.DataFrame) -> tuple[polars.DataFrame, str]:
    """The outcomes of suites on which all models of their group were run, and a note on those excluded."""
    shared = shared_suites(outcomes, ["group"])
    return shared, exclusion_note(outcomes, shared, models="models evaluated on the phenomenon")


def phenomenon_figure(outcomes: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """Accuracy by phenomenon, where suites share phenomena."""
    rows, note = shared_in_groups(with_groups(first_predictions(outcomes)).filter(polars.col("group") != ""))
    shared = rows.filter(polars.col("suite").n_unique().over("group") > 1)
    if shared["group"].n_unique() < 2:
        raise InputError("needs at least two phenomena with several suites each on which all models were run")
    table = accuracy(shared, ("model", "group")).rename({"group": "phenomenon"})
    shown, more = keep_first(table, "phenomenon", MAX_POINTS // max(1, table["model"].n_unique()))
    alone = rows.filter(~polars.col("group").is_in(shared["group"].unique().to_list()))["group"].n_unique()
    excluded = f" Not shown: {count_phenomena(alone)} with one suite." if alone else ""
    caption = f"Items pooled by phenomenon. {interval_methods(table)}{note}{excluded}"
    chart, chart_note = accuracy_rows_chart(shown, "phenomenon", look), f"{chance_note(shown)} {more}".strip()
    yield Figure("accuracy-by-phenomenon", "Accuracy by phenomenon", caption, chart, table, chart_note)


def count_phenomena(number: int) -> str:
    """A number of phenomena in words."""
    return "1 phenomenon" if number == 1 else f"{number} phenomena"


def factor_figures(outcomes: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """Accuracy by level of every factor that varies within a phenomenon, and of every two that are crossed."""
    rows, excluded = shared_in_groups(with_groups(first_predictions(outcomes)))
    tables = accuracy_by_factors(rows)
    if not tables:
        raise InputError("no factor of the items has several levels within a phenomenon")
    more = f" Figures are drawn for the first {MAX_FACTORS} of {len(tables)}." if len(tables) > MAX_FACTORS else ""
    for factors, unsorted in list(tables.items())[:MAX_FACTORS]:
        table = look.in_order(unsorted)
        shown, more_groups = keep_first(table, "group")
        groups = names_in_order(table, "group")
        where = f" {groups[0]}." if len(groups) == 1 and groups[0] else ""
        title = " and ".join(factor.replace("_", " ") for factor in factors)
        name, note = file_name(f"accuracy-by-{'-and-'.join(factors)}"), f"{chance_note(shown)} {more_groups}{more}"
        chart, caption = (
            level_chart(shown, look, factor=title),
            f"{interval_methods(table)}{where}{describe_suites(outcomes, rows, factors)}{excluded}",
        )
        yield Figure(name, f"Accuracy by {title}", caption, chart, table, note.strip())


def describe_suites(outcomes: polars.DataFrame, rows: polars.DataFrame, names: Sequence[str]) -> str:
    """Sentences on which suites have factors, unless all do, and on their predictions if they have several.

    rows: the outcomes that are shown.
    """
    columns = [f"level:{name}" for name in names]
    suites = with_factors(rows, columns).drop_nulls(columns)["suite"].unique().to_list()
    which = f"the suite {suites[0]} has" if len(suites) == 1 else f"{len(suites)} of the suites have"
    only = f" Only {which} {'these factors' if len(names) > 1 else 'this factor'}."
    first = several_predictions(outcomes.filter(polars.col("suite").is_in(suites)))
    return only * (len(suites) < rows["suite"].n_unique()) + f" {FIRST_SHOWN}" * first


def method_figure(outcomes: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """Accuracy by whole sentences beside accuracy by prefixes."""
    table = method_comparison(outcomes)
    chance = outcomes.filter(polars.col("prediction").is_in([FULL_SENTENCE, *PREFIX_METHODS]))["chance"].unique()
    table = table.with_columns(polars.lit(chance[0] if len(chance) == 1 else None, polars.Float64).alias("chance"))
    shown, more = keep_first(table, "model")
    spread = polars.max_horizontal("full_sd", "prefix_sd").is_not_null()
    bars = " Bars: standard deviations over suites." if table.filter(spread).height else ""
    beyond = any_beyond(table, "full", "full_sd") or any_beyond(table, "prefix", "prefix_sd")
    caption = (
        f"The same suites evaluated by the probability of whole sentences and by that of a word after its prefix.{bars}"
    )
    note = " ".join(filter(None, (CUT if beyond else "", chance_note(shown), more)))
    yield Figure("methods", "Accuracy by method", caption, method_chart(shown, look), table, note)
