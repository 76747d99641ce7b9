"""A study: stimuli, lists of trials, and the folder that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.human.spec import Role, StudySpec
from gardenpath.suites.suite import Sentence, Suite

if TYPE_CHECKING:
    from gardenpath.human.balance import Balance


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


@dataclass(frozen=True, slots=True, repr=False)
class Study:
    """A study ready to run: its specification, its stimuli, and all lists in all their versions.

    >>> study = Study.build(StudySpec(title="Number", materials=[{"suites": ["agreement"], "items": 8}], lists=2))
    >>> study
    <Study 'Number': choice, 2 lists of 4 trials in 4 versions>
    >>> study.stimuli["s1"].correct
    'match_sing'
    """

    spec: StudySpec
    stimuli: Mapping[str, Stimulus]
    """By id."""
    practice: tuple[StudyTrial, ...]
    """Shown before the first trial of every list."""
    lists: tuple[StudyList, ...]
    """Sorted by number and version."""
    suites: tuple[Suite, ...]
    """The suites of the test, catch and filler items, with these items only: what models are to be run on."""

    @classmethod
    def build(cls, spec: StudySpec, folder: str | Path | None = None) -> "Study":
        """Choose items, make lists and orders; relative paths in the specification are first looked up in `folder`."""
        from gardenpath.human.build import build_study  # imports this module

        return build_study(spec, None if folder is None else Path(folder))

    @classmethod
    def read(cls, folder: str | Path) -> "Study":
        """Read a study from its folder.

        >>> study = Study.build(StudySpec(title="Number", materials=[{"suites": ["agreement"], "items": 8}], lists=2))
        >>> study.save("number-study")
        >>> Study.read("number-study") == study
        True
        """
        from gardenpath.human.folder import read_study  # imports this module

        return read_study(Path(folder))

    def save(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Write the study into a folder; another study there is refused unless `overwrite` is given."""
        from gardenpath.human.folder import write_study  # imports this module

        write_study(self, Path(folder), overwrite=overwrite)

    def check(self) -> "Balance":
        """Count how often each list has every condition and side, and report everything that is not balanced.

        >>> study = Study.build(StudySpec(title="Number", materials=[{"suites": ["agreement"], "items": 8}], lists=2))
        >>> study.check().problems
        ()
        """
        from gardenpath.human.balance import check_balance  # imports this module

        return check_balance(self)

    @property
    def digest(self) -> str:
        """A digest of all that participants are shown: stimuli and lists, but not the surrounding texts."""
        from gardenpath.human.materials import digest_materials  # imports this module

        return digest_materials(self)

    @property
    def summary(self) -> str:
        """The task and the numbers of lists, trials and orders, in words.

        >>> study = Study.build(StudySpec(title="Number", materials=[{"suites": ["agreement"], "items": 8}], lists=2))
        >>> study.summary
        'choice study: 2 lists of 4 trials, 4 orders each'
        """
        orders = f", {self.spec.versions} orders each" if self.spec.versions > 1 else ""
        return f"{self.spec.task} study: {self.describe_lists()}{orders}"

    def describe_lists(self) -> str:
        """The number of lists and of their trials, in words."""
        sizes = sorted({len(listed.trials) for listed in self.lists})
        trials = " to ".join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))
        lists = self.spec.lists
        return f"{lists} list{'s' * (lists > 1)} of {trials} trials"

    def __repr__(self) -> str:
        versions = self.spec.versions
        shown = f"{self.spec.task}, {self.describe_lists()} in {versions} version{'s' * (versions > 1)}"
        return f"<Study {self.spec.title!r}: {shown}>"
