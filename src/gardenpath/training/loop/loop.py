"""The one training loop of all neural models: a generator that yields every update and can be stopped at any moment."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.io.spec import flag_of
from gardenpath.models.trained.checkpoint import distinct_weights, write_checkpoint
from gardenpath.models.trained.checkpoint_record import (
    WEIGHTS,
    add_to_training,
    check_files,
    read_record,
    write_log,
    write_record,
)
from gardenpath.training.events import Step, TrainingResumed, Validation
from gardenpath.training.loop.averaging import WeightAverage, is_triggered
from gardenpath.training.loop.clock import Clock
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.loop.interruption import StopRequest
from gardenpath.training.loop.optimizer import build_optimizer
from gardenpath.training.loop.schedule import learning_rate
from gardenpath.training.loop.state import Carried, Learner, Position, can_resume, load_state, save_state
from gardenpath.training.specs.parts import Optimisation
from gardenpath.training.tasks.batches import Batches

NOT_IDENTITY = ("budget", "checkpoint_every")
"""Options that may change when a training resumes."""


class Task(Protocol):
    """A module, and the corpus it is trained on."""

    @property
    def kind(self) -> str:
        """The kind of checkpoint: `lstm`, …"""

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that build the module, for checkpoint.json."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Facts of the corpus, for checkpoint.json; a training resumes only with the same ones."""

    @property
    def module(self) -> nn.Module:
        """The module that is trained."""

    def batches(self, epoch: int, seed: int) -> Batches[Any]:
        """The batches of an epoch, the same at every call."""

    def loss(self, batch: Any, carried: Carried) -> tuple[Tensor, int, Carried]:
        """Nats per token, with gradients; how many tokens there are; the state to carry over to the next batch."""

    def rate_scale(self, batch: Any) -> float:
        """What the learning rate is multiplied by for a batch."""

    def validate(self) -> Validation:
        """The loss on the held-out set, without anything random."""


def train_task(
    task: Task, options: Optimisation, folder: Path, *, group: ProcessGroup | None = None,
    about: Mapping[str, Any] | None = None, stop: StopRequest | None = None,
) -> Iterator[Step]:  # fmt: skip
    """Train until the budget is used up, or resume a training of the same options in the same folder.

    `about`: what is recorded of the model though its training does not depend on it, such as the name of its corpus.
    Once `stop` is made, the training is saved after the present update and ends.

    On one processor the weights are the same, bit for bit, however often the training was interrupted (with a budget
    in minutes the number of updates is not).
    """
    run = TrainingRun(task, options, folder, group or ProcessGroup(), about or {})
    run.begin()
    yield from run.run(stop)


