"""Figures for papers: one specification, written as PNG, SVG, PDF or interactive HTML by the ending of the file."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.statistics.estimate import Summary

if TYPE_CHECKING:
    import altair

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
"""Okabe and Ito's, which colour-blind readers can tell apart."""


def accuracy_figure(summaries: Sequence[Summary]) -> "altair.LayerChart":
    """Accuracy of every suite with its 95 % interval, and a tick where chance is."""
    import altair
    import polars

    rows = [
        {**asdict(summary), "label": label(summary, summaries)}
        for summary in summaries
        if summary.n  # a suite whose items were all left out has nothing to show
    ]
    table = polars.DataFrame(rows)
    share = altair.Scale(domain=[0, 1])
    where = altair.Y("label:N", title=None, sort=None, axis=altair.Axis(labelLimit=400))
    offset = altair.YOffset("model:N", sort=None)
    colour = altair.Color("model:N", title="model", sort=None, scale=altair.Scale(range=COLOURS))
    base = altair.Chart(table)
    interval = base.mark_rule(strokeWidth=2).encode(
        x=altair.X(
            "low:Q", scale=share, title="accuracy (95 % interval); grey tick: chance", axis=altair.Axis(format="%")
        ),
        x2="high:Q",
        y=where,
        yOffset=offset,
        color=colour,
    )
    point = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=altair.X("accuracy:Q", scale=share),
        y=where,
        yOffset=offset,
        color=colour,
        tooltip=["model", "suite", "n", "accuracy"],
    )
    chance = base.mark_tick(color="#888888", thickness=2, size=12).encode(
        x=altair.X("chance:Q", scale=share), y=where, yOffset=offset
    )
    chart: altair.LayerChart = altair.layer(chance, interval, point).properties(width=420).configure_axis(grid=False)
    return chart


def label(summary: Summary, summaries: Sequence[Summary]) -> str:
    """The suite, and the prediction where the suite has several."""
    several = len({other.prediction for other in summaries if other.suite == summary.suite}) > 1
    return f"{summary.suite} · {summary.prediction}" if several else summary.suite


def write_figure(figure: "altair.LayerChart", path: Path) -> None:
    """Write a figure in the format its file name ends in."""
    figure.save(str(path), format=path.suffix.removeprefix("."), **({"ppi": 200} if path.suffix == ".png" else {}))
