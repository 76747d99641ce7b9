"""Suites that commands are given."""

from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.terminal import err

if TYPE_CHECKING:
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
