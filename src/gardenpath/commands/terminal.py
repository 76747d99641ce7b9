"""What commands print: the two consoles, lines, notes, tables."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from rich.console import Console
from rich.text import Text

from gardenpath.errors import InputWarning
from gardenpath.io.json_text import to_json
from gardenpath.io.printable import plain_text, printable_json, printable_lines
from gardenpath.io.terminal_table import Cell, Column, TerminalTable, wrap_message

PIPE = 160
"""Columns of a pipe, which has no width of its own: a table should not be squeezed into 80."""
out = Console(width=None if sys.stdout.isatty() else PIPE, markup=False, emoji=False, highlight=False)
err = Console(stderr=True, width=None if sys.stderr.isatty() else PIPE, markup=False, emoji=False, highlight=False)


def print_line(line: str, *, to: Console = err, label: str = "", style: str = "", wrapped: bool = True) -> None:
    """Print a line, or a message of several: names in it neither act on the terminal nor are markup.

    On a terminal it is wrapped between words, so that a path stays whole; a command to be copied is printed unwrapped.
    """
    message = f"{label} " * bool(label) + printable_lines(line)
    text = Text(wrap_message(message, to.width) if to.is_terminal and wrapped else message)
    text.stylize(style, 0, len(label))
    # In one call: a live progress bar would appear between two.
    to.print(text, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a value as JSON, in which nothing acts on a terminal either."""
    sys.stdout.write(printable_json(to_json(value)))


def print_notes(notes: Iterable[str]) -> None:
    """Print notes to the user, each as a message of its own: in a pipe one line."""
    for note in notes:
        print_line(note, label="note:", style="yellow")


def show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print our own warnings as notes; those of libraries are not for users."""
    if issubclass(category, InputWarning):
        print_notes([str(message)])


def show_status(text: str) -> AbstractContextManager[Any]:
    """Show a line with a spinner while something is done, on a terminal only."""
    return err.status(plain_text(text))


def describing_column() -> Any:
    """Make the column of a bar that describes it; descriptions are not markup."""
    from rich.progress import TextColumn

    return TextColumn("{task.description}", markup=False)


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool, by: str = "suite") -> None:
    """Print the rows of the table of results, grouped by something, as a table or as JSON."""
    from gardenpath.runs.accuracy_text import summary_table

    if as_json:
        print_json([dict(row) for row in rows])
    else:
        out.print(summary_table(rows, by))


def number_table(
    *columns: str, rows: Iterable[Sequence[int | float | str]], title: str, names: int = 1
) -> TerminalTable:
    """Make a table whose columns are numbers, except the first: names."""
    kinds = [Column(heading, "name" if index < names else "number") for index, heading in enumerate(columns)]
    return TerminalTable(kinds, [list(map(format_value, row)) for row in rows], title=title)


def format_value(value: int | float | str) -> Cell:
    """A count with separators, a rate in per cent, a word as it is."""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.2%}"
