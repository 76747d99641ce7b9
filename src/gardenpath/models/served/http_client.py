"""Requests to a server, repeated with growing waits where it is busy, failing or cut off."""

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from threading import Event
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.io.printable import printable
from gardenpath.models.served.address import KEY_VARIABLE

T = TypeVar("T")
MORE_LATER = frozenset({408, 425, 429})
"""Statuses of a client's error that a later request may not meet; all from 500 on are of this kind too."""
FAILURES = (OSError, http.client.HTTPException)
"""How a connection fails: refused, reset, timed out, closed in the middle of an answer."""
UNDECODABLE = "codec can't decode"
"""In the answer of llama-cpp-python to a token that is part of a character; repeating that request does not help."""
LARGEST_ANSWER = 1 << 28
"""Bytes of an answer that are read at most."""
QUOTED = 300
"""Characters of a server's message that errors repeat."""


class MalformedAnswerError(Exception):
    """An answer does not have the form of its protocol."""


class RefusedRequestError(InputError):
    """The server answered that a request is wrong; repeating it would not help."""


class UnavailableServerError(InputError):
    """The server did not answer a request properly, however often it was repeated."""


class MalformedServerError(UnavailableServerError):
    """The server answered, but never in the form of the protocol."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server."""

    tries: int = 8
    timeout: float = 120.0
    """Seconds for a whole answer."""
    first_wait: float = 0.5
    """Seconds before the second try; doubled for each further one."""
    longest_wait: float = 60.0
    longest_asked: float = 600.0
    """Seconds that a server may demand with Retry-After at most."""


class NoRedirection(urllib.request.HTTPRedirectHandler):
    """Follows no redirection, which would send the key to another server."""

    def redirect_request(self, *_arguments: Any) -> None:
        """Refuse."""


@dataclass(frozen=True)
class Client:
    """Sends JSON to one server.

    The standard library is enough: a request takes a server much longer than a new connection takes the network.
    """

    url: str
    patience: Patience = field(default_factory=Patience)
    stopped: Event = field(default_factory=Event)
    """Set where the results are not wanted any more: no further request is sent."""
    rng: random.Random = field(default_factory=random.Random)

    def post(self, path: str, body: Mapping[str, Any], read: Callable[[Any], T], *, tries: int | None = None) -> T:
        """Send a body and return what `read` makes of the answer; repeat it where that may help."""
        content = json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        return self.repeat(urllib.request.Request(self.url + path, content, headers, method="POST"), read, tries)

    def get(self, path: str, read: Callable[[Any], T]) -> T:
        """Return what `read` makes of the answer at a path."""
        return self.repeat(urllib.request.Request(self.url + path, headers={"Accept": "application/json"}), read, None)

    def repeat(self, request: urllib.request.Request, read: Callable[[Any], T], tries: int | None) -> T:
        """Send a request until it is answered, with growing waits of random length, so that clients do not align.

        `tries` is for requests that a server may not know, which some answer with status 500 or in another form: how
        often that may be an accident. A server that is busy or cannot be reached is tried as often as patience allows.
        """
        if key := os.environ.get(KEY_VARIABLE):
            request.add_unredirected_header("Authorization", f"Bearer {key}")
        wrong = 0
        for number in range(self.patience.tries):
            asked, kind = 0.0, UnavailableServerError
            try:
                return read(parse_json(self.send(request)))
            except urllib.error.HTTPError as error:
                with error:
                    why, asked = self.explain(error), seconds_asked(error.headers.get("Retry-After"))
                if (error.code < 500 and error.code not in MORE_LATER) or UNDECODABLE in why:
                    raise RefusedRequestError(f"{self.where(request)}: {why}") from None
                wrong += error.code == 500
            except MalformedAnswerError as error:
                why, kind = f"its answer is not of the expected form: {error}", MalformedServerError
                wrong += 1
            except FAILURES as error:
                why = str(getattr(error, "reason", error)) or type(error).__name__
            if number + 1 == self.patience.tries or wrong == tries or self.stopped.is_set():
                self.give_up(request, why, number + 1, kind)
            wait = min(self.patience.first_wait * 2**number, self.patience.longest_wait)
            self.stopped.wait(max(wait * self.rng.uniform(0.5, 1.0), min(asked, self.patience.longest_asked)))
        raise AssertionError("a request is tried at least once")

    def send(self, request: urllib.request.Request) -> bytes:
        """Return the whole body of an answer, unless it takes longer than the time-out."""
        # What a proxy sees on its own machine is another server.
        near = [urllib.request.ProxyHandler({})] if is_near(self.url) else []
        opener = urllib.request.build_opener(NoRedirection, *near)
        deadline = time.monotonic() + self.patience.timeout
        with opener.open(request, timeout=self.patience.timeout) as answer:
            parts, size = [], 0
            while part := answer.read1(1 << 16):
                parts.append(part)
                size += len(part)
                if time.monotonic() > deadline:
                    raise TimeoutError(f"no complete answer in {self.patience.timeout:g} s")
                if size > LARGEST_ANSWER:
                    raise MalformedAnswerError(f"it has more than {LARGEST_ANSWER:,} bytes")
            missing = answer.length
        if missing:
            raise ConnectionError(f"the connection was closed {missing:,} bytes before the end of the answer")
        return b"".join(parts)

    def explain(self, error: urllib.error.HTTPError) -> str:
        """Describe an answer with the status of an error, without the key, which some servers repeat."""
        try:
            body = error.read(1 << 16).decode("utf-8", errors="replace")
        except FAILURES:
            body = ""
        if key := os.environ.get(KEY_VARIABLE):
            body = body.replace(key, "[key]")
        return f"HTTP {error.code} {error.reason}" + (f": {printable(body.strip()[:QUOTED])}" if body.strip() else "")

    def where(self, request: urllib.request.Request) -> str:
        """Name the server and the path of a request."""
        return f"the server {self.url} ({urlsplit(request.full_url).path})"

    def give_up(
        self, request: urllib.request.Request, why: str, tries: int, kind: type[UnavailableServerError]
    ) -> NoReturn:
        """Raise the error for a request that failed for the last time."""
        raise kind(
            f"{self.where(request)} did not answer properly in {tries} tries: {why}; see that it runs, and start "
            "again: what was scored before is kept in the store"
        )


def parse_json(content: bytes) -> Any:
    """Parse an answer; numbers that are none are not accepted."""

    def refuse(constant: str) -> NoReturn:
        raise MalformedAnswerError(f"it contains {constant}")

    try:
        return json.loads(content.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise MalformedAnswerError(f"it is not JSON ({error}): {printable(repr(content[:80]))}") from error


def seconds_asked(header: str | None) -> float:
    """Return how long a server asks to wait, by Retry-After: a number of seconds, or a date.

    >>> seconds_asked("7"), seconds_asked("soon"), seconds_asked(None)
    (7.0, 0.0, 0.0)
    """
    if header is None:
        return 0.0
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def is_near(url: str) -> bool:
    """Whether a server is on this machine."""
    return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def warn_of_open_key(url: str) -> None:
    """Warn where a key would be sent unencrypted to another machine."""
    parts = urlsplit(url)
    if os.environ.get(KEY_VARIABLE) and parts.scheme == "http" and not is_near(url):
        advise(f"the key in {KEY_VARIABLE} is sent unencrypted to {parts.hostname}; use https where it is not trusted")
