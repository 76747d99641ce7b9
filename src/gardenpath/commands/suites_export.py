"""`gardenpath suites export`: suites in the formats of the field."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.options import Join
from gardenpath.commands.terminal import out, print_line


def export(
    name: Annotated[str, typer.Argument(help="A built-in suite or collection, a file or a folder.")],
    *,
    layout: Annotated[Literal["syntaxgym", "blimp", "pairs", "tsv"], typer.Option("--format", help="File format.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File, or folder for a collection.")],
    n: Annotated[int | None, typer.Option(min=1, help="Items per suite and level. Default: all, or 1,000.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of items that are drawn at random (blimp), or sampled.")] = 0,
    join: Join = "natural",
) -> None:
    """Write suites in a format of the field.

    Example: gardenpath suites export blimp --format blimp --seed 1 --n 1000 --out my-blimp
    """
    from gardenpath.suites.export import export_suites

    for file in export_suites(name, path, format=layout, join=join, sample=n, seed=seed):
        print_line(str(file), to=out)
