"""The figures of learning curves: accuracy against training size, or over one training."""

from collections.abc import Iterator

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.curves import learning_chart
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.figure import (
    CUT,
    MAX_PANELS,
    Figure,
    any_beyond,
    exclusion_note,
    keep_first,
    models_note,
)
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import first_predictions, join_groups
from gardenpath.statistics.learning_curves import learning_curve
from gardenpath.statistics.proportions import ROUNDING
from gardenpath.statistics.scores import ALL_GROUPS, NO_SHARED_SUITE, mean_chance, rows_with, shared_suites
from gardenpath.statistics.training_series import models_without_curve, with_series

JOINED = (
    "A line joins models of one architecture, corpus, shape and budget, or of one series of trainings, that differ in "
    "the size of the training text."
)
CHECKPOINTS = "A line joins checkpoints of one training."
PLURAL = {"phenomenon": "phenomena", "circuit": "circuits"}
TITLES = {
    "words": "Accuracy by training size", "words_read": "Accuracy by words read in training",
    "tokens_read": "Accuracy by tokens read in training", "step": "Accuracy by step of training",
}  # fmt: skip
"""By what orders the points of a curve."""


def learning_figure(
    scores: polars.DataFrame, models: polars.DataFrame, look: Look, *, outcomes: polars.DataFrame | None = None
) -> Iterator[Figure]:
    """Accuracy against training size, a line for each series; one figure for each unit of sizes.

    outcomes: those of which the scores are the accuracies, for intervals over items.
    """
    # Each suite of Hu et al. has its own phenomenon; its circuit is what it shares with others.
    by_circuit = scores["phenomenon"].n_unique() > MAX_PANELS and (scores["circuit"].fill_null("") != "").all()
    grouped = with_series(scores.with_columns(phenomenon="circuit") if by_circuit else scores, models)
    rows = rows_with(grouped, "size")
    growing = rows.filter(polars.col("size").n_unique().over("series") > 1)
    if not growing.height:
        raise InputError("needs models trained alike on corpora of at least two sizes, or checkpoints of one training")
    left_out = "".join(
        models_note(f"Left out ({reason})", look.sorted_names(names))
        for reason, names in models_without_curve(grouped).items()
    )
    group = "circuit" if by_circuit else "phenomenon"
    for unit in (name for name in TITLES if name in growing["unit"]):
        part = growing.filter(polars.col("unit") == unit).with_columns(polars.col("size").alias(unit))
        yield curves_figure(part, unit, look, group=group, left_out=left_out, outcomes=outcomes)


def curves_figure(
    growing: polars.DataFrame, unit: str, look: Look, *, group: str, left_out: str, outcomes: polars.DataFrame | None
) -> Figure:
    """The curves whose sizes have one unit."""
    shared = shared_suites(growing)  # all curves are in the same panels
    if not shared.height:
        raise InputError(NO_SHARED_SUITE)
    curve = with_item_intervals(learning_curve(shared, size=unit), shared, outcomes)
    table = with_chance_of_groups(curve, shared)
    panels, more = keep_first(table.filter(polars.col("phenomenon") != ALL_GROUPS), "phenomenon")
    shown = polars.concat([panels, table.filter(polars.col("phenomenon") == ALL_GROUPS)])
    groups = PLURAL[group]
    joined = JOINED if unit == "words" else CHECKPOINTS
    caption = (
        f"Mean accuracy over the suites of a {group}.{weights_note(shown, groups)} {joined}{name_single(table)}"
        f"{bars_note(table)}"
        f"{exclusion_note(growing, shared)}{left_out}"
    )
    cut = CUT if any_beyond(shown, "mean", "sd") else ""
    dashed = "Grey dashed line: chance." if shown["chance"].count() else ""
    note = " ".join(filter(None, (cut, dashed, more)))
    name = "learning-curves" if unit == "words" else f"learning-curves-{unit.replace('_', '-')}"
    return Figure(name, TITLES[unit], caption, learning_chart(shown, look, unit, groups=groups), table, note)


def name_single(table: polars.DataFrame) -> str:
    """Name the series where there is only one, which has no legend."""
    names = table["series"].unique().to_list()
    return f" Training: {names[0]}." if len(names) == 1 and names[0] else ""


def with_item_intervals(
    table: polars.DataFrame, scores: polars.DataFrame, outcomes: polars.DataFrame | None
) -> polars.DataFrame:
    """Add low and high: 95 % intervals over items of points with one model.

    The accuracy of the pooled items must be the mean over suites: suites of different sizes have no interval here, nor
    has the mean of groups of different sizes.
    """
    none = polars.lit(None, polars.Float64)
    if outcomes is None:
        return table.with_columns(none.alias("low"), none.alias("high"))
    keys = ["series", "phenomenon", table.columns[2]]
    name = polars.when(polars.col("phenomenon").fill_null("") != "").then("phenomenon").otherwise("suite")
    own = scores.select("model", "suite", "series", keys[2], name.alias("phenomenon"))
    both = polars.concat([own, own.with_columns(phenomenon=polars.lit(ALL_GROUPS))])
    rows = first_predictions(outcomes).drop(keys, strict=False).join(both, on=["model", "suite"], maintain_order="left")
    pooled = accuracy(rows, keys).select(*keys, "accuracy", "low", "high")
    drawn = (polars.col("n") == 1) & ((polars.col("accuracy") - polars.col("mean")).abs() < ROUNDING)
    found = join_groups(table, pooled, keys)
    return found.with_columns(polars.when(drawn).then(e).alias(e) for e in ("low", "high")).drop("accuracy")


def bars_note(table: polars.DataFrame) -> str:
    """A sentence on what the bars of a table of curves are, and which points have none."""
    single = table.filter(polars.col("n") == 1)
    intervals = single["low"].count()
    kinds = [
        *["standard deviations over models of one size"] * bool(table["sd"].count()),
        *["95 % intervals over items, of single models"] * bool(intervals),
    ]
    without = " None for single models where the mean is not that of all items." if intervals < single.height else ""
    return f" Bars: {'; '.join(kinds)}.{without}" if kinds else " No bars: each point is a single model."


def weights_note(table: polars.DataFrame, groups: str = PLURAL["phenomenon"]) -> str:
    """A sentence on the mean of groups in a table of curves or slopes, which is not the mean over suites."""
    if ALL_GROUPS not in table["phenomenon"]:
        return ""
    return f" Mean of {groups} (`{ALL_GROUPS}`): each counts once, whatever its number of suites."


def with_chance_of_groups(table: polars.DataFrame, scores: polars.DataFrame) -> polars.DataFrame:
    """Add the mean chance of the suites of each phenomenon, and of all phenomena; null where it is not known."""
    name = polars.when(polars.col("phenomenon").fill_null("") != "").then("phenomenon").otherwise("suite")
    chances = mean_chance(scores.with_columns(name.alias("phenomenon")), ["phenomenon"])
    # Each phenomenon has the same weight in the mean over all, as in the curve.
    overall = mean_chance(chances.with_columns(suite="phenomenon")).with_columns(phenomenon=polars.lit(ALL_GROUPS))
    both = polars.concat([chances.filter(polars.col("phenomenon") != ALL_GROUPS), overall], how="diagonal")
    return table.join(both, on="phenomenon", how="left", maintain_order="left")
