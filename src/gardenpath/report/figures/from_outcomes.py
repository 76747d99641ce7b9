"""The figures that outcomes of items support: accuracy of suites, phenomena, levels, methods."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.report.figures.accuracy import accuracy_rows, level_figure, method_figure
from gardenpath.report.figures.heat_maps import accuracy_heat_map
from gardenpath.report.figures.style import Figure, first_of, sentence_case, slug

if TYPE_CHECKING:
    import polars

ROWS = 160
"""Points with intervals that fit into one figure."""
CELLS = 100
"""Rows of a table that fit into one figure."""
MODELS = 40
LEVELS = 12
"""A factor with more levels than this is a label of items."""
FACTORS = 8
WILSON = "Bars are Wilson's 95 % intervals; grey ticks: chance."


def draw_accuracy(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy of every suite, collection by collection: with intervals where they fit, and as a table."""
    from gardenpath.statistics.grouping import accuracy_table, first_predictions

    table = accuracy_table(first_predictions(outcomes), ("model", "suite", "prediction"))
    for (collection,), part in table.group_by(collection_of().alias("collection"), maintain_order=True):
        name = slug("-".join(filter(None, ("accuracy", str(collection)))))
        title = f"Accuracy on {collection}" if collection else "Accuracy by suite"
        note = " Where a suite has several predictions, its first." if several_predictions(outcomes) else ""
        if part.height <= ROWS:
            yield Figure(name, title, f"{WILSON}{note}", accuracy_rows(part, "suite"), part)
        if part["model"].n_unique() > 1 and part["suite"].n_unique() > 1:
            shown, more = first_of(part, "suite", CELLS)
            shown, most = first_of(shown, "model", MODELS)
            chart = accuracy_heat_map(shown, "suite")
            yield Figure(
                f"{name}-table", f"{title}, as a table", f"Accuracy in per cent.{note}{more}{most}", chart, part
            )


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


def several_predictions(outcomes: "polars.DataFrame") -> bool:
    """Whether any suite has more than one prediction."""
    return outcomes.select("suite", "prediction").n_unique() > outcomes["suite"].n_unique()


def draw_phenomena(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy of phenomena, where suites share them."""
    import polars

    from gardenpath.statistics.grouping import accuracy_table, first_predictions

    rows = with_groups(first_predictions(outcomes)).filter(polars.col("group") != "")
    shared = rows.filter(polars.col("suite").n_unique().over("group") > 1)
    if shared["group"].n_unique() < 2:
        raise InputError("needs at least two phenomena with several suites each")
    table = accuracy_table(shared, ("model", "group")).rename({"group": "phenomenon"})
    caption = f"All items of a phenomenon pooled. {WILSON}"
    shown, more = first_of(table, "phenomenon", ROWS // max(1, table["model"].n_unique()))
    yield Figure(
        "accuracy-by-phenomenon", "Accuracy by phenomenon", caption + more, accuracy_rows(shown, "phenomenon"), table
    )


def draw_levels(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy by level of every factor that varies within a phenomenon."""
    import polars

    from gardenpath.statistics.grouping import accuracy_table, factors, first_predictions

    rows = with_groups(first_predictions(outcomes))
    drawn = 0
    for factor in factors(rows):
        kind, _, name = factor.partition(":")
        if kind != "level" or drawn == FACTORS:
            continue
        table = accuracy_table(rows, ("model", "group", factor)).rename({factor: "level"})
        # Levels that are numbers go in their order.
        groups = table["group"].unique(maintain_order=True)
        rank = polars.col("group").replace_strict(groups, range(len(groups)))
        number = polars.col("level").cast(polars.Float64, strict=False)
        table = table.sort(rank, number, nulls_last=True, maintain_order=True)
        varied = table.filter(polars.col("level").n_unique().over("group").is_between(2, LEVELS))
        if not varied.height:
            continue
        drawn += 1
        shown, more = first_of(varied, "group")
        yield Figure(
            slug(f"accuracy-by-{name}"),
            f"Accuracy by {name.replace('_', ' ')}",
            f"{WILSON}{more}",
            level_figure(shown, factor=name),
            varied,
        )
    if not drawn:
        raise InputError("no factor of the items has several levels within a phenomenon")


def draw_methods(outcomes: "polars.DataFrame") -> Iterator[Figure]:
    """Whole sentences against prefixes."""
    from gardenpath.statistics.stability import method_comparison

    table = method_comparison(outcomes)
    shown, more = first_of(table, "model")
    yield Figure(
        "methods",
        "Accuracy by method",
        "The same suites judged by the probability of whole sentences and by that of a word after its prefix. "
        f"Bars are standard deviations over suites, where there are several.{more}",
        method_figure(shown),
        table,
    )
