"""Heat maps with numbers: accuracies, correlations."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.style import ACCURACY, inline_data, names_in_order, shorten_names, with_style

WHITE_OR_BLACK = altair.value("white"), altair.value("black")


def accuracy_heat_map(table: polars.DataFrame, rows: str) -> Any:
    """Draw accuracies as a table of rows by models, darker where higher (Warstadt et al., table 3).

    Columns: model, `rows`, accuracy.
    """
    table = shorten_names(table, ("model", rows))
    top = altair.Axis(orient="top", labelAngle=-40, ticks=False, domain=False)
    # The numbers are text: a missing one becomes a dash instead of 0.
    base = (
        altair.Chart(inline_data(table))
        .transform_calculate(shown="isValid(datum.accuracy) ? format(100 * datum.accuracy, '.1f') : '–'")
        .encode(
            x=altair.X("model:N", title=None, sort=names_in_order(table, "model"), axis=top),
            y=altair.Y(f"{rows}:N", title=None, sort=None, axis=altair.Axis(ticks=False, domain=False)),
        )
    )
    shade = altair.Color(
        "accuracy:Q", title=ACCURACY, scale=altair.Scale(domain=[0, 1], scheme="blues"),
        legend=altair.Legend(labelExpr="format(100 * datum.value, '.0f')"),
    )  # fmt: skip
    chart = cells_with_numbers(base, shade, dark="datum.accuracy > 0.72", font_size=10)
    return with_style(chart.properties(width=altair.Step(52), height=altair.Step(17)))


def agreement_heat_map(table: polars.DataFrame, *, title: str = "Correlation") -> Any:
    """Draw correlations of the accuracies of every two models (Warstadt et al., table 4).

    Columns: model_a, model_b, r.
    """
    table = shorten_names(table, ("model_a", "model_b"))
    models = names_in_order(table, "model_a")
    scale = (
        altair.Scale(domain=[-1, 0, 1], scheme="blueorange", reverse=True)
        if (table["r"] < 0).any()
        else altair.Scale(domain=[0, 1], scheme="blues")
    )
    base = (
        altair.Chart(inline_data(table))
        .transform_calculate(shown="isValid(datum.r) ? format(datum.r, '.2f') : '–'")
        .encode(
            x=altair.X(
                "model_b:N", title=None, sort=models, axis=altair.Axis(ticks=False, domain=False, labelAngle=-40)
            ),
            y=altair.Y("model_a:N", title=None, sort=models, axis=altair.Axis(ticks=False, domain=False)),
        )
    )
    shade = altair.Color("r:Q", title=title, scale=scale)
    chart = cells_with_numbers(base, shade, dark="abs(datum.r) > 0.75", font_size=11)
    return with_style(chart.properties(width=altair.Step(40), height=altair.Step(32)))


def cells_with_numbers(base: altair.Chart, shade: altair.Color, *, dark: str, font_size: int) -> altair.LayerChart:
    """Draw shaded cells with their numbers, in white on cells for which the expression `dark` holds."""
    cells = base.mark_rect(stroke="white").encode(color=shade)
    colour = altair.condition(dark, *WHITE_OR_BLACK)
    return cells + base.mark_text(fontSize=font_size).encode(text="shown:N", color=colour)
