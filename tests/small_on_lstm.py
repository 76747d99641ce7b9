"""A small ON-LSTM with random weights, and its checkpoint."""

from pathlib import Path
from typing import Any

import torch

from gardenpath.models.trained.checkpoint import distinct_weights, write_checkpoint
from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.models.trained.lstm import VOCABULARY, recurrent_settings
from gardenpath.models.trained.on_lstm.module import DROPOUTS, ON_LSTM, OrderedNeuronsLM, OrderedOptions
from small_training import VOCABULARY_OF_ALL

SIZE = len(VOCABULARY_OF_ALL)
NO_DROPOUT = dict.fromkeys(DROPOUTS, 0.0)


def small_module(*, double: bool = True, **shape: Any) -> OrderedNeuronsLM:
    """With large random weights, so that no gate is lukewarm."""
    torch.manual_seed(3)
    settings = {"embedding": 6, "width": 12, "layers": 3, "chunk": 3, "tied": True, **NO_DROPOUT, **shape}
    module = OrderedNeuronsLM(OrderedOptions(SIZE, **settings))
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.6)
    return module.double() if double else module


def save(folder: Path, *, begin: Any = "</s>", **shape: Any) -> OrderedNeuronsLM:
    module = small_module(double=False, **shape)
    settings = recurrent_settings(module.options, split="penn", begin=begin)  # type: ignore[arg-type]
    write_checkpoint(folder, ON_LSTM, options=settings, training={"perplexity": 9.0}, tensors=distinct_weights(module))
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    return module.eval()
