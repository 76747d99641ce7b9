"""A trained model as a directory: what it is, its weights, its vocabulary, how it came about. Nothing is unpickled.

    checkpoint.json       kind, options that build the model, facts of its training
    weights.safetensors   the weights of the best validation, with the facts of that validation in its header
    vocabulary.json       or tokenizer.json
    log.jsonl             one line per validation
    state.safetensors     all that a training needs to go on

Each file appears complete or not at all: it is written under another name, then renamed.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save_file
from torch import Tensor, nn

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.trained.checkpoint_record import (
    LOG,
    RECORD,
    STATE,
    WEIGHTS,
    read_record,
    replace,
    write_log,
    write_record,
    write_text,
)

__all__ = [
    "LOG", "RECORD", "STATE", "WEIGHTS", "Checkpoint", "digest_tensors", "load_weights", "read_checkpoint",
    "read_record", "read_tensors", "weights_of", "write_checkpoint", "write_log", "write_record",
    "write_tensors", "write_text",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A trained model as it was read from its directory."""

    folder: Path
    kind: str
    """Which architecture: `lstm`, `gpt2`, …"""
    options: Mapping[str, Any]
    """What builds the model the weights belong to."""
    training: Mapping[str, Any]
    """Corpus, seed, epochs, perplexity and the like."""
    tensors: Mapping[str, Tensor]
    digest: str
    """Of the weights."""


def read_checkpoint(folder: Path, *, kind: str | None = None) -> Checkpoint:
    """A checkpoint, verified against its digest; given a kind, one of that kind."""
    record = read_record(folder)
    if kind is not None and record["kind"] != kind:
        raise InputError(f"{folder} holds a model of the kind {record['kind']!r}, not {kind!r}; name another directory")
    if not (folder / WEIGHTS).exists():
        raise InputError(f"{folder} has no {WEIGHTS} yet: its training has not reached a validation; let it go on")
    header, tensors = read_tensors(folder / WEIGHTS)
    # Of the record and the header, the header was written together with the weights.
    training = {**record["training"], **header["training"]}
    return Checkpoint(folder, record["kind"], record["options"], training, tensors, header["digest"])


def write_checkpoint(
    folder: Path, kind: str, *, options: Mapping[str, Any], training: Mapping[str, Any], tensors: Mapping[str, Tensor]
) -> None:
    """New weights, and the record that says what they are."""
    weights = write_tensors(folder / WEIGHTS, tensors, {"training": dict(training)})
    write_record(folder, kind, options, {**training, "weights": weights})


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> str:
    """One file of tensors with a header in JSON; the digest of the tensors, which the header has as well."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    found = digest_tensors(held)
    metadata = {"gardenpath": json.dumps({**header, "digest": found})}
    replace(path, lambda scratch: save_tensors(held, scratch, metadata))
    return found


def save_tensors(tensors: dict[str, Tensor], path: Path, metadata: dict[str, str]) -> None:
    """Save tensors to a file that others may read; what keeps them from being saved is an `OSError`."""
    try:
        save_file(tensors, path, metadata=metadata)
    except SafetensorError as error:  # it has the number of the system's error in its text only
        number = re.search(r"os error (\d+)", str(error))
        raise OSError(int(number[1]) if number else 0, str(error)) from error
    path.chmod(0o644)


def read_tensors(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The header and the tensors of a file, if they are what was written."""
    try:
        # Read through one handle: a training that goes on may put another file in its place at any moment.
        content = path.read_bytes()
        tensors = load(content)
        length = int.from_bytes(content[:8], "little")
        header = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["gardenpath"])
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; name a directory that `gardenpath train` wrote") from error
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise damaged(path, str(error)) from error
    if digest_tensors(tensors) != header["digest"]:
        raise damaged(path, "its contents do not have the digest they were written with")
    return header, tensors


def damaged(path: Path, why: str) -> InputError:
    """What to say of a file that is not what was written."""
    if path.name == STATE:
        rest = (
            f"the training cannot go on from it; delete it and train into another directory ({WEIGHTS} is not touched)"
        )
    else:
        rest = "restore it from a copy, or train again"
    return InputError(f"{path} is damaged or incomplete: {why}; {rest}")


def digest_tensors(tensors: Mapping[str, Tensor]) -> str:
    """Digest the names, shapes and numbers of tensors."""

    def parts() -> Iterable[Any]:
        for name in sorted(tensors):
            tensor = tensors[name]
            yield f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode()
            yield tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data

    return digest_parts(parts())


def weights_of(module: nn.Module) -> dict[str, Tensor]:
    """The weights of a module by name, those it uses twice (tied ones) once."""
    seen: set[tuple[int, torch.Size]] = set()
    found: dict[str, Tensor] = {}
    for name, tensor in module.state_dict().items():
        place = tensor.data_ptr(), tensor.shape
        if tensor.numel() == 0 or place not in seen:
            found[name] = tensor
        seen.add(place)
    return found


def load_weights(module: nn.Module, tensors: Mapping[str, Tensor], source: object) -> None:
    """Give a module its weights, if they are all there and fit."""
    own = weights_of(module)
    lacking = sorted(own.keys() - tensors.keys())
    foreign = sorted(tensors.keys() - own.keys())
    if lacking or foreign:
        wrong = [f"{name} is lacking" for name in lacking[:3]] + [f"{name} does not belong" for name in foreign[:3]]
        raise another(source, ", ".join(wrong))
    for name, tensor in own.items():
        if tensors[name].shape != tensor.shape:
            raise another(source, f"{name} is {tuple(tensors[name].shape)} instead of {tuple(tensor.shape)}")
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(tensors[name])


def another(source: object, why: str) -> InputError:
    """What to say of weights that belong to something else."""
    return InputError(
        f"{source} has the weights of another architecture than its options describe ({why}); "
        "restore both files from one training"
    )
