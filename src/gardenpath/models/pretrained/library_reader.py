"""Any decoder of the transformers library that takes a mask and positions, reading a prefix tree packed."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

from gardenpath.models.placement import rows_that_fit
from gardenpath.models.pretrained.packing import Chunk, Rows, cut_chunks

ROWS_PER_READ = 256
"""Rows that go through the layers together."""
NUMBERS_PER_ROW = 64
"""Numbers that a row takes in a layer at most, relative to the width of the model: a generous guess."""
LENGTH_DEPENDENT_ROTATIONS = ("dynamic", "longrope")
"""Rotations whose frequencies depend on the longest text read, and so must not be shared between texts."""


def why_not_packed(config: Any) -> str | None:
    """Say why a model cannot read a tree packed; None: nothing in its configuration speaks against it."""
    text = config.get_text_config()
    kinds = {type(layer) for layer in DynamicCache(config=config).layers}
    if not kinds <= {DynamicLayer, DynamicSlidingWindowLayer}:
        return "it keeps more in memory than keys and values by position"
    if others := set(getattr(text, "layer_types", None) or ()) - {"full_attention", "sliding_attention"}:
        return f"it has layers of the kind {min(others)!r}"
    if getattr(text, "attention_types", None):
        return "its windows of attention count what is read together"  # GPT-Neo: by index, not by position
    rotation = (getattr(text, "rope_parameters", None) or {}).get("rope_type")
    if rotation in LENGTH_DEPENDENT_ROTATIONS:
        return f"its rotations ({rotation}) depend on the length of a text"
    return None


class PathLayer(DynamicLayer):  # type: ignore[misc]  # the library has no types
    """One layer's keys and values of the rows present: those carried from earlier chunks, then those read now."""

    def __init__(self, carried: tuple[Tensor, Tensor] | None) -> None:
        super().__init__()
        self.present = carried
        self.is_initialized = True

    def update(self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        """Add the rows read now; return the keys and values of all rows present."""
        if self.present is None:
            self.present = key_states, value_states
        else:
            keys, values = self.present
            self.present = torch.cat([keys, key_states], dim=2), torch.cat([values, value_states], dim=2)
        return self.present

    def get_seq_length(self) -> int:
        """Return the number of rows carried."""
        return 0 if self.present is None else int(self.present[0].shape[2])

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Return the number of rows present, and the offset of the first."""
        return self.get_seq_length() + query_length, 0

    def carry(self, rows: Tensor) -> tuple[Tensor, Tensor] | None:
        """Return the keys and values of the rows that lead to the next chunk."""
        if self.present is None:
            return None
        keys, values = self.present
        return keys[:, :, rows.to(keys.device)], values[:, :, rows.to(values.device)]


class LibraryReader:
    """Reads a prefix tree through the modules of the transformers library."""

    def __init__(self, decoder: Any) -> None:
        self.decoder = decoder
        self.config = decoder.config.get_text_config()
        self.windows = attention_windows(self.config)

    def read(self, rows: Rows) -> Iterator[tuple[Chunk, Tensor]]:
        """Read all rows, chunk by chunk; yield the hidden state after each row of a chunk."""
        carried: list[Any] = [None] * self.config.num_hidden_layers
        first = next(self.decoder.parameters())
        device = first.device
        bytes_per_row = NUMBERS_PER_ROW * self.config.hidden_size * first.element_size()
        size = rows_that_fit(device, bytes_per_row, on_cpu=ROWS_PER_READ)
        windows = [window for window in self.windows.values() if window is not None]
        reach = max(windows) if len(windows) == len(self.windows) else None
        for chunk in cut_chunks(rows, size, reach=reach):
            cache = Cache(layers=[PathLayer(part) for part in carried])
            own = slice(chunk.low, chunk.high)
            ids, positions = (torch.as_tensor(part[own], device=device)[None] for part in (rows.tokens, rows.positions))
            masks = self.masks(rows, chunk, device)
            output = self.decoder(
                input_ids=ids, position_ids=positions, attention_mask=masks, past_key_values=cache, use_cache=True
            )
            yield chunk, output.last_hidden_state[0]
            carried = [layer.carry(torch.as_tensor(chunk.carry)) for layer in cache.layers]

    def masks(self, rows: Rows, chunk: Chunk, device: torch.device) -> Tensor | dict[str, Tensor]:
        """Return the mask (1, 1, rows, rows present) that is added to scores, by kind of layer where it has a name."""
        seen = rows.seen(chunk.rows, chunk.present)
        distance = rows.positions[chunk.rows][:, None] - rows.positions[chunk.present]
        dtype = next(self.decoder.parameters()).dtype
        masks = {}
        for kind, window in self.windows.items():
            allowed = seen if window is None else seen & (distance < window)
            hidden = torch.from_numpy(~allowed).to(device)
            masks[kind] = torch.zeros(hidden.shape, dtype=dtype, device=device).masked_fill_(
                hidden, torch.finfo(dtype).min
            )[None, None]
        return masks.get("", masks)


def attention_windows(config: Any) -> dict[str, int | None]:
    """Return how far back the layers of each kind see; the only kind is called '' where the library has no names.

    The library's own masks know the windows; a mask of our own is used as it is.
    """
    window = getattr(config, "sliding_window", None)
    kinds = getattr(config, "layer_types", None)
    if not kinds:
        return {"": window}
    return {kind: window if kind == "sliding_attention" else None for kind in dict.fromkeys(kinds)}
