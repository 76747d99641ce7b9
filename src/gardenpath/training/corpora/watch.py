"""Reports of how much of a file has been read, for progress bars."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from gardenpath.text.corpus_reader import ReportBytes

Watch = Callable[[Path], AbstractContextManager[ReportBytes]]
"""Opens a display of how many bytes of a file have been read."""


@contextmanager
def unwatched(_: Path) -> Iterator[ReportBytes]:
    """Report nothing."""
    yield lambda _: None
