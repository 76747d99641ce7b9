"""`gardenpath suites export`: suites in the formats of the field."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.completion import complete_suites
from gardenpath.commands.options import ColumnMap, Formulas, Join
from gardenpath.commands.spec_options import field_option
from gardenpath.commands.terminal import out, print_line
from gardenpath.errors import InputError
from gardenpath.runs.spec import RunSpec


def export(  # noqa: PLR0913 - every parameter is an option of the command
    name: Annotated[
        str, typer.Argument(help="A built-in suite or collection, a file or a folder.", autocompletion=complete_suites)
    ],
    *,
    layout: Annotated[Literal["syntaxgym", "blimp", "pairs", "tsv"], typer.Option("--format", help="File format.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File, or folder for a collection.")],
    n: Annotated[int | None, typer.Option(min=1, help="Items per suite and level. Default: all; blimp: 1,000.")] = None,
    seed: Annotated[int, typer.Option(help="Seed for items that are drawn at random (blimp) or sampled.")] = 0,
    lexicon: Annotated[str, field_option(RunSpec, "lexicon")] = "",
    vocabulary: Annotated[Path | None, field_option(RunSpec, "vocabulary")] = None,
    join: Join = "natural",
    columns: ColumnMap = None,
    prediction: Formulas = None,
    values: Annotated[
        Path | None,
        typer.Option(
            "--with-values", metavar="RUN", help="SyntaxGym: add the bits of every region as scored in this run."
        ),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="The model of the run, if it has several.")] = None,
) -> None:
    """Write suites in a standard format.

    Examples:

        gardenpath suites export blimp --format blimp --seed 1 --n 1000 --out my-blimp

        gardenpath suites export items.csv --format syntaxgym --prediction "(verb, a) < (verb, b)" --out items.json

        gardenpath suites export agreement --format syntaxgym --with-values runs/first --out scored.json
    """
    if values is None:
        from gardenpath.suites.export import export_suites
        from gardenpath.suites.load import LoadOptions

        chosen = LoadOptions(
            join=join, columns=columns, sample=n, seed=seed, lexicon=lexicon, vocabulary=vocabulary,
            predictions=prediction or (),
        )  # fmt: skip
        files = export_suites(name, path, format=layout, **chosen)
    else:
        from gardenpath.runs.export_values import export_values

        if layout != "syntaxgym":
            raise InputError(f"the format {layout} holds no values of regions; give --format syntaxgym")
        if n is not None or seed or lexicon or vocabulary or columns or prediction or join != "natural":
            raise InputError(
                "--n, --seed, --lexicon, --vocabulary, --columns, --prediction and --join are those of the run; leave "
                "them out beside --with-values"
            )
        files = export_values(name, values, path, model=model)
    for file in files:
        print_line(str(file), to=out)
