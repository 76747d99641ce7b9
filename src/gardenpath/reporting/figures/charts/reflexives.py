"""The chart of surprisal differentials at reflexives (Hu, Chen & Levy 2020)."""

from typing import Any

import polars

from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels
from gardenpath.reporting.figures.charts.style import shorten_names, with_style

CONTRAST_LABELS = {"distractor": "Distractor − Baseline", "ungrammatical": "Ungrammatical − Baseline"}


def reflexive_chart(table: polars.DataFrame) -> Any:
    """Draw how much higher the surprisal of a reflexive is than in the baseline, by pronoun and contrast (figure 2).

    Columns: model, experiment (together a panel), pronoun, contrast, bits, low, high.
    """
    several = table["experiment"].n_unique() > 1
    panel = polars.concat_str("model", "experiment", separator=", ") if several else polars.col("model")
    table = shorten_names(table, ("model", "experiment")).with_columns(
        panel.alias("panel"), polars.col("contrast").replace(CONTRAST_LABELS)
    )
    plot = DotPlot(
        "pronoun", "bits", "Surprisal differential at the reflexive (bits)", series="contrast", series_title="Contrast",
        line=0,
    )  # fmt: skip
    return with_style(draw_dot_panels(table, plot, panels="panel"))
