"""What keeps strangers within bounds: headers, sizes, rates, signed cookies."""

import asyncio
import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from traceback import extract_tb

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gardenpath.human.server.messages import RefusedError

LARGEST_BODY = 64 * 1024
"""Bytes of a request."""
BODY_SECONDS = 15
"""How long a request may take to arrive."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # The panel's id is in the address. Without any referrer browsers would not say either which site sent a form.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
HOURS_LOGGED_IN = 12
log = logging.getLogger("gardenpath.study")


@dataclass
class RateLimit:
    """At most `burst` requests of one key at once, and `per_second` over time; kept in memory only."""

    per_second: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    most_keys: int = 20_000
    """The keys longest unheard of are forgotten first."""
    left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def require(self, key: str) -> None:
        """Count a request; refuse it where there were too many."""
        now = self.clock()
        tokens, before = self.left.pop(key, (self.burst, now))
        tokens = min(self.burst, tokens + (now - before) * self.per_second)
        self.left[key] = (tokens - 1 if tokens >= 1 else tokens, now)
        while len(self.left) > self.most_keys:
            self.left.popitem(last=False)
        if tokens < 1:
            raise RefusedError(429, "Too many requests. Please wait a moment; nothing is lost.")


async def read_body(request: Request, *, kind: str) -> bytes:
    """Read the body of a request of some content type, within limits of size and time."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise RefusedError(415, f"The body must be {kind}.")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    raise RefusedError(413, f"The body has more than {LARGEST_BODY} bytes.")
    except (TimeoutError, ClientDisconnect):
        raise RefusedError(408, "The body did not arrive in time.") from None
    return bytes(body)


class Guard:
    """Adds the headers to every response; answers errors of our own with one sentence instead of a stack trace."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, send_guarded)
        except Exception as error:  # noqa: BLE001 - a stranger learns nothing of it, and the log no participant's data
            where = extract_tb(error.__traceback__)[-1]
            log.error("%s in %s, line %s", type(error).__name__, where.filename, where.lineno)
            if not begun:
                response = JSONResponse({"error": "Something went wrong here. Please try again."}, status_code=500)
                await response(scope, receive, send_guarded)


@dataclass(frozen=True)
class Cookies:
    """Cookies signed with a key made of the password and the database's salt: a new password ends all logins."""

    key: bytes
    clock: Callable[[], float] = time.time

    def issue(self, kind: str) -> str:
        """Make a cookie: what its holder is (`guest` or `researcher`), when it ends, a random number, a signature."""
        content = f"{kind}.{int(self.clock()) + HOURS_LOGGED_IN * 3600}.{secrets.token_urlsafe(16)}"
        return f"{content}.{self.sign(content)}"

    def accept(self, cookie: str, kind: str) -> bool:
        """Whether a cookie is one of ours, of some kind, and still holds."""
        content, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(self.sign(content).encode(), signature.encode()):
            return False
        found, ends, _ = content.split(".")
        return found == kind and self.clock() < int(ends)

    def form_token(self, cookie: str) -> str:
        """The token that forms of the holder of a cookie carry; another site can neither read nor make it."""
        return self.sign(f"form {cookie}")

    def sign(self, content: str) -> str:
        """The signature of a content."""
        return hmac.new(self.key, content.encode(), sha256).hexdigest()


def require_same_origin(request: Request) -> None:
    """Refuse a form that another site sent, as far as the browser says where it comes from."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    if site is not None:
        ours = site in ("same-origin", "none")
    else:  # older browsers, and those that reach us without TLS; a proxy may have changed the host otherwise
        ours = origin is None or origin.partition("://")[2] == request.headers.get("host")
    if not ours:
        raise RefusedError(403, "The form came from another site.")
