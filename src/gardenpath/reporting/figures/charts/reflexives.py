"""Whether reflexives are treated alike (Hu, Chen & Levy 2020)."""

from typing import TYPE_CHECKING, Any

from gardenpath.reporting.figures.charts.dots import Dots, plot_panels
from gardenpath.reporting.figures.charts.style import shortened, styled

if TYPE_CHECKING:
    import polars

CONTRASTS = {"distractor": "Distractor − Baseline", "ungrammatical": "Ungrammatical − Baseline"}


def pronoun_figure(table: "polars.DataFrame") -> Any:
    """How many bits more a reflexive costs than in the baseline, by pronoun and contrast (figure 2).

    Columns: model, experiment (together one panel), pronoun, contrast, bits, low, high.
    """
    import polars

    several = table["experiment"].n_unique() > 1
    panel = polars.concat_str("model", "experiment", separator=", ") if several else polars.col("model")
    table = shortened(table, ("model", "experiment")).with_columns(
        panel.alias("panel"),
        polars.col("contrast").replace(CONTRASTS),
    )
    dots = Dots(
        "pronoun", "bits", "Surprisal differential at the reflexive (bits)", series="contrast", series_title="Contrast",
        line=0,
    )  # fmt: skip
    return styled(plot_panels(table, dots, panels="panel"))
