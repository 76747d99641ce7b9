"""What the participant's page asks the server: start, answer, questions, finish."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from gardenpath.human.answers import Message, explain_error
from gardenpath.human.page.shell import asset, content_type, page_html
from gardenpath.human.server.connection import Connection
from gardenpath.human.server.messages import (
    AnswerRequest,
    FinishRequest,
    QuestionsRequest,
    RefusedError,
    StartRequest,
)  # fmt: skip
from gardenpath.human.server.security import RateLimit, read_body
from gardenpath.human.server.sessions import Session, Sessions, hash_token
from gardenpath.human.server.storing import finish, store_answer, store_questions
from gardenpath.human.server.writer import Database, StorageError
from gardenpath.human.view import participant_view

Sent = TypeVar("Sent", bound=Message)
T = TypeVar("T")
STARTS_PER_SECOND, MOST_STARTS_AT_ONCE = 20, 600
"""Of all participants together: a class or a panel may arrive at the same moment."""
REQUESTS_PER_SECOND, MOST_REQUESTS_AT_ONCE = 10, 200
"""Of one participant: people never are so fast, but a program that tries out a whole list may be."""
NOT_STORED = "This could not be stored just now. Please try again; nothing is lost."


class ParticipantApi:
    """The routes that participants use."""

    def __init__(self, sessions: Sessions, database: Database) -> None:
        self.sessions = sessions
        self.database = database
        self.starts = RateLimit(STARTS_PER_SECOND, MOST_STARTS_AT_ONCE)
        self.requests = RateLimit(REQUESTS_PER_SECOND, MOST_REQUESTS_AT_ONCE)
        self.view = cache(self.build_view)
        self.page = page_html(sessions.study.spec, assets="/assets")

    def routes(self) -> list[Route]:
        """List the routes."""
        return [
            Route("/", self.show_page),
            Route("/assets/{name}", self.send_asset),
            Route("/health", self.report_health),
            Route("/api/start", self.start, methods=["POST"]),
            Route("/api/answer", self.answer, methods=["POST"]),
            Route("/api/questions", self.questions, methods=["POST"]),
            Route("/api/finish", self.finish, methods=["POST"]),
        ]

    async def show_page(self, _: Request) -> Response:
        """Send the participant's page."""
        return HTMLResponse(self.page)

    async def send_asset(self, request: Request) -> Response:
        """Send a file of the page."""
        name = request.path_params["name"]
        try:
            content = asset(name)
        except KeyError:
            raise RefusedError(404, "There is no such file.") from None
        return Response(content, headers={"Content-Type": content_type(name), "Cache-Control": "no-cache"})

    async def report_health(self, _: Request) -> Response:
        """Say whether the database answers."""
        await self.store(lambda connection: connection.execute("SELECT 1"))
        return JSONResponse({"status": "ok"})

    async def start(self, request: Request) -> Response:
        """Begin or resume a session."""
        self.starts.require("")
        sent = await parse(request, StartRequest)
        started = await self.store(lambda connection: self.sessions.start(connection, sent))
        session = started.session
        return JSONResponse(
            {
                "token": started.token,
                "view": self.view(session.list, session.version),
                "next": started.next_trial,
                "questions_answered": started.questions_answered,
                "state": session.state,
                **self.ending(session),
            }
        )

    async def answer(self, request: Request) -> Response:
        """Store the answer to a trial."""
        sent = await parse(request, AnswerRequest)
        self.requests.require(hash_token(sent.token))
        next_trial = await self.store(lambda connection: store_answer(connection, self.sessions, sent))
        return JSONResponse({"stored": True, "next": next_trial})

    async def questions(self, request: Request) -> Response:
        """Store the answers to questions about the participant."""
        sent = await parse(request, QuestionsRequest)
        self.requests.require(hash_token(sent.token))
        await self.store(lambda connection: store_questions(connection, self.sessions, sent))
        return JSONResponse({"stored": True})

    async def finish(self, request: Request) -> Response:
        """End a session and hand out its code."""
        sent = await parse(request, FinishRequest)
        self.requests.require(hash_token(sent.token))
        session = await self.store(lambda connection: finish(connection, self.sessions, sent))
        return JSONResponse(self.ending(session))

    async def store(self, work: Callable[[Connection], T]) -> T:
        """Let the writer do some work; it is on disk when this returns."""
        waiting: Awaitable[T] = asyncio.wrap_future(self.database.submit(work))
        try:
            return await asyncio.shield(waiting)  # what has arrived is stored even if its sender has gone
        except StorageError:
            raise RefusedError(503, NOT_STORED) from None

    def ending(self, session: Session) -> dict[str, str | None]:
        """The completion code of a session, and where the participant goes with it."""
        url = self.sessions.study.spec.panel.completion_url
        if session.code is None:
            return {"code": None, "redirect": None}
        return {"code": session.code, "redirect": url.replace("{code}", quote(session.code, safe="")) or None}

    def build_view(self, number: int, version: int) -> dict[str, Any]:
        """Everything the page shows of one list."""
        lists = self.sessions.study.lists
        return participant_view(
            self.sessions.study, next(one for one in lists if (one.number, one.version) == (number, version))
        )


async def parse(request: Request, kind: type[Sent]) -> Sent:
    """Read a request as JSON of its schema."""
    body = await read_body(request, kind="application/json")
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise RefusedError(400, explain_error(error)) from None
