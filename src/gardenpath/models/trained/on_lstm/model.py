"""An ON-LSTM from its checkpoint, as a model that scores tokens."""

from pathlib import Path
from typing import Any

from gardenpath.models.trained.checkpoint import require_finite
from gardenpath.models.trained.lstm import RecurrentModel, read_recurrent, wrap_module
from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM, OrderedOptions
from gardenpath.text.vocabulary import Vocabulary

ON_LSTM = "on-lstm"


def read_ordered(folder: Path) -> tuple[OrderedNeuronsLM, Vocabulary, dict[str, Any], str]:
    """Read a checkpoint directory as `read_recurrent` does; refuse weights that are not numbers."""
    found = read_recurrent(folder, ON_LSTM, OrderedNeuronsLM, OrderedOptions)
    require_finite(found[0], folder)
    return found


def load_ordered(folder: Path, *, bos: str = "default") -> RecurrentModel:
    """Load an ON-LSTM from its checkpoint directory; the rows of its state hold all layers side by side, in order."""
    module, vocabulary, reading, digest = read_ordered(folder)
    return wrap_module(folder, module, vocabulary, reading, bos=bos, digest=(ON_LSTM, digest))
