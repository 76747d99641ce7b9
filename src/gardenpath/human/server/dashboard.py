"""The researcher's pages: login, numbers, downloads, closing, rejecting, erasing."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from gardenpath.human.server.connection import Connection, connect, transaction
from gardenpath.human.server.dashboard_page import dashboard, login_page, message_page
from gardenpath.human.server.database import read_database
from gardenpath.human.server.erasure import erase_participant
from gardenpath.human.server.messages import RefusedError
from gardenpath.human.server.overview import Overview, summarise
from gardenpath.human.server.schema import write_setting
from gardenpath.human.server.security import HOURS_LOGGED_IN, Cookies, RateLimit, read_body, require_same_origin
from gardenpath.human.server.sessions import Sessions
from gardenpath.human.server.writer import CLOSED, Database

if TYPE_CHECKING:
    import polars

COOKIE = "gardenpath_researcher"
SECONDS_AFTER_FAILURE = 1.0
LOGINS_PER_SECOND, MOST_LOGINS_AT_ONCE = 0.2, 10
"""Of everybody together: guessing a password of some length is hopeless."""
Form = dict[str, str]
Action = Callable[["Researcher", Form], Awaitable[Response]]


class Researcher:
    """The routes that need the password."""

    def __init__(self, sessions: Sessions, database: Database, password: str) -> None:
        self.sessions = sessions
        self.database = database
        self.password = sha256(password.encode()).digest()
        self.cookies = Cookies(hmac.new(sessions.salt, password.encode(), sha256).digest())
        self.logins = RateLimit(LOGINS_PER_SECOND, MOST_LOGINS_AT_ONCE)

    def routes(self) -> list[Route]:
        """List the routes."""
        return [
            Route("/researcher", self.show),
            Route("/researcher/researcher.css", send_style),
            Route("/researcher/login", self.log_in, methods=["POST"]),
            Route("/researcher/{name:str}.csv", self.send_csv),
            Route("/researcher/responses.json", self.send_json),
            Route("/researcher/{action:str}", self.act, methods=["POST"]),
        ]

    def logged_in(self, request: Request) -> bool:
        """Whether a request has the cookie of somebody who knew the password."""
        return self.cookies.accept(request.cookies.get(COOKIE, ""), "researcher")

    async def show(self, request: Request) -> Response:
        """Show the study in numbers, or the login."""
        if not self.logged_in(request):
            return self.ask_password(200)
        token = self.cookies.form_token(request.cookies[COOKIE])
        overview = await run_in_threadpool(self.overview)
        return HTMLResponse(dashboard(self.sessions.study.spec, overview, token))

    def overview(self) -> Overview:
        """Count on a connection of its own, beside the writer."""
        connection = connect(self.database.address)
        try:
            with transaction(connection, reading=True):
                return summarise(connection, self.sessions)
        finally:
            connection.close()

    def ask_password(self, status: int, error: str = "") -> Response:
        """Send the login form, with a cookie that its token belongs to."""
        guest = self.cookies.issue("guest")
        response = HTMLResponse(login_page(self.cookies.form_token(guest), error=error), status_code=status)
        set_cookie(response, guest, secure=False)
        return response

    async def log_in(self, request: Request) -> Response:
        """Compare the password, in the same time whatever it is; a wrong one takes a second."""
        form = await self.read_form(request, "guest")
        self.logins.require("")
        given = sha256(form.get("password", "").encode(errors="replace")).digest()
        if not hmac.compare_digest(given, self.password):
            await asyncio.sleep(SECONDS_AFTER_FAILURE)
            return self.ask_password(403, "This is not the password.")
        response = RedirectResponse("/researcher", status_code=303)
        # The page was reached through TLS if the browser says so; a proxy's headers are not needed.
        secure = request.headers.get("origin", "").startswith("https://")
        set_cookie(response, self.cookies.issue("researcher"), secure=secure)
        return response

    async def read_form(self, request: Request, kind: str) -> Form:
        """Read a form whose token belongs to its sender's cookie."""
        require_same_origin(request)
        body = await read_body(request, kind="application/x-www-form-urlencoded")
        cookie = request.cookies.get(COOKIE, "")
        if not self.cookies.accept(cookie, kind):
            raise RefusedError(403, "You are not logged in, or no longer. Open /researcher again.")
        try:
            fields = parse_qs(body.decode(), max_num_fields=20)
        except ValueError:
            raise RefusedError(400, "The form cannot be read.") from None
        form = {name: values[0] for name, values in fields.items()}
        if not hmac.compare_digest(
            form.get("form_token", "").encode(errors="replace"), self.cookies.form_token(cookie).encode()
        ):
            raise RefusedError(403, "The form is not from this page. Open /researcher again.")
        return form

    async def act(self, request: Request) -> Response:
        """Do what a button of the page stands for."""
        action = ACTIONS.get(request.path_params["action"])
        if action is None:
            raise RefusedError(404, "There is no such page.")
        return await action(self, await self.read_form(request, "researcher"))

    async def change(self, work: Callable[[Connection], object]) -> Response:
        """Change something in the database and show the page again."""
        await asyncio.wrap_future(self.database.submit(work))
        return RedirectResponse("/researcher", status_code=303)

    async def tables(self, request: Request) -> "dict[str, polars.DataFrame]":
        """The tables to download."""
        if not self.logged_in(request):
            raise RefusedError(403, "You are not logged in, or no longer. Open /researcher again.")
        responses, sessions = await run_in_threadpool(read_database, self.sessions.study, self.database.address)
        return {"responses": responses, "sessions": sessions}

    async def send_csv(self, request: Request) -> Response:
        """Send a table as CSV."""
        from gardenpath.human.server.downloads import to_csv

        tables = await self.tables(request)
        name = request.path_params["name"]
        if name not in tables:
            raise RefusedError(404, "There is no such file.")
        return download(await run_in_threadpool(to_csv, tables[name]), f"{name}.csv", "text/csv; charset=utf-8")

    async def send_json(self, request: Request) -> Response:
        """Send the responses as JSON."""
        tables = await self.tables(request)
        text = await run_in_threadpool(tables["responses"].write_json)
        return download(text, "responses.json", "application/json")


