"""Experiments on the terminal: the table of steps, failures, durations and sizes."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gardenpath.commands.terminal import describing_column, err, number_table, print_line
from gardenpath.io.durations import format_duration
from gardenpath.io.terminal_table import TerminalTable

if TYPE_CHECKING:
    from gardenpath.experiments.status import Status

SHOWN_FAILURES = 5


def status_table(status: "Status") -> TerminalTable:
    """A row for every kind of step, with the numbers of those done, running, failed and waiting."""
    from gardenpath.experiments.status import STATES

    rows: list[list[str | int]] = [
        [kind, *found.values(), sum(found.values())] for kind, found in status.by_kind().items()
    ]
    rows.append(["all", *status.counts().values(), len(status.steps)])
    return number_table("steps", *STATES, "total", rows=rows, title=status.experiment)


def describe_progress(status: "Status") -> str:
    """How far an experiment is, in one line."""
    counts = status.counts()
    now = time.time()
    left, rate = status.seconds_left(now), status.steps_per_hour(now)
    parts = [f"{counts['done']:,} of {len(status.steps):,} steps done"]
    parts += [f"{counts[state]:,} {state}" for state in ("running", "failed") if counts[state]]
    if rate is not None and not status.is_complete:
        parts.append(f"{rate:,.0f} steps per hour")
    if left is not None:
        parts.append(f"about {format_duration(left)} left")
    return ", ".join(parts)


@contextmanager
def experiment_bar() -> Iterator[Any]:
    """Show a bar of the steps that are done, on a terminal only; the time left is in its description."""
    from rich import progress

    columns = (progress.BarColumn(20), progress.TimeElapsedColumn(), describing_column())
    with progress.Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield bar


def print_failures(status: "Status") -> None:
    """Print why steps failed, with their last lines."""
    failed = status.failed
    for step in failed[:SHOWN_FAILURES]:
        print_line(
            indent_lines(f"{step.name} ({status.root / step.name / 'log.txt'})\n{status.explain(step)}"),
            label="failed:",
            style="bold red",
        )
    if len(failed) > SHOWN_FAILURES:
        print_line(f"… and {len(failed) - SHOWN_FAILURES:,} more: `gardenpath experiment status {status.root}`")


def indent_lines(text: str) -> str:
    """A message whose lines after the first are indented."""
    first, *others = text.splitlines()
    return "\n".join([first, *(f"    {line}" for line in others)])


def format_size(size: float) -> str:
    """A number of bytes in the unit that fits.

    >>> format_size(900), format_size(2_500_000)
    ('900 B', '2.5 MB')
    """
    units: Iterable[str] = ("B", "kB", "MB", "GB", "TB")
    for unit in units:
        if size < 1000 or unit == "TB":
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError
