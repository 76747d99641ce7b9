"""An ON-LSTM from its checkpoint, as a model that scores tokens."""

from pathlib import Path
from typing import Any

from gardenpath.models.trained.checkpoint import (
    check_vocabulary_size,
    load_weights,
    mismatched_options,
    read_checkpoint,
    require_finite,
)
from gardenpath.models.trained.lstm import VOCABULARY, RecurrentModel, split_settings, wrap_module
from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM, OrderedOptions
from gardenpath.text.vocabulary import Vocabulary, read_vocabulary

ON_LSTM = "on-lstm"


def read_ordered(folder: Path) -> tuple[OrderedNeuronsLM, Vocabulary, dict[str, Any], str]:
    """Read a checkpoint directory: module, vocabulary, how texts are read, and the digest of the weights."""
    checkpoint = read_checkpoint(folder, kind=ON_LSTM)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    shape, reading = split_settings(checkpoint)
    try:
        module = OrderedNeuronsLM(OrderedOptions(**shape))
    except TypeError as error:
        raise mismatched_options(folder, error) from error
    check_vocabulary_size(folder / VOCABULARY, len(vocabulary), module.options.vocabulary)
    load_weights(module, checkpoint.tensors, folder)
    require_finite(module, folder)
    return module.eval(), vocabulary, reading, checkpoint.digest


def load_ordered(folder: Path, *, bos: str = "default", device: str = "cpu") -> RecurrentModel:
    """Load an ON-LSTM from its checkpoint directory; the rows of its state hold all layers side by side, in order."""
    module, vocabulary, reading, digest = read_ordered(folder)
    return wrap_module(folder, module.to(device), vocabulary, reading, bos=bos, digest=(ON_LSTM, digest))
