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

CONTROL_IN_NAME = re.compile("[\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]")
CONTROL_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Tabs and line breaks may be in a sentence, where they are spaces."""

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
    """A text, the only source of truth, and the regions in it.

    >>> Sentence("The dog barks.", (Region("verb", 8, 13),)).content("verb")
    'barks'
    """

    text: str
    regions: tuple[Region, ...] = ()

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
    """Everything else the source states about the suite (author, reference, comment, language)."""

    def __post_init__(self) -> None:
        if not self.items:
            raise InputError(f"suite {self.name!r} has no items; give it at least one")
        if not self.conditions:
            raise InputError(f"suite {self.name!r} has no conditions; give it at least one")
        require_unique(self.name, "condition", (condition.name for condition in self.conditions))
        require_unique(self.name, "item id", (item.id for item in self.items))
        require_unique(self.name, "prediction", (prediction.name for prediction in self.predictions))
        require_texts(self)
        require_printable(self)
        require_references(self)

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

        The frame is polars, pandas, or has the Arrow or the dataframe-interchange protocol. Its columns are item,
        condition, region and content (one region per row), or item, condition and one column per region. `levels` names
        the columns that are factors of the items, such as number; they are no regions.

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


def require_unique(suite: str, kind: str, names: Iterable[str]) -> None:
    """Raise if a name that must be unique is used twice, or is none."""
    seen: set[str] = set()
    for name in names:
        if not name.strip():
            raise InputError(f"suite {suite!r}: {kind} {name!r} is no name; rename it")
        if name in seen:
            raise InputError(f"suite {suite!r}: {kind} {name!r} is used twice; rename one of them")
        seen.add(name)


def require_texts(suite: Suite) -> None:
    """Raise if an item has no sentence, or a sentence no text."""
    for item in suite.items:
        if not item.sentences:
            raise InputError(f"suite {suite.name!r}, item {item.id!r}: no sentence; add one or remove the item")
        for condition, sentence in item.sentences.items():
            if not sentence.text.strip():
                raise InputError(
                    f"suite {suite.name!r}, item {item.id!r}, condition {condition!r}: the sentence is empty "
                    f"({sentence.text!r}); give it a text or remove the item"
                )


def require_printable(suite: Suite) -> None:
    """Raise if a name or a sentence has a control character, which no terminal, table or figure can show."""
    names = {
        "its name": [suite.name, suite.phenomenon, suite.circuit],
        "a condition": [condition.name for condition in suite.conditions],
        "a prediction": [name for p in suite.predictions for name in (p.name, p.formula.text)],
        "an item id": [item.id for item in suite.items],
        "a level": [text for item in suite.items for pair in item.levels.items() for text in pair],
        "a region": sorted({region.name for _, sentence in suite.trials() for region in sentence.regions}),
    }
    texts = {"its path": [suite.source], "a sentence": [sentence.text for _, sentence in suite.trials()]}
    for kinds, control in ((names, CONTROL_IN_NAME), (texts, CONTROL_IN_TEXT)):
        for kind, held in kinds.items():
            if control.search("\ue000".join(held)):  # one search, since there may be many
                text, found = next((text, found) for text in held if (found := control.search(text)))
                raise InputError(
                    f"suite {suite.name!r}: {kind} has the control character {found[0]!r} ({text!r}); remove it"
                )


def require_references(suite: Suite) -> None:
    """Raise if a formula names a condition, or a region of some item, that does not exist."""
    conditions = {condition.name for condition in suite.conditions}
    needed = {reference: p.name for p in reversed(suite.predictions) for reference in p.formula.references}
    for reference, prediction in needed.items():
        if reference.condition not in conditions:
            raise InputError(
                f"suite {suite.name!r}, prediction {prediction!r}: {reference} names the condition "
                f"{reference.condition!r}, which does not exist; conditions: {', '.join(sorted(conditions))}"
            )
    for item in suite.items:
        for reference, prediction in needed.items():
            sentence = item.sentences.get(reference.condition)
            if sentence is None:
                raise InputError(
                    f"suite {suite.name!r}, item {item.id!r}: no sentence for the condition "
                    f"{reference.condition!r}, which prediction {prediction!r} needs"
                )
            try:
                sentence.region(reference.region)
            except KeyError:
                names = ", ".join(f"{n}={region.name}" for n, region in enumerate(sentence.regions, 1)) or "none"
                raise InputError(
                    f"suite {suite.name!r}, item {item.id!r}, prediction {prediction!r}: {reference} names the region "
                    f"{reference.region!r}, which does not exist; regions: {names}"
                ) from None


def join_regions(contents: Sequence[tuple[str, str]], join: Join = "natural") -> Sentence:
    """Build a sentence from (region name, content) pairs; the space before a region belongs to no region."""
    text = ""
    regions = []
    for name, raw in contents:
        content = " ".join(raw.split())
        if join == "natural":
            content = SPACE_TO_REMOVE.sub("", content)
        if text and content and not (join == "natural" and SPACE_TO_REMOVE.match(f" {content}")):
            text += " "
        regions.append(Region(name, len(text), len(text) + len(content)))
        text += content
    return Sentence(text, tuple(regions))


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
