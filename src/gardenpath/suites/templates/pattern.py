"""Patterns: text with holes for words, `the {subject:number} that {verb:!number} the {object:sing}`.

A hole names a slot (or, in a variant, an alias of one) and a form of the word: the name of a form of its list, or a
factor, whose level is then the form; `!factor` is the other level of a factor that has two. A form may have parts,
`gender.number`. A hole that names a factor is filled by its level.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.suites.suite import EMPTY
from gardenpath.suites.templates.word_lists import ONE_FORM, WordList

HOLE = re.compile(r"\{\s*([\w-]+)\s*(?::\s*([^\s{}]+)\s*)?\}")


@dataclass(frozen=True, slots=True)
class Hole:
    """A gap in a pattern that a word or a level fills."""

    name: str
    form: str = ""

    def __str__(self) -> str:
        return f"{{{self.name}:{self.form}}}" if self.form else f"{{{self.name}}}"


TextPattern = tuple[str | Hole, ...]


@dataclass(frozen=True, slots=True)
class WordForm:
    """A hole with all levels known: one form of the word in a slot."""

    slot: str
    form: int


@dataclass(frozen=True, slots=True)
class NameScope:
    """The meaning of names in one condition: slots, levels, aliases."""

    slots: Mapping[str, WordList]
    factors: Mapping[str, tuple[str, ...]]
    """All levels of each factor."""
    levels: Mapping[str, str]
    """The current level of each factor."""
    aliases: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """The slot each alias stands for."""

    def resolve(self, pattern: TextPattern) -> tuple[str | WordForm, ...]:
        """Return the pattern with levels filled in and forms decided."""
        return tuple(piece if isinstance(piece, str) else self.fill(piece) for piece in pattern)

    def fill(self, hole: Hole) -> str | WordForm:
        """Return what fills one hole: the form of a word, or a level."""
        slot = self.aliases.get(hole.name, hole.name)
        if slot in self.slots:
            return WordForm(slot, self.form_of(hole, self.slots[slot]))
        if hole.name not in self.levels:
            names = [*self.slots, *self.aliases, *self.levels]
            raise InputError(f"{hole}: there is no slot {hole.name!r}; known names: {quote(names, most=20)}")
        if hole.form:
            raise InputError(f"{hole}: {hole.name!r} is a factor, which has levels, not forms; write {{{hole.name}}}")
        return self.levels[hole.name]

    def form_of(self, hole: Hole, words: WordList) -> int:
        """Return the index of the form that a hole requires."""
        if words.forms == ONE_FORM:
            if hole.form:
                raise InputError(f"{hole}: the words of {words.name!r} have only one form; write {{{hole.name}}}")
            return 0
        if not hole.form:
            raise InputError(f"{hole}: the form is missing; {words.name!r} has {quote(words.forms)}")
        name = ".".join(self.part(part, hole) for part in hole.form.split("."))
        if name not in words.forms:
            known = f"the forms of {words.name!r} are {quote(words.forms)}, the factors {quote(self.levels)}"
            raise InputError(f"{hole}: {name!r} is neither a form nor a factor; {known}")
        return words.forms.index(name)

    def part(self, part: str, hole: Hole) -> str:
        """Return one part of a form: as written, or the level of a factor, or its other level."""
        factor = part.removeprefix("!")
        if factor not in self.levels:
            return part
        if factor == part:
            return self.levels[factor]
        levels = self.factors[factor]
        if len(levels) != 2:
            raise InputError(f"{hole}: '!' needs a factor with two levels, but {factor!r} has {quote(levels)}")
        return levels[levels[0] == self.levels[factor]]


def parse_pattern(text: str) -> TextPattern:
    """Split a text at its holes."""
    pieces: list[str | Hole] = []
    end = 0
    for match in HOLE.finditer(text):
        pieces += [text[end : match.start()], Hole(match[1], match[2] or "")]
        end = match.end()
    pieces.append(text[end:])
    for piece in pieces:
        if isinstance(piece, str) and ("{" in piece or "}" in piece):
            raise InputError(f"{text!r}: {piece!r} is not a hole; write {{slot}} or {{slot:form}}")
    return tuple(piece for piece in pieces if piece)
