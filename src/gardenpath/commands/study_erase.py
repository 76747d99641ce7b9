"""`gardenpath study erase`: delete a participant's answers on request."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import print_line
from gardenpath.errors import InputError


def erase_study(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A study.")],
    participant: Annotated[str, typer.Argument(help="The participant's id from the panel, or the one in the results.")],
    *,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="postgresql://… without a password. Default: the environment variable GARDENPATH_STUDY_DATABASE, or "
            "DIR/study.db (SQLite).",
        ),
    ] = "",
) -> None:
    """Delete everything about one participant from a study's database; the server may be running.

    Back-ups, downloads and tables made earlier still contain the answers.

    Examples:

        gardenpath study erase my-study 5f1e8c0a9b7d6e4c3a2b1d0f
    """
    from gardenpath.human.server.connection import database_address, require_database
    from gardenpath.human.server.erasure import erase_participant

    address = database_address(folder, database)
    require_database(address)
    if not erase_participant(address, participant):
        raise InputError(f"no participant {participant!r} is in the database; give the panel's id, or that of results")
    print_line("Erased: everything about the participant is deleted from the database.")
