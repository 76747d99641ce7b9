"""`gardenpath study import`: what other tools collected, as one typed table."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.terminal import print_line


def import_study(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files with responses; jspsych: also folders.")],
    *,
    layout: Annotated[
        Literal["mturk", "jspsych", "ibex", "pcibex", "table"],
        typer.Option(
            "--format",
            help="`mturk`: batch files. `jspsych`: JSON, also from JATOS and from exported pages. `ibex`, `pcibex`: "
            "results files. `table`: a row per response.",
        ),
    ],
    path: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder for the responses.")],
    columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD=COLUMN,…",
            help="The column of each field: participant, item, condition, choice, rating, rt and so on.",
        ),
    ] = None,
    study: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The study, for its items, right answers, roles and exclusion rules."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace other responses in the folder.")] = False,
) -> None:
    """Import responses that other tools collected.

    Examples:

        gardenpath study import batch.csv --format mturk --out responses

        gardenpath study import results/*.json --format jspsych --study my-study --out responses

        gardenpath study import ratings.csv --format table --columns participant=WorkerID,rating=Score --out responses
    """
    from gardenpath.human.formats.read import read_responses

    found = read_responses(files, format=layout, columns=",".join(columns or ()), study=study)
    found.save(path, overwrite=overwrite)
    skipped = "".join(f"; not used: {number:,} {what}" for what, number in found.skipped.items())
    print_line(f"{path}: {found.summary()}{skipped}")
    print_line(f"Next: gardenpath study analyse {path}")
