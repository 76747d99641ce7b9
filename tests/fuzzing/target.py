"""What is fuzzed: some files, how they are read, and what must come of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Read = Callable[[Path], object]
"""Read the folder of the files, check what was read, and return its numbers."""


@dataclass(frozen=True)
class Target:
    """A file format with a reader of ours."""

    name: str
    write: Callable[[Path], object]
    """Write valid files into a folder."""
    read: Read
    protected: bool = False
    """Whether digests guard the files: then a damaged one is refused, or its numbers are those of the whole one."""
    share: int = 50
    """How many of the inputs it gets, in proportion."""
    files: str = "**/*"
    """The files that are damaged."""
    restore_all: bool = False
    """Whether reading may change, move or add files, so that all are written again."""
