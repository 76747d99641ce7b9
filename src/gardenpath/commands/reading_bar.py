"""A progress bar over the bytes of a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from gardenpath.commands.terminal import progress_bar

if TYPE_CHECKING:
    from gardenpath.text.corpus_reader import ReportBytes


@contextmanager
def reading_bar(path: Path) -> "Iterator[ReportBytes]":
    """A progress bar over the bytes of a file."""
    with progress_bar() as bar:
        task = bar.add_task(escape(f"Reading {path}"), total=path.stat().st_size if path.is_file() else None)
        yield lambda read: bar.advance(task, read)
