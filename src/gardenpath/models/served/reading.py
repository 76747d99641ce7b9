"""How the texts of a run are sent to a server, and how its answers become bits; nothing in an answer is trusted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from gardenpath.errors import SentenceError
from gardenpath.models.protocol import Bits
from gardenpath.models.served.answers import Answer, EchoedToken, Prompt
from gardenpath.models.served.dialects import Dialect
from gardenpath.models.served.http_client import Client, RefusedRequestError
from gardenpath.models.served.parallel import in_parallel
from gardenpath.models.served.pieces import piece_of_text
from gardenpath.models.token_alignment import squeeze, without_sentinels
from gardenpath.text.tokens import Encoded, Token

First = Literal["missing", "listed", "forced"]
"""Where the bits of the first token come from: nowhere; the list itself; a request that forces it to come next."""
ANSWERS_TRIED = 3
"""How often a text is sent whose answer does not fit it."""


class MismatchError(SentenceError):
    """The tokens of an answer are not those of the text."""


@dataclass(frozen=True)
class Reading:
    """Everything needed to score texts with a server."""

    client: Client
    dialect: Dialect
    tokenizer: Any
    lead: Prompt = ""
    """What is sent before every text: the first symbol, as a text or as ids, or nothing."""
    before: tuple[EchoedToken, ...] = ()
    """What the server lists before the tokens of every text."""
    first: First = "missing"
    batch: int = 1
    """Texts in a request."""
    requests: int = 1
    """Requests at a time."""
    first_bits: dict[int, float] = field(default_factory=dict)
    """Bits of first tokens that were forced, by id."""

    def score(self, texts: Sequence[str], encoded: Encoded) -> Bits:
        """Return the bits of all tokens of the texts."""
        batches = [range(start, min(start + self.batch, len(texts))) for start in range(0, len(texts), self.batch)]

        def score_batch(rows: range) -> list[Bits]:
            try:
                return self.score_batch([texts[row] for row in rows], [encoded.tokens(row) for row in rows])
            except SentenceError as error:
                raise SentenceError(str(error), rows[error.number]) from error
            except RefusedRequestError as error:
                if len(rows) == 1:
                    raise SentenceError(str(error), rows[0]) from error
                return [bits for row in rows for bits in score_batch(range(row, row + 1))]

        found = in_parallel(score_batch, batches, self.requests, self.client.stopped)
        return np.concatenate([np.zeros(0), *(bits for part in found for bits in part)])

    def score_batch(self, texts: Sequence[str], tokens: Sequence[Sequence[Token]]) -> list[Bits]:
        """Score the texts of one request; send it again where the answer does not fit them."""
        prompts = [self.prompt(text, own) for text, own in zip(texts, tokens, strict=True)]
        for left in reversed(range(ANSWERS_TRIED)):
            answers = self.dialect.ask(prompts)
            try:
                return self.read_answers(texts, tokens, answers)
            except MismatchError:
                if not left:
                    raise
        raise AssertionError("an answer is tried at least once")

    def read_answers(
        self, texts: Sequence[str], tokens: Sequence[Sequence[Token]], answers: Sequence[Answer]
    ) -> list[Bits]:
        """Turn the answers for texts into bits; an error has the index of its text."""
        found = []
        for number, row in enumerate(zip(texts, tokens, answers, strict=True)):
            try:
                found.append(self.bits(*row))
            except SentenceError as error:
                error.number = number
                raise
        return found

    def prompt(self, text: str, tokens: Sequence[Token]) -> Prompt:
        """Return what is sent for a text."""
        if isinstance(self.lead, tuple):
            return *self.lead, *(token.id for token in tokens)
        return self.lead + text

    def bits(self, text: str, tokens: Sequence[Token], answer: Answer) -> Bits:
        """Turn the answer for a text into bits, if it lists exactly the tokens of the text."""
        own = own_tokens(text, tokens, answer, self.before)
        nats = [token.nats for token in own]
        if nats[:1] == [None] and self.first == "missing":
            nats[0] = math.nan
        elif nats[:1] == [None] and self.first == "forced":
            nats[0] = -self.force(tokens[0], text) * math.log(2)
        elif nats and self.first == "missing":
            raise MismatchError(f"the server scored the first token of {text!r}, but none of other texts", 0)
        if None in nats:
            raise MismatchError(f"the server gave no log-probability for token {nats.index(None)} of {text!r}", 0)
        bits: Bits = -np.array(nats, dtype=np.float64) / math.log(2)
        return np.maximum(bits, 0.0)

    def force(self, token: Token, text: str) -> float:
        """Return the bits of a token after the first symbol alone, which forces the server to generate it."""
        if token.id not in self.first_bits:
            found = self.dialect.next_token(self.lead, force=token.id)
            shown = text[token.start : token.end]
            if found is None or found.nats is None or squeeze(found.text or "") != shown:
                raise SentenceError(f"the server does not score the first token {shown!r} of {text!r}", 0)
            self.first_bits[token.id] = -found.nats / math.log(2)
        return self.first_bits[token.id]


def own_tokens(
    text: str, tokens: Sequence[Token], answer: Answer, before: Sequence[EchoedToken]
) -> Sequence[EchoedToken]:
    """Return the tokens of an answer that are those of the text; at most one generated token may follow."""
    listed, start = answer.tokens, len(before)
    surplus = len(listed) - start - len(tokens)
    if surplus not in (0, 1):
        what = "cut the text, or added to it" if listed else "gave no log-probabilities"
        raise MismatchError(f"the server {what}: {len(listed)} tokens for the {start + len(tokens)} of {text!r}", 0)
    if [(token.id, token.text) for token in listed[:start]] != [(token.id, token.text) for token in before]:
        raise MismatchError(f"the server put other symbols before {text!r} than before other texts", 0)
    own = listed[start : start + len(tokens)]
    for number, (token, echoed) in enumerate(zip(tokens, own, strict=True)):
        if not is_same(text, token, echoed):
            raise MismatchError(
                f"the server scored another text: its token {number} is {echoed.text!r} ({echoed.id}), where "
                f"{text[token.start : token.end]!r} ({token.id}) was expected in {text!r}",
                0,
            )
    return own


def is_same(text: str, token: Token, echoed: EchoedToken) -> bool:
    """Whether an echoed token is a token of the text, by its id or else by its characters."""
    if echoed.id is not None:
        return echoed.id == token.id
    own = squeeze(text[token.start : token.end])
    shown = squeeze(echoed.text or "")
    if piece_of_text(echoed.text) is None or not shown:  # part of a character, or spaces
        return not own or not own.isascii()
    return own in (shown, without_sentinels(shown))