async def close_study(researcher: Researcher, _: Form) -> Response:
    """Let no more participants in."""
    return await researcher.change(lambda connection: write_setting(connection, CLOSED, "yes"))


async def reopen_study(researcher: Researcher, _: Form) -> Response:
    """Let participants in again."""
    return await researcher.change(lambda connection: write_setting(connection, CLOSED, "no"))


async def reject_session(researcher: Researcher, form: Form) -> Response:
    """Reject a session, whose place in the list somebody else gets."""
    sql, session = "UPDATE sessions SET rejected = 1 WHERE id = ?", form.get("session", "")
    return await researcher.change(lambda connection: connection.execute(sql, session))


async def accept_session(researcher: Researcher, form: Form) -> Response:
    """Accept a rejected session again."""
    sql, session = "UPDATE sessions SET rejected = 0 WHERE id = ?", form.get("session", "")
    return await researcher.change(lambda connection: connection.execute(sql, session))


async def erase_data(researcher: Researcher, form: Form) -> Response:
    """Erase a participant."""
    if form.get("sure") != "yes":
        return HTMLResponse(message_page("Nothing was erased", "Tick “I am sure” to erase."), status_code=400)
    participant = form.get("participant", "").strip()
    erased = await run_in_threadpool(erase_participant, researcher.database.address, participant)
    if not erased:
        return HTMLResponse(message_page("Nobody found", f"No participant is called {participant}."), status_code=404)
    return HTMLResponse(message_page("Erased", "Everything about the participant is deleted."))


async def log_out(_: Researcher, __: Form) -> Response:
    """End the login of this browser."""
    response = RedirectResponse("/researcher", status_code=303)
    response.delete_cookie(COOKIE, path="/researcher", httponly=True, samesite="strict")
    return response


ACTIONS: dict[str, Action] = {
    "close": close_study, "reopen": reopen_study, "reject": reject_session, "accept": accept_session,
    "erase": erase_data, "logout": log_out,
}  # fmt: skip


async def send_style(_: Request) -> Response:
    """Send the style sheet of the researcher's pages."""
    style = files(__package__).joinpath("assets", "researcher.css").read_bytes()
    return Response(style, headers={"Content-Type": "text/css; charset=utf-8", "Cache-Control": "no-cache"})


def set_cookie(response: Response, value: str, *, secure: bool) -> None:
    """Set the researcher's cookie, which scripts and other sites cannot use."""
    response.set_cookie(
        COOKIE, value, max_age=HOURS_LOGGED_IN * 3600, path="/researcher", httponly=True, samesite="strict",
        secure=secure,
    )  # fmt: skip


def download(content: str | bytes, name: str, kind: str) -> Response:
    """A file that the browser saves."""
    headers = {"Content-Type": kind, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers)
