"""The LSTM that Gulordava et al. (2018) published ("GRNN"): a file of PyTorch and a list of words.

The file is a pickle of a whole module, `model.RNNModel`, written by PyTorch 0.3 or older. Plain unpickling runs
whatever the file says. Here a restricted reader builds only tensors, containers and, for the few classes of such a
module, stand-ins without code that take the attributes: for old files one of our own, for others torch's
(`weights_only=True`).
"""

import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import torch
from torch import Tensor

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.card import choose_bos
from gardenpath.models.published.narrow_pickle import UNPICKLING_ERRORS, NarrowUnpickler
from gardenpath.models.tokenizers import PATTERN_RULE, WordTokenizer, pattern_words
from gardenpath.models.trained.checkpoint import digest_tensors, load_weights
from gardenpath.models.trained.lstm import RecurrentLM, RecurrentModel, RecurrentOptions, describe_recurrent

END, UNKNOWN = "<eos>", "<unk>"
MODULE_CLASSES = (
    "model.RNNModel",
    *(f"torch.nn.modules.{name}" for name in ("dropout.Dropout", "sparse.Embedding", "rnn.LSTM", "linear.Linear")),
)
"""The classes of the published module."""


class StandIn:
    """Takes the attributes of a pickled module; has no code that a file could run."""

    dump_patches = False
    """An attribute that torch reads from the class of an old module."""


class HeldParameter:
    """Takes the place of a parameter of PyTorch 0.3: its tensor, and a state that is ignored."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def __setstate__(self, state: object) -> None:
        """Ignore the state."""


class UnsavedState:
    """Takes the place of the state of cuDNN's dropout, which was not saved: its state is a text."""

    def __setstate__(self, state: object) -> None:
        """Ignore the state."""


def load_gulordava(path: Path, vocabulary: Path | None = None, *, bos: str = "default") -> RecurrentModel:
    """Load the published model; its words are in `vocab.txt` beside it unless another file is named."""
    tensors = read_state(path)
    options = shape_of(path, tensors)
    words = read_word_list(vocabulary or path.with_name("vocab.txt"), options.vocabulary)
    module = RecurrentLM(options)
    load_weights(module, tensors, path)
    ids = {word: id_ for id_, word in enumerate(words)}
    begin = choose_bos(bos, END, special=(END, UNKNOWN), vocabulary=ids)
    for symbol in (END, UNKNOWN, begin):
        if symbol is not None and symbol not in ids:
            raise InputError(f"the words of {path} have no {symbol!r}; name its own vocab.txt, or a symbol it has")
    own = digest_parts((digest_tensors(tensors), "\n".join(words), str(begin)))
    card = describe_recurrent(f"grnn:{path}", options, fingerprint=own, bos=begin, end=ids[END])
    card = replace(card, decisions={**card.decisions, "words": PATTERN_RULE})
    tokenizer = WordTokenizer.from_words(words, unknown=UNKNOWN, split=pattern_words)
    return RecurrentModel(card, tokenizer, module, begin=None if begin is None else ids[begin])


class ModuleUnpickler(NarrowUnpickler):  # the base of torch's own reader of old files
    """Builds the parts of weights, and stand-ins for the classes of the published module; refuses all else."""

    allowed: ClassVar[Mapping[str, Any]] = {
        **NarrowUnpickler.allowed,
        "__builtin__.set": set,
        "builtins.set": set,
        "torch._utils._rebuild_tensor": torch._utils._rebuild_tensor,
        "torch._utils._rebuild_tensor_v2": torch._utils._rebuild_tensor_v2,
        "torch._utils._rebuild_parameter": torch._utils._rebuild_parameter,
        "torch.nn.parameter.Parameter": HeldParameter,
        "torch.backends.cudnn.rnn.Unserializable": UnsavedState,
        "torch.nn.backends.thnn._get_thnn_function_backend": StandIn,
    }

    def find_class(self, module: str, name: str) -> Any:
        """Return one of the few things that an old file may name."""
        if f"{module}.{name}" in MODULE_CLASSES:
            return type("StandIn", (StandIn,), {})
        return super().find_class(module, name)


MODULE_PICKLE = SimpleNamespace(
    Unpickler=ModuleUnpickler,
    load=lambda file, **options: ModuleUnpickler(file, **options).load(),
    __name__="narrow_pickle",
)


def read_state(path: Path) -> dict[str, Tensor]:
    """Read the weights by name, from a state dict or a whole module; no code of the file is run."""
    stand_ins: list[Any] = [(type("StandIn", (StandIn,), {}), name) for name in MODULE_CLASSES]
    try:
        with torch.serialization.safe_globals(stand_ins), warnings.catch_warnings():
            # Old files hold the source of their classes, which torch compares with that of the stand-ins.
            warnings.simplefilter("ignore")
            if path.is_file() and not zipfile.is_zipfile(path):
                # As the published file: from before PyTorch 1.6, where the restricted reader knows no modules.
                found = torch.load(path, map_location="cpu", weights_only=False, pickle_module=MODULE_PICKLE)
            else:
                found = torch.load(path, map_location="cpu", weights_only=True)
        tensors = module_tensors(found) if isinstance(found, StandIn) else found
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; name the model's .pt file") from error
    except UNPICKLING_ERRORS as error:
        lines = [line for line in str(error).splitlines() if line and "Weights only load failed" not in line]
        raise InputError(
            f"{path} is damaged, or holds more than the weights of an LSTM ({' '.join(lines)[:200]}). If you trust it, "
            "write its weights alone to a file, where it can do no harm (in a container without network):\n"
            f"  python -c \"import torch; module = torch.load('{path.name}', map_location='cpu', weights_only=False); "
            "torch.save(module.state_dict(), 'weights.pt')\""
        ) from error
    if not isinstance(tensors, Mapping) or not all(isinstance(value, Tensor) for value in tensors.values()):
        raise InputError(f"{path} holds {type(found).__name__}, not the weights of an LSTM; name the model's .pt file")
    return {name: tensor.detach().float() for name, tensor in tensors.items()}


def module_tensors(module: StandIn, prefix: str = "") -> dict[str, Tensor]:
    """Return the weights of a pickled module and its parts, named as by `state_dict`."""
    held: Mapping[str, Any] = vars(module)
    own = {prefix + name: weight for name, weight in held.get("_parameters", {}).items() if weight is not None}
    found = {name: weight.tensor if isinstance(weight, HeldParameter) else weight for name, weight in own.items()}
    for name, part in held.get("_modules", {}).items():
        if isinstance(part, StandIn):
            found |= module_tensors(part, f"{prefix}{name}.")
    return found


def shape_of(path: Path, tensors: Mapping[str, Tensor]) -> RecurrentOptions:
    """Derive the shape of the LSTM from its weights."""
    try:
        vocabulary, embedding = tensors["encoder.weight"].shape
        width = tensors["rnn.weight_hh_l0"].shape[1]
    except (KeyError, ValueError, IndexError) as error:
        names = ", ".join(sorted(tensors)[:5])
        raise InputError(
            f"{path} has no weights of PyTorch's word language model (encoder, rnn, decoder); it has {names}"
        ) from error
    layers = sum(name.startswith("rnn.weight_hh_l") for name in tensors)
    return RecurrentOptions(vocabulary, embedding, width, layers, dropout=0.0, tied=False)


def read_word_list(path: Path, expected: int) -> list[str]:
    """Read the words of the model, in the order of their ids."""
    try:
        words = path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); put vocab.txt beside the weights") from error
    if len(words) != expected:
        raise InputError(f"{path} has {len(words):,} words, the model {expected:,}; name the vocab.txt of this model")
    return words
