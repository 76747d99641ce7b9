"""LSTM language models: the module that is trained, and the model that scores tokens."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.card import choose_bos
from gardenpath.models.pretrained.head import Head, to_tensors
from gardenpath.models.protocol import Bits, Indices, ModelCard, Tokenizer
from gardenpath.models.trained.checkpoint import (
    Checkpoint,
    check_vocabulary_size,
    load_weights,
    mismatched_shape,
    read_checkpoint,
    require_split,
)
from gardenpath.models.trained.checkpoint_record import check_shares, check_sizes
from gardenpath.text.tokens import Ids
from gardenpath.text.vocabulary import END, Vocabulary, VocabularyTokenizer, read_vocabulary

VOCABULARY = "vocabulary.json"
TAGGER = "tagger."
"""Prefix of the names of the weights that `train multitask` saves beside those of the language model."""
RECURRENT_NOISE = 1e-4
"""Bits by which a sentence's total varies with the shape of the batch, in float32."""
ROWS_PER_READ = 512
"""Rows that go through the layers together."""
INITIAL_RANGE = 0.1
"""Initial weights of embedding and projection are within it, as in PyTorch's word language model."""


@dataclass(frozen=True, slots=True)
class RecurrentOptions:
    """The shape of an LSTM language model."""

    vocabulary: int
    """The number of words."""
    embedding: int
    width: int
    """Units per layer."""
    layers: int
    dropout: float
    """Applied to the embedding, between the layers, and after the last of them."""
    tied: bool
    """Whether the embedding is also the projection (Press and Wolf 2017; Inan et al. 2017)."""

    def __post_init__(self) -> None:
        check_sizes(self, vocabulary=1, embedding=1, width=1, layers=1)
        check_shares(self, "dropout")
        if self.tied and self.embedding != self.width:
            raise InputError(
                f"tied weights need an embedding ({self.embedding}) as wide as the layers ({self.width}); "
                "make them equal or leave --tied out"
            )

    @property
    def title(self) -> str:
        """Architecture and size."""
        return f"LSTM {self.layers}x{self.width}"

    @property
    def units(self) -> int:
        """Units of all layers."""
        return self.layers * self.width


Module = TypeVar("Module", bound=nn.Module)
LstmState = tuple[Tensor, Tensor]
"""Hidden state and cell, each (layers, rows, width)."""


def draw_weights(encoder: nn.Embedding, decoder: nn.Linear, *, tied: bool) -> None:
    """Draw the initial weights of embedding and projection; `tied` makes them one."""
    nn.init.uniform_(encoder.weight, -INITIAL_RANGE, INITIAL_RANGE)
    nn.init.uniform_(decoder.weight, -INITIAL_RANGE, INITIAL_RANGE)
    nn.init.zeros_(decoder.bias)
    if tied:
        decoder.weight = encoder.weight


class RecurrentLM(nn.Module):
    """Embedding, LSTM, and the weights of the projection; callers compute the logits they need.

    The names of the weights are those of PyTorch's word language model, and so of Gulordava et al. (2018).
    """

    def __init__(self, options: RecurrentOptions) -> None:
        super().__init__()
        self.options = options
        self.encoder = nn.Embedding(options.vocabulary, options.embedding)
        between = options.dropout if options.layers > 1 else 0.0
        self.rnn = nn.LSTM(options.embedding, options.width, options.layers, dropout=between)
        self.decoder = nn.Linear(options.width, options.vocabulary)
        self.drop = nn.Dropout(options.dropout)
        draw_weights(self.encoder, self.decoder, tied=options.tied)

    def forward(self, ids: Tensor, state: LstmState | None = None) -> tuple[Tensor, LstmState]:
        """Return hidden states (steps, rows, width) after each of the symbols (steps, rows), and the last state."""
        hidden, state = self.read(ids, state)
        return self.drop_output(hidden), state

    def read(self, ids: Tensor, state: LstmState | None = None) -> tuple[Tensor, LstmState]:
        """As `forward`, without dropout on the last layer."""
        hidden, state = self.rnn(self.drop(self.encoder(ids)), state)
        return hidden, state

    def drop_output(self, hidden: Tensor) -> Tensor:
        """Drop units of the last layer."""
        dropped: Tensor = self.drop(hidden)
        return dropped

    def zero_state(self, rows: int) -> LstmState:
        """Return the state before anything was read."""
        zeros = self.encoder.weight.new_zeros(self.options.layers, rows, self.options.width)
        return zeros, zeros

    @property
    def head(self) -> Head:
        """The projection to the vocabulary."""
        return Head(self.decoder.weight, self.decoder.bias)


@dataclass(frozen=True, slots=True)
class RecurrentState:
    """Rows that have read equally many tokens."""

    hidden: Tensor  # (layers, rows, width)
    cell: Tensor  # (layers, rows, width)
    total: Tensor | None  # (rows,), log-sum-exp of the logits of all words; None: nothing was read yet


