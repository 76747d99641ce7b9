"""Charts of accuracy as a function of training size or of surface predictors."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style
from gardenpath.reporting.figures.charts.dots import single_chance
from gardenpath.reporting.figures.charts.lines import line_layers, line_panels
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import with_style
from gardenpath.statistics.scores import ALL_GROUPS
from gardenpath.suites.phenomena import phenomenon_name

TRAINING_WORDS = "Training words"
SIZES = {"words": TRAINING_WORDS, "words_read": "Words read", "tokens_read": "Tokens read", "step": "Training step"}
FEATURES = {
    "length": "Sentence length (words)",
    "log_probability": "Log probability (bits)",
    "perplexity": "Perplexity per word",
}


def learning_chart(table: polars.DataFrame, look: Look, size: str = "words", *, groups: str = "phenomena") -> Any:
    """Draw accuracy against training size: a panel for each phenomenon, one for their mean (Warstadt et al., figure 4).

    Columns: series, phenomenon, SIZE, mean, sd, low, high (drawn where sd is missing), chance. groups: what the column
    `phenomenon` has, in the plural.
    """
    overall = polars.col("phenomenon") == ALL_GROUPS
    names = {name: phenomenon_name(name) for name in table["phenomenon"].unique()} | {ALL_GROUPS: f"Mean of {groups}"}
    drawn = polars.concat([table.filter(~overall), table.filter(overall)]).with_columns(
        polars.coalesce((polars.col("mean") - polars.col("sd")).clip(0, 1), "low").alias("low"),
        polars.coalesce((polars.col("mean") + polars.col("sd")).clip(0, 1), "high").alias("high"),
        polars.col("phenomenon").replace(names),
    )
    x = altair.X(f"{size}:Q", **style.log_axis(drawn[size], SIZES[size], format="~s"))
    scale = altair.Scale(domain=style.share_domain(drawn, "low", "mean", "chance"))
    y = altair.Y("mean:Q", title=style.ACCURACY, scale=scale, axis=style.percent_axis())
    layers = line_layers(drawn, series="series", title="Training", x=x, y=y, look=look)
    chance = style.chance_rule().encode(y=altair.Y("chance:Q", scale=scale))
    return with_style(line_panels([chance, *layers], drawn, panels="phenomenon", columns=3, size=(190, 150)))


def surface_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw accuracy against surface predictors, a panel for each (Warstadt et al., figure 1).

    Columns: model, feature, mean (of the feature in its bin), accuracy, low, high, chance.
    """
    table = look.shorten(table)
    scale = altair.Scale(domain=style.share_domain(table, "low", "accuracy", "chance"))
    chance = single_chance(table)
    panels: list[Any] = []
    for (feature,), part in table.group_by("feature", maintain_order=True):
        title = FEATURES.get(str(feature), str(feature))
        axis = {"title": title, "scale": altair.Scale(zero=False, padding=8), "axis": altair.Axis(tickCount=5)}
        if feature == "perplexity":
            axis = style.log_axis(part["mean"], title, format="~s")
        x = altair.X("mean:Q", **axis)
        y = altair.Y("accuracy:Q", title=None if panels else style.ACCURACY, scale=scale, axis=style.percent_axis())
        layers = line_layers(table, series="model", title="Model", x=x, y=y, look=look)
        if chance is not None:
            layers.insert(0, style.chance_rule().encode(y=altair.Y(datum=chance, scale=scale)))
        panels.append(altair.layer(*layers, data=style.inline_data(part)).properties(width=190, height=170))
    return with_style(altair.hconcat(*panels))
