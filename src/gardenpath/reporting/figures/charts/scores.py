"""Charts of mean scores over suites (Hu et al. 2020)."""

from dataclasses import replace
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style
from gardenpath.reporting.figures.charts.curves import TRAINING_WORDS
from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels, draw_dots, symmetric_domain
from gardenpath.reporting.figures.charts.labels import short_counts
from gardenpath.reporting.figures.charts.look import Look, Mark, plain_mark
from gardenpath.reporting.figures.charts.style import with_style

SG_SCORE = "SG score"
DELTA = "SG score delta"
FACTORS = {"architecture": "Architecture", "words": TRAINING_WORDS}
LIGHT, DARK = (0xA8, 0xB4, 0xC4), (0x1C, 0x28, 0x38)
"""The shades of the smallest and of the largest training size, whatever the architecture."""


def score_chart(table: polars.DataFrame, look: Look, *, title: str = SG_SCORE) -> Any:
    """Draw the mean score of every model, and a dashed line at chance (figure 1).

    Columns: model, accuracy, low, high, chance. The SG score is from 0 to 1, as in the paper; accuracy is in per cent.
    """
    percent = title != SG_SCORE
    title = f"{title} (%)" if percent else title
    plot = DotPlot("model", "accuracy", title, domain=(0, 1), percent=percent, chance="chance", look=look)
    return with_style(draw_dots(look.in_order(look.shorten(table)), plot))


def perplexity_chart(table: polars.DataFrame, look: Look, *, title: str = SG_SCORE, chance: float | None = None) -> Any:
    """Draw score against perplexity with intervals, and a dashed line at chance (figure 2).

    Columns: model, perplexity, score, low, high.
    """
    table = look.shorten(table.filter(polars.col("perplexity").is_finite(), polars.col("perplexity") > 0))
    table = table.with_columns(polars.col("model").replace(dict(look.classes)).alias("class"))
    scale = altair.Scale(domain=[0, 1])
    base = altair.Chart(style.inline_data(table)).encode(
        x=altair.X("perplexity:Q", **style.log_axis(table["perplexity"], "Perplexity", format="~r")),
        y=altair.Y("score:Q", title=title, scale=scale),
    )
    marks = {look.classes.get(name, name): look.marks.get(name) for name in style.names_in_order(table, "model")}
    classes = Look(marks={name: mark or plain_mark(rank) for rank, (name, mark) in enumerate(marks.items())})
    colour = classes.colour_by("class", list(marks), title="Model")
    shape = classes.shape_by("class", list(marks), title="Model")
    intervals = base.mark_rule(strokeWidth=1).encode(y=altair.Y("low:Q", title=title), y2="high:Q", color=colour)
    points = base.mark_point(filled=True, size=80, opacity=1).encode(color=colour, shape=shape)
    layers = [intervals, points]
    if chance is not None:
        layers.insert(0, style.chance_rule().encode(y=altair.Y(datum=chance, scale=scale)))
    return with_style(altair.layer(*layers).properties(width=380, height=280))


def delta_chart(table: polars.DataFrame, look: Look, *, title: str = DELTA) -> Any:
    """Draw scores relative to the mean of all models, by architecture and by training size (figure 3).

    Columns: factor ("architecture" or "words"), level, delta, low, high.
    """
    domain = symmetric_domain(table, "delta", "low", "high")
    plot = DotPlot("level", "delta", title, domain=domain, zero=True, look=look)
    return draw_factors(table, {factor: replace(plot, rows_title=name) for factor, name in FACTORS.items()})


def circuit_delta_chart(table: polars.DataFrame, look: Look, *, title: str = DELTA) -> Any:
    """Draw scores relative to the mean of all models in each circuit (figure 4).

    Columns: factor ("architecture" or "words"), level, circuit, delta, low, high.
    """
    domain = symmetric_domain(table, "delta", "low", "high")
    plot = DotPlot("circuit", "delta", title, series="level", domain=domain, zero=True, look=look)
    sizes = sorted(map(float, table.filter(factor="words")["level"].unique()))
    names = short_counts(sizes).values()
    marks = {
        name: Mark(shade, plain_mark(rank).shape, [1, 0])
        for rank, (name, shade) in enumerate(zip(names, shades(len(sizes)), strict=True))
    }
    panels = {factor: replace(plot, series_title=name) for factor, name in FACTORS.items()}
    panels["words"] = replace(panels["words"], look=Look(marks=marks))
    return draw_factors(table, panels)


def draw_factors(table: polars.DataFrame, panels: dict[str, DotPlot]) -> Any:
    """Draw a panel for each factor of the table, side by side."""
    drawn = []
    for factor, plot in panels.items():
        part = table.filter(polars.col("factor") == factor)
        if part.height:
            drawn.append(draw_dots(with_short_counts(part) if factor == "words" else part, plot, width=240))
    chart = altair.hconcat(*drawn, spacing=30)
    return with_style(chart.resolve_scale(color="independent", shape="independent", yOffset="independent"))


def circuit_chart(table: polars.DataFrame, look: Look, *, title: str = SG_SCORE) -> Any:
    """Draw the score of every model in every circuit (figure 5).

    Columns: model, circuit (a panel each), accuracy, low, high, chance.
    """
    plot = DotPlot("model", "accuracy", title, domain=(0, 1), chance="chance", look=look)
    return with_style(draw_dot_panels(look.shorten(table), plot, panels="circuit", columns=3))


def stability_chart(table: polars.DataFrame, look: Look, *, title: str = SG_SCORE) -> Any:
    """Draw scores on suites with and without an intervening modifier (figure 6).

    Columns: model, modifier ("without", "with"), accuracy, low, high, chance.
    """
    plot = DotPlot(
        "model", "accuracy", title, series="modifier", series_title="Modifier", domain=(0, 1), chance="chance"
    )
    return with_style(draw_dots(look.shorten(table), plot))


def with_short_counts(table: polars.DataFrame) -> polars.DataFrame:
    """Sort a table by training size and abbreviate the sizes."""
    number = polars.col("level").cast(polars.Float64)
    names = short_counts(map(float, table["level"].unique()))
    ordered = table.sort(number, maintain_order=True)
    return ordered.with_columns(number.replace_strict(names, return_dtype=polars.String).alias("level"))


def shades(number: int) -> list[str]:
    """Shades from light to dark that are all visible on white."""
    weights = [rank / (number - 1) if number > 1 else 1.0 for rank in range(number)]
    mixed = [
        tuple(round(light + weight * (dark - light)) for light, dark in zip(LIGHT, DARK, strict=True))
        for weight in weights
    ]
    return ["#{:02x}{:02x}{:02x}".format(*parts) for parts in mixed]
