"""Any decoder of the transformers library, read one token per row through a cache that shares prefixes."""

from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

from gardenpath.models.pretrained.history import History


def is_selectable(config: Any) -> bool:
    """Whether a model's cache holds only keys and values by position, so that rows can be selected and shared."""
    kinds = {type(layer) for layer in DynamicCache(config=config).layers}
    return kinds <= {DynamicLayer, DynamicSlidingWindowLayer}


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
        """Return the number of tokens read before."""
        return len(self.history.ancestors)

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Return the length and offset of the context of the new token."""
        return self.get_seq_length() + query_length, 0


class CachedReader:
    """Reads one token per row through any decoder of the transformers library."""

    def __init__(self, decoder: Any) -> None:
        self.decoder = decoder

    def read(self, history: History, ids: Tensor) -> tuple[History, Tensor]:
        """Return the history with one more token per row, and the hidden state of each row after it."""
        n_layers = self.decoder.config.get_text_config().num_hidden_layers
        cache = Cache(layers=[TrieLayer(history, layer) for layer in range(n_layers)])
        position = torch.full((1, 1), len(history.ancestors), device=ids.device)
        output = self.decoder(input_ids=ids[:, None], position_ids=position, past_key_values=cache, use_cache=True)
        return history.extend([layer.added for layer in cache.layers]), output.last_hidden_state[:, 0]
