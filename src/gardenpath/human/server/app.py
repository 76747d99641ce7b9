"""The study server as an ASGI application, and the process that runs it."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.human.server.dashboard import Researcher
from gardenpath.human.server.dashboard_page import message_page
from gardenpath.human.server.messages import RefusedError
from gardenpath.human.server.participant_api import ParticipantApi
from gardenpath.human.server.security import Guard
from gardenpath.human.server.sessions import Sessions, now_ms
from gardenpath.human.server.writer import Database, require_same_materials
from gardenpath.human.study import Study

SHORTEST_PASSWORD = 8
GRACE_SECONDS = 5
"""How long requests may still take when the server is ended."""
MOST_CONNECTIONS = 2000
CONNECTIONS_WAITING = 2048


def build_app(
    study: Study, address: str, *, password: str | None = None, clock: Callable[[], int] = now_ms
) -> Starlette:
    """Build the application of a study and its database; without a password there are no pages for the researcher."""
    require_password(password)
    digest = study.digest
    database = Database(address)
    try:
        database.run(lambda connection: require_same_materials(connection, digest))
    except InputError:
        database.close()
        raise
    sessions = Sessions(study, database.salt, f"{__version__} {digest}", clock)
    routes = ParticipantApi(sessions, database).routes()
    if password is not None:
        routes += Researcher(sessions, database, password).routes()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        database.close()

    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard)],
        exception_handlers={RefusedError: refuse, HTTPException: refuse_http},
        lifespan=lifespan,
    )


def require_password(password: str | None) -> None:
    """Refuse a password that can be guessed."""
    if password is not None and len(password) < SHORTEST_PASSWORD:
        raise InputError(f"the researcher's password is too short; give one of at least {SHORTEST_PASSWORD} characters")


async def refuse(request: Request, error: Exception) -> Response:
    """Answer a request that is refused, to a researcher with a page."""
    assert isinstance(error, RefusedError)
    headers = {"Retry-After": "2"} if error.status in (429, 503) else None
    if request.url.path.startswith("/researcher"):
        return HTMLResponse(message_page("Refused", error.message), status_code=error.status, headers=headers)
    return JSONResponse(error.body(), status_code=error.status, headers=headers)


async def refuse_http(_: Request, error: Exception) -> Response:
    """Answer a request for a page or a method that does not exist."""
    assert isinstance(error, HTTPException)
    message = {404: "There is no such page.", 405: "This page does not understand the method."}
    body = {"error": message.get(error.status_code, "The request cannot be answered.")}
    return JSONResponse(body, status_code=error.status_code, headers=error.headers)


def open_socket(host: str, port: int) -> socket.socket:
    """Take a port; refuse one that another program has."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(CONNECTIONS_WAITING)  # who connects from now on waits until the server runs
    except OSError as error:
        listening.close()
        raise InputError(
            f"port {port} of {host} cannot be used ({error.strerror}); choose another with --port, or end the program "
            "that has it"
        ) from error
    return listening


def serve(app: Starlette, listening: socket.socket) -> None:
    """Run the server until it is interrupted; requests under way are finished first."""
    import uvicorn

    # No access log: it would hold addresses, and the panel's ids in them. No headers of a proxy are believed.
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, proxy_headers=False, workers=1, ws="none",
        limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=75, timeout_graceful_shutdown=GRACE_SECONDS,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])


def read_password(path: Path | None, environment: str | None) -> str | None:
    """The researcher's password: the first line of a file, else that of the environment, else none."""
    if path is None:
        return environment or None
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the password file {path} cannot be read ({error}); name another") from error
    if not lines or not lines[0].strip():
        raise InputError(f"the password file {path} is empty; write the password into its first line")
    return lines[0].strip()
