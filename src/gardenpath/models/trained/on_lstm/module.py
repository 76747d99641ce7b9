"""ON-LSTM language models (Shen et al. 2019, Ordered Neurons): the module that is trained, and its loading."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from gardenpath.errors import InputError
from gardenpath.models.pretrained.head import Head
from gardenpath.models.trained.checkpoint import require_finite
from gardenpath.models.trained.checkpoint_record import check_shares, check_sizes
from gardenpath.models.trained.lstm import LstmState, RecurrentModel, draw_weights, read_recurrent, wrap_module
from gardenpath.models.trained.on_lstm.cell import LayerState, OrderedSteps, Trace, gate_count, read_steps
from gardenpath.text.vocabulary import Vocabulary

ON_LSTM = "on-lstm"
DROPOUTS = ("word_dropout", "input_dropout", "layer_dropout", "output_dropout", "weight_dropout")


@dataclass(frozen=True, slots=True)
class OrderedOptions:
    """The shape of an ON-LSTM language model."""

    vocabulary: int
    """The number of words."""
    embedding: int
    """Also the width of the last layer."""
    width: int
    """Units of the other layers."""
    layers: int
    chunk: int
    """Units that share a master gate."""
    tied: bool
    """Whether the embedding is also the projection (Press and Wolf 2017; Inan et al. 2017)."""
    word_dropout: float
    """Of whole words of the embedding, at all their positions in a batch (Gal and Ghahramani 2016)."""
    input_dropout: float
    """On the input of the first layer; the same units for all words of a text, as for the next two."""
    layer_dropout: float
    """Between the layers."""
    output_dropout: float
    """On the last layer."""
    weight_dropout: float
    """Of recurrent weights, the same for a whole batch (Merity et al. 2018)."""

    def __post_init__(self) -> None:
        check_sizes(self, vocabulary=1, embedding=1, width=1, layers=1, chunk=1)
        check_shares(self, *DROPOUTS)
        for name in ("embedding", "width") if self.layers > 1 else ("embedding",):
            if getattr(self, name) % self.chunk:
                raise InputError(
                    f"chunks of {self.chunk} units do not fill a layer of {getattr(self, name)} ({name}; the last "
                    "layer is as wide as the embedding); give a chunk size that divides both"
                )

    @property
    def widths(self) -> tuple[int, ...]:
        """Units of each layer, from the lowest."""
        return (self.width,) * (self.layers - 1) + (self.embedding,)

    @property
    def title(self) -> str:
        """Architecture and size."""
        return f"ON-LSTM {'-'.join(map(str, self.widths))} in chunks of {self.chunk}"

    @property
    def units(self) -> int:
        """Units of all layers."""
        return sum(self.widths)


class OrderedLayer(nn.Module):
    """A layer of ordered neurons; see `on_lstm.cell`."""

    def __init__(self, inputs: int, width: int, chunks: int) -> None:
        super().__init__()
        self.chunks = chunks
        self.input = nn.Linear(inputs, gate_count(width, chunks))
        self.recurrent = nn.Linear(width, gate_count(width, chunks), bias=False)

    def forward(self, inputs: Tensor, before: LayerState, weight_dropout: float = 0.0) -> tuple[Tensor, Tensor]:
        """Return hidden states (steps, rows, width) after each step, and the cell (rows, width) after the last."""
        recurrent = nn.functional.dropout(self.recurrent.weight, weight_dropout, self.training)
        hidden, cell = OrderedSteps.apply(  # type: ignore[no-untyped-call]  # torch's
            self.input(inputs), recurrent, *before, self.chunks
        )
        return hidden, cell

    def trace(self, inputs: Tensor, before: LayerState) -> Trace:
        """Return everything computed on the way, without gradients and dropout."""
        return read_steps(self.input(inputs), self.recurrent.weight, before, self.chunks)


class OrderedNeuronsLM(nn.Module):
    """Embedding, layers, and the weights of the projection; to be used like `RecurrentLM`.

    A state is a pair of (1, rows, units): the layers are side by side, as their widths differ.
    """

    def __init__(self, options: OrderedOptions) -> None:
        super().__init__()
        self.options = options
        self.encoder = nn.Embedding(options.vocabulary, options.embedding)
        read = (options.embedding, *options.widths[:-1])
        self.layers = nn.ModuleList(
            OrderedLayer(inputs, width, width // options.chunk)
            for inputs, width in zip(read, options.widths, strict=True)
        )
        self.decoder = nn.Linear(options.embedding, options.vocabulary)
        draw_weights(self.encoder, self.decoder, tied=options.tied)

    def forward(self, ids: Tensor, state: LstmState | None = None) -> tuple[Tensor, LstmState]:
        """Return hidden states (steps, rows, width) after each of the symbols (steps, rows), and the last state."""
        hidden, after = self.read(ids, state)
        return self.drop_output(hidden), after

    def read(self, ids: Tensor, state: LstmState | None = None) -> tuple[Tensor, LstmState]:
        """As `forward`, without dropout on the last layer."""
        hidden, after = self.embed(ids), []
        dropouts = (self.options.layer_dropout,) * (self.options.layers - 1) + (0.0,)
        for layer, before, dropout in zip(self.layers, self.split(state, ids.shape[1]), dropouts, strict=True):
            hidden, cell = layer(hidden, before, self.options.weight_dropout)
            after.append((hidden[-1], cell))
            hidden = self.locked_dropout(hidden, dropout)
        last_hidden, last_cell = (torch.cat(parts, dim=1)[None] for parts in zip(*after, strict=True))
        return hidden, (last_hidden, last_cell)

    def drop_output(self, hidden: Tensor) -> Tensor:
        """Drop units of the last layer, the same at all steps."""
        return self.locked_dropout(hidden, self.options.output_dropout)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embedding (steps, rows, width) of symbols (steps, rows), with words and units dropped."""
        embedded: Tensor = self.encoder(ids)
        rate = self.options.word_dropout
        if self.training and rate:
            there = embedded.new_empty(self.options.vocabulary).bernoulli_(1 - rate).div_(1 - rate)
            embedded = embedded * there[ids][..., None]
        return self.locked_dropout(embedded, self.options.input_dropout)

    def locked_dropout(self, hidden: Tensor, rate: float) -> Tensor:
        """Drop the same units of a row at all steps."""
        if not (self.training and rate):
            return hidden
        return hidden * hidden.new_empty(1, *hidden.shape[1:]).bernoulli_(1 - rate).div_(1 - rate)

    def split(self, state: LstmState | None, rows: int) -> list[LayerState]:
        """Split the state by layers; without one, nothing was read."""
        hidden, cell = self.zero_state(rows) if state is None else state
        parts = (torch.split(whole[0], list(self.options.widths), dim=1) for whole in (hidden, cell))
        return list(zip(*parts, strict=True))

    def zero_state(self, rows: int) -> LstmState:
        """Return the state before anything was read."""
        zeros = self.encoder.weight.new_zeros(1, rows, self.options.units)
        return zeros, zeros

    @torch.no_grad()
    def distances(self, ids: Tensor, layer: int) -> Tensor:
        """Return the syntactic distance of each symbol (steps, rows) from the one before, read from a fresh start.

        d = chunks - Σ F (section 5.2): the number of ranks of a layer, counted from 0, that forget at this symbol.
        """
        hidden = self.embed(ids)
        for index, (module, before) in enumerate(zip(self.layers, self.split(None, ids.shape[1]), strict=True)):
            trace = module.trace(hidden, before)  # type: ignore[operator]  # torch's type of modules
            if index == layer:
                forget: Tensor = trace.masters[:, :, 0]  # (steps, rows, chunks)
                return forget.shape[-1] - forget.sum(dim=-1)
            hidden = trace.hidden[1:]
        raise ValueError(f"layer {layer} of {len(self.layers)}")

    @property
    def head(self) -> Head:
        """The projection to the vocabulary."""
        return Head(self.decoder.weight, self.decoder.bias)


def read_ordered(folder: Path) -> tuple[OrderedNeuronsLM, Vocabulary, dict[str, Any], str]:
    """Read a checkpoint directory as `read_recurrent` does; refuse weights that are not numbers."""
    found = read_recurrent(folder, ON_LSTM, OrderedNeuronsLM, OrderedOptions)
    require_finite(found[0], folder)
    return found


def load_ordered(folder: Path, *, bos: str = "default") -> RecurrentModel:
    """Load an ON-LSTM from its checkpoint directory; the rows of its state hold all layers side by side, in order."""
    module, vocabulary, reading, digest = read_ordered(folder)
    return wrap_module(folder, module, vocabulary, reading, bos=bos, digest=(ON_LSTM, digest))
