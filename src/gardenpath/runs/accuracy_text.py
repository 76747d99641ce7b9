"""The table of accuracies as text for terminals, and as HTML for notebooks."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import polars
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.statistics.accuracy import summary_rows

NAME_COLUMNS = ("model", "suite", "prediction")
NUMBER_COLUMNS = ("n", "accuracy", "95% interval", "strict", "chance", "coverage", "ties", "invalid")
PLAIN_WIDTH = 160
"""Columns of a table that is not printed to a terminal."""


def shown_names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Choose the name columns to show: the suite, and model and prediction where there are several."""
    return [name for name in NAME_COLUMNS if name == "suite" or len({row[name] for row in rows}) > 1]


def summary_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Lay out the rows of `summary_rows` as a table for the terminal."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    names = shown_names(rows)
    for name in names:
        # Where the screen is narrow, names continue in the next line, and numbers stay whole.
        table.add_column(name, overflow="fold")
    for name in NUMBER_COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        accuracy = Text(percent(row["accuracy"]), style=accuracy_style(row))
        invalid = Text(str(row["invalid"]), style="bold red" if row["invalid"] else "")
        n, _, *middle, _ = number_texts(row)
        table.add_row(*(escape(row[name]) for name in names), n, accuracy, *middle, invalid)
    return table


def number_texts(row: Mapping[str, Any]) -> list[str]:
    """Format the numbers of a row."""
    interval = f"{percent(row['low'])}–{percent(row['high'])}"
    shares = [percent(row[name]) for name in ("strict_accuracy", "chance", "coverage")]
    return [f"{row['n']:,}", percent(row["accuracy"]), interval, *shares, str(row["ties"]), str(row["invalid"])]


def accuracy_style(row: Mapping[str, Any]) -> str:
    """Choose green where the interval lies above chance, red where below."""
    low, high, chance = row["low"], row["high"], row["chance"]
    if low is None or high is None or chance is None:
        return "bold"
    return "bold green" if low > chance else "bold red" if high < chance else "bold"


def percent(value: float | None) -> str:
    """Format a share in per cent, or a dash where there is none."""
    return "–" if value is None or value != value else f"{100 * value:.1f}"


def accuracy_text(table: polars.DataFrame) -> str:
    """Write a table of `accuracy` as plain text."""
    console = Console(width=PLAIN_WIDTH, force_terminal=False, color_system=None)
    with console.capture() as captured:
        console.print(summary_table(summary_rows(table)))
    return "\n".join(line.rstrip() for line in captured.get().splitlines() if line.strip())


def accuracy_html(table: polars.DataFrame) -> str:
    """Write a table of `accuracy` as HTML."""
    rows = summary_rows(table)
    names = shown_names(rows)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in (*names, *NUMBER_COLUMNS))
    body = ""
    for row in rows:
        cells = (*(row[name] for name in names), *number_texts(row))
        body += f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in cells)}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
