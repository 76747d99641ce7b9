"""An ON-LSTM from its checkpoint, as a model that scores tokens."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import Tensor

from gardenpath.io.digest import digest_parts
from gardenpath.models.protocol import Bits, ModelCard, Tokenizer
from gardenpath.models.trained.checkpoint import (
    check_vocabulary_size,
    load_weights,
    mismatched_options,
    read_checkpoint,
    require_finite,
)
from gardenpath.models.trained.lstm import RECURRENT_NOISE, VOCABULARY, RecurrentModel, RecurrentState, choose_begin
from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM, OrderedOptions
from gardenpath.text.vocabulary import END, Vocabulary, VocabularyTokenizer, read_vocabulary

ON_LSTM = "on-lstm"


class OrderedNeuronsModel(RecurrentModel):
    """An ON-LSTM as a `LanguageModel`; the rows of its state hold all layers side by side, in order."""

    def __init__(self, card: ModelCard, tokenizer: Tokenizer, module: OrderedNeuronsLM, *, begin: int | None) -> None:
        # Nothing but the layers differs from an LSTM, and only the module knows them.
        super().__init__(card, tokenizer, module, begin=begin)  # type: ignore[arg-type]  # used like an LSTM
        self.width = module.options.embedding

    def score_tokens(self, state: RecurrentState, rows: Tensor, ids: Tensor) -> Bits:
        """Return -log2 p(id | row), which depends on the last layer."""
        return super().score_tokens(replace(state, hidden=state.hidden[..., -self.width :]), rows, ids)


def read_ordered(folder: Path) -> tuple[OrderedNeuronsLM, Vocabulary, Mapping[str, Any], str]:
    """Read a checkpoint directory: module, vocabulary, how texts are read, and the digest of the weights."""
    checkpoint = read_checkpoint(folder, kind=ON_LSTM)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    settings = dict(checkpoint.options)
    try:
        reading = {name: settings.pop(name) for name in ("split", "begin")}
        module = OrderedNeuronsLM(OrderedOptions(**settings))
    except (TypeError, KeyError) as error:
        raise mismatched_options(folder, error) from error
    check_vocabulary_size(folder / VOCABULARY, len(vocabulary), module.options.vocabulary)
    load_weights(module, checkpoint.tensors, folder)
    require_finite(module, folder)
    return module.eval(), vocabulary, reading, checkpoint.digest


def load_ordered(folder: Path, *, bos: str = "default", device: str = "cpu") -> OrderedNeuronsModel:
    """Load an ON-LSTM from its checkpoint directory."""
    module, vocabulary, reading, weights = read_ordered(folder)
    begin = choose_begin(vocabulary, bos, reading["begin"])
    parts = (ON_LSTM, weights, vocabulary.to_json(), str(begin), str(reading))
    card = describe_ordered(
        str(folder),
        module.options,
        fingerprint=digest_parts(parts),
        bos=begin,
        end=vocabulary.ids[END],
    )
    tokenizer = VocabularyTokenizer(vocabulary, reading["split"])
    begin_id = None if begin is None else vocabulary.ids[begin]
    return OrderedNeuronsModel(card, tokenizer, module.to(device), begin=begin_id)


def describe_ordered(name: str, options: OrderedOptions, *, fingerprint: str, bos: str | None, end: int) -> ModelCard:
    """Make the card of an ON-LSTM."""
    widths = "-".join(map(str, options.widths))
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=bos,
        end=end,
        noise=RECURRENT_NOISE,
        bytes_per_state=4 * (2 * sum(options.widths) + 1),
        decisions={
            "architecture": f"ON-LSTM {widths} in chunks of {options.chunk}, {options.vocabulary:,} words",
            "dtype": "float32",
            "bos": bos or "none: the first token has no price",
        },
    )
