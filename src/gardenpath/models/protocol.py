"""What a language model is to us: a tokenizer, and one question: what does the next token cost?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gardenpath.text.tokens import Encoded, Ids

Bits = NDArray[np.float64]
Places = Sequence[int] | Ids
State = TypeVar("State")

BEGINS_WORD, CONTINUES_WORD = -1, -2
"""Two tokens that stand for many: any that begins a word, or the end; any other, or the end. Priced, never read."""


class Tokenizer(Protocol):
    """Cuts texts into the tokens of a model; special symbols are not among them."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The tokens of every text; their spans cover every character that is not blank."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a model came about, as far as it is known: what results are compared by."""

    architecture: str
    """The class it belongs to: `5-gram`, `LSTM`, `GPT-2`, …"""
    corpus: str = ""
    """Name of the text it was trained on."""
    words: int | None = None
    """Size of that text; of a sample in a series, its budget."""
    seed: int | None = None
    perplexity: float | None = None
    """On the held-out text of its training, per word; ends of sentences count as words."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What a result records about the model that made it, and what scoring must know."""

    name: str
    fingerprint: str
    """Changes whenever a weight, the vocabulary or a choice that bears on scores changes."""
    bos: str | None
    """The one symbol read before the first token; without one the first token's bits are missing."""
    end: int | None = None
    """The end-of-sentence symbol, priced only on request."""
    window: int | None = None
    """How many tokens of a text can be read at most; None: any number."""
    noise: float = 1e-6
    """Bits by which two computations of the same price may differ; a smaller margin is a tie."""
    bytes_per_state: int = 64
    """Memory that a row of a state adds to that of the row it was read from."""
    prices_boundaries: bool = False
    """Whether BEGINS_WORD and CONTINUES_WORD can be priced; `begins_word` then says which tokens begin one."""
    decisions: Mapping[str, str] = field(default_factory=dict)
    """Every choice made on the way to a score, for the manifest."""
    training: Training | None = None
    """How it was trained; None where nothing is known."""


@runtime_checkable
class LanguageModel(Protocol[State]):
    """A model that reads left to right."""

    card: ModelCard
    tokenizer: Tokenizer

    def start(self) -> State:
        """One row: the state before the first token (any beginning-of-sentence symbol already read)."""

    def step(self, state: State, rows: Places, tokens: Places, keep: Places) -> tuple[Bits, State]:
        """Price tokens[i] after row rows[i], in bits; return the prices, and a state whose rows are tokens[keep].

        Where tokens[i] cannot be priced, a `SentenceError` says i.
        """


@runtime_checkable
class TextModel(Protocol):
    """A model that does not read left to right, or not token by token: it prices whole texts."""

    card: ModelCard
    tokenizer: Tokenizer

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """The tokens of every text and the price of each, in bits."""


@runtime_checkable
class Remarking(Protocol):
    """A model that has something to say of its prices once they are computed, such as how exact they are."""

    def remarks(self) -> list[str]:
        """Notes on all that was priced so far."""


AnyModel = LanguageModel[object] | TextModel


def remarks_of(model: AnyModel) -> list[str]:
    """What a model has to say of the prices it computed."""
    return model.remarks() if isinstance(model, Remarking) else []
