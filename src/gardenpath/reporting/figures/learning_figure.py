"""The figure of learning curves: accuracy against training size."""

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
from gardenpath.statistics.learning_curves import learning_curve
from gardenpath.statistics.scores import ALL_GROUPS, mean_chance, rows_with, shared_suites
from gardenpath.statistics.training_series import models_without_curve, with_series

JOINED = (
    "A line joins models of one architecture, corpus, shape and budget, or of one series of trainings, that differ in "
    "the size of the training text."
)


def learning_figure(scores: polars.DataFrame, models: polars.DataFrame, look: Look) -> Iterator[Figure]:
    """Accuracy against training size, a line for each series of trainings."""
    # Each suite of Hu et al. has its own phenomenon; its circuit is what it shares with others.
    by_circuit = scores["phenomenon"].n_unique() > MAX_PANELS and (scores["circuit"].fill_null("") != "").all()
    grouped = scores.with_columns(phenomenon="circuit") if by_circuit else scores
    rows = rows_with(with_series(grouped, models), "words")
    growing = rows.filter(polars.col("words").n_unique().over("series") > 1)
    if not growing.height:
        raise InputError("needs models trained alike on corpora of at least two sizes")
    shared = shared_suites(growing)  # all curves are in the same panels
    table = with_chance_of_groups(learning_curve(shared), shared)
    panels, more = keep_first(table.filter(polars.col("phenomenon") != ALL_GROUPS), "phenomenon")
    shown = polars.concat([panels, table.filter(polars.col("phenomenon") == ALL_GROUPS)])
    bars = " Bars: standard deviations over models of one size." if table["sd"].count() else ""
    left_out = "".join(
        models_note(f"Left out ({reason})", look.sorted_names(names))
        for reason, names in models_without_curve(with_series(scores, models)).items()
    )
    caption = (
        f"Mean accuracy over the suites of a {'circuit' if by_circuit else 'phenomenon'}. {JOINED}{bars}"
        f"{exclusion_note(growing, shared)}{left_out}"
    )
    cut = CUT if any_beyond(shown, "mean", "sd") else ""
    dashed = "Grey dashed line: chance." if shown["chance"].count() else ""
    note = " ".join(filter(None, (cut, dashed, more)))
    yield Figure("learning-curves", "Accuracy by training size", caption, learning_chart(shown, look), table, note)


def with_chance_of_groups(table: polars.DataFrame, scores: polars.DataFrame) -> polars.DataFrame:
    """Add the mean chance of the suites of each phenomenon, and of all phenomena; null where it is not known."""
    name = polars.when(polars.col("phenomenon").fill_null("") != "").then("phenomenon").otherwise("suite")
    chances = mean_chance(scores.with_columns(name.alias("phenomenon")), ["phenomenon"])
    # Each phenomenon has the same weight in the mean over all, as in the curve.
    overall = mean_chance(chances.with_columns(suite="phenomenon")).with_columns(phenomenon=polars.lit(ALL_GROUPS))
    both = polars.concat([chances.filter(polars.col("phenomenon") != ALL_GROUPS), overall], how="diagonal")
    return table.join(both, on="phenomenon", how="left", maintain_order="left")
