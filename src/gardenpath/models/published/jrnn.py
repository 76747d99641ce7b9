"""The LSTM of Jozefowicz et al. (2016), "JRNN": words are read by their characters, and scored as whole words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, relu

from gardenpath.io.digest import digest_text
from gardenpath.models.pretrained.head import Head, bits_of_logits
from gardenpath.models.protocol import Bits
from gardenpath.models.trained.lstm import LstmState

BEGIN, END, UNKNOWN = "<S>", "</S>", "<UNK>"
WORD_BYTES = 50
"""Characters of a word, which are bytes, with the marks of its beginning and end, and padding."""
HASH_DIGITS = 10
"""Hexadecimal digits of the number that an unknown word gets from its spelling."""
WORDS_PER_READ, WORDS_KEPT = 64, 1 << 14
"""Words whose vectors are computed together, and whose vectors are kept in memory."""


class SpelledWords:
    """The words of the model by id; an unknown word has an id of its own, from its spelling, above those of outputs."""

    def __init__(self, words: Sequence[str], outputs: int, *, spelled_symbols: bool, unknown_first: bool) -> None:
        """`outputs`: of the softmax; `spelled_symbols`: <S> is read by its letters; `unknown_first`: so is <UNK>."""
        self.words = words
        self.outputs = outputs
        self.ids = {word: id_ for id_, word in enumerate(words)}
        self.unknown = self.ids[UNKNOWN]
        self.unknown_first = unknown_first
        self.others: dict[int, str] = {}
        used = set(b"".join(map(encode_word, words)))
        free = [code for code in range(256) if code not in used]
        # The codes that no word uses stand for what no word is, in this order.
        begin, end, self.word_begin, self.word_end, self.padding = [*free[:5], *range(5)][:5]
        self.symbols = {} if spelled_symbols else {BEGIN: bytes([begin]), END: bytes([end])}

    def id_of(self, word: str) -> int:
        """Return the id of a word; of an unknown one, a number made of its spelling."""
        found = self.ids.get(word)
        if found is not None:
            return found
        if self.unknown_first:
            return self.unknown
        id_ = self.outputs + int(digest_text(word)[:HASH_DIGITS], 16)
        self.others[id_] = word
        return id_

    def is_known(self, word: str) -> bool:
        """Tell whether a word is one of the model's own; its symbols, written in a text, are not."""
        return word in self.ids and word not in (BEGIN, END, UNKNOWN)

    def codes(self, id_: int) -> list[int]:
        """Return the codes of the characters of a word, with its marks and padding."""
        word = self.words[id_] if id_ < len(self.words) else self.others.get(id_, UNKNOWN)
        spelled = self.symbols.get(word) or encode_word(word)[: WORD_BYTES - 2]
        return [self.word_begin, *spelled, self.word_end, *[self.padding] * (WORD_BYTES - 2 - len(spelled))]


