"""The figures that outcomes of items support: accuracy of suites, phenomena, methods."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.accuracy import accuracy_rows, method_figure
from gardenpath.reporting.figures.charts.heat_maps import accuracy_heat_map
from gardenpath.reporting.figures.charts.style import Figure, first_of, sentence_case, slug

if TYPE_CHECKING:
    import polars

ROWS = 160
"""Points with intervals that fit into one figure."""
CELLS = 100
"""Rows of a table that fit into one figure."""
MODELS = 40
WILSON = "With Wilson's 95 % intervals."
TICKS = "Grey ticks: chance."


def draw_accuracy(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy of every suite, collection by collection: with intervals where they fit, and as a table."""
    from gardenpath.statistics.accuracy import accuracy
    from gardenpath.statistics.grouping import first_predictions

    table = accuracy(first_predictions(outcomes))
    for (collection,), part in table.group_by(collection_of().alias("collection"), maintain_order=True):
        name = slug("-".join(filter(None, ("accuracy", str(collection)))))
        title = f"Accuracy on {collection}" if collection else "Accuracy by suite"
        note = " Where a suite has several predictions, its first." if several_predictions(outcomes) else ""
        if part.height <= ROWS:
            yield Figure(name, title, f"{WILSON}{note}", accuracy_rows(part, "suite"), part, TICKS)
        if part["model"].n_unique() > 1 and part["suite"].n_unique() > 1:
            shown, more = first_of(part, "suite", CELLS)
            shown, most = first_of(shown, "model", MODELS)
            chart = accuracy_heat_map(shown, "suite")
            drawn = " ".join(filter(None, ("Accuracy in per cent.", more, most)))
            yield Figure(f"{name}-table", f"{title}, as a table", f"{WILSON}{note}", chart, part, drawn)


def collection_of() -> "polars.Expr":
    """The folder of a suite whose name is a path; nothing for others."""
    import polars

    return polars.col("suite").str.extract(r"^([\w.-]+(?:/[\w.-]+)*)/[\w.-]+$").fill_null("")


def with_groups(outcomes: "polars.DataFrame") -> "polars.DataFrame":
    """The outcomes with `group`: the phenomenon, and the collection where several have the phenomenon."""
    import polars

    named = polars.col("phenomenon").fill_null("").map_elements(sentence_case, return_dtype=polars.String)
    shared = polars.col("collection").n_unique().over("phenomenon") > 1
    told = polars.concat_str(named, polars.lit(" ("), "collection", polars.lit(")"))
    return outcomes.with_columns(collection_of().alias("collection")).with_columns(
        polars.when(shared & (polars.col("collection") != "")).then(told).otherwise(named).alias("group")
    )


def comparable(outcomes: "polars.DataFrame") -> tuple["polars.DataFrame", str]:
    """The outcomes of suites that all models with their group were run on, and what was left out."""
    from gardenpath.statistics.scores import shared_suites

    shared = shared_suites(outcomes, ["group"])
    missing = outcomes["suite"].n_unique() - shared["suite"].n_unique()
    if not missing:
        return shared, ""
    number = "a suite" if missing == 1 else f"{missing} suites"
    return shared, f" Left out: {number} that not all models with the phenomenon were run on."


def several_predictions(outcomes: "polars.DataFrame") -> bool:
    """Whether any suite has more than one prediction."""
    return outcomes.select("suite", "prediction").n_unique() > outcomes["suite"].n_unique()


def draw_phenomena(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy of phenomena, where suites share them."""
    import polars

    from gardenpath.statistics.accuracy import accuracy
    from gardenpath.statistics.grouping import first_predictions

    rows, note = comparable(with_groups(first_predictions(outcomes)).filter(polars.col("group") != ""))
    shared = rows.filter(polars.col("suite").n_unique().over("group") > 1)
    if shared["group"].n_unique() < 2:
        raise InputError("needs at least two phenomena with several suites each that all models were run on")
    table = accuracy(shared, ("model", "group")).rename({"group": "phenomenon"})
    shown, more = first_of(table, "phenomenon", ROWS // max(1, table["model"].n_unique()))
    yield Figure(
        "accuracy-by-phenomenon",
        "Accuracy by phenomenon",
        f"All items of a phenomenon pooled. {WILSON}{note}",
        accuracy_rows(shown, "phenomenon"),
        table,
        f"{TICKS} {more}".strip(),
    )


def draw_methods(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Whole sentences against prefixes."""
    from gardenpath.statistics.stability import method_comparison

    table = method_comparison(outcomes)
    shown, more = first_of(table, "model")
    yield Figure(
        "methods",
        "Accuracy by method",
        "The same suites judged by the probability of whole sentences and by that of a word after its prefix. "
        "With standard deviations over suites, where there are several.",
        method_figure(shown),
        table,
        more,
    )
