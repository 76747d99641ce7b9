"""Scores of models over many suites, as Hu et al. (2020) draw them."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gardenpath.reporting.figures.charts.dots import Dots, around, plot_dots, plot_panels
from gardenpath.reporting.figures.charts.style import CHANCE, data_of, in_order, log_axis, shape, shortened, styled

if TYPE_CHECKING:
    import polars

SG_SCORE = "SG score"
DELTA = "SG score delta"
FACTORS = {"architecture": "Architecture", "words": "Training tokens"}
LIGHT, DARK = (0x85, 0xB8, 0xDB), (0x08, 0x30, 0x6B)


def score_figure(table: "polars.DataFrame", *, chance: float | None = None, title: str = SG_SCORE) -> Any:
    """The mean score of every model, best first, and a dashed line at chance (Hu et al., figure 1).

    Columns: model, accuracy, low, high.
    """
    import polars

    ranked = shortened(table).sort(polars.col("accuracy").fill_nan(None), descending=True, nulls_last=True)
    dots = Dots("model", "accuracy", title, domain=(0, 1), line=chance)
    return styled(plot_dots(ranked, dots))


def perplexity_figure(table: "polars.DataFrame", *, title: str = SG_SCORE) -> Any:
    """Score against perplexity: a shape for each architecture, darker for more training (Hu et al., figure 2).

    Columns: model, architecture, words, perplexity, score, low, high.
    """
    import altair
    import polars

    table = table.filter(polars.col("perplexity").is_finite(), polars.col("perplexity") > 0)
    sizes = sorted(table["words"].drop_nulls().unique().to_list())
    amounts = [amount(size) for size in sizes]
    names = list(dict.fromkeys(amounts))
    table = shortened(table).with_columns(
        polars.col("architecture").fill_null("unknown"),
        polars.col("words").replace_strict(sizes, amounts, default="unknown", return_dtype=polars.String).alias("size"),
    )
    unknown = ["unknown"] if "unknown" in table["size"] else []
    scale = altair.Scale(domain=names + unknown, range=[*shades(len(names)), *(CHANCE for _ in unknown)])
    base = altair.Chart(data_of(table)).encode(
        x=altair.X("perplexity:Q", **log_axis(table["perplexity"], "Perplexity", format="~r")),
        y=altair.Y("score:Q", title=title, scale=altair.Scale(domain=[0, 1])),
    )
    tint = altair.Color("size:N", title="Training tokens", scale=scale)
    intervals = base.mark_rule(strokeWidth=1).encode(y=altair.Y("low:Q", title=title), y2="high:Q", color=tint)
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        color=tint,
        shape=shape("architecture", in_order(table, "architecture"), title="Architecture"),
    )
    # Names stand to the side where there is room.
    values = table["perplexity"].to_list()
    middle = math.sqrt(min(values) * max(values))
    labels = [
        base.transform_filter(f"datum.perplexity {side} {middle}")
        .mark_text(align=align, dx=shift, fontSize=10, limit=140)
        .encode(text="model:N")
        for side, align, shift in (("<=", "left", 8), (">", "right", -8))
    ]
    few = table.height <= 12  # more of them hide each other
    return styled(altair.layer(*([intervals, points, *labels] if few else [points])).properties(width=380, height=280))


def delta_figure(table: "polars.DataFrame", *, title: str = DELTA) -> Any:
    """How far scores lie above the mean of all models: left by architecture, right by training size (figure 3).

    Columns: factor ("architecture" or "words"), level, delta, low, high.
    """
    dots = Dots("level", "delta", title, domain=around(table, "delta", "low", "high"), line=0)
    return side_by_side(table, {factor: replace(dots, rows_title=name) for factor, name in FACTORS.items()})


def circuit_delta_figure(table: "polars.DataFrame", *, title: str = DELTA) -> Any:
    """The same for each circuit (figure 4).

    Columns: factor ("architecture" or "words"), level, circuit, delta, low, high.
    """
    dots = Dots(
        "circuit", "delta", title, series="level", line=0,
        domain=around(table, "delta", "low", "high"),
    )  # fmt: skip
    return side_by_side(table, {factor: replace(dots, series_title=name) for factor, name in FACTORS.items()})


def side_by_side(table: "polars.DataFrame", panels: dict[str, Dots]) -> Any:
    """A panel for each factor that the table has."""
    import altair
    import polars

    drawn = []
    for factor, dots in panels.items():
        part = table.filter(polars.col("factor") == factor)
        if part.height:
            drawn.append(plot_dots(with_amounts(part) if factor == "words" else part, dots, width=240))
    chart = altair.hconcat(*drawn, spacing=30)
    return styled(chart.resolve_scale(color="independent", shape="independent", yOffset="independent"))


def circuit_figure(table: "polars.DataFrame", *, title: str = SG_SCORE) -> Any:
    """The score of every model in every circuit (figure 5).

    Columns: model, circuit (one panel each), accuracy, low, high, chance.
    """
    dots = Dots("model", "accuracy", title, domain=(0, 1), tick="chance")
    return styled(plot_panels(shortened(table), dots, panels="circuit", columns=3))


def stability_figure(table: "polars.DataFrame", *, title: str = SG_SCORE) -> Any:
    """Scores on suites with and without an intervening modifier (figure 6).

    Columns: model, modifier ("without", "with"), accuracy, low, high.
    """
    dots = Dots("model", "accuracy", title, series="modifier", series_title="Modifier", domain=(0, 1))
    return styled(plot_dots(shortened(table), dots))


def with_amounts(table: "polars.DataFrame") -> "polars.DataFrame":
    """The table in order of training size, with sizes in short."""
    import polars

    number = polars.col("level").cast(polars.Float64)
    ordered = table.sort(number, maintain_order=True)
    return ordered.with_columns(number.map_elements(amount, return_dtype=polars.String).alias("level"))


def amount(number: float) -> str:
    """A number of tokens in short: 42M."""
    for unit, size in (("B", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.9995 * size:  # not 1e+03M
            return f"{number / size:.3g}{unit}"
    return f"{number:.0f}"


def shades(number: int) -> list[str]:
    """Blues from light to dark, all of them visible on white."""
    places = [place / (number - 1) if number > 1 else 1.0 for place in range(number)]
    mixed = [
        tuple(round(light + place * (dark - light)) for light, dark in zip(LIGHT, DARK, strict=True))
        for place in places
    ]
    return ["#{:02x}{:02x}{:02x}".format(*parts) for parts in mixed]
