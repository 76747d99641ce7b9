"""What commands are given: suites by name, sentences by file, the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.terminal import err
from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.runs.store import Store
    from gardenpath.suites.suite import Join, Suite


ColumnMap = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="good=COLUMN,bad=COLUMN",
        help="Where files of pairs have their sentences; `bad` may be repeated, `id` and `suite` may be added.",
    ),
]


def find_all(
    names: list[str] | None,
    *,
    join: str,
    columns: str | None = None,
    sample_size: int | None = None,
    seed: int = 0,
) -> "list[Suite]":
    """The suites named, or those run by default."""
    from gardenpath.suites.load import load_suites

    glue: Join = "space" if join == "space" else "natural"
    with err.status("Reading suites …"):
        return load_suites(*names or (), join=glue, columns=columns, sample=sample_size, seed=seed)


def files_within(paths: list[Path]) -> list[Path]:
    """The files named, and the JSON files of the folders named."""
    found: list[Path] = []
    for path in paths:
        found.extend(sorted(path.rglob("*.json")) if path.is_dir() else [path])
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: there is no JSON file in it")
    return found


@contextmanager
def opened_store(path: Path | None) -> "Iterator[Store]":
    """The store, closed afterwards."""
    from gardenpath.io.cache_directory import cache_folder
    from gardenpath.runs.store import Store

    store = Store(path or cache_folder() / "surprisals.sqlite")
    try:
        yield store
    finally:
        store.close()
