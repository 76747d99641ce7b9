"""A key-value cache whose rows share the entries of their common prefixes: rows point to their ancestors."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

SELECTABLE = (DynamicLayer, DynamicSlidingWindowLayer)
"""Cache layers that hold nothing but keys and values by position, so that rows of them can be chosen and shared."""


def is_selectable(config: Any) -> bool:
    """Whether the cache of a model with this configuration is made of keys and values alone."""
    return all(type(layer) in SELECTABLE for layer in DynamicCache(config=config).layers)


@dataclass(frozen=True, slots=True)
class History:
    """What the rows of a state have read: for each step so far, the entries made then and each row's place in them."""

    ancestors: tuple[Tensor, ...] = ()  # steps x (rows,)
    entries: tuple[tuple[Tensor, ...], ...] = ()  # layers x steps x (rows, keys and values, heads, width)

    def select(self, rows: Tensor) -> "History":
        """The history of some rows, in that order; nothing is copied but their places."""
        return History(tuple(places[rows] for places in self.ancestors), self.entries)

    def extend(self, added: list[Tensor]) -> "History":
        """The history after one more token per row, given its entries in every layer."""
        itself = torch.arange(len(added[0]), device=added[0].device)
        entries = self.entries or ((),) * len(added)
        return History(
            (*self.ancestors, itself), tuple((*layer, last) for layer, last in zip(entries, added, strict=True))
        )

    def gather(self, layer: int, last: Tensor) -> tuple[Tensor, Tensor]:
        """All keys and values of every row in one layer, from its ancestors and, last, itself."""
        steps = self.entries[layer] if self.entries else ()
        gathered = last.new_empty(len(steps) + 1, *last.shape)  # (steps, rows, 2, heads, width)
        for place, (step, rows) in enumerate(zip(steps, self.ancestors, strict=True)):
            if len(step) == 1:
                gathered[place] = step
            else:
                torch.index_select(step, 0, rows, out=gathered[place])
        gathered[-1] = last
        keys, values = gathered.permute(2, 1, 3, 0, 4)  # each (rows, heads, steps, width)
        return keys, values


class TrieLayer(DynamicLayer):  # type: ignore[misc]  # the library has no types
    """One layer's view of a history, extended by one token per row."""

    def __init__(self, history: History, layer: int) -> None:
        super().__init__()
        self.history = history
        self.layer = layer
        self.added: Tensor | None = None
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Add one token per row; return all keys and values of every row."""
        self.added = torch.stack([key_states[:, :, 0], value_states[:, :, 0]], dim=1)
        return self.history.gather(self.layer, self.added)

    def get_seq_length(self) -> int:
        """Tokens read before."""
        return len(self.history.ancestors)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Length and offset of what the new token can see."""
        return self.get_seq_length() + query_length, 0


class CachedReader:
    """Reads one token per row through any decoder of the transformers library."""

    def __init__(self, decoder: Any) -> None:
        self.decoder = decoder

    def read(self, history: History, ids: Tensor) -> tuple[History, Tensor]:
        """The history with one more token per row, and the hidden state of each row after it."""
        n_layers = self.decoder.config.get_text_config().num_hidden_layers
        cache = Cache(layers=[TrieLayer(history, layer) for layer in range(n_layers)])
        position = torch.full((1, 1), len(history.ancestors), device=ids.device)
        output = self.decoder(input_ids=ids[:, None], position_ids=position, past_key_values=cache, use_cache=True)
        return history.extend([layer.added for layer in cache.layers]), output.last_hidden_state[:, 0]
