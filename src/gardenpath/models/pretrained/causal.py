"""Causal models of the transformers library, which read token by token through a cache that shares prefixes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gardenpath.models.pretrained.history import History
from gardenpath.models.pretrained.workers import RowWorkers
from gardenpath.models.protocol import BEGINS_WORD, CONTINUES_WORD, Bits, Indices, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.models.windows import overlapping_windows
from gardenpath.text.tokens import Encoded, Ids

ROWS_PER_READ = 512
"""Rows that go through the layers together."""
ROWS_PER_BLOCK, WORDS_PER_BLOCK = 256, 1024
"""A block of the projection to the vocabulary: small enough that its log-sum-exp reads from the processor's cache."""

LOGITS_PER_BATCH = 1 << 25
"""Logits that one pass computes at most (128 MB), unless a single row has more."""


@dataclass(frozen=True, slots=True)
class Head:
    """The projection of a hidden state to the vocabulary."""

    weight: Tensor  # (vocabulary, width)
    bias: Tensor | None = None
    scale: float = 1.0
    softcap: float | None = None

    def logits(self, hidden: Tensor, words: slice) -> Tensor:
        """Return the logits of some words after each hidden state."""
        bias = None if self.bias is None else self.bias[words]
        return self.transform(torch.nn.functional.linear(hidden, self.weight[words], bias))  # (rows, words)

    def transform(self, logits: Tensor) -> Tensor:
        """Scale and cap logits, as some models do, in float32."""
        if self.scale != 1.0:
            logits = logits * self.scale
        if self.softcap is not None:
            logits = torch.tanh(logits / self.softcap) * self.softcap
        return logits.float()

    def logit(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Return the logit of one word after each hidden state."""
        logits = (hidden * self.weight[words]).sum(dim=-1)  # (rows,)
        return self.transform(logits if self.bias is None else logits + self.bias[words])

    def log_sum(self, hidden: Tensor) -> Tensor:
        """Return the log-sum-exp of the logits of all words after each hidden state."""
        starts = range(0, len(self.weight), WORDS_PER_BLOCK)
        sums = [
            torch.stack([log_sum_exp_(self.logits(rows, slice(start, start + WORDS_PER_BLOCK))) for start in starts])
            for rows in torch.split(hidden, ROWS_PER_BLOCK)
        ]
        return torch.logsumexp(torch.cat(sums, dim=1), dim=0)

    def restrict(self, words: Tensor) -> Self:
        """Return the projection to some words only."""
        return replace(self, weight=self.weight[words], bias=None if self.bias is None else self.bias[words])


def log_sum_exp_(logits: Tensor) -> Tensor:
    """Return the log-sum-exp of every row, computed in place: the block stays in the processor's cache."""
    largest = logits.amax(dim=-1, keepdim=True)
    return logits.sub_(largest).exp_().sum(dim=-1).log_().add_(largest[:, 0])


@dataclass(frozen=True, slots=True)
class CausalState:
    """Rows that have read equally many tokens."""

    history: History = field(default_factory=History)
    hidden: Tensor | None = None  # (rows, width); None: nothing was read yet, so nothing can be scored
    total: Tensor | None = None  # (rows,), log-sum-exp of the logits of all words


class Reader(Protocol):
    """The layers of a model, without its head."""

    def read(self, history: History, ids: Tensor) -> tuple[History, Tensor]:
        """Return the history with one more token per row, and the hidden state (rows, width) of each row after it."""


def to_tensors(*parts: Indices, device: torch.device | str = "cpu") -> tuple[Tensor, ...]:
    """Turn indices into tensors."""
    return tuple(torch.as_tensor(np.asarray(part, dtype=np.int64), device=device) for part in parts)


class CausalModel:
    """A causal transformer as a `LanguageModel`."""

    def __init__(self, card: ModelCard, tokenizer: SubwordTokenizer, reader: Reader, head: Head) -> None:
        self.card = card
        self.tokenizer = tokenizer
        self.reader = reader
        self.head = head
        self.workers = RowWorkers(head.weight.device)
        self.bos_id = None if card.bos is None else tokenizer.id_of(card.bos)

    @torch.inference_mode()
    def start(self) -> CausalState:
        """Return one row that has read the beginning-of-sentence symbol, where there is one."""
        return CausalState() if self.bos_id is None else self.read(History(), torch.tensor([self.bos_id]))

    @torch.inference_mode()
    def step(self, state: CausalState, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, CausalState]:
        """Score tokens after rows, and read those named in keep."""
        chosen, ids, kept = to_tensors(rows, tokens, keep)
        bits = self.score_tokens(state, chosen, ids)
        if not len(kept):
            return bits, CausalState()
        return bits, self.read(state.history.select(chosen[kept].to(self.head.weight.device)), ids[kept])

    def read(self, history: History, ids: Tensor) -> CausalState:
        """Read one token per row, and compute the normaliser with which the next will be scored."""
        ids = ids.to(self.head.weight.device)

        def compute(rows: Tensor) -> tuple[History, Tensor, Tensor]:
            read, hidden = self.reader.read(history.select(rows.to(ids.device)), ids[rows])
            return read, hidden, self.head.log_sum(hidden)

        parts = self.workers.map_blocks(compute, len(ids), ROWS_PER_READ)
        if len(parts) == 1:
            return CausalState(*parts[0])
        histories, hidden, total = zip(*parts, strict=True)
        added = zip(*([layer[-1] for layer in part.entries] for part in histories), strict=True)
        return CausalState(history.extend([torch.cat(layer) for layer in added]), torch.cat(hidden), torch.cat(total))

    def score_tokens(self, state: CausalState, rows: Tensor, ids: Tensor) -> Bits:
        """Return -log2 p(id | row)."""
        if state.hidden is None or state.total is None:
            return np.full(len(ids), np.nan)
        rows, ids = rows.to(state.total.device), ids.to(state.total.device)
        nats = state.total[rows].double()
        single = ids >= 0
        nats[single] -= self.head.logit(state.hidden[rows[single]], ids[single]).double()
        for kind in (BEGINS_WORD, CONTINUES_WORD):
            chosen = ids == kind
            if chosen.any():
                head = self.head.restrict(self.boundary_words[kind].to(rows.device))
                nats[chosen] -= head.log_sum(state.hidden[rows[chosen]]).double()
        # Bits below zero are rounding; NaN stays NaN.
        return np.asarray((nats / np.log(2)).clamp(min=0.0).cpu())

    def begins_word(self, ids: Ids) -> NDArray[np.bool_]:
        """Tell which tokens include the space before a word."""
        return self.word_beginnings[ids]

    @cached_property
    def word_beginnings(self) -> NDArray[np.bool_]:
        return self.tokenizer.word_beginnings()

    @cached_property
    def boundary_words(self) -> dict[int, Tensor]:
        """The tokens of BEGINS_WORD and CONTINUES_WORD, each with the end of the text."""
        begins = self.word_beginnings[: len(self.head.weight)]
        end = [] if self.card.end is None else [self.card.end]
        kinds = {BEGINS_WORD: begins, CONTINUES_WORD: ~begins}
        return {kind: torch.tensor(sorted({*np.flatnonzero(words).tolist(), *end})) for kind, words in kinds.items()}


class BatchedCausalModel:
    """A causal model whose cache rows cannot be shared: whole texts, in batches of equal length, as a `TextModel`."""

    def __init__(self, card: ModelCard, tokenizer: SubwordTokenizer, model: Any) -> None:
        self.card = card
        self.tokenizer = tokenizer
        self.model = model
        self.bos_id = None if card.bos is None else tokenizer.id_of(card.bos)

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """Score texts of equal token count together: no padding is needed."""
        encoded = self.tokenizer.encode(texts)
        bits: Bits = np.full(len(encoded.ids), np.nan)
        for length in np.unique(encoded.lengths):
            alike = np.flatnonzero(encoded.lengths == length)
            indices = encoded.offsets[alike][:, None] + np.arange(length)  # (texts, tokens)
            bits[indices] = self.score_equal(encoded.ids[indices])
        return encoded, bits

    @torch.inference_mode()
    def score_equal(self, ids: Ids) -> Bits:
        """Score texts of one length, in overlapping windows where they are longer than the model's."""
        bits: Bits = np.full(ids.shape, np.nan)
        for start, first_used, end in overlapping_windows(ids.shape[1], self.card.window):
            size = max(1, LOGITS_PER_BATCH // ((end - start + 1) * self.vocabulary_size))
            for first in range(0, len(ids), size):
                rows = slice(first, first + size)
                bits[rows, first_used:end] = self.forward(ids[rows, start:end])[:, first_used - start :]
        return bits

    @property
    def vocabulary_size(self) -> int:
        """The number of tokens that the model has weights for."""
        return int(self.model.config.get_text_config().vocab_size)

    def forward(self, ids: Ids) -> Bits:
        """Score texts in one plain forward pass; without a beginning-of-sentence symbol the first bits are missing."""
        read = torch.as_tensor(ids)
        if self.bos_id is not None:
            read = torch.cat([torch.full((len(read), 1), self.bos_id), read], dim=1)
        read = read.to(next(self.model.parameters()).device)
        logits = self.model(input_ids=read, use_cache=False).logits[:, :-1].float()  # (texts, tokens, vocabulary)
        nats = -torch.log_softmax(logits, dim=-1).gather(-1, read[:, 1:, None])[..., 0]
        bits: Bits = (nats.double() / np.log(2)).clamp(min=0.0).cpu().numpy()
        if self.bos_id is None:
            bits = np.concatenate([np.full((len(ids), 1), np.nan), bits], axis=1)
        return bits
