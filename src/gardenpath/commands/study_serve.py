"""`gardenpath study serve`: run a study on your own machine."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import out, print_line, print_notes
from gardenpath.io.extras import require_extras

PASSWORD = "GARDENPATH_STUDY_PASSWORD"


def serve_study(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A study made by `study build`.")],
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: any free port.")] = 8000,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0: all of this machine.")] = "127.0.0.1",
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="postgresql://… without a password. Default: the environment variable GARDENPATH_STUDY_DATABASE, or "
            "DIR/study.db (SQLite).",
        ),
    ] = "",
    password_file: Annotated[
        Path | None,
        typer.Option(help=f"File with the researcher's password. Default: the environment variable {PASSWORD}."),
    ] = None,
) -> None:
    """Serve a study: participants open its address, the researcher opens /researcher; Ctrl-C stops it.

    Examples:

        gardenpath study serve my-study --port 8080

        gardenpath study serve my-study --database postgresql://lab@localhost/study --password-file password.txt
    """
    with require_extras("the study server"):
        from gardenpath.human.server.app import build_app, open_socket, read_password, serve
    from gardenpath.human.server.connection import database_address
    from gardenpath.human.study import Study

    study = Study.read(folder)
    address = database_address(folder, database)
    password = read_password(password_file, os.environ.get(PASSWORD))
    listening = open_socket(host, port)
    try:
        app = build_app(study, address, password=password)
        show_addresses(listening.getsockname(), study.spec.panel.id_parameter, researcher=password is not None)
        serve(app, listening)
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    print_line("The server has ended; all answers are in the database.")


def show_addresses(taken: tuple[str, int], parameter: str, *, researcher: bool) -> None:
    """Print where participants and the researcher find the study."""
    host, port = taken[:2]
    base = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    print_line(f"Participants of a panel: {base}?{parameter}=ID; one list only: {base}?list=1")
    if researcher:
        print_line(f"Results so far: {base}researcher")
    else:
        print_notes([f"there are no researcher's pages: set {PASSWORD} in the environment, or give --password-file"])
    if host not in ("127.0.0.1", "::1"):
        print_notes(["other machines reach this server without encryption; put a reverse proxy with TLS before it"])
    print_line(base, to=out)