class TrainingRun:
    """A training under way."""

    def __init__(
        self, task: Task, options: Optimisation, folder: Path, group: ProcessGroup, about: Mapping[str, Any]
    ) -> None:
        self.task = task
        self.options = options
        self.folder = folder
        self.group = group
        self.about = about
        self.parameters = [parameter for parameter in task.module.parameters() if parameter.requires_grad]
        self.device = self.parameters[0].device
        self.optimizer = build_optimizer(self.parameters, options)
        self.average = WeightAverage(self.parameters)
        self.learner = Learner(task.module, self.optimizer, self.average)
        self.position = Position()
        self.carried: Carried = ()
        self.chosen = {name: getattr(options, name) for name in Optimisation.model_fields}
        chosen = {name: value for name, value in self.chosen.items() if counts_in_identity(name, value)}
        if options.schedule == "cosine":
            chosen["budget"] = asdict(options.budget)
        self.identity = {"kind": task.kind, **task.options, **task.facts, **chosen}

    def run(self, stop: StopRequest | None = None) -> Iterator[Step]:
        """Train epoch after epoch from where `begin` left off, until a stop is requested."""
        stop = stop or StopRequest()
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
                    stopping = self.group.largest(stop.is_made, self.device) > 0
                    if validation is not None or stopping or clock.since_save >= self.options.checkpoint_every:
                        self.save()
                        clock.saved()
                yield Step(
                    here.epoch + (not last), number + 1, len(batches), here.tokens, clock.rate(here.tokens), loss, rate,
                    self.spent, validation,
                )  # fmt: skip
                if stopping:
                    return
                if self.finished:
                    break

    def begin(self) -> None:
        """Resume from a saved state, or start with weights drawn from the seed."""
        if can_resume(self.folder):
            self.position, self.carried = load_state(self.folder, learner=self.learner, identity=self.identity)
            check_files(self.folder, read_record(self.folder))
            if self.group.is_first:
                add_to_training(self.folder, self.about)
        else:
            torch.manual_seed(self.options.seed)
            self.group.share_weights(self.task.module)
            if self.group.is_first:
                write_record(self.folder, self.task.kind, self.task.options, self.facts)
        if self.group.rank > 0:
            # States that other processes carry over are not saved; their dropout must differ from that of the first.
            self.carried = ()
            torch.manual_seed(self.options.seed + 7919 * self.group.rank + self.position.updates)
        self.task.module.train()

    @property
    def resumption(self) -> TrainingResumed | None:
        """From where the training resumes; None where it begins, or has nothing left to do."""
        here, spent = self.position, self.spent
        if not here.updates or self.finished:
            return None
        expected = max(here.updates, round(here.updates / spent))
        return TrainingResumed(self.folder, here.updates, expected, here.epoch + 1, here.batch, here.tokens, spent)

    def update(self, batch: Any) -> tuple[float, float]:
        """Make one step down the gradient; the learning rate and the loss per token."""
        here = self.position
        rate = learning_rate(self.options, updates=here.updates, spent=self.spent, cuts=here.cuts)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * self.task.rate_scale(batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss, tokens, carried = self.task.loss(batch, self.carried)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's
        self.group.average_gradients(self.task.module)
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
        self.average.add()
        self.carried = tuple(tensor.detach() for tensor in carried)
        here.updates += 1
        here.tokens += tokens * self.group.processes
        here.nats += nats * tokens
        here.counted += tokens
        return rate, nats

    def validate(self, rate: float, *, regular: bool) -> Validation:
        """Validate on the held-out set; keep the weights, averaged if averaging has begun, if they are the best so far.

        Only regular validations change the course of the training: the one at the end of a budget does not, so that a
        training that resumes with a larger budget is the one it would have been.
        """
        with self.average.in_place():
            validation = self.measure(rate)
        if regular:
            self.decide(validation.loss)
        return validation

    def measure(self, rate: float) -> Validation:
        """Validate the weights that the module has, and write them if they are the best so far."""
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
        if self.average.count:
            entry["averaged"] = self.average.count
        here.log.append(entry)
        here.nats, here.counted = 0.0, 0
        if best:
            here.saved = validation.loss
            self.write_best(entry)
        return validation

    def decide(self, loss: float) -> None:
        """Decide by a regular validation whether to cut the learning rate, to begin averaging, or to stop waiting."""
        here, options = self.position, self.options
        if here.best is None or loss < here.best:
            here.best, here.waited = loss, 0
        else:
            here.cuts, here.waited = here.cuts + 1, here.waited + 1
        if options.optimizer == "nt-asgd" and not self.average.count:
            here.waited = 0
            if is_triggered(here.losses, loss, options.trigger):
                self.average.begin()
        here.losses.append(loss)

    def write_best(self, entry: Mapping[str, Any]) -> None:
        """Write the present weights as the model."""
        if self.group.is_first:
            write_checkpoint(
                self.folder, self.task.kind, options=self.task.options, training={**self.facts, **entry},
                tensors=distinct_weights(self.task.module),
            )  # fmt: skip

    def save(self) -> None:
        """Write all that is needed to resume from here."""
        if self.group.is_first:
            write_log(self.folder, self.position.log)
            save_state(self.folder, self.position, self.carried, learner=self.learner, identity=self.identity)

    @property
    def facts(self) -> dict[str, Any]:
        """What checkpoint.json records of the training."""
        options = {**self.chosen, "budget": str(self.options.budget)}
        return {**self.task.facts, **options, **self.about, "version": __version__}

    @property
    def spent(self) -> float:
        """Share of the budget that is used up, the same in all processes."""
        here = self.position
        spent = self.options.budget.spent(epochs=here.epochs, tokens=here.tokens, seconds=here.seconds)
        return self.group.largest(spent, self.device) if self.options.budget.unit == "minutes" else spent

    @property
    def finished(self) -> bool:
        """Whether the budget or the patience is used up."""
        patience = self.options.patience
        return self.spent >= 1 or (patience is not None and self.position.waited >= patience)

    def diverged(self, what: str, rate: float) -> InputError:
        """The error when a loss or gradient is not a number."""
        good = (self.folder / WEIGHTS).exists()
        kept = f"the best weights so far are in {self.folder}" if good else "there was no validation yet"
        here = self.position
        return InputError(
            f"{what} after {here.updates:,} updates ({here.epochs:.2f} epochs), at learning rate {rate:g}; {kept}. "
            "Train into another directory with a lower --learning-rate or a lower --clip"
        )


def counts_in_identity(name: str, value: Any) -> bool:
    """Whether a training with another value of this option is another one; defaults of options added later do not."""
    added = flag_of(Optimisation, name).added and value == Optimisation.model_fields[name].default
    return name not in NOT_IDENTITY and not added
