"""Any decoder of the transformers library that takes a mask and positions, reading a prefix tree packed."""

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import (
    Cache,
    DummyLayer,
    DynamicCache,
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionAndFullAttentionLayer,
    LinearAttentionLayer,
)

from gardenpath.errors import InputError
from gardenpath.models.placement import MOST_ROWS, input_device, rows_that_fit
from gardenpath.models.pretrained.packing import Chunk, Rows, cut_chunks

ROWS_PER_READ = 256
"""Rows that go through the layers together."""
NUMBERS_PER_ROW = 64
"""Numbers that a row takes in a layer at most, relative to the width of the model: a generous guess."""
LENGTH_DEPENDENT_ROTATIONS = {"dynamic", "longrope"}
"""Rotations whose frequencies depend on the longest text read, and so must not be shared between texts."""
STEPPED_LAYERS = {
    DynamicLayer, DynamicSlidingWindowLayer, DummyLayer, LinearAttentionLayer, LinearAttentionAndFullAttentionLayer,
}  # fmt: skip
"""What layers carry from one token to the next, where steps were seen to equal plain passes."""
FINAL_NORM = re.compile(r"(?:\D+\.)?(?:norm|ln_f|norm_f|final_norm|final_layer_?norm)")
"""Names of the norm after the last layer; those inside of layers have the number of the layer in their name."""
OTHER_WINDOWS = re.compile("window|^index_")
KNOWN_WINDOWS = {
    "sliding_window", "use_sliding_window", "max_window_layers", "sliding_window_pattern", "_sliding_window_pattern",
    "prefix_dense_sliding_window_pattern",
}  # fmt: skip
"""Settings that `sliding_window` and `layer_types` say all of. Others (GPT-Neo, Doge, MiniMax M3) choose what a word
sees among all that is read together, in texts longer than those of the check at loading."""


def why_not_packed(config: Any) -> str | None:
    """Say why a model cannot read a tree packed; None: nothing in its configuration speaks against it."""
    text = config.get_text_config()
    kinds = {type(layer) for layer in DynamicCache(config=config).layers}
    # A layer that keeps nothing uses keys and values of another one, or does not look at other words.
    if not kinds <= {DynamicLayer, DynamicSlidingWindowLayer, DummyLayer}:
        return "it keeps more in memory than keys and values by position"
    if others := set(getattr(text, "layer_types", None) or ()) - {"full_attention", "sliding_attention"}:
        return f"it has layers of the kind {min(others)!r}"
    return why_not_shared(text)


def why_not_stepped(config: Any) -> str | None:
    """Say why a model cannot be read token by token; None: nothing in its configuration speaks against it."""
    kinds = {type(layer) for layer in DynamicCache(config=config).layers}
    if not kinds <= STEPPED_LAYERS:
        return "it keeps more in memory than keys, values and recurrent states"
    return why_not_shared(config.get_text_config())


def why_not_shared(text: Any) -> str | None:
    """Say what may make the beginning of a text depend on the whole of it, or long texts unlike short ones."""
    if unknown := sorted(name for name in text.to_dict() if OTHER_WINDOWS.search(name) and name not in KNOWN_WINDOWS):
        return f"{unknown[0]!r} of its configuration may limit what a word sees"
    if rotation := rotations(text) & LENGTH_DEPENDENT_ROTATIONS:
        return f"its rotations ({min(rotation)}) depend on the length of a text"
    return None


def text_decoder(network: Any) -> Any:
    """Return the part of a network that reads text, without one for images; where there is none, all of it."""
    found = network.get_decoder()
    # ModernBERT calls its output layer a decoder.
    return found if isinstance(found, PreTrainedModel) else network


def ignores_windows(network: Any) -> bool:
    """Tell whether plain passes do not make the windows of a configuration, as Moshi's do not."""
    windows = attention_windows(network.config.get_text_config())
    module = sys.modules[type(text_decoder(network)).__module__]
    makes_them = hasattr(module, "create_sliding_window_causal_mask")
    return any(windows.values()) and not makes_them


def rotations(config: Any) -> set[str]:
    """Return the kinds of rotations in a model; some have one for each kind of layer."""
    settings = getattr(config, "rope_parameters", None) or {}
    parts = [settings, *(part for part in settings.values() if isinstance(part, dict))]
    return {part["rope_type"] for part in parts if "rope_type" in part}


