"""Phrases: words put together by a rule of the language, `NP(person & fits(verb.subject))`, and slots they fill.

A rule is a table of `phrases.toml` (or of `[phrases]` in a template). It has a head, the word the phrase is about;
slots of its own, drawn after the head and around it; and its text, or one text for each of several forms.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gardenpath.errors import InputError
from gardenpath.suites.formats.source import listed, located
from gardenpath.suites.grammar.lexicon import Lexicon
from gardenpath.suites.grammar.restriction import (
    Everything,
    Expression,
    parse_restriction,
    refuse_unknown,
    slots_in,
)
from gardenpath.suites.pattern import Hole, Pattern, parse_pattern
from gardenpath.suites.toml_file import TomlFile
from gardenpath.suites.word_lists import WordList, read_list

HEAD = "head"
"""The slot of the head in the slots and texts of a rule."""

CALL = re.compile(r"\s*([A-Za-z][\w-]*)\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OfWords:
    """A slot filled by a word of the lexicon."""

    which: Expression


@dataclass(frozen=True, slots=True)
class OfPhrase:
    """A slot filled by a phrase: its head is drawn, or is that of another slot."""

    rule: str
    head: Expression | str
    """Which words can be its head; or the slot whose head it shares."""


@dataclass(frozen=True, slots=True)
class OfList:
    """A slot filled by one of the words the template itself gives."""

    words: WordList


Source = OfWords | OfPhrase | OfList


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to make a phrase."""

    slots: Mapping[str, Source]
    texts: Mapping[str, Pattern]
    """By form; one without a name where the phrase has only one."""
    when: Expression = field(default_factory=Everything)
    """Which heads it is for."""
    weight: float = 1.0
    """How often it is chosen, against the others."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How phrases of one name are made."""

    name: str
    alternatives: tuple[Alternative, ...]


def read_rules(
    file: TomlFile,
    tables: Mapping[str, Any],
    lexicon: Lexicon,
    known: Mapping[str, Rule],
    *,
    keys: tuple[str, ...] = (),
) -> dict[str, Rule]:
    """The rules of a file; each can use those known and those before it."""
    rules = dict(known)
    for name, value in tables.items():
        alternatives = value if isinstance(value, list) else [value]
        made = [read_alternative(file, table, lexicon, rules, (*keys, name)) for table in alternatives]
        rules[name] = Rule(name, tuple(made))
    return rules


def read_alternative(
    file: TomlFile, value: object, lexicon: Lexicon, rules: Mapping[str, Rule], keys: tuple[str, ...]
) -> Alternative:
    """One way to make a phrase."""
    table = file.of_kind(value, dict, *keys)
    file.refuse_unknown(table, ("slots", "text", "forms", "when", "weight"), *keys)
    if ("text" in table) == ("forms" in table):
        file.refuse(f"the phrase {keys[-1]!r} needs either 'text' or 'forms'", *keys)
    texts = file.of_kind(table.get("forms", {"": table.get("text")}), dict, *keys)
    slots = read_slots(file, table.get("slots", {}), lexicon, rules, known=(HEAD,), keys=keys)
    with located(file.where(*keys)):
        patterns = {form: parse_pattern(file.of_kind(text, str, *keys, "text")) for form, text in texts.items()}
        for pattern in patterns.values():
            refuse_strange_holes(pattern, (HEAD, *slots), lexicon)
        when = parse_restriction(file.of_kind(table.get("when", ""), str, *keys, "when"))
        refuse_unknown(when, lexicon.features, lexicon.lemmas)
    return Alternative(slots, patterns, when, float(table.get("weight", 1)))


def read_slots(
    file: TomlFile,
    table: Mapping[str, Any],
    lexicon: Lexicon,
    rules: Mapping[str, Rule],
    *,
    known: tuple[str, ...] = (),
    keys: tuple[str, ...] = ("slots",),
) -> dict[str, Source]:
    """Slots in the order in which they are drawn; each can speak of those before it."""
    slots: dict[str, Source] = {}
    for slot, value in table.items():
        if not isinstance(value, str):
            slots[slot] = OfList(read_list(file, value, *keys, slot))
            continue
        with located(file.where(*keys, slot)):
            source = parse_source(value, rules, (*known, *slots))
            refuse_strange_source(source, (*known, *slots), lexicon)
        slots[slot] = source
    return slots


def parse_source(text: str, rules: Mapping[str, Rule], slots: tuple[str, ...]) -> Source:
    """What fills a slot: a call of a rule, or an expression."""
    call = CALL.fullmatch(text)
    if call is None or call[1] not in rules:
        return OfWords(parse_restriction(text))
    argument = call[2].strip()
    return OfPhrase(call[1], argument if argument in slots else parse_restriction(argument))


def slots_of(source: Source) -> list[str]:
    """The slots that what fills a slot hangs on."""
    if isinstance(source, OfList):
        return []
    asked = source.which if isinstance(source, OfWords) else source.head
    return [asked] if isinstance(asked, str) else slots_in(asked)


def refuse_strange_source(source: Source, slots: tuple[str, ...], lexicon: Lexicon) -> None:
    """Raise where a slot speaks of slots that are not drawn before it, or of features that no word has."""
    asked = source.which if isinstance(source, OfWords) else source.head if isinstance(source, OfPhrase) else ""
    if not isinstance(asked, str):
        refuse_unknown(asked, lexicon.features, lexicon.lemmas)
    for name in slots_of(source):
        if name not in slots:
            raise InputError(f"there is no slot {name!r} before this one; there is {listed(slots)}")


def refuse_strange_holes(pattern: Pattern, slots: tuple[str, ...], lexicon: Lexicon) -> None:
    """Raise where a text has a hole for a slot or a form that is not there."""
    for hole in (piece for piece in pattern if isinstance(piece, Hole)):
        if hole.name not in slots:
            raise InputError(f"{hole}: there is no slot {hole.name!r}; there is {listed(slots, most=20)}")
        for part in hole.form.split(".") if hole.form else ():
            if part.removeprefix("!") not in slots and part not in lexicon.form_names:
                known = f"forms are {listed(sorted(lexicon.form_names), most=20)}, slots {listed(slots, most=20)}"
                raise InputError(f"{hole}: {part!r} is neither a form nor a slot to agree with; {known}")
