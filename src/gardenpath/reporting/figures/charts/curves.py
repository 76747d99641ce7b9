"""Charts of accuracy as a function of training size or of surface predictors."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style
from gardenpath.reporting.figures.charts.lines import line_layers, line_panels
from gardenpath.reporting.figures.charts.style import shorten_names, with_style
from gardenpath.statistics.scores import ALL_GROUPS

FEATURES = {
    "length": "Sentence length (words)",
    "log_probability": "Log probability (bits)",
    "perplexity": "Perplexity per word",
}


def learning_chart(table: polars.DataFrame) -> Any:
    """Draw accuracy against training size, a panel for each phenomenon (Warstadt et al., figure 4).

    The mean over phenomena is a grey line in every panel, or with several architectures a panel of its own.
    Columns: architecture, phenomenon, words, mean, sd.
    """
    overall = polars.col("phenomenon") == ALL_GROUPS
    means = table.filter(overall).select("architecture", "words", polars.col("mean").alias(ALL_GROUPS))
    own_panel = table["architecture"].n_unique() > 1 or not table.filter(~overall).height
    names = {name: style.sentence_case(name) for name in table["phenomenon"].unique()} | {ALL_GROUPS: "All phenomena"}
    drawn = (
        polars.concat([table.filter(~overall), table.filter(overall & own_panel)])
        .join(means, on=["architecture", "words"], how="left", maintain_order="left")
        .with_columns(
            (polars.col("mean") - polars.col("sd")).alias("low"),
            (polars.col("mean") + polars.col("sd")).alias("high"),
            polars.col("phenomenon").replace(names),
        )
    )
    x = altair.X("words:Q", **style.log_axis(drawn["words"], "Training tokens", format="~s"))
    scale = altair.Scale(domain=style.share_domain(drawn, "low", "mean", ALL_GROUPS))
    y = altair.Y("mean:Q", title=style.ACCURACY, scale=scale, axis=style.percent_axis())
    layers = line_layers(drawn, series="architecture", title="Architecture", x=x, y=y)
    if not own_panel:
        grey = altair.Chart().mark_line(color="#BBBBBB", strokeWidth=3)
        layers.insert(0, grey.encode(x=x, y=altair.Y(f"{ALL_GROUPS}:Q", scale=scale)))
    return with_style(line_panels(layers, drawn, panels="phenomenon", columns=3, size=(190, 150)))


def surface_chart(table: polars.DataFrame) -> Any:
    """Draw accuracy against surface predictors, a panel for each (Warstadt et al., figure 1).

    Columns: model, feature, mean (of the feature in its bin), accuracy, low, high.
    """
    table = shorten_names(table)
    scale = altair.Scale(domain=style.share_domain(table, "low", "accuracy"))
    panels: list[Any] = []
    for (feature,), part in table.group_by("feature", maintain_order=True):
        title = FEATURES.get(str(feature), str(feature))
        axis = {"title": title, "scale": altair.Scale(zero=False, padding=8), "axis": altair.Axis(tickCount=5)}
        if feature == "perplexity":
            axis = style.log_axis(part["mean"], title, format="~s")
        x = altair.X("mean:Q", **axis)
        y = altair.Y("accuracy:Q", title=None if panels else style.ACCURACY, scale=scale, axis=style.percent_axis())
        layers = line_layers(table, series="model", title="Model", x=x, y=y)
        panels.append(altair.layer(*layers, data=style.inline_data(part)).properties(width=190, height=170))
    return with_style(altair.hconcat(*panels))
