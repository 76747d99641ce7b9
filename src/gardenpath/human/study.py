"""A study: stimuli, lists of trials, and the folder that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gardenpath.human.spec import Role, StudySpec
from gardenpath.suites.suite import Sentence, Suite


@dataclass(frozen=True, slots=True)
class ComprehensionQuestion:
    """A question about a sentence that was read."""

    text: str
    right: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Stimulus:
    """An item as a study shows it: its sentences by condition, and what counts as right."""

    id: str
    """Unique in the study: `s17`."""
    role: Role | str
    """That of its materials, or `check`."""
    suite: str
    item: str
    cell: str
    """The condition of the study it belongs to: a suite, `suite/level`, or the name of pooled suites."""
    sentences: Mapping[str, Sentence]
    """By condition; for a choice those shown together, for other tasks those that lists rotate through."""
    correct: str = ""
    """Choice: the condition that is right. Rating check: the point to choose. Else empty."""
    questions: Mapping[str, ComprehensionQuestion] = field(default_factory=dict)
    """Reading: by condition."""
    distractors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Maze: for every word after the first, by condition."""


@dataclass(frozen=True, slots=True)
class StudyTrial:
    """What a participant does once: a stimulus, in one condition or with all its sentences in an order."""

    stimulus: str
    """Its id."""
    condition: str = ""
    """The condition shown; empty in a choice, which shows several."""
    order: tuple[str, ...] = ()
    """Choice: the conditions from first to last position."""


@dataclass(frozen=True, slots=True)
class StudyList:
    """The trials of one list in one of its orders."""

    number: int
    """From 1."""
    version: int
    """From 1; in even versions the order of all choices is reversed."""
    trials: tuple[StudyTrial, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """A study ready to run: its specification, its stimuli, and all lists in all their versions."""

    spec: StudySpec
    stimuli: Mapping[str, Stimulus]
    """By id."""
    practice: tuple[StudyTrial, ...]
    """Shown before the first trial of every list."""
    lists: tuple[StudyList, ...]
    """Sorted by number and version."""
    suites: tuple[Suite, ...]
    """The suites of the test, catch and filler items, with these items only: what models are to be run on."""
