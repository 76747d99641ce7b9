"""The checkpoint directory of a trained model. Nothing is unpickled.

    checkpoint.json       kind, options that build the model, metadata of its training
    weights.safetensors   the weights of the best validation, with the metadata of that validation in its header
    vocabulary.json       or tokenizer.json
    log.jsonl             one line per validation
    state.safetensors     everything a training needs to resume

Each file appears complete or not at all: it is written under another name, then renamed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save_file
from torch import Tensor, nn

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import show_value
from gardenpath.io.sealed_json import open_header, parse_object, seal_header
from gardenpath.io.write_errors import as_system_error
from gardenpath.models.trained.checkpoint_record import (
    RESTORE,
    STATE,
    WEIGHTS,
    check_files,
    read_record,
    recorded_files,
    write_checkpoint_file,
    write_record,
)
from gardenpath.text.reading import Split


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A trained model as it was read from its directory."""

    folder: Path
    kind: str
    """The architecture: `lstm`, `gpt2`, …"""
    options: Mapping[str, Any]
    """The options that build the model of the weights."""
    training: Mapping[str, Any]
    """Corpus, seed, epochs, perplexity and the like."""
    tensors: Mapping[str, Tensor]
    digest: str
    """Of the weights."""


def read_checkpoint(folder: Path, *, kind: str | None = None) -> Checkpoint:
    """Read a checkpoint, verify it against its digest and, if one is given, its kind."""
    record = read_record(folder)
    if kind is not None and record["kind"] != kind:
        raise InputError(f"{folder} holds a model of the kind {record['kind']!r}, not {kind!r}; name another directory")
    if not (folder / WEIGHTS).exists():
        raise InputError(f"{folder} has no {WEIGHTS} yet: its training has not reached a validation; let it continue")
    check_files(folder, record)
    header, tensors = read_tensors(folder / WEIGHTS)
    # The header, unlike the record, was written together with the weights.
    training = {**record["training"], **header["training"]}
    return Checkpoint(folder, record["kind"], record["options"], training, tensors, header["digest"])


def write_checkpoint(
    folder: Path, kind: str, *, options: Mapping[str, Any], training: Mapping[str, Any], tensors: Mapping[str, Tensor]
) -> None:
    """Write new weights and their record."""
    weights = write_tensors(folder / WEIGHTS, tensors, {"training": dict(training)})
    write_record(folder, kind, options, {**training, "weights": weights}, files=recorded_files(folder))


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> str:
    """Write a file of tensors with a JSON header, and return the digest of the tensors, which the header holds too."""
    held = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    found = digest_tensors(held)
    metadata = seal_header({**header, "digest": found})
    write_checkpoint_file(path, lambda scratch: save_tensors(held, scratch, metadata))
    return found


def save_tensors(tensors: dict[str, Tensor], path: Path, metadata: dict[str, str]) -> None:
    """Save tensors to a file that others may read; raise an `OSError` if that fails."""
    try:
        save_file(tensors, path, metadata=metadata)
    except SafetensorError as error:
        raise as_system_error(error, path.parent) from error
    path.chmod(0o644)


def read_tensors(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Read the header and the tensors of a file, and verify their digest."""
    try:
        # Read through one handle: a running training may replace the file at any moment.
        content = path.read_bytes()
        length = int.from_bytes(content[:8], "little")
        header = open_header(parse_object(content[8 : 8 + length]).get("__metadata__"))
        tensors = load(content)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; name a directory that `gardenpath train` wrote") from error
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise damaged_file(path, str(error)) from error
    if digest_tensors(tensors) != header["digest"]:
        raise damaged_file(path, "its contents do not have the digest they were written with")
    return header, tensors


def damaged_file(path: Path, why: str) -> InputError:
    """Make the error for a file that is not as it was written."""
    advice = RESTORE
    if path.name == STATE:
        advice = f"training cannot resume from it; delete it and train into another directory ({WEIGHTS} is intact)"
    return InputError(f"{path} is damaged or incomplete: {why}; {advice}")


def digest_tensors(tensors: Mapping[str, Tensor]) -> str:
    """Digest the names, shapes and numbers of tensors."""

    def parts() -> Iterable[Any]:
        for name in sorted(tensors):
            tensor = tensors[name]
            yield f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode()
            yield tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data

    return digest_parts(parts())


def distinct_weights(module: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a module by name, tied ones only once."""
    seen: set[tuple[int, torch.Size]] = set()
    found: dict[str, Tensor] = {}
    for name, tensor in module.state_dict().items():
        key = tensor.data_ptr(), tensor.shape
        if tensor.numel() == 0 or key not in seen:
            found[name] = tensor
        seen.add(key)
    return found


def load_weights(module: nn.Module, tensors: Mapping[str, Tensor], source: object) -> None:
    """Load weights into a module, if they are complete and fit."""
    own = distinct_weights(module)
    missing, foreign = sorted(own.keys() - tensors.keys()), sorted(tensors.keys() - own.keys())
    wrong = [f"{name} is missing" for name in missing[:3]] + [f"{name} does not belong" for name in foreign[:3]]
    wrong += [
        f"{name} is {tuple(tensors[name].shape)} instead of {tuple(tensor.shape)}"
        for name, tensor in own.items()
        if not wrong and tensors[name].shape != tensor.shape
    ][:1]
    if wrong:
        raise InputError(
            f"{source} has the weights of another architecture than its options describe ({', '.join(wrong)}); "
            "restore both files from one training"
        )
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(tensors[name])


def require_split(value: object) -> Any:
    """How texts are split into words for a model, if it is one of the known ways."""
    if value not in get_args(Split):
        raise TypeError(f"split is {show_value(value)}")
    return value


def mismatched_shape(folder: Path, error: Exception) -> InputError:
    """Make the error for options from which the model of a checkpoint cannot be built."""
    return InputError(
        f"{folder} has the options of another architecture ({error}); restore its checkpoint.json from a copy"
    )


def check_vocabulary_size(path: Path, found: int, expected: int, *, unit: str = "words") -> None:
    """Refuse a vocabulary whose size is not that of the weights."""
    if found != expected:
        raise InputError(
            f"{path} has {found:,} {unit}, the weights are for {expected:,}; restore all files from one training"
        )


def require_finite(module: nn.Module, source: object) -> None:
    """Refuse weights that are NaN or infinite."""
    broken = [name for name, weight in module.named_parameters() if not bool(weight.isfinite().all())]
    if broken:
        raise InputError(f"{source}: weights are not numbers ({', '.join(broken)}); train it again")