def encode_word(word: str) -> bytes:
    """Return the bytes of a word; bytes of the vocabulary that are not UTF-8 are as they were."""
    return word.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class ShardedHead:
    """The projection to the vocabulary in shards: word t is row t // n of shard t % n."""

    shards: tuple[Head, ...]
    unknown: int
    """The id that is scored for unknown words."""
    outputs: int

    @property
    def weight(self) -> Tensor:
        """The weights of the first shard, as wide as those of all."""
        return self.shards[0].weight

    def keep_words(self, count: int) -> Self:
        """Return the projection to the first words only, without the outputs that stand for none."""
        rows = [(count - number + len(self.shards) - 1) // len(self.shards) for number in range(len(self.shards))]
        kept = (Head(head.weight[:some], head.bias[:some] if head.bias is not None else None)
                for head, some in zip(self.shards, rows, strict=True))  # fmt: skip
        return type(self)(tuple(kept), self.unknown, count)

    def logit(self, hidden: Tensor, words: Tensor) -> Tensor:
        """Return the logit of one word after each hidden state."""
        words = torch.where(words < self.outputs, words, self.unknown)
        found = hidden.new_zeros(len(words))
        for number, head in enumerate(self.shards):
            chosen = words % len(self.shards) == number
            found[chosen] = head.logit(hidden[chosen], words[chosen] // len(self.shards))
        return found

    def distribution(self, hidden: Tensor) -> Bits:
        """Return -log2 p of all outputs after each hidden state."""
        logits = hidden.new_empty(len(hidden), self.outputs)
        for number, head in enumerate(self.shards):
            parts = [head.logits(hidden, start) for start in head.starts]
            logits[:, number :: len(self.shards)] = torch.cat([hidden.new_empty(len(hidden), 0), *parts], dim=1)
        return bits_of_logits(logits)

    def log_sum(self, hidden: Tensor) -> Tensor:
        """Return the log-sum-exp of the logits of all words after each hidden state."""
        return torch.logsumexp(torch.stack([head.log_sum(hidden) for head in self.shards if len(head.weight)]), dim=0)


class CharacterLstm(nn.Module):
    """Reads words by their characters; used like a `RecurrentLM`."""

    def __init__(self, tensors: Mapping[str, Tensor], words: SpelledWords, head: ShardedHead) -> None:
        super().__init__()
        self.tensors = tensors
        self.words = words
        self.head = head
        self.filters = sum(name.endswith("/kernel") for name in tensors)
        self.layers = sum(name.endswith("/B") for name in tensors)
        self.vectors: dict[int, Tensor] = {}
        """Of the words that were read last."""

    def zero_state(self, rows: int) -> LstmState:
        """Return the state before anything was read."""
        cells, width = self.tensors["lstm/lstm_0/W_P"].shape
        zeros = self.head.weight.new_zeros
        return zeros(self.layers, rows, width), zeros(self.layers, rows, cells)

    def forward(self, ids: Tensor, state: LstmState) -> tuple[Tensor, LstmState]:
        """Read one word in each row; return the output (1, rows, width) and the state after it."""
        x = self.embed(ids[0].tolist())
        hiddens, cells = [], []
        for layer, (h, c) in enumerate(zip(*state, strict=True)):
            x, cell = self.read_layer(f"lstm/lstm_{layer}/", torch.cat([x, h], dim=1), c)
            hiddens.append(x)
            cells.append(cell)
        return x[None], (torch.stack(hiddens), torch.stack(cells))

    def read_layer(self, prefix: str, inputs: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """f = σ(f + 1 + w_F∘c), i = σ(i + w_I∘c), c′ = f∘c + i∘tanh j, o = σ(o + w_O∘c′), h′ = (o∘tanh c′)·W_P."""
        weight, bias, inner = (self.tensors[prefix + name] for name in ("W", "B", "W_P"))
        peep = {gate: self.tensors[f"{prefix}W_{gate}_diag"] for gate in "FIO"}
        i, j, f, o = torch.addmm(bias, inputs, weight).chunk(4, dim=1)
        cell = torch.sigmoid(f + 1 + peep["F"] * c) * c + torch.sigmoid(i + peep["I"] * c) * torch.tanh(j)
        return (torch.sigmoid(o + peep["O"] * cell) * torch.tanh(cell)) @ inner, cell

    def embed(self, ids: Sequence[int]) -> Tensor:
        """Return the vectors of words, each computed once as long as it is kept."""
        missing = [id_ for id_ in dict.fromkeys(ids) if id_ not in self.vectors]
        if len(self.vectors) + len(missing) > WORDS_KEPT:
            self.vectors, missing = {}, list(dict.fromkeys(ids))
        for start in range(0, len(missing), WORDS_PER_READ):
            some = missing[start : start + WORDS_PER_READ]
            self.vectors |= zip(some, self.spell(np.array([self.words.codes(id_) for id_ in some])), strict=True)
        return torch.stack([self.vectors[id_] for id_ in ids])

    def spell(self, codes: np.ndarray) -> Tensor:
        """Return the vectors of words given by characters: convolutions, two highway layers, a projection."""
        own = {name.removeprefix("char_embedding/"): tensor for name, tensor in self.tensors.items()}
        characters = own["W"][torch.from_numpy(codes)].transpose(1, 2)  # (words, width of a character, 50)
        found = []
        for number in range(self.filters):
            kernel = own[f"cnn_{number}/kernel"][:, :, 0].permute(2, 1, 0)  # (filters, width of a character, places)
            found.append(relu(conv1d(characters, kernel, own[f"cnn_{number}/b"].reshape(-1)).amax(dim=2)))
        x = torch.cat(found, dim=1)
        for layer in ("dense_0", "dense_1"):
            gate, to = ((x @ own[f"{layer}/{kind}/W"] + own[f"{layer}/{kind}/b"]) for kind in ("gate", "tr"))
            share = torch.sigmoid(gate - 2)
            x = share * relu(to) + (1 - share) * x
        return x @ own["proj/W"] + own["proj/b"]
