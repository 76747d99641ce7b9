"""Tables for the terminal."""

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.statistics.estimate import Summary

COLUMNS = ("model", "suite", "prediction")


def summary_table(summaries: Sequence[Summary]) -> Table:
    """The table of results: one row per model, suite and prediction."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    named = [column for column in COLUMNS if column == "suite" or len({getattr(s, column) for s in summaries}) > 1]
    for column in named:
        # Where the screen is narrow, names go on in the next line, and numbers stay whole.
        table.add_column(column, overflow="fold")
    for column in ("n", "accuracy", "95% interval", "strict", "chance", "coverage", "ties", "invalid"):
        table.add_column(column, justify="right", no_wrap=True)
    for summary in summaries:
        table.add_row(
            *(escape(getattr(summary, column)) for column in named),
            f"{summary.n:,}",
            accuracy(summary),
            f"{share(summary.low)}–{share(summary.high)}",
            share(summary.strict_accuracy),
            share(summary.chance),
            share(summary.coverage),
            str(summary.ties),
            Text(str(summary.invalid), style="bold red" if summary.invalid else ""),
        )
    return table


def accuracy(summary: Summary) -> Text:
    """Accuracy, green where its interval lies above chance, red where below."""
    style = "bold"
    if summary.low > summary.chance:
        style = "bold green"
    elif summary.high < summary.chance:
        style = "bold red"
    return Text(share(summary.accuracy), style=style)


def share(value: float) -> str:
    """A share in per cent; a dash where there is none."""
    return "–" if math.isnan(value) else f"{100 * value:.1f}"
