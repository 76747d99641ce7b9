"""What servers answer, whatever their protocol: the tokens of a prompt, each with its log-probability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gardenpath.io.messages import show_value
from gardenpath.models.served.http_client import MalformedAnswerError

Prompt = str | tuple[int, ...]
"""A text, or token ids."""
ZERO_PROBABILITY = -9999.0
"""What vLLM writes for minus infinity."""
HIGHEST_NATS = 1e-3
"""Log-probabilities up to this are zero but for rounding."""


@dataclass(frozen=True, slots=True)
class EchoedToken:
    """A token as a server reports it."""

    text: str | None
    id: int | None
    nats: float | None
    """Log-probability; None where the server gives none, as for the first token of a prompt."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The tokens of one prompt; the last may be a generated one where the protocol does not tell them apart."""

    tokens: tuple[EchoedToken, ...]

    @property
    def scored(self) -> int:
        """The number of tokens that have a log-probability."""
        return sum(token.nats is not None for token in self.tokens)


def read_nats(value: Any) -> float | None:
    """Read a log-probability, or null."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value <= HIGHEST_NATS:
        raise MalformedAnswerError(f"a log-probability is {show_value(value)}")
    return float("-inf") if value <= ZERO_PROBABILITY else float(value)


def read_id(value: Any) -> int:
    """Read a token id, which some protocols write as a string."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise MalformedAnswerError(f"a token id is {show_value(value)}")
    return value


def read_text(value: Any) -> str | None:
    """Read the text of a token, or null."""
    if value is not None and not isinstance(value, str):
        raise MalformedAnswerError(f"the text of a token is {show_value(value)}")
    return value


def require_list(value: Any, what: str, length: int | None = None) -> Sequence[Any]:
    """Return a list of an answer, if it is one, of the length given."""
    if not isinstance(value, list):
        raise MalformedAnswerError(f"{what} is {show_value(value)}, not a list")
    if length is not None and len(value) != length:
        raise MalformedAnswerError(f"{what} has {len(value)} entries instead of {length}")
    return value


def require_field(value: Any, name: str) -> Any:
    """Return a field of an object of an answer."""
    if not isinstance(value, Mapping) or name not in value:
        raise MalformedAnswerError(f"{name!r} is missing in {show_value(value)}")
    return value[name]