class RecurrentModel:
    """An LSTM, or another module used like a `RecurrentLM`, as a `LanguageModel`."""

    def __init__(self, card: ModelCard, tokenizer: Tokenizer, module: Any, *, begin: int | None) -> None:
        """`begin`: id of the symbol read first."""
        self.card = card
        self.tokenizer = tokenizer
        self.module = module.eval()
        self.head: Head = module.head
        self.begin = begin
        self.top = self.head.weight.shape[1]
        """Units of the last layer."""

    @torch.inference_mode()
    def start(self) -> RecurrentState:
        """Return one row that has read the first symbol, where there is one."""
        hidden, cell = self.module.zero_state(1)
        nothing = RecurrentState(hidden, cell, None)
        return nothing if self.begin is None else self.read(nothing, torch.tensor([0]), torch.tensor([self.begin]))

    @torch.inference_mode()
    def step(self, state: RecurrentState, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, RecurrentState]:
        """Score tokens after rows, and read those named in keep."""
        chosen, ids, kept = to_tensors(rows, tokens, keep, device=self.head.weight.device)
        bits = self.score_tokens(state, chosen, ids)
        if not len(kept):
            return bits, RecurrentState(state.hidden[:, :0], state.cell[:, :0], None)
        return bits, self.read(state, chosen[kept], ids[kept])

    def score_tokens(self, state: RecurrentState, rows: Tensor, ids: Tensor) -> Bits:
        """Return -log2 p(id | row)."""
        if state.total is None:
            return np.full(len(ids), np.nan)
        nats = state.total[rows].double() - self.head.logit(state.hidden[-1, :, -self.top :][rows], ids).double()
        # Bits below zero are rounding; NaN stays NaN.
        return np.asarray((nats / np.log(2)).clamp(min=0.0).cpu())

    @torch.inference_mode()
    def distribution(self, state: RecurrentState, rows: Ids) -> Bits:
        """Return -log2 p of all words after each row."""
        (chosen,) = to_tensors(rows, device=self.head.weight.device)
        return self.head.distribution(state.hidden[-1, :, -self.top :][chosen])

    def read(self, state: RecurrentState, parents: Tensor, ids: Tensor) -> RecurrentState:
        """Read each id after its parent, and compute the normaliser with which the next will be scored."""
        parts = []
        blocks = (torch.split(part, ROWS_PER_READ) for part in (parents, ids))
        for rows, tokens in zip(*blocks, strict=True):
            output, (hidden, cell) = self.module(tokens[None], (state.hidden[:, rows], state.cell[:, rows]))
            parts.append((hidden, cell, self.head.log_sum(output[0])))
        hiddens, cells, totals = zip(*parts, strict=True)
        return RecurrentState(torch.cat(hiddens, dim=1), torch.cat(cells, dim=1), torch.cat(totals))


def load_recurrent(folder: Path, *, bos: str = "default") -> RecurrentModel:
    """Load an LSTM from its checkpoint directory."""
    module, vocabulary, reading, digest = read_recurrent(folder, "lstm", RecurrentLM, RecurrentOptions)
    return wrap_module(folder, module, vocabulary, reading, bos=bos, digest=(digest,))


def read_recurrent(
    folder: Path, kind: str, module_type: type[Module], options_type: Any
) -> tuple[Module, Vocabulary, dict[str, Any], str]:
    """Read a checkpoint directory: module, vocabulary, how texts are read, and the digest of the weights."""
    checkpoint = read_checkpoint(folder, kind=kind)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    options, reading = read_options(checkpoint, options_type)
    module = module_type(options)
    check_vocabulary_size(folder / VOCABULARY, len(vocabulary), options.vocabulary)
    own = {name: tensor for name, tensor in checkpoint.tensors.items() if not name.startswith(TAGGER)}
    load_weights(module, own, folder)
    return module.eval(), vocabulary, reading, checkpoint.digest


def read_options(checkpoint: Checkpoint, options_type: Any) -> tuple[Any, dict[str, Any]]:
    """Return the shape of a checkpoint's module, of the given type, and how texts are read for it."""
    shape = dict(checkpoint.options)
    try:
        reading = {"split": require_split(shape.pop("split")), "begin": str(shape.pop("begin"))}
        return options_type(**shape), reading
    except (KeyError, TypeError) as error:
        raise mismatched_shape(checkpoint.folder, error) from error


def wrap_module(
    folder: Path, module: Any, vocabulary: Vocabulary, reading: dict[str, Any], *, bos: str, digest: tuple[str, ...]
) -> RecurrentModel:
    """Make a model of a module, an LSTM or one of the same shape; `digest` identifies its weights."""
    tokenizer = VocabularyTokenizer(vocabulary, reading["split"])
    begin = choose_bos(bos, reading["begin"], special=tokenizer.special_symbols(), vocabulary=tokenizer)
    own = digest_parts((*digest, vocabulary.to_json(), str(begin), str(reading)))
    card = describe_recurrent(str(folder), module.options, fingerprint=own, bos=begin, end=vocabulary.ids[END])
    return RecurrentModel(card, tokenizer, module, begin=None if begin is None else tokenizer.id_of(begin))


def recurrent_settings(
    options: RecurrentOptions, *, split: str, begin: Literal["<s>", "</s>"]
) -> dict[str, int | float | bool | str]:
    """Return the options of an LSTM's checkpoint: its shape, how texts are cut, which symbol is read first."""
    return {**asdict(options), "split": split, "begin": begin}


def describe_recurrent(name: str, options: Any, *, fingerprint: str, bos: str | None, end: int) -> ModelCard:
    """Make the card of an LSTM, or of a model whose options are like those of one."""
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=bos,
        end=end,
        noise=RECURRENT_NOISE,
        bytes_per_state=4 * (2 * options.units + 1),
        decisions={
            "architecture": f"{options.title}, {options.vocabulary:,} words",
            "dtype": "float32",
            "bos": bos or "none: the first token has no surprisal",
        },
    )
