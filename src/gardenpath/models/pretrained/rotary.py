"""Decoders of the Llama family, read packed: all rows of a prefix tree go through a layer together.

Queries, keys and values come from one product; the norms before products are folded into the weights; residuals are
added by the products themselves. The two numbers that a rotation turns are neighbours, so that they are one complex
number; attention does not depend on their order. Rows are read in depth-first order, some hundred at a time; the keys
and values of the path to the next rows are carried along, so nothing is read twice and nothing is padding. Whether the
numbers are the library's is checked when a model is loaded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear, rms_norm, scaled_dot_product_attention

from gardenpath.models.prefix_tree import ancestors
from gardenpath.models.pretrained.head import Product, to_tensors
from gardenpath.models.pretrained.packing import Chunk, Rows, cut_chunks, equal_parts
from gardenpath.text.tokens import Ids

ROWS_PER_READ = 512
"""Rows that go through the layers together: enough for products at full speed, few enough for the cache."""
ROWS_PER_BLOCK = 32
"""Rows that attend together, to themselves and to the path before them."""
LAYER_WEIGHTS = (
    *(f"self_attn.{kind}_proj" for kind in "qkvo"), *(f"mlp.{kind}_proj" for kind in ("gate", "up", "down")),
    "input_layernorm", "post_attention_layernorm",
)  # fmt: skip
FAMILIES: dict[str, dict[str, bool]] = {
    "llama": {}, "mistral": {}, "qwen2": {"biased": True}, "qwen3": {"normed": True}
}  # fmt: skip
"""What the layers of an architecture have that a Llama's have not."""
LONG_PATH = 512
"""After a path longer than this all rows of a chunk attend together, by a kernel that keeps no table of scores."""


@dataclass(frozen=True, slots=True)
class RotaryShape:
    """Properties of the architecture that the weights do not show."""

    layers: int
    heads: int
    key_heads: int
    width: int
    """Of a head."""
    epsilon: float
    theta: float
    """Base of the rotations."""
    biased: bool = False
    """Whether queries, keys and values have biases, as Qwen 2's have."""
    normed: bool = False
    """Whether every head of queries and keys is normed, as Qwen 3's are."""


@dataclass(frozen=True, slots=True)
class RotaryLayer:
    """The weights of one layer."""

    attend: Tensor  # (queries + keys + values, width), the norm before it folded in
    attended: Tensor  # (width, queries)
    gate: Product  # (inner, width), the norm before it folded in
    up: Product  # the same
    narrow: Tensor  # (width, inner)
    bias: Tensor | None  # (queries + keys + values,)
    norms: Tensor | None  # (heads + key heads, width of a head)


def plain_shape(config: Mapping[str, Any]) -> RotaryShape | None:
    """Return the shape of a model of a known family without windows of attention or scaled rotations; else None."""
    rotation = config.get("rope_parameters") or {}
    family = FAMILIES.get(config.get("model_type", ""))
    usual = (config.get("hidden_act"), rotation.get("rope_type", "default")) == ("silu", "default")
    others = ("attention_bias", "mlp_bias", "use_sliding_window" if "layer_types" in config else "sliding_window")
    if family is None or not usual or any(config.get(name) for name in others):
        return None
    heads = config["num_attention_heads"]
    return RotaryShape(
        config["num_hidden_layers"],
        heads,
        config.get("num_key_value_heads") or heads,
        config.get("head_dim") or config["hidden_size"] // heads,
        config["rms_norm_eps"],
        rotation.get("rope_theta", 10000.0),
        **family,
    )


def weight_names(shape: RotaryShape, *, tied: bool) -> set[str]:
    """Return the names of all weights that are read; without `tied`, the projection to the vocabulary has its own."""
    outer = {"model.embed_tokens", "model.norm"} | (set() if tied else {"lm_head"})
    parts = [f"{part}.weight" for part in LAYER_WEIGHTS]
    parts += [f"self_attn.{kind}_proj.bias" for kind in "qkv" if shape.biased]
    parts += [f"self_attn.{kind}_norm.weight" for kind in "qk" if shape.normed]
    inner = {f"model.layers.{layer}.{part}" for layer in range(shape.layers) for part in parts}
    return {f"{name}.weight" for name in outer} | inner


@dataclass(frozen=True, slots=True)
class Attention:
    """What the rows of a chunk attend to, the same in every layer: block by block, so that few keys are masked."""

    keys: Tensor  # of (2, blocks, key heads, keys): indices of keys and values among those of the rows present
    queries: Tensor  # of (blocks, heads, rows of a block): indices among the heads of the rows of the chunk
    order: Tensor  # of (rows, heads): indices among the queries
    carry: Tensor  # indices into the rows present of those that lead to the next chunk
    mask: Tensor  # (blocks, 1, rows of a block, keys), added to the scores
    rotation: Tensor  # (rows, 1, width / 2), complex


