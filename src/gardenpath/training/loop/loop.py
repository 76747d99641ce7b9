"""The one training loop of all neural models: a generator that yields its progress and can be stopped at any moment."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.models.trained.checkpoint import (
    WEIGHTS,
    distinct_weights,
    write_checkpoint,
    write_log,
    write_record,
)
from gardenpath.models.trained.checkpoint_record import add_to_training
from gardenpath.training.loop.clock import Clock
from gardenpath.training.loop.distributed import Peers
from gardenpath.training.loop.options import TrainOptions, learning_rate
from gardenpath.training.loop.state import Carried, Position, goes_on, load_state, save_state
from gardenpath.training.tasks.batches import Batches

NOT_IDENTITY = ("budget", "checkpoint_every")
"""Options that may change when a training goes on."""
LARGEST_LOSS = 700.0
"""Whose exponential is still a number."""


@dataclass(frozen=True, slots=True)
class Validation:
    """What a held-out set says of the model."""

    loss: float
    """Nats per token, by which the best weights are chosen."""
    extra: Mapping[str, float] = field(default_factory=dict)
    """Whatever else is worth a column of the log."""
    measure: str = "perplexity"
    """What the exponential of the loss is called: with trees, for example, it is not the perplexity of a text."""

    @property
    def perplexity(self) -> float:
        """Per token."""
        return math.exp(min(self.loss, LARGEST_LOSS))


class Task(Protocol):
    """What is trained on what."""

    @property
    def kind(self) -> str:
        """Of checkpoint: `lstm`, …"""

    @property
    def options(self) -> Mapping[str, Any]:
        """What builds the module, for checkpoint.json."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Of the corpus, for checkpoint.json; a training goes on only with the same ones."""

    @property
    def module(self) -> nn.Module:
        """What is trained."""

    def batches(self, epoch: int, seed: int) -> Batches[Any]:
        """The batches of an epoch, the same whenever they are asked for."""

    def loss(self, batch: Any, carried: Carried) -> tuple[Tensor, int, Carried]:
        """Nats per token, with gradients; how many tokens these are; what to carry to the next batch."""

    def validate(self) -> Validation:
        """The loss on the held-out set; nothing random happens on the way."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What one update did."""

    epoch: int
    """From 1."""
    batch: int
    batches: int
    tokens: int
    """Read so far, over all starts."""
    tokens_per_second: float
    """Since this start, validations left out."""
    loss: float
    """Of this batch, in nats per token."""
    learning_rate: float
    spent: float
    """Share of the budget."""
    validation: Validation | None = None
    """If there was one after this batch."""


def train(
    task: Task,
    options: TrainOptions,
    folder: Path,
    *,
    peers: Peers | None = None,
    about: Mapping[str, Any] | None = None,
) -> Iterator[Progress]:
    """Train, or go on where a training of the same options in the same folder stopped, until the budget is used up.

    `about`: what is recorded of the model though its training does not hang on it, such as the name of its corpus.

    On one processor the weights are the same, bit for bit, however often the training was interrupted (with a budget
    in minutes the number of updates is not).
    """
    yield from Training(task, options, folder, peers or Peers(), about or {}).run()


