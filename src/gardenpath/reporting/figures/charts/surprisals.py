"""Charts of surprisal along sentences: by region and by word, a line for each condition."""

import json
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.lines import line_layers, line_panels
from gardenpath.reporting.figures.charts.style import shorten_names, with_style

SURPRISAL = "Surprisal (bits)"
LOG_PROBABILITY = "Log probability (bits)"
MAX_LABEL_WORDS = 3
"""Words in the label of a position."""


def region_chart(table: polars.DataFrame) -> Any:
    """Draw the mean surprisal of every region in every condition with its interval, a panel for each model.

    Columns: model, condition, place, region, bits, low, high.
    """
    ordered = shorten_names(table.rename({"region": "word", "place": "position"}))
    return trace_panels(ordered.with_columns(polars.col("position").cast(polars.Int64)), "bits", ("Region", SURPRISAL))


def word_chart(table: polars.DataFrame) -> Any:
    """Draw the log probability of every word in every condition, a panel for each model (Marvin & Linzen, A.1-3).

    Columns: model, condition, position, word, log_probability; low and high (of bits) where it is a mean.
    """
    if "low" in table.columns:
        table = table.with_columns((-polars.col("high")).alias("low"), (-polars.col("low")).alias("high"))
    return trace_panels(shorten_names(table), "log_probability", ("Word", LOG_PROBABILITY))


def trace_panels(table: polars.DataFrame, value: str, titles: tuple[str, str]) -> Any:
    """Draw a line for each condition over positions labelled by their words; the titles are those of both axes."""
    labels = position_labels(table)
    x = altair.X(
        "position:O", title=titles[0],
        axis=altair.Axis(labelExpr=f"{json.dumps(labels)}[datum.value]", labelAngle=-40, labelLimit=140),
    )  # fmt: skip
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
