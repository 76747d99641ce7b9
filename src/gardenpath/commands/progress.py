"""Progress of commands: a bar on a terminal, elsewhere a line every minute."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gardenpath.commands.terminal import describing_column, err
from gardenpath.io.printable import printable_lines

SECONDS = 300.0
"""The time left is estimated from this many last seconds: of a large model, a step alone may take half a minute."""


@contextmanager
def progress_bar() -> Iterator[Any]:
    """Show a bar with the time left; where standard error is no terminal, print a line at most every minute."""
    from rich import progress

    if not err.is_terminal:
        from gardenpath.commands.progress_lines import ProgressLines

        yield ProgressLines()
        return
    columns = (describing_column(), progress.BarColumn(), progress.TaskProgressColumn())
    times = (progress.TimeElapsedColumn(), progress.TimeRemainingColumn())
    with progress.Progress(*columns, *times, console=err, transient=True, speed_estimate_period=SECONDS) as bar:
        yield bar


@contextmanager
def reading_bar(path: Path) -> Iterator[Callable[[int], None]]:
    """A progress bar over the bytes of a file."""
    with progress_bar() as bar:
        task = bar.add_task(printable_lines(f"Reading {path}"), total=path.stat().st_size if path.is_file() else None)
        yield lambda read: bar.advance(task, read)
