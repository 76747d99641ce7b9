"""How far a training has come: saved, so that it resumes as if it had never stopped."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from gardenpath.errors import InputError
from gardenpath.models.trained.checkpoint import distinct_weights, load_weights, read_tensors, write_tensors
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS
from gardenpath.training.loop.averaging import WeightAverage

Carried = tuple[Tensor, ...]
"""Hidden states that are carried over to the next batch, without gradients; empty at the start of an epoch."""

OPTIONS = {"rows": "batch"}
"""Options that checkpoints record under another name."""


@dataclass(slots=True)
class Position:
    """How far a training has come, in numbers."""

    epoch: int = 0
    batch: int = 0
    """Batches of this epoch that are done."""
    epochs: float = 0.0
    """Epochs that are done, in fractions."""
    updates: int = 0
    tokens: int = 0
    seconds: float = 0.0
    """Spent on training and validation, over all starts."""
    cuts: int = 0
    """How often the plateau schedule has divided the learning rate."""
    waited: int = 0
    """Validations in a row without a new best one."""
    best: float | None = None
    """The lowest validation loss at the regular validations."""
    saved: float | None = None
    """The validation loss of the weights that are saved."""
    losses: list[float] = field(default_factory=list)
    """Of all regular validations, in order."""
    nats: float = 0.0
    """Training loss since the last validation, summed over tokens."""
    counted: int = 0
    """Tokens since the last validation."""
    log: list[dict[str, Any]] = field(default_factory=list)
    """One entry per validation."""


@dataclass(frozen=True, slots=True)
class Learner:
    """All that an update changes: weights, the optimizer's own numbers, the mean of the weights."""

    module: nn.Module
    optimizer: Optimizer
    average: WeightAverage


def can_resume(folder: Path) -> bool:
    """Whether a training in this folder can resume; a finished model without a state is not overwritten."""
    if (folder / STATE).exists():
        return True
    if (folder / WEIGHTS).exists():
        raise InputError(
            f"{folder} holds a trained model but no {STATE} to resume from; give another `out`, or --overwrite to "
            "replace it"
        )
    return False


def save_state(
    folder: Path, position: Position, carried: Carried, *, learner: Learner, identity: Mapping[str, Any]
) -> None:
    """Write everything into one file, so that it is all of one moment."""
    tensors = {f"model/{name}": tensor for name, tensor in distinct_weights(learner.module).items()}
    for index, values in learner.optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer/{index}/{key}": value for key, value in values.items() if isinstance(value, Tensor)}
    tensors |= {f"average/{name}": tensor for name, tensor in learner.average.state().items()}
    tensors |= {f"carried/{index}": tensor for index, tensor in enumerate(carried)}
    tensors["random/cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random/cuda"] = torch.cuda.get_rng_state()
    write_tensors(folder / STATE, tensors, {"position": asdict(position), "identity": dict(identity)})


def load_state(folder: Path, *, learner: Learner, identity: Mapping[str, Any]) -> tuple[Position, Carried]:
    """Restore weights, optimizer and random generators; the position and the states to carry over are returned."""
    path = folder / STATE
    header, tensors = read_tensors(path)
    check_identity(folder, header["identity"], identity)
    parts: dict[str, dict[str, Tensor]] = {"model": {}, "optimizer": {}, "average": {}, "carried": {}, "random": {}}
    for name, tensor in tensors.items():
        part, _, rest = name.partition("/")
        parts[part][rest] = tensor
    load_weights(learner.module, parts["model"], path)
    values: dict[int, dict[str, Tensor]] = {}
    for name, tensor in parts["optimizer"].items():
        index, _, key = name.partition("/")
        values.setdefault(int(index), {})[key] = tensor
    groups = learner.optimizer.state_dict()["param_groups"]
    learner.optimizer.load_state_dict({"state": values, "param_groups": groups})
    learner.average.load(parts["average"])
    torch.set_rng_state(parts["random"]["cpu"])
    if "cuda" in parts["random"] and torch.cuda.is_available():
        torch.cuda.set_rng_state(parts["random"]["cuda"])
    device = next(learner.module.parameters()).device
    carried = tuple(parts["carried"][str(index)].to(device) for index in range(len(parts["carried"])))
    return Position(**header["position"]), carried


def check_identity(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse to resume a training with other options than it began with."""
    wanted = json.loads(json.dumps(wanted))
    differing = [
        f"{OPTIONS.get(name, name)} was {found.get(name)!r}, is now {wanted.get(name)!r}"
        for name in sorted(found.keys() | wanted.keys())
        if found.get(name) != wanted.get(name)
    ]
    if differing:
        raise InputError(
            f"{folder} contains a training started with different options ({'; '.join(differing)}); to resume, use "
            "the original options; to start over, choose another folder, or --overwrite to replace the training"
        )
