"""Requirements on the words of one item: `verb1 != verb2`, `subject.gender = pronoun.gender`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.io.numbers import is_whole_number
from gardenpath.suites.templates.word_lists import FeatureValue, Word, WordList

REQUIREMENT = re.compile(r"\s*([\w-]+(?:\.[\w-]+)?)\s*(!?=)\s*(\S(?:.*\S)?)\s*")


@dataclass(frozen=True, slots=True)
class Operand:
    """The word in a slot, a feature of it, or the level of a factor; slots and factors have different names."""

    name: str
    feature: str = ""

    def value(self, words: Mapping[str, Word], levels: Mapping[str, str]) -> FeatureValue | None:
        """Return the value in one item; None if the word lacks the feature."""
        if self.name in levels:
            return levels[self.name]
        word = words[self.name]
        return word.features.get(self.feature) if self.feature else word.citation

    def values(self, slots: Mapping[str, WordList], factors: Mapping[str, tuple[str, ...]]) -> list[FeatureValue]:
        """Return all possible values."""
        if self.name in factors:
            return list(factors[self.name])
        words = slots[self.name]
        return words.values(self.feature) if self.feature else [word.citation for word in words.words]


@dataclass(frozen=True, slots=True)
class Requirement:
    """Two values that must be equal, or must differ."""

    left: Operand
    right: Operand | FeatureValue
    same: bool

    def names(self, factor: str) -> bool:
        """Return whether it depends on the level of a factor."""
        return Operand(factor) in (self.left, self.right)

    def holds(self, words: Mapping[str, Word], levels: Mapping[str, str]) -> bool:
        """Return whether the words of an item satisfy it; a missing feature equals nothing."""
        left = self.left.value(words, levels)
        right = self.right.value(words, levels) if isinstance(self.right, Operand) else self.right
        return (left is not None and left == right) == self.same


def parse_requirement(text: str, slots: Mapping[str, WordList], factors: Mapping[str, tuple[str, ...]]) -> Requirement:
    """Parse a requirement; raise `InputError` if it uses an unknown name."""
    match = REQUIREMENT.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not a requirement; write one like 'verb1 != verb2' or 'subject.gender = f'")
    left = find_operand(match[1], slots, factors)
    if left is None:
        known = quote([*slots, *factors])
        raise InputError(f"{text!r}: there is no slot or factor {match[1]!r}; known names: {known}")
    right = find_operand(match[3], slots, factors)
    if right is not None:
        return Requirement(left, right, match[2] == "=")
    literal = parse_literal(match[3])
    possible = left.values(slots, factors)
    if literal not in possible:
        raise InputError(f"{text!r}: {match[1]!r} is never {match[3]}; its values are {quote(possible)}")
    return Requirement(left, literal, match[2] == "=")


def find_operand(name: str, slots: Mapping[str, WordList], factors: Mapping[str, tuple[str, ...]]) -> Operand | None:
    """Return what a name stands for: a slot, a feature of a slot, a factor, or None."""
    slot, _, feature = name.partition(".")
    if slot in slots:
        if feature and not slots[slot].values(feature):
            raise InputError(f"no word of {slots[slot].name!r} has the feature {feature!r}")
        return Operand(slot, feature)
    return Operand(name) if name in factors else None


def parse_literal(text: str) -> FeatureValue:
    """Return a value as written: true and false, whole numbers, texts with or without quotation marks."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if is_whole_number(text) else text.strip("\"'")
