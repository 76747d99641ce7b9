"""The Llama architecture, reading one token per row with fewer passes over memory than the library.

Every row of a step stands at the same position, so its rotation is one vector; queries, keys and values come from one
product, gate and up from another; norms are folded into the weights that follow them; residuals are added by the
products themselves. Whether the numbers are the library's is checked when a model is loaded (a converted one: the
first time).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention, silu

from gardenpath.models.pretrained.history import History


@dataclass(frozen=True, slots=True)
class LlamaShape:
    """Properties of the architecture that the weights do not show."""

    layers: int
    heads: int
    key_heads: int
    width: int
    """Of a head."""
    epsilon: float
    theta: float
    """Base of the rotations."""


@dataclass(frozen=True, slots=True)
class LlamaLayer:
    """The weights of one layer, transposed for products from the left."""

    attend: Tensor  # (width, queries + keys + values), the norm before it folded in
    attended: Tensor  # (queries, width)
    widen: Tensor  # (width, gate + up), the norm before it folded in
    narrow: Tensor  # (inner, width)


def plain_shape(config: Mapping[str, Any]) -> LlamaShape | None:
    """Return the shape of a Llama without biases or scaled rotations, as `LlamaReader` needs it; None for others."""
    rotation = config.get("rope_parameters") or {}
    kind = (config.get("model_type"), config.get("hidden_act"), rotation.get("rope_type", "default"))
    if kind != ("llama", "silu", "default") or config.get("attention_bias") or config.get("mlp_bias"):
        return None
    heads = config["num_attention_heads"]
    return LlamaShape(
        config["num_hidden_layers"],
        heads,
        config.get("num_key_value_heads") or heads,
        config.get("head_dim") or config["hidden_size"] // heads,
        config["rms_norm_eps"],
        rotation.get("rope_theta", 10000.0),
    )


class LlamaReader:
    """Reads one token per row with the weights of a Llama, named as its checkpoints name them."""

    def __init__(self, shape: LlamaShape, weights: Mapping[str, Tensor]) -> None:
        self.shape = shape
        self.embedding = weights["model.embed_tokens.weight"]
        self.norm = weights["model.norm.weight"]
        powers = torch.arange(0, shape.width, 2, dtype=torch.float64, device=self.norm.device) / shape.width
        self.frequencies = shape.theta**-powers  # (width / 2,)
        self.layers = [self.fuse(weights, f"model.layers.{layer}.") for layer in range(shape.layers)]

    def fuse(self, weights: Mapping[str, Tensor], prefix: str) -> LlamaLayer:
        """Return the weights of a layer in the form that this reader uses."""
        queries = self.interleave(weights[f"{prefix}self_attn.q_proj.weight"], self.shape.heads)
        keys = self.interleave(weights[f"{prefix}self_attn.k_proj.weight"], self.shape.key_heads)
        attend = torch.cat([queries, keys, weights[f"{prefix}self_attn.v_proj.weight"]])
        widen = torch.cat([weights[f"{prefix}mlp.gate_proj.weight"], weights[f"{prefix}mlp.up_proj.weight"]])
        return LlamaLayer(
            (attend * weights[f"{prefix}input_layernorm.weight"]).T.contiguous(),
            weights[f"{prefix}self_attn.o_proj.weight"].T.contiguous(),
            (widen * weights[f"{prefix}post_attention_layernorm.weight"]).T.contiguous(),
            weights[f"{prefix}mlp.down_proj.weight"].T.contiguous(),
        )

    def interleave(self, weight: Tensor, heads: int) -> Tensor:
        """Put the two halves of every head, which are rotated together, side by side, as complex numbers are."""
        return weight.view(heads, 2, self.shape.width // 2, -1).transpose(1, 2).reshape(weight.shape)

    def read(self, history: History, ids: Tensor) -> tuple[History, Tensor]:
        """Return the history with one more token per row, and the hidden state of each row after it."""
        angle = (len(history.ancestors) * self.frequencies).float()
        rotation = torch.polar(torch.ones_like(angle), angle)  # (width / 2,)
        hidden = self.embedding[ids]  # (rows, width of the model)
        added = []
        for number, layer in enumerate(self.layers):
            queries, new = self.project(self.scaled(hidden) @ layer.attend, rotation)
            keys, values = history.gather(number, new)
            mixed = scaled_dot_product_attention(queries, keys, values)  # (rows, key heads, heads of each, width)
            hidden = torch.addmm(hidden, mixed.reshape(len(ids), -1), layer.attended)
            gate, up = (self.scaled(hidden) @ layer.widen).chunk(2, dim=-1)  # (rows, inner) each
            hidden = torch.addmm(hidden, silu(gate).mul_(up), layer.narrow)
            added.append(new)
        return history.extend(added), self.scaled(hidden) * self.norm

    def project(self, projected: Tensor, rotation: Tensor) -> tuple[Tensor, Tensor]:
        """Return queries (rows, key heads, heads of each, width) and entries (rows, keys and values, key heads, width).

        A token sees all before it, so heads that share a key head attend together, as if they were positions.
        """
        rows, shape = len(projected), self.shape
        turned = (shape.heads + shape.key_heads) * shape.width
        pairs = projected[:, :turned].view(rows, shape.heads + shape.key_heads, shape.width // 2, 2)
        torch.view_as_complex(pairs).mul_(rotation)
        heads = projected.view(rows, -1, shape.width)
        entries = heads[:, shape.heads :].reshape(rows, 2, shape.key_heads, shape.width)
        return heads[:, : shape.heads].view(rows, shape.key_heads, -1, shape.width), entries.contiguous()

    def scaled(self, hidden: Tensor) -> Tensor:
        """Apply the root-mean-square norm without its weights, which are folded into the next ones."""
        square = torch.linalg.vector_norm(hidden, dim=-1, keepdim=True).square_() / hidden.shape[-1]
        return hidden * torch.rsqrt(square.add_(self.shape.epsilon))
