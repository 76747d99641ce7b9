"""Charts of surprisal: by region and by word, a line for each condition, and at reflexives."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style
from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels
from gardenpath.reporting.figures.charts.labels import LINE, distinct_labels, expression_table, label_expression
from gardenpath.reporting.figures.charts.lines import line_panels
from gardenpath.reporting.figures.charts.look import Look, plain_mark
from gardenpath.reporting.figures.charts.style import names_in_order, with_style
from gardenpath.statistics.contrasts import crossed_levels

CONTRAST_LABELS = {"distractor": "Distractor − Baseline", "ungrammatical": "Ungrammatical − Baseline"}
CRITICAL = "#F3EBD3"
"""The band behind critical regions."""
CONTRAST_RANKS = (6, 5, 4, 3, 2, 1, 0)
"""Ranks of the marks of differences: other colours than those of the first conditions."""
LABEL_CHARACTERS = 24
APART = 0.11
"""Distance between the marks of two lines at one position, as a share of the distance between positions."""
CHARACTER = 5.6
"""Pixels that a character of a legend takes."""
SPREAD = 0.5
"""The most that all marks of a position may spread."""


def region_chart(means: polars.DataFrame, differences: polars.DataFrame, look: Look) -> Any:
    """Draw the mean surprisal of every region in every condition, and beside it the differences between conditions.

    A row for each model. Columns: those of `Profiles`.
    """
    drawn = means.rename({"low_adjusted": "from", "high_adjusted": "to", "bits": "value"})
    return profile_chart(drawn, differences, look, titles=("Region", "Surprisal (bits)"))


def word_chart(means: polars.DataFrame, differences: polars.DataFrame, look: Look) -> Any:
    """Draw the log probability of every word in every condition, and differences (Marvin & Linzen 2018, A.1-3).

    A row for each model. Columns: those of `Profiles`.
    """
    drawn = means.with_columns(
        (-polars.col("bits")).alias("value"), (-polars.col("high_adjusted")).alias("from"),
        (-polars.col("low_adjusted")).alias("to"),
    )  # fmt: skip
    return profile_chart(drawn, differences, look, titles=("Word", "Log probability (bits)"))


def profile_chart(
    means: polars.DataFrame, differences: polars.DataFrame, look: Look, *, titles: tuple[str, str]
) -> Any:
    """Draw conditions on the left and their differences on the right, a row for each model."""
    means, differences = look.shorten(means), look.shorten(differences)
    left = condition_panels(means, titles)
    if not differences.height:
        return with_style(left)
    right = difference_panels(differences, titles[0], sentence=positions(means))
    own = dict.fromkeys(("color", "shape", "strokeDash"), "independent")
    return with_style(altair.hconcat(left, right, spacing=40, resolve={"scale": own}))


def condition_panels(means: polars.DataFrame, titles: tuple[str, str]) -> Any:
    """Draw a line for each condition; in a 2 × 2 design one factor is the colour and the other the line."""
    conditions = names_in_order(means, "condition")
    levels = crossed_levels(conditions) or {name: (name, name) for name in conditions}
    colour, pattern = ("condition", "condition")
    if crossed_levels(conditions):
        colour, pattern = ("first", "second")
        means = means.with_columns(
            polars.col("condition").replace_strict({one: level[rank] for one, level in levels.items()}).alias(name)
            for rank, name in enumerate((colour, pattern))
        )
    table = dodged(with_gaps(means, positions(means), "condition", colour, pattern), "condition")
    look, both = Look(), colour == pattern
    y = altair.Y("value:Q", title=titles[1], scale={"zero": titles[0] == "Region"})
    base = altair.Chart().encode(x=position_axis(table, titles[0]), detail="condition:N")
    first, second = names_in_order(table, colour), names_in_order(table, pattern)
    legend = {"title": "Condition", "legend": LEGEND if len(first) > 1 else None}
    base = base.encode(color=look.colour_by(colour, first, **legend))
    lines = legend if both else {"title": None, "legend": LINES}
    shapes = legend if both else {"legend": None}
    line = base.mark_line(strokeWidth=1.5).encode(y=y, strokeDash=look.dash_by(pattern, second, **lines))
    point = base.mark_point(filled=True, size=36, opacity=1).encode(y=y, shape=look.shape_by(pattern, second, **shapes))
    interval = base.mark_rule(strokeWidth=1).encode(y=altair.Y("from:Q"), y2="to:Q")
    return rows_of_models([interval, line, point], table)


def difference_panels(differences: polars.DataFrame, title: str, *, sentence: polars.DataFrame) -> Any:
    """Draw a line for each contrast, with paired t intervals as bars and bootstrap intervals as ticks.

    sentence: the positions of the sentence; what is compared together is no continuation of it.
    """
    names = names_in_order(differences, "contrast")
    look = Look(marks={name: plain_mark(CONTRAST_RANKS[rank % len(CONTRAST_RANKS)]) for rank, name in enumerate(names)})
    table = with_gaps(differences, positions(polars.concat([sentence, positions(differences)])), "contrast")
    table = dodged(table, "contrast").with_columns(
        (polars.col("position") > sentence["position"].max()).alias("together")
    )
    lines = label_expression(names, int(width_of(table) / CHARACTER))
    options: dict[str, Any] = {"title": "Difference", "legend": LEGEND | lines}
    y = altair.Y("bits:Q", title="Difference in surprisal (bits)", scale={"zero": True})
    base = altair.Chart().encode(x=position_axis(table, title), color=look.colour_by("contrast", names, **options))
    line = base.mark_line(strokeWidth=1.5).encode(
        y=y, strokeDash=look.dash_by("contrast", names, **options), detail="together:N"
    )
    point = base.mark_point(filled=True, size=36, opacity=1).encode(
        y=y, shape=look.shape_by("contrast", names, **options)
    )
    interval = base.mark_rule(strokeWidth=1).encode(y=altair.Y("low:Q"), y2="high:Q")
    ticks = [
        base.mark_tick(orient="horizontal", size=7, thickness=1.2).encode(y=altair.Y(f"{column}:Q"))
        for column in ("bootstrap_low", "bootstrap_high")
    ]
    zero = altair.Chart().mark_rule(color=style.ZERO, strokeWidth=0.7).encode(y=altair.Y(datum=0))
    return rows_of_models([zero, interval, *ticks, line, point], table)


LEGEND: dict[str, Any] = {"orient": "bottom", "columns": 1}
LINES = LEGEND | {"symbolType": "stroke", "symbolStrokeWidth": 1.5, "symbolSize": 150}
"""A legend of line patterns."""


def rows_of_models(layers: list[Any], table: polars.DataFrame) -> Any:
    """Draw the layers over bands at critical regions, once for each model, one below the other."""
    band = altair.Chart().mark_rule(color=CRITICAL, strokeWidth=22).encode(x=altair.X("index:Q"))
    critical = band.transform_filter("datum.critical")
    return line_panels([critical, *layers], table, panels="model", columns=1, size=(width_of(table), 170))


def width_of(table: polars.DataFrame) -> int:
    """The width of a panel in pixels, by its number of positions."""
    return min(460, max(150, 38 * table["position"].n_unique()))


def position_axis(table: polars.DataFrame, title: str) -> altair.X:
    """The axis of positions, labelled by their regions or words."""
    names = positions(table)["region"].to_list()
    labels = distinct_labels(list(dict.fromkeys(names)), LABEL_CHARACTERS)
    texts = {str(index): labels[name].split(LINE) for index, name in enumerate(names)}
    axis = {
        "labelExpr": f"{expression_table(texts)}[datum.value]", "labelAngle": -40, "labelAlign": "right",
        "labelOverlap": False,
        "values": list(range(len(names))),
    }  # fmt: skip
    scale = {"domain": [-0.5, len(names) - 0.5], "nice": False, "zero": False}
    return altair.X("at:Q", title=title, axis=axis, scale=scale)


def dodged(table: polars.DataFrame, series: str) -> polars.DataFrame:
    """Add where marks are drawn: the `index` of their position, and `at` beside it, so that no line hides another."""
    names = names_in_order(table, series)
    step = min(APART, SPREAD / len(names))
    indices = {position: index for index, position in enumerate(positions(table)["position"])}
    shifts = {name: step * (rank - (len(names) - 1) / 2) for rank, name in enumerate(names)}
    table = table.with_columns(polars.col("position").replace_strict(indices).alias("index"))
    return table.with_columns((polars.col("index") + polars.col(series).replace_strict(shifts)).alias("at"))


def positions(table: polars.DataFrame) -> polars.DataFrame:
    """The positions of a table in order, each with its label and whether it is critical."""
    return table.select("position", "region", "critical").unique("position", maintain_order=True).sort("position")


def with_gaps(table: polars.DataFrame, all_positions: polars.DataFrame, series: str, *more: str) -> polars.DataFrame:
    """Add a row without a value where a series lacks a position, so that no line is drawn across it."""
    own = ["model", series, *(name for name in dict.fromkeys(more) if name != series)]
    grid = table.select(own).unique(maintain_order=True).join(all_positions, how="cross", maintain_order="left")
    rows = table.drop("region", "critical")
    return grid.join(rows, on=[*own, "position"], how="left", maintain_order="left")


def reflexive_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw how much higher the surprisal of a reflexive is than in the baseline (Hu, Chen & Levy 2020, figure 2).

    Columns: model (a panel each), pronoun, contrast, bits, low, high.
    """
    table = look.shorten(table).with_columns(polars.col("contrast").replace(CONTRAST_LABELS))
    title = "Surprisal differential at the reflexive (bits)"
    plot = DotPlot("pronoun", "bits", title, series="contrast", series_title="Contrast", zero=True)
    return with_style(draw_dot_panels(table, plot, panels="model"))