Found = TypeVar("Found")


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

    def __init__(self, decoder: Any, projection: Any = None, *, rows_per_read: int | None = None) -> None:
        self.decoder = decoder
        self.projection = projection
        self.rows_per_read = rows_per_read
        self.config = decoder.config.get_text_config()
        self.windows = attention_windows(self.config)

    def read(self, rows: Rows) -> Iterator[tuple[Chunk, Tensor]]:
        """Read all rows, chunk by chunk; yield the hidden state after each row of a chunk."""
        return self.read_by(self.hidden_states, rows)

    def read_layers(self, rows: Rows) -> Iterator[tuple[Chunk, list[Tensor]]]:
        """Yield, for every layer, what `read` yields for the last: its hidden states through the final norm."""
        return self.read_by(self.layer_states, rows)

    def read_by(self, pass_: Callable[..., Found], rows: Rows) -> Iterator[tuple[Chunk, Found]]:
        """Read all rows, chunk by chunk; yield what a pass through the decoder finds for a chunk."""
        # A decoder that was half of a translator has its own number of layers.
        layers = max(getattr(self.config, name, 0) for name in ("num_hidden_layers", "decoder_layers"))
        carried: list[Any] = [None] * layers
        device = input_device(self.decoder)
        size = self.rows_per_read or rows_that_fit(device, self.bytes_per_row(rows), on_cpu=ROWS_PER_READ)
        windows = [window for window in self.windows.values() if window is not None]
        reach = max(windows) if len(windows) == len(self.windows) else None
        for chunk in cut_chunks(rows, size, reach=reach):
            cache = Cache(layers=[PathLayer(part) for part in carried])
            own = slice(chunk.low, chunk.high)
            ids, positions = (torch.as_tensor(part[own], device=device)[None] for part in (rows.tokens, rows.positions))
            masks = self.masks(rows, chunk, device)
            yield (
                chunk,
                pass_(
                    input_ids=ids, position_ids=positions, attention_mask=masks, past_key_values=cache, use_cache=True
                ),
            )
            carried = [layer.carry(torch.as_tensor(chunk.carry)) for layer in cache.layers]

    def hidden_states(self, **inputs: Any) -> Tensor:
        """Return what the projection to the vocabulary gets: where a model has it, the output of its head's layers."""
        if self.projection is None:
            found: Tensor = self.decoder(**inputs).last_hidden_state[0]
            return found
        caught: list[Tensor] = []
        hook = self.projection.register_forward_pre_hook(lambda _, given: caught.append(given[0][0]))
        try:
            self.decoder(**inputs)
        finally:
            hook.remove()
        return caught[0]

    def layer_states(self, **inputs: Any) -> list[Tensor]:
        """Return what the projection to the vocabulary would get after each layer."""
        caught: list[tuple[Any, Any]] = []
        norms = (
            []
            if self.projection
            else [part for name, part in self.decoder.named_modules() if FINAL_NORM.fullmatch(name)]
        )
        hooks = [norm.register_forward_hook(lambda own, _, output: caught.append((own, output))) for norm in norms]
        try:
            found = self.decoder(**inputs, output_hidden_states=True)
        finally:
            for hook in hooks:
                hook.remove()
        for norm, output in caught:
            # The library's last hidden states have gone through the norm, the others have not.
            if torch.equal(output, found.last_hidden_state) and found.hidden_states[-1] is found.last_hidden_state:
                return [*(norm(state)[0] for state in found.hidden_states[1:-1]), found.last_hidden_state[0]]
        raise InputError(
            f"{type(self.decoder).__name__} has no norm of a known name before its projection to the vocabulary, so "
            "that layers have no surprisals of their own; leave out the detail `layers`"
        )

    def bytes_per_row(self, rows: Rows) -> int:
        """Estimate how much memory a row takes: its numbers in a layer, and its scores for all rows it may see."""
        keys = int(rows.positions.max(initial=0)) + MOST_ROWS
        heads = max(getattr(layer, "num_attention_heads", 1) for layer in layer_configs(self.config))
        return int(
            (NUMBERS_PER_ROW * self.config.hidden_size + heads * keys) * self.decoder.dtype.itemsize + 4 * heads * keys
        )

    def masks(self, rows: Rows, chunk: Chunk, device: torch.device) -> Tensor | dict[str, Tensor]:
        """Return the mask (1, 1, rows, rows present) that is added to scores, by kind of layer where it has a name."""
        seen = rows.seen(chunk.rows, chunk.present)
        distance = rows.positions[chunk.rows][:, None] - rows.positions[chunk.present]
        dtype = self.decoder.dtype
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
    layers = layer_configs(config)
    kinds = getattr(config, "layer_types", None) or [""] * len(layers)
    return {
        kind: None if kind == "full_attention" else getattr(layer, "sliding_window", None)
        for kind, layer in zip(kinds, layers, strict=True)
    }


def layer_configs(config: Any) -> list[Any]:
    """Return the configuration of each layer: in some models the number or width of heads differs between layers."""
    layers = getattr(config, "num_hidden_layers", 0)
    return list(getattr(config, "per_layer_config", None) or [config] * layers) if layers else [config]


def key_width(config: Any) -> int:
    """Return the size of the keys of one token in a layer."""
    heads = getattr(config, "num_attention_heads", None)
    if heads is None:
        return int(config.hidden_size)
    width = getattr(config, "head_dim", None) or config.hidden_size // heads
    return int((getattr(config, "num_key_value_heads", None) or heads) * width)
