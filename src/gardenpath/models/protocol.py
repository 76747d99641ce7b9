"""The protocols of language models: a tokenizer, and the surprisal of the next token or of every token of a text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from gardenpath.models.prefix_tree import PrefixTree
from gardenpath.text.tokens import Encoded, Ids

Bits = NDArray[np.float64]
Indices = Sequence[int] | Ids
State = TypeVar("State")

BEGINS_WORD, CONTINUES_WORD = -1, -2
"""Events scored in place of a token, never read: any token that begins a word, or the end; any other, or the end."""
UNRECORDED = "unrecorded-"
"""Prefix of the fingerprints of models that were given none."""
GPT2, WORD_LEVEL_GPT2 = "GPT-2", "word-level GPT-2"
"""Architectures of their own, since results depend on the tokens as well (Hu et al. 2020, section 4.5)."""


class Tokenizer(Protocol):
    """Cuts texts into the tokens of a model; special symbols are not among them."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return the tokens of every text; their spans cover every character that is not a space."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a model was trained, as far as it is known; results are compared by it."""

    architecture: str
    """The class it belongs to: `5-gram`, `LSTM`, `multi-task LSTM`, `GPT-2`, `word-level GPT-2`, …"""
    corpus: str = ""
    """Name of the text it was trained on."""
    words: int | None = None
    """Size of that text; of a sample in a series, its budget."""
    seed: int | None = None
    perplexity: float | None = None
    """On the held-out text of its training, per word; ends of sentences count as words."""
    layers: int | None = None
    hidden_units: int | None = None
    """Units of a layer."""
    embedding: int | None = None
    """Numbers that stand for a word."""
    vocabulary: int | None = None
    """Words or sub-words that it knows."""
    parameters: int | None = None
    """Weights, tied ones counted once."""
    budget: str | None = None
    """When training stopped at the latest, such as 5 epochs."""
    step: int | None = None
    """Of a checkpoint on the way: updates of the weights so far."""
    tokens_read: int | None = None
    """Of a checkpoint on the way: tokens read so far, repeated ones counted again."""
    words_read: int | None = None
    """Of a checkpoint on the way: words read so far, repeated ones counted again."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The metadata of a model: what results record, and what scoring needs to know.

    >>> ModelCard("a die for every word", bos="<s>").window is None
    True
    """

    name: str
    fingerprint: str = field(default_factory=lambda: UNRECORDED + uuid4().hex)
    """Changes whenever a weight, the vocabulary or a choice that affects scores changes.

    If omitted, every object gets its own, and its scores are not kept in the store.
    """
    bos: str | None = field(kw_only=True)
    """The one symbol read before the first token; None: there is none, and the first token's bits are NaN."""
    end: int | None = None
    """Id of the end-of-sentence symbol, scored only on request."""
    window: int | None = None
    """Tokens of a text that can be read at most; None: any number."""
    noise: float = 1e-6
    """Bits by which two computations of the same surprisal may differ; a smaller margin is a tie."""
    bytes_per_state: int = 64
    """Memory that a row of a state adds to that of the row it extends."""
    scores_boundaries: bool = False
    """Whether BEGINS_WORD and CONTINUES_WORD can be scored; `begins_word` then tells which tokens begin a word."""
    decisions: Mapping[str, str] = field(default_factory=dict)
    """Every choice made on the way to a score, for the manifest."""
    training: Training | None = None
    """How it was trained; None where nothing is known."""

    @property
    def has_fingerprint(self) -> bool:
        """Whether an equal fingerprint identifies the same model in another process too."""
        return not self.fingerprint.startswith(UNRECORDED)

    def record(self) -> dict[str, Any]:
        """Return the card as recorded in manifests."""
        names = {"scores_boundaries": "prices_boundaries"}  # as it was first written
        return {names.get(name, name): value for name, value in asdict(self).items()}


@runtime_checkable
class LanguageModel(Protocol[State]):
    """A model that reads left to right; `check_model` and docs/python.md have examples.

    >>> isinstance("smollm2", LanguageModel)
    False
    """

    card: ModelCard
    tokenizer: Tokenizer

    def start(self) -> State:
        """Return a state of one row, which has read only the beginning-of-sentence symbol, if there is one."""

    def step(self, state: State, rows: Ids, tokens: Ids, keep: Ids) -> tuple[Bits, State]:
        """Score tokens[i] after row rows[i], in bits; return the bits, and a state whose rows have read tokens[keep].

        Raise a `SentenceError` with the index i if tokens[i] cannot be scored.
        """


@runtime_checkable
class TreeModel(Protocol):
    """A model that reads left to right and scores many texts with common beginnings at once."""

    card: ModelCard
    tokenizer: Tokenizer

    def score_tree(self, tree: PrefixTree) -> Bits:
        """Return the surprisal of the last token of every prefix, in bits; NaN where nothing can be read before it."""


@runtime_checkable
class TextModel(Protocol):
    """A model that does not read left to right, or not token by token: it scores whole texts."""

    card: ModelCard
    tokenizer: Tokenizer

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """Return the tokens of every text and the surprisal of each, in bits."""


AnyModel = LanguageModel[Any] | TreeModel | TextModel


@runtime_checkable
class SavedModel(Protocol):
    """A model on disk, such as `gardenpath.train` returns."""

    @property
    def path(self) -> Path:
        """The directory of the model."""


def remarks_of(model: AnyModel) -> list[str]:
    """Return a model's remarks on the scores it computed, such as how exact they are, if it has a method `remarks`."""
    return list(getattr(model, "remarks", list)())
