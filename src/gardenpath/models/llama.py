"""The Llama architecture read one token per row, with fewer passes over memory than the library makes.

Every row of a step stands at the same position, so its rotation is one vector; queries, keys and values come from one
product, gate and up from another; norms are folded into the weights that follow them; residuals are added by the
products themselves. Whether the numbers are the library's is checked when a model is loaded.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention, silu

from gardenpath.models.trie_cache import History


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of one layer, transposed for products from the left."""

    attend: Tensor  # (width, queries + keys + values), the norm before it folded in
    attended: Tensor  # (queries, width)
    widen: Tensor  # (width, gate + up), the norm before it folded in
    narrow: Tensor  # (inner, width)


def is_plain_llama(model: Any) -> bool:
    """Whether a model is a Llama without biases or scaled rotations: what `LlamaReader` computes."""
    config = model.config
    return bool(
        config.model_type == "llama"
        and model.dtype == torch.float32
        and config.hidden_act == "silu"
        and not config.attention_bias
        and not config.mlp_bias
        and (config.rope_parameters or {}).get("rope_type", "default") == "default"
    )


class LlamaReader:
    """Reads one token per row with the weights of a Llama decoder."""

    def __init__(self, decoder: Any) -> None:
        config = decoder.config
        self.heads: int = config.num_attention_heads
        self.key_heads: int = config.num_key_value_heads
        self.width: int = decoder.layers[0].self_attn.head_dim
        self.epsilon: float = config.rms_norm_eps
        self.embedding = decoder.embed_tokens.weight.detach()
        self.norm = decoder.norm.weight.detach()
        self.frequencies = decoder.rotary_emb.inv_freq.detach().double()  # (width / 2,)
        self.layers = [self.fuse(layer) for layer in decoder.layers]

    def fuse(self, layer: Any) -> Layer:
        """The weights of a layer in the form this reader uses."""
        attention, mlp = layer.self_attn, layer.mlp
        queries = self.interleave(attention.q_proj.weight.detach(), self.heads)
        keys = self.interleave(attention.k_proj.weight.detach(), self.key_heads)
        attend = torch.cat([queries, keys, attention.v_proj.weight.detach()])
        widen = torch.cat([mlp.gate_proj.weight.detach(), mlp.up_proj.weight.detach()])
        return Layer(
            (attend * layer.input_layernorm.weight.detach()).T.contiguous(),
            attention.o_proj.weight.detach().T.contiguous(),
            (widen * layer.post_attention_layernorm.weight.detach()).T.contiguous(),
            mlp.down_proj.weight.detach().T.contiguous(),
        )

    def interleave(self, weight: Tensor, heads: int) -> Tensor:
        """Put the two halves of every head, which are rotated together, side by side, as complex numbers are."""
        halves = weight.view(heads, 2, self.width // 2, -1)
        return halves.transpose(1, 2).reshape(weight.shape)

    def read(self, history: History, ids: Tensor) -> tuple[History, Tensor]:
        """The history with one more token per row, and the hidden state of each row after it."""
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
        """Queries (rows, key heads, heads of each, width) and entries (rows, keys and values, key heads, width).

        A token sees all before it, so the heads that share a key head can ask together, as if they were places.
        """
        rows = len(projected)
        turned = (self.heads + self.key_heads) * self.width
        pairs = projected[:, :turned].view(rows, self.heads + self.key_heads, self.width // 2, 2)
        torch.view_as_complex(pairs).mul_(rotation)
        heads = projected.view(rows, -1, self.width)
        entries = heads[:, self.heads :].reshape(rows, 2, self.key_heads, self.width)
        return heads[:, : self.heads].view(rows, self.key_heads, -1, self.width), entries.contiguous()

    def scaled(self, hidden: Tensor) -> Tensor:
        """The root-mean-square norm without its weights, which are folded into what follows."""
        square = torch.linalg.vector_norm(hidden, dim=-1, keepdim=True).square_() / hidden.shape[-1]
        return hidden * torch.rsqrt(square.add_(self.epsilon))