class Training:
    """A training under way."""

    def __init__(self, task: Task, options: TrainOptions, folder: Path, peers: Peers, about: Mapping[str, Any]) -> None:
        self.task = task
        self.options = options
        self.folder = folder
        self.peers = peers
        self.about = about
        self.parameters = [parameter for parameter in task.module.parameters() if parameter.requires_grad]
        self.device = self.parameters[0].device
        self.optimizer = build_optimizer(self.parameters, options)
        self.position = Position()
        self.carried: Carried = ()
        chosen = {name: value for name, value in asdict(options).items() if name not in NOT_IDENTITY}
        if options.schedule == "cosine":
            chosen["budget"] = asdict(options.budget)
        self.identity = {"kind": task.kind, **task.options, **task.facts, **chosen}

    def run(self) -> Iterator[Progress]:
        """Epoch after epoch."""
        self.begin()
        here = self.position
        clock = Clock(here.seconds, here.tokens)
        while not self.finished:
            batches = self.task.batches(here.epoch, self.options.seed)
            every = -(-len(batches) // self.options.validations)
            for number in range(here.batch, len(batches)):
                rate, loss = self.update(batches[number])
                here.batch = number + 1
                here.epochs = here.epoch + here.batch / len(batches)
                last = here.batch == len(batches)
                if last:
                    here.epoch, here.batch, self.carried = here.epoch + 1, 0, ()
                here.seconds = clock.total
                regular = last or (number + 1) % every == 0
                with clock.pause():
                    validation = self.validate(rate, regular=regular) if regular or self.finished else None
                    if validation is not None or clock.since_save >= self.options.checkpoint_every:
                        self.save()
                        clock.saved()
                yield Progress(
                    here.epoch + (not last), number + 1, len(batches), here.tokens, clock.rate(here.tokens), loss, rate,
                    self.spent, validation,
                )  # fmt: skip
                if self.finished:
                    break

    def begin(self) -> None:
        """Go on from a saved state, or start with weights drawn from the seed."""
        if goes_on(self.folder):
            self.position, self.carried = load_state(
                self.folder, module=self.task.module, optimizer=self.optimizer, identity=self.identity
            )
            if self.peers.rank == 0:
                add_to_training(self.folder, self.about)
        else:
            torch.manual_seed(self.options.seed)
            self.peers.begin_alike(self.task.module)
            if self.peers.rank == 0:
                write_record(self.folder, self.task.kind, self.task.options, self.facts)
        if self.peers.rank > 0:
            # What other processes carried is not saved; their dropout must differ from that of the first.
            self.carried = ()
            torch.manual_seed(self.options.seed + 7919 * self.peers.rank + self.position.updates)
        self.task.module.train()

    def update(self, batch: Any) -> tuple[float, float]:
        """One step down the gradient; the learning rate and the loss per token."""
        here = self.position
        rate = learning_rate(self.options, updates=here.updates, spent=self.spent, cuts=here.cuts)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        loss, tokens, carried = self.task.loss(batch, self.carried)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's
        self.peers.average_gradients(self.task.module)
        gradients = [parameter.grad for parameter in self.parameters if parameter.grad is not None]
        norm = torch.nn.utils.get_total_norm(gradients, foreach=True)
        nats = float(loss.detach())
        if not math.isfinite(nats):
            raise self.diverged(f"the loss became {nats}", rate)
        if not math.isfinite(float(norm)):
            raise self.diverged(f"the norm of the gradient became {float(norm)}", rate)
        if self.options.clip is not None and norm > self.options.clip:
            torch._foreach_mul_(gradients, self.options.clip / float(norm))
        self.optimizer.step()
        self.carried = tuple(tensor.detach() for tensor in carried)
        here.updates += 1
        here.tokens += tokens * self.peers.processes
        here.nats += nats * tokens
        here.counted += tokens
        return rate, nats

    def validate(self, rate: float, *, regular: bool) -> Validation:
        """Ask the held-out set; keep the weights if they are the best so far.

        Only regular validations bear on the learning rate and on early stopping: the one at the end of a budget does
        not, so that a training that goes on with a larger budget is the one it would have been.
        """
        here = self.position
        self.task.module.eval()
        with torch.inference_mode():
            validation = self.task.validate()
        self.task.module.train()
        if not math.isfinite(validation.loss):
            raise self.diverged(f"the validation loss became {validation.loss}", rate)
        best = here.saved is None or validation.loss < here.saved
        entry = {
            "epoch": round(here.epochs, 4), "updates": here.updates, "tokens": here.tokens,
            "seconds": round(here.seconds, 1), "learning_rate": rate, "train_loss": here.nats / max(1, here.counted),
            "loss": validation.loss, validation.measure: validation.perplexity,
            **validation.extra, "best": best,
        }  # fmt: skip
        here.log.append(entry)
        here.nats, here.counted = 0.0, 0
        if best:
            here.saved = validation.loss
            self.write_best(entry)
        if regular and (here.best is None or validation.loss < here.best):
            here.best, here.waited = validation.loss, 0
        elif regular:
            here.cuts, here.waited = here.cuts + 1, here.waited + 1
        return validation

    def write_best(self, entry: Mapping[str, Any]) -> None:
        """The weights as they are now are the model."""
        if self.peers.rank == 0:
            write_checkpoint(
                self.folder, self.task.kind, options=self.task.options, training={**self.facts, **entry},
                tensors=distinct_weights(self.task.module),
            )  # fmt: skip

    def save(self) -> None:
        """All that is needed to go on from here."""
        if self.peers.rank == 0:
            write_log(self.folder, self.position.log)
            save_state(
                self.folder, self.position, module=self.task.module, optimizer=self.optimizer, carried=self.carried,
                identity=self.identity,
            )  # fmt: skip

    @property
    def facts(self) -> dict[str, Any]:
        """What checkpoint.json says of the training."""
        options = {**asdict(self.options), "budget": str(self.options.budget)}
        return {**self.task.facts, **options, **self.about, "version": __version__}

    @property
    def spent(self) -> float:
        """Share of the budget that is used up, agreed on by all processes."""
        here = self.position
        spent = self.options.budget.spent(epochs=here.epochs, tokens=here.tokens, seconds=here.seconds)
        return self.peers.largest(spent, self.device) if self.options.budget.unit == "minutes" else spent

    @property
    def finished(self) -> bool:
        """Whether the budget or the patience is used up."""
        patience = self.options.patience
        return self.spent >= 1 or (patience is not None and self.position.waited >= patience)

    def diverged(self, what: str, rate: float) -> InputError:
        """What to say when there is nothing more to learn from."""
        good = (self.folder / WEIGHTS).exists()
        kept = f"the best weights so far are in {self.folder}" if good else "there was no validation yet"
        here = self.position
        return InputError(
            f"{what} after {here.updates:,} updates ({here.epochs:.2f} epochs), at learning rate {rate:g}; {kept}. "
            "Train into another directory with a lower --learning-rate or a lower --clip"
        )


def build_optimizer(parameters: list[nn.Parameter], options: TrainOptions) -> torch.optim.Optimizer:
    """The optimizer in the form that goes over all weights in one pass."""
    shared: dict[str, Any] = {"lr": options.learning_rate, "weight_decay": options.weight_decay, "fused": True}
    match options.optimizer:
        case "sgd":
            return torch.optim.SGD(parameters, **shared)
        case "adam":
            return torch.optim.Adam(parameters, **shared)
        case "adamw":
            return torch.optim.AdamW(parameters, **shared)
