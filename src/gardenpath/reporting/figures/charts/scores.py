"""Charts of mean scores over suites (Hu et al. 2020)."""

import math
from dataclasses import replace
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts import style
from gardenpath.reporting.figures.charts.dots import DotPlot, draw_dot_panels, draw_dots, symmetric_domain
from gardenpath.reporting.figures.charts.style import shorten_names, with_style

SG_SCORE = "SG score"
DELTA = "SG score delta"
FACTORS = {"architecture": "Architecture", "words": "Training tokens"}
LIGHT, DARK = (0x85, 0xB8, 0xDB), (0x08, 0x30, 0x6B)


def score_chart(table: polars.DataFrame, *, chance: float | None = None, title: str = SG_SCORE) -> Any:
    """Draw the mean score of every model, best first, and a dashed line at chance (figure 1).

    Columns: model, accuracy, low, high.
    """
    ranked = shorten_names(table).sort(polars.col("accuracy").fill_nan(None), descending=True, nulls_last=True)
    plot = DotPlot("model", "accuracy", title, domain=(0, 1), line=chance)
    return with_style(draw_dots(ranked, plot))


def perplexity_chart(table: polars.DataFrame, *, title: str = SG_SCORE) -> Any:
    """Draw score against perplexity, with a shape for each architecture, darker for more training (figure 2).

    Columns: model, architecture, words, perplexity, score, low, high.
    """
    table = table.filter(polars.col("perplexity").is_finite(), polars.col("perplexity") > 0)
    sizes = sorted(table["words"].drop_nulls().unique().to_list())
    labels = [short_count(size) for size in sizes]
    names = list(dict.fromkeys(labels))
    table = shorten_names(table).with_columns(
        polars.col("architecture").fill_null("unknown"),
        polars.col("words").replace_strict(sizes, labels, default="unknown", return_dtype=polars.String).alias("size"),
    )
    unknown = ["unknown"] if "unknown" in table["size"] else []
    scale = altair.Scale(domain=names + unknown, range=[*shades(len(names)), *(style.CHANCE for _ in unknown)])
    base = altair.Chart(style.inline_data(table)).encode(
        x=altair.X("perplexity:Q", **style.log_axis(table["perplexity"], "Perplexity", format="~r")),
        y=altair.Y("score:Q", title=title, scale=altair.Scale(domain=[0, 1])),
    )
    colour = altair.Color("size:N", title="Training tokens", scale=scale)
    intervals = base.mark_rule(strokeWidth=1).encode(y=altair.Y("low:Q", title=title), y2="high:Q", color=colour)
    shape = style.shape_by("architecture", style.names_in_order(table, "architecture"), title="Architecture")
    points = base.mark_point(filled=True, size=80, opacity=1).encode(color=colour, shape=shape)
    # Labels are on the side with more room.
    values = table["perplexity"].to_list()
    middle = math.sqrt(min(values) * max(values))
    texts = [
        base.transform_filter(f"datum.perplexity {side} {middle}")
        .mark_text(align=align, dx=shift, fontSize=10, limit=140)
        .encode(text="model:N")
        for side, align, shift in (("<=", "left", 8), (">", "right", -8))
    ]
    layers = [intervals, points, *texts] if table.height <= 12 else [points]  # more labels would overlap
    return with_style(altair.layer(*layers).properties(width=380, height=280))


def delta_chart(table: polars.DataFrame, *, title: str = DELTA) -> Any:
    """Draw scores relative to the mean of all models, by architecture and by training size (figure 3).

    Columns: factor ("architecture" or "words"), level, delta, low, high.
    """
    plot = DotPlot("level", "delta", title, domain=symmetric_domain(table, "delta", "low", "high"), line=0)
    return draw_factors(table, {factor: replace(plot, rows_title=name) for factor, name in FACTORS.items()})


def circuit_delta_chart(table: polars.DataFrame, *, title: str = DELTA) -> Any:
    """Draw scores relative to the mean of all models in each circuit (figure 4).

    Columns: factor ("architecture" or "words"), level, circuit, delta, low, high.
    """
    domain = symmetric_domain(table, "delta", "low", "high")
    plot = DotPlot("circuit", "delta", title, series="level", domain=domain, line=0)
    return draw_factors(table, {factor: replace(plot, series_title=name) for factor, name in FACTORS.items()})


def draw_factors(table: polars.DataFrame, panels: dict[str, DotPlot]) -> Any:
    """Draw a panel for each factor of the table, side by side."""
    drawn = []
    for factor, plot in panels.items():
        part = table.filter(polars.col("factor") == factor)
        if part.height:
            drawn.append(draw_dots(with_short_counts(part) if factor == "words" else part, plot, width=240))
    chart = altair.hconcat(*drawn, spacing=30)
    return with_style(chart.resolve_scale(color="independent", shape="independent", yOffset="independent"))


def circuit_chart(table: polars.DataFrame, *, title: str = SG_SCORE) -> Any:
    """Draw the score of every model in every circuit (figure 5).

    Columns: model, circuit (a panel each), accuracy, low, high, chance.
    """
    plot = DotPlot("model", "accuracy", title, domain=(0, 1), tick="chance")
    return with_style(draw_dot_panels(shorten_names(table), plot, panels="circuit", columns=3))


def stability_chart(table: polars.DataFrame, *, title: str = SG_SCORE) -> Any:
    """Draw scores on suites with and without an intervening modifier (figure 6).

    Columns: model, modifier ("without", "with"), accuracy, low, high.
    """
    plot = DotPlot("model", "accuracy", title, series="modifier", series_title="Modifier", domain=(0, 1))
    return with_style(draw_dots(shorten_names(table), plot))


def with_short_counts(table: polars.DataFrame) -> polars.DataFrame:
    """Sort a table by training size and abbreviate the sizes."""
    number = polars.col("level").cast(polars.Float64)
    ordered = table.sort(number, maintain_order=True)
    return ordered.with_columns(number.map_elements(short_count, return_dtype=polars.String).alias("level"))


def short_count(number: float) -> str:
    """Abbreviate a number of tokens: 42M."""
    for unit, size in (("B", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.9995 * size:  # not 1e+03M
            return f"{number / size:.3g}{unit}"
    return f"{number:.0f}"


def shades(number: int) -> list[str]:
    """Blues from light to dark that are all visible on white."""
    weights = [rank / (number - 1) if number > 1 else 1.0 for rank in range(number)]
    mixed = [
        tuple(round(light + weight * (dark - light)) for light, dark in zip(LIGHT, DARK, strict=True))
        for weight in weights
    ]
    return ["#{:02x}{:02x}{:02x}".format(*parts) for parts in mixed]
