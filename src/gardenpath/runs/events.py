"""Events of a run: what `run` reports to `on_event` on its way."""

from collections.abc import Callable
from dataclasses import dataclass

from gardenpath.io.messages import advise


@dataclass(frozen=True, slots=True)
class ReadingSuites:
    """The suites are being read or generated."""


@dataclass(frozen=True, slots=True)
class LoadingModel:
    """A model is being loaded."""

    model: str


@dataclass(frozen=True, slots=True)
class ScoringStarted:
    """A model begins to score."""

    model: str
    work: int
    """Units of work of this scoring."""
    texts: int
    remembered: int
    """Texts that the store holds already."""
    is_kept: bool = True
    """Whether parts of the scoring are stored when it is interrupted."""


@dataclass(frozen=True, slots=True)
class PartAdvanced:
    """A model has done work inside of a part, all of which `ScoringAdvanced` reports once the part is complete."""

    model: str
    work: int


@dataclass(frozen=True, slots=True)
class ScoringAdvanced:
    """Some of the work of a scoring was done."""

    model: str
    work: int


@dataclass(frozen=True, slots=True)
class ModelFinished:
    """All texts were scored by a model and all predictions evaluated."""

    model: str
    texts: int
    computed: int
    """Texts that were scored now; the store held the others."""


@dataclass(frozen=True, slots=True)
class ShareFinished:
    """The parts of a shard were computed for a model."""

    model: str
    low: int
    high: int
    """The first part of the shard, and the first after it."""
    parts: int
    """How many parts all shards have together."""
    computed: int
    """Parts that were computed now; the folder of the shard held the others."""


@dataclass(frozen=True, slots=True)
class ReadingShards:
    """The shards of a run are being read and verified."""

    count: int


@dataclass(frozen=True, slots=True)
class RunNote:
    """Something a user should know about how texts are read or scored."""

    text: str


RunEvent = (
    ReadingSuites
    | LoadingModel
    | ScoringStarted
    | PartAdvanced
    | ScoringAdvanced
    | ModelFinished
    | ShareFinished
    | ReadingShards
    | RunNote
)
OnRunEvent = Callable[[RunEvent], None]


def ignore_event(_: RunEvent) -> None:
    """Do nothing with an event."""


def warn_of_notes(event: RunEvent) -> None:
    """Turn notes into warnings and ignore other events: for Python without an `on_event`."""
    if isinstance(event, RunNote):
        advise(event.text)
