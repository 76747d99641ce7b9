"""Heat maps with numbers: accuracies, correlations."""

from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.dots import ROW_CHARACTERS, single_chance
from gardenpath.reporting.figures.charts.labels import label_expression
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.style import ACCURACY, inline_data, names_in_order, with_style

BARE: dict[str, Any] = {"ticks": False, "domain": False}
CHANCE_COLUMN = "chance"
PER_CENT = "isValid(datum.accuracy) ? format(100 * datum.accuracy, '.1f') : '–'"


def accuracy_heat_map(table: polars.DataFrame, rows: str, look: Look) -> Any:
    """Draw accuracies as a table of rows by models, darker where higher (Warstadt et al., table 3).

    Where chance is not one number, a last column without shade has it. Columns: model, `rows`, accuracy, chance.
    """
    table = look.shorten(table)
    names, models = names_in_order(table, rows), names_in_order(table, "model")
    chance = table.unique(rows, maintain_order=True).select(
        polars.lit(CHANCE_COLUMN).alias("model"), rows, polars.col("chance").cast(polars.Float64).alias("accuracy")
    )
    if single_chance(table) is not None or chance["accuracy"].is_null().all():
        chance = chance.clear()
    columns = [*models, *names_in_order(chance, "model")]
    top = altair.Axis(orient="top", labelAngle=-40, **BARE, **label_expression(columns, ROW_CHARACTERS))
    left = altair.Axis(**BARE, **label_expression(names, ROW_CHARACTERS))
    base = altair.Chart(inline_data(table)).encode(
        x=altair.X("model:N", title=None, sort=columns, scale=altair.Scale(domain=columns), axis=top),
        y=altair.Y(f"{rows}:N", title=None, sort=names, axis=left),
    )
    shade = altair.Color(
        "accuracy:Q", title=ACCURACY, scale=altair.Scale(domain=[0, 1], scheme="blues"),
        legend=altair.Legend(labelExpr="format(100 * datum.value, '.0f')"),
    )  # fmt: skip
    chart = cells_with_numbers(base, shade, number=PER_CENT, dark="datum.accuracy > 0.72", font_size=10)
    numbers = base.properties(data=inline_data(chance)).transform_calculate(shown=PER_CENT)
    chart += numbers.mark_text(fontSize=10, fontStyle="italic").encode(text="shown:N")
    return with_style(chart.properties(width=altair.Step(52), height=altair.Step(17)))


def agreement_heat_map(table: polars.DataFrame, look: Look) -> Any:
    """Draw correlations of the accuracies of every two models (Warstadt et al., table 4).

    Columns: model_a, model_b, r.
    """
    table = look.shorten(table)
    models = names_in_order(table, "model_a")
    lines = label_expression(models, ROW_CHARACTERS)
    scale = altair.Scale(domain=[0, 1], scheme="blues")
    if (table["r"] < 0).any():
        scale = altair.Scale(domain=[-1, 0, 1], scheme="blueorange", reverse=True)
    base = altair.Chart(inline_data(table)).encode(
        x=altair.X("model_b:N", title=None, sort=models, axis=altair.Axis(labelAngle=-40, **BARE, **lines)),
        y=altair.Y("model_a:N", title=None, sort=models, axis=altair.Axis(**BARE, **lines)),
    )
    shade = altair.Color("r:Q", title="Correlation", scale=scale)
    number = "isValid(datum.r) ? format(datum.r, '.2f') : '–'"
    chart = cells_with_numbers(base, shade, number=number, dark="abs(datum.r) > 0.75", font_size=11)
    return with_style(chart.properties(width=altair.Step(40), height=altair.Step(32)))


def cells_with_numbers(
    base: altair.Chart, shade: altair.Color, *, number: str, dark: str, font_size: int
) -> altair.LayerChart:
    """Draw shaded cells with their numbers, in white on cells for which the expression `dark` holds.

    `number` gives a text: a missing number becomes a dash instead of 0.
    """
    base = base.transform_calculate(shown=number)
    colour = altair.condition(dark, altair.value("white"), altair.value("black"))
    numbers = base.mark_text(fontSize=font_size).encode(text="shown:N", color=colour)
    return base.mark_rect(stroke="white").encode(color=shade) + numbers
