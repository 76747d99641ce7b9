"""The table of accuracies as text for terminals, and as HTML for notebooks."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from gardenpath.io.printable import printable
from gardenpath.io.terminal_table import Cell, Column, TerminalTable
from gardenpath.statistics.accuracy import split_names
from gardenpath.statistics.group_names import GROUPED, NONE, POOLED

NUMBER_COLUMNS = ("n", "accuracy", "95% interval", "strict", "chance", "coverage", "ties", "invalid")
USUAL = {"coverage": "100.0", "ties": "0", "invalid": "0"}
"""Values that say nothing where all rows have them."""
SYMBOL = "first symbol"
POOLS = "Each {0} pools the items of its suites; means over suites: gardenpath table RUN --by {0} --suite-means"
PLAIN_WIDTH = 160
"""Columns of a table that is not printed to a terminal."""


def shown_names(rows: Sequence[Mapping[str, Any]], means: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """Choose the name columns to show: those of the group, and model and prediction where there are several."""
    groups = [name for name in (rows[0] if rows else ()) if name in GROUPED] or ["suite"]
    model, prediction = ([name] * (varies(name, rows) or varies(name, means)) for name in ("model", "prediction"))
    return [*model, *groups, *prediction], groups


def varies(name: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether rows have several values of a column."""
    return len({row[name] for row in rows}) > 1


def summary_table(rows: Sequence[Mapping[str, Any]], by: str = "suite") -> TerminalTable:
    """Lay out the rows of `summary_rows` for the terminal; `bos` of a row is the first symbol of its model, if known.

    Columns that say nothing are left out, and a line below says so, as do first symbols, of which a model has one. Rows
    of `overall_rows` (with `mean`) close it. by: what the rows are grouped by; that suites are pooled is noted.
    """
    rows, means = [row for row in rows if "mean" not in row], [row for row in rows if "mean" in row]
    read = {row["model"]: row["bos"] for row in rows if row.get("bos")}
    texts = [dict(zip(NUMBER_COLUMNS, number_texts(row), strict=True)) for row in rows]
    symbols = {row["model"]: read.get(row["model"], "–") for row in rows} if read else {}
    folded = fold_usual(texts) | ({SYMBOL: next(iter(read.values()))} if len(set(symbols.values())) == 1 else {})
    names, groups = shown_names(rows, means)
    numbers = [name for name in NUMBER_COLUMNS if name not in folded]
    cells: list[list[Cell]] = []
    for row, text in zip(rows, texts, strict=True):
        styles = {"accuracy": accuracy_style(row), "invalid": "bold red" if row["invalid"] else ""}
        cells.append([*(row[name] for name in names), *(Text(text[name], styles.get(name, "")) for name in numbers)])
    columns = [*(Column(name, "name") for name in names), *map(Column, numbers)]
    line = ", ".join(f"{name} {value}" for name, value in folded.items())
    others = varies("prediction", means) and not varies("prediction", rows)
    notes = [f"In all rows{' above the means' if others else ''}: {line}."] if line else []
    notes += [] if SYMBOL in folded or not symbols else [describe_symbols(symbols)]
    notes += [POOLS.format(name) for name in POOLED if name in split_names(by)][:1]
    notes += [NONE.format(name) for name in POOLED if any(row.get(name) == "(none)" for row in rows)]
    closing = [mean_cells({**row, groups[0]: row["suite"]}, [*names, *numbers], groups[0]) for row in means]
    block, compared = names.index(groups[0]), names.index("model") if "model" in names else None
    return TerminalTable(columns, cells, closing=closing, block=block, compared=compared, notes=notes)


def describe_symbols(symbols: Mapping[str, str]) -> str:
    """Name the first symbols of models, given by model; of four or more models, those of the largest group are others.

    >>> describe_symbols({"gpt2": "<|endoftext|>", "lstm": "<eos>"})
    'First symbol: <|endoftext|> (gpt2), <eos> (lstm).'
    """
    readers: dict[str, list[str]] = {}
    for model, symbol in symbols.items():
        readers.setdefault(symbol, []).append(model)
    groups = sorted(readers.items(), key=lambda group: len(group[1]))
    *few, (most, largest) = groups
    last = "all others" if len(largest) > 3 else ", ".join(largest)
    named = [(symbol, ", ".join(models)) for symbol, models in few] + [(most, last)]
    return f"First symbol: {', '.join(f'{symbol} ({models})' for symbol, models in named)}."


def mean_cells(row: Mapping[str, Any], names: Sequence[str], title: str) -> list[Cell]:
    """Format an overall row, with its title in a column; of its numbers it has the items, accuracy and interval."""
    known = {**row, "n": f"{row['n']:,}", "accuracy": Text(percent(row["accuracy"]), "bold")}
    bounds = "–" if row["low"] is None else f"{percent(row['low'])}–{percent(row['high'])}"
    shown = {name: known.get(name, "") for name in names} | {"95% interval": bounds}
    return [Text(cell, "italic") if name == title else cell for name, cell in shown.items()]


def fold_usual(rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Name the columns that say nothing, with the value that all rows have there."""
    if not rows:
        return {}
    same = {"strict": "= accuracy"} if all(row["strict"] == row["accuracy"] for row in rows) else {}
    return same | {name: value for name, value in USUAL.items() if all(row[name] == value for row in rows)}


def number_texts(row: Mapping[str, Any]) -> list[str]:
    """Format the numbers of a row."""
    interval = "–" if row["low"] is None else f"{percent(row['low'])}–{percent(row['high'])}"
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


def accuracy_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write the rows of `summary_rows` as plain text."""
    console = Console(width=PLAIN_WIDTH, force_terminal=False, color_system=None)
    with console.capture() as captured:
        console.print(summary_table(rows))
    return "\n".join(line.rstrip() for line in captured.get().splitlines() if line.strip())


def accuracy_html(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write the rows of `summary_rows` as HTML."""
    shown = summary_table(rows)
    head = "".join(f"<th>{html.escape(column.heading)}</th>" for column in shown.columns)
    body = ""
    for row in [*shown.rows, *shown.closing]:
        body += f"<tr>{''.join(f'<td>{html.escape(printable(str(cell)))}</td>' for cell in row)}</tr>"
    notes = "".join(f"<p>{html.escape(printable(note))}</p>" for note in shown.notes)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
