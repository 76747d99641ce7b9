"""Causal transformers that read a whole prefix tree packed: every node goes through a layer once, with all others."""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gardenpath.models.details import Details, describe_tokens
from gardenpath.models.prefix_tree import PrefixTree, build_tree
from gardenpath.models.pretrained.head import Head, to_tensors
from gardenpath.models.pretrained.packing import Chunk, Rows, plan_rows
from gardenpath.models.progress import report_nodes
from gardenpath.models.protocol import BEGINS_WORD, CONTINUES_WORD, Bits, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Ids


class Reader(Protocol):
    """The layers of a model, without its head."""

    def read(self, rows: Rows) -> Iterator[tuple[Chunk, Tensor]]:
        """Read all rows, chunk by chunk; yield the hidden state (rows, width) after each row of a chunk."""

    def read_layers(self, rows: Rows) -> Iterator[tuple[Chunk, list[Tensor]]]:
        """Yield, for every layer, what `read` yields for the last: its hidden states through the final norm."""


class PackedModel:
    """A causal transformer as a `TreeModel`."""

    def __init__(self, card: ModelCard, tokenizer: SubwordTokenizer, reader: Reader, head: Head) -> None:
        self.card = card
        self.tokenizer = tokenizer
        self.reader = reader
        self.head = head.lay_out()
        self.bos_id = None if card.bos is None else tokenizer.id_of(card.bos)

    @torch.inference_mode()
    def score_tree(self, tree: PrefixTree) -> Bits:
        """Return the bits of every node; without a first symbol those of first tokens are NaN."""
        bits: Bits = np.full(len(tree), np.nan)
        rows, targets = plan_rows(tree, self.bos_id)
        for chunk, hidden in self.reader.read(rows):
            low, high = np.searchsorted(targets.rows, [chunk.low, chunk.high])
            nodes = targets.nodes[low:high]
            bits[nodes] = self.score_after(hidden, targets.rows[low:high] - chunk.low, tree.tokens[nodes])
            report_nodes(len(nodes))
        return bits

    @torch.inference_mode()
    def describe_tree(self, tree: PrefixTree, details: Details) -> Bits:
        """Return every node as a described token; its bits after the last layer are those of `score_tree`."""
        rows, targets = plan_rows(tree, self.bos_id)
        if not len(rows):  # nothing but first tokens; how many layers there are is seen where something is read
            other, _ = build_tree([np.zeros(2, dtype=np.int64)])
            return np.full((len(tree), self.describe_tree(other, details).shape[1]), np.nan)
        nodes, parts = [np.zeros(0, dtype=np.int64)], []
        by_layer = "layers" in details.kinds
        read = (
            self.reader.read_layers(rows) if by_layer else ((chunk, [last]) for chunk, last in self.reader.read(rows))
        )
        for chunk, states in read:
            low, high = np.searchsorted(targets.rows, [chunk.low, chunk.high])
            nodes.append(targets.nodes[low:high])
            after, tokens = targets.rows[low:high] - chunk.low, tree.tokens[nodes[-1]]
            bits = np.stack([self.score_after(state, after, tokens) for state in states], axis=1)
            others = describe_tokens(partial(self.distribution, states[-1]), after, tokens, details)
            parts.append(np.concatenate([bits[:, -1:], others, *([bits] if by_layer else [])], axis=1))
            report_nodes(len(after))
        found: Bits = np.full((len(tree), parts[0].shape[1]), np.nan)
        found[np.concatenate(nodes)] = np.concatenate(parts)
        return found

    def distribution(self, hidden: Tensor, rows: Ids) -> Bits:
        """Return -log2 p of all tokens after each row."""
        return self.head.distribution(hidden[torch.as_tensor(rows)].to(self.head.weight.device))

    def score_after(self, hidden: Tensor, rows: Ids, tokens: Ids) -> Bits:
        """Return -log2 p(token | row)."""
        device = self.head.weight.device
        hidden = hidden.to(device)
        # What is chosen is known here: a device need not be waited for.
        single = np.flatnonzero(tokens >= 0)
        after, chosen, ids = to_tensors(rows, single, tokens[single], device=device)
        nats = self.head.log_sum(hidden)[after].double()
        nats[chosen] -= self.head.logit(hidden[after[chosen]], ids).double()
        for kind in (BEGINS_WORD, CONTINUES_WORD):
            (chosen,) = to_tensors(np.flatnonzero(tokens == kind), device=device)
            if len(chosen):
                nats[chosen] -= self.boundary_heads[kind].log_sum(hidden[after[chosen]]).double()
        # Bits below zero are rounding; NaN stays NaN.
        bits: Bits = (nats / np.log(2)).clamp(min=0.0).cpu().numpy()
        return bits

    def begins_word(self, ids: Ids) -> NDArray[np.bool_]:
        """Tell which tokens include the space before a word."""
        return self.word_beginnings[ids]

    @cached_property
    def word_beginnings(self) -> NDArray[np.bool_]:
        return self.tokenizer.word_beginnings()

    @cached_property
    def boundary_heads(self) -> dict[int, Head]:
        """The projections to the tokens of BEGINS_WORD and CONTINUES_WORD, each with the end of the text."""
        words = boundary_words(self.word_beginnings[: len(self.head.weight)], self.card.end)
        device = self.head.weight.device
        return {kind: self.head.restrict(*to_tensors(some, device=device)) for kind, some in words.items()}


def boundary_words(begins: NDArray[np.bool_], end: int | None) -> dict[int, Ids]:
    """Return the tokens of BEGINS_WORD and CONTINUES_WORD, each with the end of the text."""
    ends = [] if end is None else [end]
    kinds = {BEGINS_WORD: begins, CONTINUES_WORD: ~begins}
    return {kind: np.union1d(np.flatnonzero(of_kind), ends).astype(np.int64) for kind, of_kind in kinds.items()}
