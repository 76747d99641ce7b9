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
class Entries:
    """Keys and values of the rows of one step, in one layer of the model."""

    keys: Tensor  # (rows, heads, width)
    values: Tensor  # (rows, heads, width)


@dataclass(frozen=True, slots=True)
class History:
    """What the rows of a state have read: for each step so far, the entries made then and each row's place in them."""

    ancestors: tuple[Tensor, ...] = ()  # steps x (rows,)
    entries: tuple[tuple[Entries, ...], ...] = ()  # layers x steps

    def select(self, rows: Tensor) -> "History":
        """The history of some rows, in that order; nothing is copied but their places."""
        return History(tuple(places[rows] for places in self.ancestors), self.entries)


class TrieLayer(DynamicLayer):  # type: ignore[misc]  # the library has no types
    """One layer's view of a history, extended by one token per row."""

    def __init__(self, ancestors: tuple[Tensor, ...], entries: tuple[Entries, ...]) -> None:
        super().__init__()
        self.ancestors = ancestors
        self.entries = entries
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Add one token per row; return all keys and values of every row, gathered from its ancestors."""
        added = Entries(key_states[:, :, 0], value_states[:, :, 0])
        keys = self.gather([step.keys for step in self.entries], added.keys)
        values = self.gather([step.values for step in self.entries], added.values)
        self.entries = (*self.entries, added)
        return keys, values

    def gather(self, steps: list[Tensor], last: Tensor) -> Tensor:
        """Every row's own entries, from its ancestors and itself."""
        gathered = last.new_empty(len(steps) + 1, *last.shape)  # (steps, rows, heads, width)
        for place, (step, rows) in enumerate(zip(steps, self.ancestors, strict=True)):
            if len(step) == 1:
                gathered[place] = step
            else:
                torch.index_select(step, 0, rows, out=gathered[place])
        gathered[-1] = last
        return gathered.permute(1, 2, 0, 3)  # (rows, heads, steps, width)

    def get_seq_length(self) -> int:
        """Tokens read so far."""
        return len(self.entries)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Length and offset of what the new token can see."""
        return len(self.entries) + query_length, 0


def open_cache(history: History, n_layers: int) -> Cache:
    """A cache for one more token after a history."""
    entries = history.entries or ((),) * n_layers
    return Cache(layers=[TrieLayer(history.ancestors, layer) for layer in entries])


def close_cache(cache: Cache, history: History, n_rows: int) -> History:
    """The history extended by the token that was read through the cache."""
    itself = torch.arange(n_rows, device=cache.layers[0].entries[-1].keys.device)
    return History((*history.ancestors, itself), tuple(layer.entries for layer in cache.layers))
