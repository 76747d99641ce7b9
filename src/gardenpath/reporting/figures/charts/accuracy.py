"""Charts of accuracy: by suite with intervals, by level of a factor, by method."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars

from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels, draw_dots, single_chance
from gardenpath.reporting.figures.charts.look import Look, report_look
from gardenpath.reporting.figures.charts.style import ACCURACY, sentence_case, with_style
from gardenpath.statistics.group_names import GROUPED
from gardenpath.suites.phenomena import phenomenon_name


def accuracy_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the rows of the table of results with intervals and chance."""
    table = polars.DataFrame(rows, infer_schema_length=None)
    groups = [name for name in table.columns if name in GROUPED]
    table = table.with_columns(polars.concat_str(groups, separator=" ").alias("suite"))
    look = report_look(table.select("model"), table["suite"])
    # A suite whose items were all left out has no accuracy.
    table = look.in_order(look.shorten(table.filter(polars.col("n") > 0)))
    several = polars.col("prediction").n_unique().over("suite") > 1
    named = polars.concat_str("suite", "prediction", separator=" · ")
    table = table.with_columns(polars.when(several).then(named).otherwise("suite").alias("label"))
    # This chart is shown without a caption.
    chance = "grey tick" if single_chance(table) is None else "grey dashed line"
    plot = replace(plot_by_model("label", look), title=f"{ACCURACY} with 95 % interval; {chance}: chance")
    return with_style(draw_dots(table, plot))


def accuracy_rows_chart(table: polars.DataFrame, rows: str, look: Look) -> Any:
    """Draw a row for each name in the column `rows`, with a point and its interval for each model.

    Columns: model, `rows`, accuracy, low, high, chance.
    """
    return with_style(draw_dots(look.shorten(table), plot_by_model(rows, look)))


def level_chart(table: polars.DataFrame, look: Look, *, factor: str) -> Any:
    """Draw accuracy by level of a factor such as locality, attractors, regularity (Warstadt et al., figures 2 and 3).

    Columns: model, group (a panel each), level, accuracy, low, high, chance.
    """
    plot = replace(plot_by_model("level", look), rows_title=sentence_case(factor))
    table = look.shorten(table)
    if table["group"].n_unique() == 1:
        return with_style(draw_dots(table, plot))
    return with_style(draw_dot_panels(table, plot, panels="group", shared_rows=False))


def method_chart(table: polars.DataFrame, look: Look) -> Any:
    """Draw accuracy on the same suites by whole sentences and by a word after a prefix (Warstadt et al., figure 5).

    Columns: model (a panel each), phenomenon, method, full, prefix, full_sd, prefix_sd, chance.
    """
    phenomenon = polars.col("phenomenon").map_elements(phenomenon_name, return_dtype=polars.String)
    long = polars.concat(
        table.select(
            "model",
            polars.concat_str(phenomenon, "method", separator=", ").alias("group"),
            polars.lit(name).alias("judged"),
            polars.col(column).alias("accuracy"),
            (polars.col(column) - polars.col(f"{column}_sd")).clip(0, 1).alias("low"),
            (polars.col(column) + polars.col(f"{column}_sd")).clip(0, 1).alias("high"),
            "chance",
        )
        for name, column in (("full sentence", "full"), ("prefix", "prefix"))
    )
    plot = replace(plot_by_model("group", Look()), series="judged", series_title="Method")
    return with_style(draw_dot_panels(look.shorten(long), plot, panels="model"))


def plot_by_model(rows: str, look: Look) -> DotPlot:
    """A dot plot of accuracy with a series for each model."""
    return DotPlot(
        rows, "accuracy", ACCURACY, series="model", series_title="Model", domain=(0, 1), percent=True, chance="chance",
        look=look,
    )  # fmt: skip
