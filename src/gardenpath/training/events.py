"""What happens during a training, as `train(on_event=…)` reports it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

LARGEST_LOSS = 700.0
"""Whose exponential is still a number."""


@dataclass(frozen=True, slots=True)
class Working:
    """A stage begins that takes a while."""

    stage: str


@dataclass(frozen=True, slots=True)
class BytesRead:
    """Another part of a text was read."""

    stage: str
    """What is done with the text: `Reading`, `Drawing samples of`, …"""
    path: Path
    bytes: int
    """Read since the last event."""


@dataclass(frozen=True, slots=True)
class CorpusRead:
    """A text or treebank was read to its end."""

    path: Path
    sentences: int
    words: int
    unknown: int
    """Words that are not in the vocabulary."""
    detail: str = ""
    """More about it, in words."""
    unit: str = "sentences"


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a user should know."""

    text: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A result, in words."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class TrainingStarted:
    """The first update follows."""

    kind: str
    parameters: int
    budget: str
    out: Path


@dataclass(frozen=True, slots=True)
class TrainingResumed:
    """The training resumes from where it was saved."""

    out: Path
    updates: int
    """Made so far, over all starts."""
    expected: int
    """Updates of the whole budget, at the present rate."""
    epoch: int
    """From 1."""
    batch: int
    """The last one of this epoch that was read; 0: none yet."""
    tokens: int
    """Read so far, over all starts."""
    spent: float
    """Share of the budget."""

    def __str__(self) -> str:
        where = f"epoch {self.epoch:,}, after batch {self.batch:,}; {self.spent:.0%} of the budget is used"
        return f"resumes at update {self.updates:,} of about {self.expected:,} ({where})"


@dataclass(frozen=True, slots=True)
class Validation:
    """How well the model does on the held-out set."""

    loss: float
    """Nats per token, by which the best weights are chosen."""
    extra: Mapping[str, float] = field(default_factory=dict)
    """Further columns of the log."""
    measure: str = "perplexity"
    """What the exponential of the loss is called: with trees, for example, it is not the perplexity of a text."""

    @property
    def perplexity(self) -> float:
        """Per token."""
        return math.exp(min(self.loss, LARGEST_LOSS))


@dataclass(frozen=True, slots=True)
class Step:
    """One update was made."""

    epoch: int
    """From 1."""
    batch: int
    batches: int
    tokens: int
    """Read so far, over all starts."""
    tokens_per_second: float
    """Since this start, without validations."""
    loss: float
    """Of this batch, in nats per token."""
    learning_rate: float
    spent: float
    """Share of the budget."""
    validation: Validation | None = None
    """If there was one after this batch."""


@dataclass(frozen=True, slots=True)
class TrainingFinished:
    """The budget or the patience is used up."""

    out: Path
    updates: int
    """Made since this start."""
    budget: str = ""


@dataclass(frozen=True, slots=True)
class Stopping:
    """A stop was requested; the training is saved after this update."""


@dataclass(frozen=True, slots=True)
class TrainingStopped:
    """The training was saved on request, and the same specification resumes it from here."""

    out: Path
    epoch: int
    """From 1."""
    batch: int
    """The last one that was read."""
    batches: int
    tokens: int
    """Read so far, over all starts."""


@dataclass(frozen=True, slots=True)
class SeriesStarted:
    """The samples are drawn; their models follow."""

    words: int
    """Of all samples together."""
    models: int


@dataclass(frozen=True, slots=True)
class MemberStarted:
    """A model of a series is next."""

    out: Path
    number: int
    """From 1."""
    of: int
    there: bool
    """Whether it is there already, and is not trained again."""


@dataclass(frozen=True, slots=True)
class MemberFinished:
    """A model of a series is there."""

    out: Path
    words: int
    """That its sample may have."""


Event = (
    Working | BytesRead | CorpusRead | Note | Measured | TrainingStarted | TrainingResumed | Step | TrainingFinished
    | Stopping | TrainingStopped | SeriesStarted | MemberStarted | MemberFinished
)  # fmt: skip
Emit = Callable[[Event], None]


def ignore(_: Event) -> None:
    """Report nothing."""


def reading(emit: Emit, path: Path, stage: str = "Reading") -> Callable[[int], None]:
    """Report the bytes of a text that are read."""
    return lambda read: emit(BytesRead(stage, path, read))
