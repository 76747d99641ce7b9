"""Output of commands: consoles, progress bars, notes, tables of results."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.errors import InputWarning

WIDTH = None if sys.stdout.isatty() else 160
"""Columns of output; a pipe has no width of its own, and a table should not be squeezed into 80."""
out = Console(width=WIDTH)
err = Console(stderr=True, width=WIDTH)


@contextmanager
def progress_bar() -> Iterator[Any]:
    """Show a bar with the time left, on a terminal only."""
    from rich import progress

    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.MofNCompleteColumn())
    times = (progress.TimeElapsedColumn(), progress.TimeRemainingColumn())
    with progress.Progress(*columns, *times, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield bar


@contextmanager
def reading_bar(path: Path) -> Iterator[Callable[[int], None]]:
    """A progress bar over the bytes of a file."""
    with progress_bar() as bar:
        task = bar.add_task(escape(f"Reading {path}"), total=path.stat().st_size if path.is_file() else None)
        yield lambda read: bar.advance(task, read)


def show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print our own warnings in one line each; those of libraries are not for users."""
    if issubclass(category, InputWarning):
        print_notes([str(message)])


def print_notes(notes: list[str]) -> None:
    """Print notes to the user, in one line each."""
    for note in notes:
        # In one call: a live progress bar would appear between two.
        err.print(Text.assemble(("note:", "yellow"), f" {note}"), highlight=False, soft_wrap=True)


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print the rows of the table of results, as a table or as JSON."""
    from gardenpath.io.json_text import to_json
    from gardenpath.runs.accuracy_text import summary_table

    if as_json:
        sys.stdout.write(to_json([dict(row) for row in rows]))
    else:
        out.print(summary_table(rows))


def number_table(*columns: str, title: str) -> Table:
    """A table whose columns are numbers, except the first."""
    table = Table(*columns, title=escape(title))
    for column in table.columns[1:]:
        column.justify = "right"
    table.columns[0].overflow = "fold"
    return table


def add_row(table: Table, name: str, *values: int | float | str) -> None:
    """Add a row of counts, rates and words."""
    table.add_row(escape(name), *map(format_value, values))


def format_value(value: int | float | str) -> str:
    """A count with separators, a rate in per cent, a word as it is."""
    if isinstance(value, str):
        return escape(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.2%}"


def format_perplexity(perplexity: float) -> str:
    """A number that stays short when a training goes wrong."""
    return f"{perplexity:.2f}" if perplexity < 1e6 else f"{perplexity:.3g}"
