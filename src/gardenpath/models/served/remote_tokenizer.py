"""The tokenizer of a server, over the network: its tokens of every text, with verified spans."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.served.answers import read_id, read_text, require_field, require_list
from gardenpath.models.served.http_client import Client, RefusedRequestError, UnavailableServerError
from gardenpath.models.served.parallel import in_parallel
from gardenpath.models.served.pieces import Piece, piece_of_text, pieces_of_vocabulary, place_pieces
from gardenpath.models.token_alignment import Span, covers, trim
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

TRIES_TO_FIND = 2
"""How often a path that may not exist is tried."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The token ids of a text, and their strings or spans where the server gives them."""

    ids: tuple[int, ...]
    strings: tuple[str, ...] | None = None
    """As in the vocabulary."""
    spans: tuple[Span, ...] | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """One way to ask a kind of server for the tokens of a text, and for the text of a token."""

    name: str
    path: str
    body: Callable[[str, str], Mapping[str, Any]]
    """Makes a request of the model and the text."""
    read: Callable[[Any], Cut]
    back: str | None = None
    """The path that returns the text of tokens."""


def read_tokens(answer: Any) -> Cut:
    """Read `tokens`, and `token_strs` where they are given."""
    ids = tuple(map(read_id, require_list(require_field(answer, "tokens"), "tokens")))
    strings = answer.get("token_strs")
    return Cut(ids, None if strings is None else tuple(map(str, require_list(strings, "token_strs", len(ids)))))


def read_details(answer: Any) -> Cut:
    """Read a list of tokens with their ids and spans."""
    rows = require_list(answer, "the answer")
    found = [[read_id(require_field(row, name)) for name in ("id", "start", "stop")] for row in rows]
    return Cut(tuple(id_ for id_, _, _ in found), spans=tuple((start, stop) for _, start, stop in found))


ROUTES = (
    Route(
        "vLLM or SGLang",
        "/tokenize",
        lambda model, text: {
            "model": model, "prompt": text, "add_special_tokens": False, "return_token_strs": True,
        },
        read_tokens,
        "/detokenize",
    ),
    Route(
        "llama-cpp-python",
        "/extras/tokenize",
        lambda model, text: {"model": model, "input": text},
        read_tokens,
        "/extras/detokenize",
    ),
    Route("TGI", "/tokenize", lambda _model, text: {"inputs": text}, read_details),
)  # fmt: skip


@dataclass
class RemoteTokenizer:
    """Cuts texts into the tokens of a server's model; remembers what it asked for."""

    client: Client
    model: str
    route: Route
    requests: int
    """Requests at a time."""
    added: tuple[int, ...] = ()
    """Ids that the server puts before every text; they are no tokens of it."""
    texts: dict[str, tuple[Token, ...]] = field(default_factory=dict)
    pieces: dict[int, Piece] = field(default_factory=dict)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return the tokens of every text."""
        missing = {text: row for row, text in enumerate(texts) if text not in self.texts}

        def remember(text: str) -> None:
            try:
                self.texts[text] = self.tokens(text)
            except SentenceError as error:
                raise SentenceError(str(error), missing[text]) from error

        in_parallel(remember, list(missing), self.requests, self.client.stopped)
        return encoded_from_tokens([self.texts[text] for text in texts])

    def tokens(self, text: str) -> tuple[Token, ...]:
        """Ask for the tokens of a text, and find their spans."""
        cut = self.cut(text)
        spans = place_pieces(text, self.pieces_of(cut, text)) if cut.spans is None else list(cut.spans)
        if spans is None or not covers(text, spans):
            raise SentenceError(
                f"the tokens of the server {self.client.url} cannot be distinguished in the text {text!r}; write "
                ",tokenizer=DIR after the name of the model, with a folder that has the model's own tokenizer",
                0,
            )
        rows = zip(cut.ids, (trim(text, span) for span in spans), strict=True)
        return tuple(Token(id_, start, end, known=True) for id_, (start, end) in rows)

    def cut(self, text: str) -> Cut:
        """Ask for the tokens of a text, without what the server adds before it."""
        found = self.client.post(self.route.path, self.route.body(self.model, text), self.route.read)
        before = len(self.added)
        if found.ids[:before] != self.added:
            raise InputError(
                f"the server {self.client.url} begins the tokens of {text!r} with {found.ids[:before]}, and those of "
                f"other texts with {self.added}; use another server"
            )
        return Cut(found.ids[before:], found.strings and found.strings[before:], found.spans and found.spans[before:])

    def pieces_of(self, cut: Cut, text: str) -> Sequence[Piece]:
        """Return the bytes of tokens, from the strings that came with them, or one by one."""
        found = None if cut.strings is None else pieces_of_vocabulary(cut.strings, text)
        return [self.piece(id_) for id_ in cut.ids] if found is None else found

    def piece(self, id_: int) -> Piece:
        """Return the bytes of a token, None where they are part of a character or the server does not show them."""
        if self.route.back is None:
            return None
        if id_ not in self.pieces:
            body = {"model": self.model, "tokens": [id_]}
            try:
                text = self.client.post(self.route.back, body, read_joined)
            except RefusedRequestError:  # as llama-cpp-python does on parts of characters
                text = None
            self.pieces[id_] = piece_of_text(text)
        return self.pieces[id_]


def read_joined(answer: Any) -> str | None:
    """Read the text of tokens, by either of its names."""
    return read_text(require_field(answer, "prompt" if isinstance(answer, dict) and "prompt" in answer else "text"))


def find_tokenizer(client: Client, model: str, texts: Sequence[str], *, requests: int) -> RemoteTokenizer:
    """Find out how a server shows its tokens, by texts that begin differently."""
    refusals = []
    for route in ROUTES:
        try:
            cuts = [
                client.post(route.path, route.body(model, text), route.read, tries=TRIES_TO_FIND) for text in texts[:2]
            ]
        except (RefusedRequestError, UnavailableServerError) as error:
            refusals.append(f"{route.name}: {error}")
            continue
        # Texts that begin differently have a first token in common only if the server adds it.
        added = cuts[0].ids[:1] if cuts[0].ids[:1] == cuts[1].ids[:1] else ()
        tokenizer = RemoteTokenizer(client, model, route, requests, added)
        try:
            tokenizer.encode(texts)
        except InputError as error:
            refusals.append(f"{route.name}: {error}")
        else:
            return tokenizer
    raise InputError(
        f"the server {client.url} does not show the tokens of a text, by any path that is known: write "
        ",tokenizer=DIR after the name of the model, with a folder that has the model's own tokenizer\n  "
        + "\n  ".join(refusals)
    )
