"""How often models are right: per suite with intervals, as a table of models and suites, by level of a factor."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gardenpath.reporting.figures.charts.dots import Dots, plot_dots, plot_panels
from gardenpath.reporting.figures.charts.style import ACCURACY, sentence_case, short_names, shortened, styled

if TYPE_CHECKING:
    import polars


def accuracy_figure(summaries: Sequence[Mapping[str, Any]]) -> Any:
    """Accuracy of every suite with its 95 % interval, and a tick where chance is."""
    import polars

    suites = short_names(list(dict.fromkeys(row["suite"] for row in summaries)))
    brief = [{**row, "suite": suites[row["suite"]]} for row in summaries]
    rows = [
        {**row, "label": label(row, brief)}
        for row in brief
        if row["n"]  # a suite whose items were all left out has nothing to show
    ]
    table = polars.DataFrame(rows, infer_schema_length=None)
    # This picture stands alone, without a caption.
    dots = replace(by_model("label"), title=f"{ACCURACY} with 95 % interval; grey tick: chance")
    return styled(plot_dots(shortened(table, ("model",)), dots))


def label(summary: Mapping[str, Any], summaries: Sequence[Mapping[str, Any]]) -> str:
    """The suite, and the prediction where the suite has several."""
    several = len({other["prediction"] for other in summaries if other["suite"] == summary["suite"]}) > 1
    return f"{summary['suite']} · {summary['prediction']}" if several else str(summary["suite"])


def accuracy_rows(table: "polars.DataFrame", rows: str) -> Any:
    """A row for each name in the column `rows`, in it a point with its interval for each model.

    Columns: model, `rows`, accuracy, low, high, chance.
    """
    return styled(plot_dots(shortened(table, ("model", rows)), by_model(rows)))


def level_figure(table: "polars.DataFrame", *, factor: str) -> Any:
    """Accuracy by level of a factor: locality, attractors, regular and irregular (Warstadt et al., figures 2 and 3).

    Columns: model, group (one panel each), level, accuracy, low, high, chance.
    """
    dots = replace(by_model("level"), rows_title=sentence_case(factor))
    table = shortened(table)
    if table["group"].n_unique() == 1:
        return styled(plot_dots(table, dots))
    return styled(plot_panels(table, dots, panels="group", shared_rows=False))


def method_figure(table: "polars.DataFrame") -> Any:
    """The same suites judged by whole sentences and by a word after a prefix (Warstadt et al., figure 5).

    Columns: model (one panel each), phenomenon, method, full, prefix, full_sd, prefix_sd.
    """
    import polars

    told = polars.col("phenomenon").map_elements(sentence_case, return_dtype=polars.String)
    long = polars.concat(
        table.select(
            "model",
            polars.concat_str(told, "method", separator=", ").alias("group"),
            polars.lit(name).alias("judged"),
            polars.col(column).alias("accuracy"),
            (polars.col(column) - polars.col(f"{column}_sd")).alias("low"),
            (polars.col(column) + polars.col(f"{column}_sd")).alias("high"),
        )
        for name, column in (("full sentence", "full"), ("prefix", "prefix"))
    )
    dots = Dots("group", "accuracy", ACCURACY, series="judged", series_title="Method", domain=(0, 1), per_cent=True)
    return styled(plot_panels(shortened(long), dots, panels="model"))


def by_model(rows: str) -> Dots:
    """Points of models in rows."""
    return Dots(
        rows, "accuracy", ACCURACY, series="model", series_title="Model", domain=(0, 1), per_cent=True, tick="chance"
    )