class RotaryReader:
    """Reads a prefix tree with the weights of a model of the Llama family, named as its checkpoints name them."""

    def __init__(self, shape: RotaryShape, weights: Mapping[str, Tensor]) -> None:
        self.shape = shape
        self.embedding = weights["model.embed_tokens.weight"]
        self.norm = weights["model.norm.weight"]
        # In float32, as the library computes them.
        powers = torch.arange(0, shape.width, 2, dtype=torch.int64, device=self.norm.device).float() / shape.width
        self.frequencies = 1.0 / (shape.theta**powers)  # (width / 2,)
        self.layers = [self.fuse(weights, f"model.layers.{layer}.") for layer in range(shape.layers)]

    def fuse(self, weights: Mapping[str, Tensor], prefix: str) -> RotaryLayer:
        """Return the weights of a layer in the form that this reader uses."""
        shape, own = self.shape, f"{prefix}self_attn."
        attend, bias = self.gather(weights, own, "weight"), None
        if shape.biased:
            bias = self.gather(weights, own, "bias")
        norms = None
        if shape.normed:
            kinds = (("q", shape.heads, shape.width**-0.5), ("k", shape.key_heads, 1.0))
            norms = torch.cat(
                [self.pair(weights[f"{own}{kind}_norm.weight"]).repeat(count, 1) * by for kind, count, by in kinds]
            )
        norm = weights[f"{prefix}post_attention_layernorm.weight"]
        gate, up = (Product(weights[f"{prefix}mlp.{kind}_proj.weight"] * norm) for kind in ("gate", "up"))
        return RotaryLayer(
            attend.mul_(weights[f"{prefix}input_layernorm.weight"]),
            weights[f"{prefix}self_attn.o_proj.weight"],
            gate,
            up,
            weights[f"{prefix}mlp.down_proj.weight"],
            bias,
            norms,
        )

    def gather(self, weights: Mapping[str, Tensor], prefix: str, kind: str) -> Tensor:
        """Return the weights or biases of queries, keys and values, one after another."""
        queries, keys, values = (weights[f"{prefix}{name}_proj.{kind}"] for name in "qkv")
        # Attention divides by the root of the width; folded into the weights of queries, it costs nothing.
        by = 1.0 if self.shape.normed else self.shape.width**0.5
        return torch.cat([self.pair(queries) / by, self.pair(keys), values])

    def pair(self, weight: Tensor) -> Tensor:
        """Put the two numbers that a rotation turns, which are half a head apart, beside each other."""
        heads = weight.view(-1, 2, self.shape.width // 2, *weight.shape[1:])
        return heads.transpose(1, 2).reshape(weight.shape)

    def read(self, rows: Rows) -> Iterator[tuple[Chunk, Tensor]]:
        """Read all rows, chunk by chunk; yield the hidden state after each row of a chunk."""
        for chunk, states in self.read_chunks(rows):
            for hidden in states:  # noqa: B007 - only the last counts
                pass
            yield chunk, self.final(hidden)

    def read_layers(self, rows: Rows) -> Iterator[tuple[Chunk, list[Tensor]]]:
        """Yield, for every layer, what `read` yields for the last: its hidden states through the final norm."""
        for chunk, states in self.read_chunks(rows):
            yield chunk, [self.final(hidden) for hidden in states]

    def read_chunks(self, rows: Rows) -> Iterator[tuple[Chunk, Iterator[Tensor]]]:
        """Yield the chunks of rows, each with its hidden states after one layer after another, all to be taken."""
        entries = 2 * self.shape.key_heads
        carried = [self.norm.new_zeros(0, entries, self.shape.width) for _ in self.layers]
        for chunk in cut_chunks(rows, ROWS_PER_READ):
            yield chunk, self.read_chunk(rows, chunk, carried)

    def read_chunk(self, rows: Rows, chunk: Chunk, carried: list[Tensor]) -> Iterator[Tensor]:
        """Yield the hidden states of a chunk after each layer, and carry its keys and values on."""
        plan = self.plan(rows, chunk)
        hidden = self.embedding[torch.as_tensor(rows.tokens[chunk.low : chunk.high], device=self.norm.device)]
        for index, layer in enumerate(self.layers):
            hidden, carried[index] = self.apply(layer, hidden, carried[index], plan)
            yield hidden

    def final(self, hidden: Tensor) -> Tensor:
        """Apply the norm before the projection to the vocabulary."""
        return rms_norm(hidden, hidden.shape[-1:], self.norm, self.shape.epsilon)

    def plan(self, rows: Rows, chunk: Chunk) -> Attention:
        """Plan the attention of a chunk of rows, in blocks of which each sees its own path and itself."""
        long = len(chunk.present) - len(chunk.rows) > LONG_PATH
        edges = equal_parts(chunk.low, chunk.high, ROWS_PER_READ if long else ROWS_PER_BLOCK)
        keys = [
            np.append(np.array(ancestors(rows.parents, low), np.int64), np.arange(low, high)) for low, high in edges
        ]
        n_rows, n_keys = max(high - low for low, high in edges), max(map(len, keys))
        mask = torch.full((len(edges), 1, n_rows, n_keys), float("-inf"), dtype=self.norm.dtype)
        queries = np.zeros((len(edges), n_rows), dtype=np.int64)
        present = np.zeros((len(edges), n_keys), dtype=np.int64)
        for number, ((low, high), own) in enumerate(zip(edges, keys, strict=True)):
            block = np.minimum(np.arange(low, low + n_rows), high - 1)  # a shorter block repeats its last row
            queries[number] = block - chunk.low
            present[number, : len(own)] = np.searchsorted(chunk.present, own)
            mask[number, 0, :, : len(own)].masked_fill_(torch.from_numpy(rows.seen(block, own)), 0.0)
        order = np.concatenate([n_rows * number + np.arange(high - low) for number, (low, high) in enumerate(edges)])
        device = self.norm.device
        rotation = self.rotation(rows.positions[chunk.low : chunk.high])
        keys_of, asking, order_of, carry = to_tensors(
            *self.spread_heads(present, queries, order), chunk.carry, device=device
        )  # fmt: skip
        return Attention(keys_of, asking, order_of, carry, mask.to(device), rotation)

    def spread_heads(self, present: Ids, queries: Ids, order: Ids) -> tuple[Ids, Ids, Ids]:
        """Turn indices of rows into indices of the heads of rows, in the order in which they are multiplied."""
        heads, key_heads, n_rows = self.shape.heads, self.shape.key_heads, queries.shape[1]
        kinds = np.arange(2 * key_heads).reshape(2, 1, key_heads, 1)  # keys, then values
        keys = present[None, :, None] * 2 * key_heads + kinds
        asking = queries[:, None] * (heads + key_heads) + np.arange(heads)[:, None]
        block, row = np.divmod(order[:, None], n_rows)
        return keys.ravel(), asking.ravel(), ((block * heads + np.arange(heads)) * n_rows + row).ravel()

    def rotation(self, positions: Ids) -> Tensor:
        """Return the rotations of queries and keys at some positions."""
        angles = torch.as_tensor(positions, device=self.norm.device).float()[:, None] * self.frequencies
        return torch.polar(torch.ones_like(angles), angles)[:, None].to(self.norm.dtype.to_complex())

    def apply(self, layer: RotaryLayer, hidden: Tensor, carried: Tensor, plan: Attention) -> tuple[Tensor, Tensor]:
        """Apply one layer; return the hidden states after it, and the keys and values to carry on."""
        shape, count = self.shape, len(hidden)
        projected = linear(self.scaled(hidden), layer.attend)
        if layer.bias is not None:
            projected += layer.bias
        projected = projected.view(count, -1, shape.width)
        rotated = projected[:, : shape.heads + shape.key_heads]
        if layer.norms is not None:
            rotated = self.scaled(rotated) * layer.norms
        pairs = rotated.reshape(count, -1, shape.width // 2, 2)
        turned = torch.view_as_real(torch.view_as_complex(pairs) * plan.rotation).flatten(-2)
        entries = torch.cat([turned[:, shape.heads :], projected[:, shape.heads + shape.key_heads :]], 1)
        present = torch.cat([carried, entries])  # (carried + rows, 2 * key heads, width)
        mixed = self.attend(turned.view(-1, shape.width), present.view(-1, shape.width), plan)
        hidden = torch.addmm(hidden, mixed.view(count, -1), layer.attended.t())
        scaled = self.scaled(hidden)
        hidden = torch.addmm(hidden, layer.up.times(scaled, layer.gate.silu(scaled)), layer.narrow.t())
        return hidden, present.index_select(0, plan.carry)

    def attend(self, turned: Tensor, present: Tensor, plan: Attention) -> Tensor:
        """Return the mean of values that each head of each row sees, weighted by how well their keys match."""
        blocks, _, n_rows, n_keys = plan.mask.shape
        width, heads, key_heads = self.shape.width, self.shape.heads, self.shape.key_heads
        keys, values = present.index_select(0, plan.keys).view(2, blocks * key_heads, n_keys, width)
        queries = turned.index_select(0, plan.queries)  # the heads that share keys are neighbours
        if n_keys > LONG_PATH:
            queries = queries.view(blocks, heads, n_rows, width)
            keys, values = (part.view(blocks, key_heads, n_keys, width) for part in (keys, values))
            mixed = scaled_dot_product_attention(
                queries, keys, values, attn_mask=plan.mask, scale=1.0, enable_gqa=True
            )  # fmt: skip
        else:
            scores = torch.bmm(queries.view(blocks * key_heads, -1, width), keys.transpose(1, 2))
            weights = scores.view(blocks, heads, n_rows, n_keys).add_(plan.mask).softmax(dim=-1)
            mixed = torch.bmm(weights.view(blocks * key_heads, -1, n_keys), values)
        return mixed.reshape(-1, width).index_select(0, plan.order)

    def scaled(self, hidden: Tensor) -> Tensor:
        """Apply the root-mean-square norm without its weights, which are folded into the next ones."""
        return rms_norm(hidden, hidden.shape[-1:], None, self.shape.epsilon)
