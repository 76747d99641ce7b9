"""Charts of surprisal: by region and by word, a line for each condition, and at reflexives."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels
from gardenpath.reporting.figures.charts.labels import expression_table
from gardenpath.reporting.figures.charts.lines import line_layers, line_panels
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import with_style

CONTRAST_LABELS = {"distractor": "Distractor − Baseline", "ungrammatical": "Ungrammatical − Baseline"}
MAX_LABEL_WORDS = 3
"""Words in the label of a position."""


def region_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw the mean surprisal of every region in every condition with its interval, a panel for each model.

    Columns: model, condition, place, region, bits, low, high.
    """
    table = table.rename({"region": "word", "place": "position"})
    return trace_panels(look.shorten(table), "bits", ("Region", "Surprisal (bits)"))


def word_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw the log probability of every word in every condition, a panel for each model (Marvin & Linzen, A.1-3).

    Columns: model, condition, position, word, log_probability, low, high (both of bits).
    """
    table = table.with_columns((-polars.col("high")).alias("low"), (-polars.col("low")).alias("high"))
    return trace_panels(look.shorten(table), "log_probability", ("Word", "Log probability (bits)"))


def trace_panels(table: polars.DataFrame, value: str, titles: tuple[str, str]) -> Any:
    """Draw a line for each condition over positions labelled by their words; the titles are those of both axes."""
    labels = position_labels(table)
    axis = altair.Axis(labelExpr=f"{expression_table(labels)}[datum.value]", labelAngle=-40, labelLimit=140)
    x = altair.X("position:O", title=titles[0], axis=axis)
    y = altair.Y(f"{value}:Q", title=titles[1], scale=altair.Scale(zero=value == "bits"))
    layers = line_layers(table, series="condition", title="Condition", x=x, y=y)
    width = min(520, max(180, 44 * len(labels)))
    return with_style(line_panels(layers, table, panels="model", columns=1 if width > 300 else 2, size=(width, 200)))


def position_labels(table: polars.DataFrame) -> dict[str, str]:
    """The words at every position, separated by slashes where conditions differ."""
    words = table.group_by("position", maintain_order=True).agg(polars.col("word").unique(maintain_order=True))
    return {
        str(position): " / ".join([*found[:MAX_LABEL_WORDS], *(["…"] if len(found) > MAX_LABEL_WORDS else [])])
        for position, found in words.sort("position").iter_rows()
    }


def reflexive_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw how much higher the surprisal of a reflexive is than in the baseline (Hu, Chen & Levy 2020, figure 2).

    Columns: model (a panel each), pronoun, contrast, bits, low, high.
    """
    table = look.shorten(table).with_columns(polars.col("contrast").replace(CONTRAST_LABELS))
    title = "Surprisal differential at the reflexive (bits)"
    plot = DotPlot("pronoun", "bits", title, series="contrast", series_title="Contrast", zero=True)
    return with_style(draw_dot_panels(table, plot, panels="model"))
