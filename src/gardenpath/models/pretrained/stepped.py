"""Causal networks read token by token, through the state that the library carries from one token to the next."""

import inspect
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gardenpath.models.placement import input_device
from gardenpath.models.pretrained.head import bits_of_logits, to_tensors
from gardenpath.models.pretrained.packed import boundary_words
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Ids

STATES = ("past_key_values", "cache_params", "state")
"""Names by which networks take a state and return the next one."""


@dataclass(frozen=True, slots=True)
class Read:
    """Rows of tokens that were read: what the network carries on, and the logits of the next token."""

    carried: Any
    logits: Tensor | None
    """(rows, vocabulary); None: nothing was read, not even a first symbol."""


NOTHING_READ = Read(None, None)


class SteppedModel:
    """A causal network as a `LanguageModel`: its state is gathered row by row, so that a prefix is read once."""

    def __init__(self, card: ModelCard, tokenizer: SubwordTokenizer, network: Any) -> None:
        self.tokenizer = tokenizer
        self.network = network
        self.bos_id = None if card.bos is None else tokenizer.id_of(card.bos)
        self.state_name = next(name for name in STATES if name in inspect.signature(network.forward).parameters)
        one = self.read(NOTHING_READ, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
        assert one.logits is not None  # a token was read
        self.vocabulary_size = one.logits.shape[1]
        self.card = replace(card, bytes_per_state=count_bytes([one.carried, one.logits]))

    def start(self) -> Read:
        """Return a state of one row, which has read the first symbol, if there is one."""
        if self.bos_id is None:
            return NOTHING_READ
        return self.read(NOTHING_READ, np.zeros(1, dtype=np.int64), np.array([self.bos_id]))

    @torch.inference_mode()
    def read(self, state: Read, rows: Ids, tokens: Ids) -> Read:
        """Read tokens[i] after row rows[i]."""
        where, ids = to_tensors(rows, tokens, device=input_device(self.network))
        # What is carried is changed by reading, and may be needed again.
        given = {} if state.carried is None else {self.state_name: take_rows(state.carried, where)}
        found = self.network(input_ids=ids[:, None], use_cache=True, **given)
        return Read(getattr(found, self.state_name), found.logits[:, -1].float())

    @torch.inference_mode()
    def step(self, state: Read, rows: Ids, tokens: Ids, keep: Ids) -> tuple[Bits, Read]:
        """Score tokens after rows of a state; return the bits, and the state after those to keep."""
        bits: Bits = np.full(len(tokens), np.nan)
        if state.logits is not None:
            after, ids = to_tensors(rows, np.maximum(tokens, 0), device=state.logits.device)
            nats = state.logits.logsumexp(dim=-1)[after].double() - state.logits[after, ids]
            for kind in set(tokens[tokens < 0].tolist()):
                chosen, words = to_tensors(np.flatnonzero(tokens == kind), self.boundary_words[kind], device=ids.device)
                own = state.logits[after[chosen]]
                nats[chosen] = own.logsumexp(dim=-1).double() - own[:, words].logsumexp(dim=-1)
            bits = (nats / np.log(2)).clamp(min=0.0).cpu().numpy()
        return bits, self.read(state, rows[keep], tokens[keep]) if len(keep) else NOTHING_READ

    def distribution(self, state: Read, rows: Ids) -> Bits:
        """Return -log2 p of all tokens after each row."""
        assert state.logits is not None  # a token without bits is not described
        return bits_of_logits(state.logits[torch.as_tensor(rows)])

    def begins_word(self, ids: Ids) -> NDArray[np.bool_]:
        """Tell which tokens include the space before a word."""
        return self.tokenizer.word_beginnings()[ids]

    @cached_property
    def boundary_words(self) -> dict[int, Ids]:
        """The tokens of BEGINS_WORD and CONTINUES_WORD, each with the end of the text."""
        return boundary_words(self.tokenizer.word_beginnings()[: self.vocabulary_size], self.card.end)


def take_rows(carried: Any, rows: Tensor) -> Any:
    """Return rows of what a network carries on, which stays as it is."""
    if isinstance(carried, list):
        return [part[rows] for part in carried]
    taken = deepcopy(carried)
    taken.reorder_cache(rows)
    return taken


def count_bytes(part: Any) -> int:
    """Return the memory of all tensors in what a network carries on."""
    if isinstance(part, Tensor):
        return part.nbytes
    inner = (
        part if isinstance(part, list | tuple) else part if isinstance(part, dict) else getattr(part, "__dict__", {})
    )
    return sum(map(count_bytes, inner.values() if isinstance(inner, dict) else inner))
