"""Templates: suites in a few lines, to be filled from word lists; `template_file` reads them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from gardenpath.suites.known_words.known_words import KnownWords
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import EMPTY, Condition
from gardenpath.suites.templates.pattern import NameScope, TextPattern
from gardenpath.suites.templates.requirement import Requirement
from gardenpath.suites.templates.word_lists import WordList


@dataclass(frozen=True, slots=True)
class Axis:
    """Slots that are filled together, word by word: a single one, or all columns of a table."""

    lists: Mapping[str, WordList]
    """The words of each slot, equally many."""
    ids: tuple[str, ...] = ()
    """The names of the rows of a table."""

    def __len__(self) -> int:
        return len(next(iter(self.lists.values())).words)


@dataclass(frozen=True, slots=True)
class DesignCell:
    """One condition of the suite: a condition of the template in one of its variants."""

    condition: Condition
    patterns: tuple[TextPattern, ...]
    """One for each region."""
    levels: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """The level of each dimension that varies within items."""
    aliases: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """The slot each alias stands for in this variant."""
    tree: TextPattern | None = None
    """The bracketed tree of the sentence."""


@dataclass(frozen=True, slots=True)
class ItemSample:
    """How many items of each combination of levels to draw at random, and from what."""

    n: int
    """0: as many as the template itself draws, from its own seed."""
    seed: int = 0
    lexicon: str = ""
    """The lexicon of the language, if not the one that the template names."""
    vocabulary: KnownWords | None = None
    """The words that may be used, if not all."""
    rows: int = 0
    """How many items to draw for a table from a vocabulary; 0: as many as the table has."""


@dataclass(frozen=True, slots=True)
class Template:
    """A suite before its slots are filled."""

    name: str
    regions: tuple[str, ...]
    axes: tuple[Axis, ...]
    """Crossed in this order, the last fastest."""
    cells: tuple[DesignCell, ...]
    predictions: tuple[Prediction, ...] = ()
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """All levels of each factor, between items or within them."""
    between: tuple[str, ...] = ()
    """The factors that vary between items, crossed outside the slots in this order."""
    fixed: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """The factors that have one level in the whole suite."""
    requirements: tuple[Requirement, ...] = ()
    sample: ItemSample | None = None
    frames: Path | None = None
    """The frames from which the rows of the table are drawn if a vocabulary is given."""
    key: TextPattern = ()
    """The pattern of the level `key` of items, with factors as holes."""
    capitalise: bool = False
    """Whether sentences begin with a capital letter."""
    period: str = ""
    """The end of all sentences, as a region of its own called `period`; empty for no such region."""
    phenomenon: str = ""
    circuit: str = ""
    source: str = ""
    metadata: Mapping[str, str] = field(default_factory=lambda: EMPTY)

    def as_sentences(self) -> "Template":
        """Return the template with a capital letter and a period in all sentences."""
        return replace(self, capitalise=True, period=self.period or ".")

    @property
    def slots(self) -> dict[str, WordList]:
        """The word list of each slot."""
        return {slot: words for axis in self.axes for slot, words in axis.lists.items()}

    @property
    def region_names(self) -> tuple[str, ...]:
        """The regions of the sentences."""
        return (*self.regions, "period") if self.period else self.regions

    def item_levels(self) -> Iterator[dict[str, str]]:
        """Yield every combination of the levels of factors that vary between items."""
        for levels in product(*(self.factors[name] for name in self.between)):
            yield dict(zip(self.between, levels, strict=True))

    def scope(self, cell: DesignCell, levels: Mapping[str, str]) -> NameScope:
        """Return the meaning of names in one condition of items with these levels."""
        return NameScope(self.slots, self.factors, {**self.fixed, **levels, **cell.levels}, cell.aliases)
