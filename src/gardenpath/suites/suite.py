"""The nouns of an experiment: a suite has items, an item one sentence per condition, a sentence named regions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.io.numbers import is_whole_number
from gardenpath.suites.prediction import Prediction

Join = Literal["natural", "space"]
"""How region contents become a sentence: `natural` puts no space before closing punctuation, `space` always one."""

SPACE_TO_REMOVE = re.compile(r"\s+(?=[.,;:!?)\]…]|['’](?:s|S|re|ve|ll|d|m|t)\b|n['’]t\b)")

EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Region:
    """A named half-open span of characters of a sentence.

    >>> Region("verb", 8, 13)
    Region(name='verb', start=8, end=13)
    """

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text, the single source of truth, and the regions in it.

    >>> Sentence("The dog barks.", (Region("verb", 8, 13),)).content("verb")
    'barks'
    """

    text: str
    regions: tuple[Region, ...] = ()
    written: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The contents of the regions as their file has them, where joining them removed spaces: files are written so."""

    def region(self, name: str) -> Region:
        """Return the region called `name`; `*` is the whole sentence.

        A number counts regions from 1, unless some region has a number for a name.
        """
        if name == "*":
            return Region("*", 0, len(self.text.rstrip()))  # spaces at the end are not scored
        for region in self.regions:
            if region.name == name:
                return region
        numbered = any(is_whole_number(region.name) for region in self.regions)
        if not numbered and is_whole_number(name) and 1 <= int(name) <= len(self.regions):
            return self.regions[int(name) - 1]
        raise KeyError(name)

    def content(self, name: str) -> str:
        """Return the characters of the region called `name`."""
        region = self.region(name)
        return self.text[region.start : region.end]


@dataclass(frozen=True, slots=True)
class Condition:
    """A cell of the design: its name, and the level of each of its factors.

    >>> Condition("match_sing", {"grammatical": "yes", "number": "sing"}).levels["number"]
    'sing'
    """

    name: str
    levels: Mapping[str, str] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Item:
    """One lexicalisation of the design: a sentence for each condition.

    >>> Item("1", {"good": Sentence("The dog barks."), "bad": Sentence("The dog bark.")}).sentences["bad"].text
    'The dog bark.'
    """

    id: str
    sentences: Mapping[str, Sentence]
    """By condition name."""
    fillers: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """The words that fill the slots of a template, by slot."""
    levels: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """The level of each factor that varies between items (number, attractor, distance)."""


class Trial(NamedTuple):
    """The item and the condition of one sentence of a suite."""

    item: str
    condition: str


@dataclass(frozen=True, slots=True, repr=False)
class Suite:
    """An experiment: items in all conditions, and the predictions made for them."""

    name: str
    conditions: tuple[Condition, ...]
    items: tuple[Item, ...]
    predictions: tuple[Prediction, ...]
    phenomenon: str = ""
    circuit: str = ""
    source: str = ""
    metadata: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Everything else that the source says about the suite (author, reference, comment, language)."""

    def __post_init__(self) -> None:
        from gardenpath.suites.require_suite import require_consistent  # imports this module

        require_consistent(self)

    @classmethod
    def from_pairs(cls, pairs: Iterable[Sequence[str]], *, name: str = "pairs") -> "Suite":
        """Build a suite from (good, bad) pairs of sentences, or from tuples of one good and several bad ones.

        >>> Suite.from_pairs([("The keys are here.", "The keys is here.")], name="keys")
        <Suite 'keys': 1 item in 2 conditions (good, bad); full-sentence: (*;%good%) < (*;%bad%)>
        """
        from gardenpath.suites.formats.pairs import suite_from_pairs  # formats import this module

        return suite_from_pairs(pairs, name)

    @classmethod
    def from_table(
        cls,
        frame: Any,
        prediction: str | Mapping[str, str] = EMPTY,
        *,
        name: str = "table",
        join: Join = "natural",
        levels: Sequence[str] = (),
    ) -> "Suite":
        """Build a suite from a data frame and a formula, or several formulas by name.

        The frame is from polars or pandas, or supports the Arrow or the dataframe-interchange protocol. Its columns are
        item, condition, region and content (one region per row), or item, condition and one column per region. `levels`
        names the columns that are factors of the items, such as number, and not regions.

        >>> table = {"item": [1, 1], "condition": ["match", "mismatch"], "noun": ["Keys"] * 2, "verb": ["are", "is"]}
        >>> Suite.from_table(table, prediction="(verb, match) < (verb, mismatch)", name="keys")
        <Suite 'keys': 1 item in 2 conditions (match, mismatch); prediction: (verb;%match%) < (verb;%mismatch%)>
        """
        from gardenpath.suites.formats.data_frame import suite_from_table  # formats import this module

        return suite_from_table(frame, prediction, name, join, levels)

    def __repr__(self) -> str:
        from gardenpath.suites.display import suite_in_one_line  # imports this module

        return suite_in_one_line(self)

    def _repr_html_(self) -> str:
        from gardenpath.suites.display import suite_as_html

        return suite_as_html(self)

    def trials(self) -> Iterator[tuple[Trial, Sentence]]:
        """Yield every sentence, item by item, in the order of the conditions."""
        for item in self.items:
            for condition in self.conditions:
                sentence = item.sentences.get(condition.name)
                if sentence is not None:
                    yield Trial(item.id, condition.name), sentence

    def prediction(self, name: str) -> Prediction:
        """Return the prediction called `name`."""
        for prediction in self.predictions:
            if prediction.name == name:
                return prediction
        known = ", ".join(repr(prediction.name) for prediction in self.predictions)
        raise InputError(f"suite {self.name!r} has no prediction {name!r}; it has {known}")

    def hash(self) -> str:
        """Return a fingerprint of everything that affects results: sentences, regions and formulas."""
        parts = [f"{prediction.name}\t{prediction.formula}\n" for prediction in self.predictions]
        for trial, sentence in self.trials():
            spans = " ".join(f"{region.name}:{region.start}:{region.end}" for region in sentence.regions)
            parts.append(f"{trial.item}\t{trial.condition}\t{sentence.text}\t{spans}\n")
        return digest_parts(parts, size=8, method="sha256")


def join_regions(contents: Sequence[tuple[str, str]], join: Join = "natural") -> Sentence:
    """Build a sentence from (region name, content) pairs; the space before a region belongs to no region."""
    text = ""
    regions = []
    written = tuple(" ".join(raw.split()) for _, raw in contents)
    for (name, _), given in zip(contents, written, strict=True):
        content = given
        if join == "natural":
            content = SPACE_TO_REMOVE.sub("", content)
        if text and content and not (join == "natural" and SPACE_TO_REMOVE.match(f" {content}")):
            text += " "
        regions.append(Region(name, len(text), len(text) + len(content)))
        text += content
    is_same = all(text[one.start : one.end] == given for one, given in zip(regions, written, strict=True))
    return Sentence(text, tuple(regions), () if is_same else written)


def unique_ids(ids: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the ids with repeats renamed (`7`, `7#2`), and the ids that were repeated."""
    count: dict[str, int] = {}
    unique = []
    repeated = []
    for id_ in ids:
        count[id_] = count.get(id_, 0) + 1
        if count[id_] > 1:
            repeated.append(id_)
        unique.append(id_ if count[id_] == 1 else f"{id_}#{count[id_]}")
    return unique, repeated
