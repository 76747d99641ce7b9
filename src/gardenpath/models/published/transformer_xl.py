"""Transformer-XL (Dai et al. 2019): adaptive input and output, relative positions, a memory before the text."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import layer_norm, linear, relu

from gardenpath.models.prefix_tree import PrefixTree
from gardenpath.models.pretrained.head import Head, to_tensors
from gardenpath.models.pretrained.packing import Chunk, Rows, cut_chunks, plan_rows
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import WordTokenizer
from gardenpath.text.tokens import Ids

ROWS_PER_READ = 256
"""Rows that go through the layers together."""


@dataclass(frozen=True, slots=True)
class XlShape:
    """The shape of a Transformer-XL, and what it sees."""

    layers: int
    heads: int
    head_width: int
    width: int
    memory: int
    """Positions before the text that hold zeros: they have no content, but take a share of attention."""
    window: int | None
    """Positions that a word sees, itself included; None: all."""
    clamp: int | None
    """The distance from which on all distances are one."""
    epsilon: float
    """Of the layer norms."""

    def furthest(self, positions: Ids) -> int:
        """Return the largest distance that is distinguished, for words at some positions of their texts."""
        furthest = int(positions.max(initial=0)) + self.memory
        bounds = [self.clamp, None if self.window is None else self.window - 1]
        return min([furthest, *(bound for bound in bounds if bound is not None)])


@dataclass(frozen=True, slots=True)
class Cluster:
    """Some words of the adaptive vocabulary."""

    start: int
    """The id of the first word."""
    embedding: Tensor  # (words, own width)
    embedding_projection: Tensor  # (width, own width)
    head: Head  # words; in the first cluster also one output for each other cluster
    head_projection: Tensor  # (width, own width)

    @property
    def end(self) -> int:
        """The id after that of the last word."""
        return self.start + len(self.embedding)


@dataclass(frozen=True, slots=True)
class XlLayer:
    """The weights of one layer."""

    attend: Tensor  # (queries + keys + values, width)
    positions: Tensor  # (heads * head width, width)
    attended: Tensor  # (width, heads * head width)
    content_bias: Tensor  # u, (heads, head width)
    position_bias: Tensor  # v, (heads, head width)
    attention_norm: tuple[Tensor, Tensor]
    widen: tuple[Tensor, Tensor]
    narrow: tuple[Tensor, Tensor]
    norm: tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class View:
    """What the rows of a chunk see, the same in every layer."""

    hidden: Tensor  # (rows, present), whether a row does not see one that is present
    distances: Tensor  # (rows, present)
    zeros: Tensor  # (rows, distances), the logarithm of the number of zero positions at each distance
    carry: Tensor  # indices into those present of the rows that lead to the next chunk


class XlReader:
    """Reads a prefix tree with the weights of a Transformer-XL."""

    def __init__(self, shape: XlShape, clusters: list[Cluster], layers: list[XlLayer]) -> None:
        self.shape = shape
        self.clusters = clusters
        self.layers = layers
        self.tables: list[Tensor] = [layer.positions.new_zeros(0) for layer in layers]
        """By layer: the keys of distances from 0 on, as many as were needed so far."""

    def read(self, rows: Rows) -> Iterator[tuple[Chunk, Tensor]]:
        """Read all rows, chunk by chunk; yield the hidden state after each row of a chunk."""
        shape = self.shape
        furthest = shape.furthest(rows.positions)
        if len(self.tables[0]) <= furthest:
            sines = self.sines(furthest)
            self.tables = [linear(sines, own.positions).view(-1, shape.heads, shape.head_width) for own in self.layers]
        tables = [table[: furthest + 1] for table in self.tables]
        carried = [table.new_zeros(0, 2, shape.heads, shape.head_width) for table in tables]
        for chunk in cut_chunks(rows, ROWS_PER_READ, reach=shape.window):
            view = self.view(rows, chunk, furthest)
            (ids,) = to_tensors(rows.tokens[chunk.low : chunk.high])
            hidden = self.embed(ids)
            for index, (layer, table) in enumerate(zip(self.layers, tables, strict=True)):
                hidden, carried[index] = self.apply(layer, table, hidden, carried[index], view)
            yield chunk, hidden

    def sines(self, furthest: int) -> Tensor:
        """Return [sin(d·f), cos(d·f)] for every distance d up to the furthest, with f_k = 10000^(-2k/width)."""
        weight, width = self.layers[0].positions, self.shape.width
        frequencies = 1 / (10000 ** (torch.arange(0.0, width, 2.0, dtype=weight.dtype) / width))
        angles = torch.outer(torch.arange(furthest + 1, dtype=weight.dtype), frequencies)
        return torch.cat([angles.sin(), angles.cos()], dim=1)  # (distances, width)

    def embed(self, ids: Tensor) -> Tensor:
        """Return √width · E_i[w] · P_iᵀ for every word, from its cluster i."""
        embedded = self.layers[0].positions.new_zeros(len(ids), self.shape.width)
        for cluster in self.clusters:
            chosen = (ids >= cluster.start) & (ids < cluster.end)
            own = cluster.embedding[ids[chosen] - cluster.start]
            embedded[chosen] = linear(own, cluster.embedding_projection)
        return embedded.mul_(self.shape.width**0.5)

    def view(self, rows: Rows, chunk: Chunk, furthest: int) -> View:
        """Find what each row of a chunk sees, and how far away it is."""
        shape, own = self.shape, rows.positions[chunk.rows][:, None]
        distances = own - rows.positions[chunk.present]
        seen = rows.seen(chunk.rows, chunk.present)
        last = own + shape.memory
        if shape.window is not None:
            seen &= distances < shape.window
            last = np.minimum(last, shape.window - 1)
        at = np.arange(furthest + 1)
        zeros = ((own < at) & (at <= last)).astype(np.int64)
        # All greater distances count as the furthest one.
        zeros[:, -1:] = np.maximum(last - np.maximum(own + 1, furthest) + 1, 0)
        counts = torch.from_numpy(zeros).to(self.layers[0].positions.dtype)
        between, carry = to_tensors(distances.clip(0, furthest), chunk.carry)
        return View(torch.from_numpy(~seen), between, counts.log(), carry)

    def apply(
        self, layer: XlLayer, table: Tensor, hidden: Tensor, carried: Tensor, view: View
    ) -> tuple[Tensor, Tensor]:
        """Apply one layer; return the hidden states after it, and the keys and values to carry on."""
        shape, count = self.shape, len(hidden)
        projected = linear(hidden, layer.attend).view(count, 3, shape.heads, shape.head_width)
        queries = projected[:, 0]
        present = torch.cat([carried, projected[:, 1:]])  # (present, 2, heads, head width)
        # The score of query i and key j is ((q_i + u)·k_j + (q_i + v)·R_(i-j)) / √head width.
        near = torch.einsum("rhw,phw->hrp", queries + layer.content_bias, present[:, 0])
        by_distance = torch.einsum("rhw,dhw->hrd", queries + layer.position_bias, table)
        scores = near + by_distance.gather(2, view.distances.expand(shape.heads, -1, -1))
        scores = scores.masked_fill_(view.hidden, float("-inf"))
        if shape.memory:
            # A zero position has a score by its distance alone, and nothing to add to the mean.
            scale = shape.head_width**-0.5
            scores = torch.cat([scores * scale, by_distance * scale + view.zeros], dim=2)
            shares = scores.softmax(dim=-1)[..., : len(present)]
        else:
            shares = (scores * shape.head_width**-0.5).softmax(dim=-1)
        mixed = torch.einsum("hrp,phw->rhw", shares, present[:, 1]).reshape(count, -1)
        attended = self.norm(hidden + linear(mixed, layer.attended), layer.attention_norm)
        inner = linear(relu(linear(attended, *layer.widen)), *layer.narrow)
        return self.norm(attended + inner, layer.norm), present[view.carry]

    def norm(self, hidden: Tensor, weights: tuple[Tensor, Tensor]) -> Tensor:
        """Apply a layer norm."""
        return layer_norm(hidden, hidden.shape[-1:], *weights, self.shape.epsilon)


class TransformerXl:
    """A Transformer-XL as a `TreeModel`."""

    def __init__(self, card: ModelCard, tokenizer: WordTokenizer, reader: XlReader, *, begin: int | None) -> None:
        """`begin`: id of the symbol read first."""
        self.card = card
        self.tokenizer = tokenizer
        self.reader = reader
        self.begin = begin

    @torch.inference_mode()
    def score_tree(self, tree: PrefixTree) -> Bits:
        """Return the bits of every node; without a first symbol those of first tokens are NaN."""
        bits: Bits = np.full(len(tree), np.nan)
        rows, targets = plan_rows(tree, self.begin)
        for chunk, hidden in self.reader.read(rows):
            low, high = np.searchsorted(targets.rows, [chunk.low, chunk.high])
            nodes = targets.nodes[low:high]
            bits[nodes] = self.score_after(hidden, targets.rows[low:high] - chunk.low, tree.tokens[nodes])
        return bits

    def score_after(self, hidden: Tensor, rows: Ids, tokens: Ids) -> Bits:
        """Return -log2 p(token | row): of its cluster, and in that cluster."""
        first, *others = self.reader.clusters
        after, ids = to_tensors(rows, tokens)
        outputs = ids.clone()  # of the first cluster: its words, then the other clusters
        for number, cluster in enumerate(others):
            outputs[(ids >= cluster.start) & (ids < cluster.end)] = first.end + number
        projected = hidden @ first.head_projection
        nats = first.head.log_sum(projected)[after].double()
        nats -= first.head.logit(projected[after], outputs).double()
        for cluster in others:
            chosen = torch.nonzero((ids >= cluster.start) & (ids < cluster.end))[:, 0]
            needed, which = torch.unique(after[chosen], return_inverse=True)
            if len(needed):
                projected = hidden[needed] @ cluster.head_projection
                nats[chosen] += cluster.head.log_sum(projected)[which].double()
                nats[chosen] -= cluster.head.logit(projected[which], ids[chosen] - cluster.start).double()
        # Bits below zero are rounding; NaN stays NaN.
        bits: Bits = (nats / np.log(2)).clamp(min=0.0).numpy()
        return bits
