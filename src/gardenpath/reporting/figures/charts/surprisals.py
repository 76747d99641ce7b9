"""What sentences cost on the way: word by word, and region by region in every condition."""

import json
from typing import TYPE_CHECKING, Any

from gardenpath.reporting.figures.charts.lines import line_layers, line_panels
from gardenpath.reporting.figures.charts.style import shortened, styled

if TYPE_CHECKING:
    import polars

SURPRISAL = "Surprisal (bits)"
LOG_PROBABILITY = "Log probability (bits)"


def region_figure(table: "polars.DataFrame") -> Any:
    """The mean surprisal of every region in every condition with its interval, a panel for each model.

    Columns: model, condition, place, region, bits, low, high.
    """
    import polars

    drawn = table.rename({"region": "word", "place": "position"})
    ordered = shortened(drawn).with_columns(polars.col("position").cast(polars.Int64))
    return trace_panels(ordered, "bits", ("Region", SURPRISAL))


def trace_figure(table: "polars.DataFrame") -> Any:
    """The log probability of every word in every condition, a panel for each model (Marvin & Linzen, figures A.1-3).

    Columns: model, condition, position, word, log_probability; low and high (of bits) where it is a mean.
    """
    import polars

    if "low" in table.columns:
        table = table.with_columns((-polars.col("high")).alias("low"), (-polars.col("low")).alias("high"))
    return trace_panels(shortened(table), "log_probability", ("Word", LOG_PROBABILITY))


def trace_panels(table: "polars.DataFrame", value: str, titles: tuple[str, str]) -> Any:
    """A line for each condition over positions that bear words; the titles are those of both axes."""
    import altair

    labels = words_at(table)
    x = altair.X(
        "position:O", title=titles[0],
        axis=altair.Axis(labelExpr=f"{json.dumps(labels)}[datum.value]", labelAngle=-40, labelLimit=140),
    )  # fmt: skip
    y = altair.Y(f"{value}:Q", title=titles[1], scale=altair.Scale(zero=value == "bits"))
    layers = line_layers(table, series="condition", title="Condition", x=x, y=y)
    width = min(520, max(180, 44 * len(labels)))
    return styled(line_panels(layers, table, panels="model", columns=1 if width > 300 else 2, size=(width, 200)))


def words_at(table: "polars.DataFrame") -> dict[str, str]:
    """The words at every position; those of different conditions with a stroke between them."""
    import polars

    words = table.group_by("position", maintain_order=True).agg(polars.col("word").unique(maintain_order=True))
    return {str(position): joined(found) for position, found in words.sort("position").iter_rows()}


def joined(words: list[str]) -> str:
    """Some words as one label."""
    return " / ".join(words[:3]) + (" / …" if len(words) > 3 else "")
