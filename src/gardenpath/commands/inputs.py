"""What commands are given: suites by name, sentences by file, the store."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.commands.terminal import err
from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.store import Store
    from gardenpath.suites.suite import Suite


def find_all(names: list[str] | None, *, join: str, sample_size: int | None = None, seed: int = 0) -> "list[Suite]":
    """The suites named, or those run by default."""
    from gardenpath.pipeline import sample
    from gardenpath.suites.catalog import DEFAULT_SUITES, find_suites

    found: list[Suite] = []
    with err.status("Reading suites …"):
        for name in names if names is not None else DEFAULT_SUITES:
            found.extend(find_suites(name, join="space" if join == "space" else "natural"))
    repeated = {suite.name for suite in found if sum(other.name == suite.name for other in found) > 1}
    if repeated:
        raise InputError(f"two suites are called {sorted(repeated)[0]!r}; results could not be told apart: rename one")
    return found if sample_size is None else [sample(suite, sample_size, seed=seed) for suite in found]


def files_within(paths: list[Path]) -> list[Path]:
    """The files named, and the JSON files of the folders named."""
    found: list[Path] = []
    for path in paths:
        found.extend(sorted(path.rglob("*.json")) if path.is_dir() else [path])
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: there is no JSON file in it")
    return found


def read_lines(path: Path | None) -> list[str]:
    """The sentences of a file (standard input: None), blank lines left out."""
    if path is None:
        text = sys.stdin.read()
    else:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; name a text file with one sentence per line")
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: byte {error.start} is not UTF-8; convert the file to UTF-8") from error
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{path or 'standard input'} holds no sentence; give one per line")
    return lines


@contextmanager
def opened_store(path: Path | None) -> "Iterator[Store]":
    """The store, closed afterwards."""
    from gardenpath.places import cache_folder
    from gardenpath.store import Store

    store = Store(path or cache_folder() / "surprisals.sqlite")
    try:
        yield store
    finally:
        store.close()
