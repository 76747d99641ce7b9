"""Where a served model is: the URL of its server, its name there, and the tokenizer that cuts its texts."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from gardenpath.errors import InputError

KEY_VARIABLE = "GARDENPATH_API_KEY"
"""The environment variable with the key of a server; a key is read from nowhere else, and written nowhere."""
FORM = "api:http://HOST:PORT#MODEL, or api:URL#MODEL,tokenizer=DIR"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The URL of a server without a path of its protocol, and what its users call the model."""

    url: str
    model: str
    tokenizer: str | None = None
    """A folder or hub name of a tokenizer of transformers; None: the server's own is used."""

    @property
    def name(self) -> str:
        """The name of the model in results."""
        return f"api:{self.url}#{self.model}"


def parse_address(rest: str) -> ServerAddress:
    """Read what follows `api:` in a spec; refuse credentials, which would be written into every result.

    >>> parse_address("http://localhost:8000/v1#smollm")
    ServerAddress(url='http://localhost:8000', model='smollm', tokenizer=None)
    """
    url, _, named = rest.partition("#")
    parts = urlsplit(url)
    if parts.username is not None or parts.password is not None or parts.query:
        raise InputError(
            f"the URL of the server at {parts.hostname} has a user name, password or query; leave them out, and put "
            f"the key of the server into the environment variable {KEY_VARIABLE}"
        )
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{url!r} is not the URL of a server; write {FORM}")
    model, found, tokenizer = named.partition(",tokenizer=")
    if not model or (found and not tokenizer):
        raise InputError(f"{rest!r} does not name the model of the server; write {FORM}")
    path = parts.path.rstrip("/").removesuffix("/v1")
    return ServerAddress(f"{parts.scheme}://{parts.netloc}{path}", model, tokenizer or None)
