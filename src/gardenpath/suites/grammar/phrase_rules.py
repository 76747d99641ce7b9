"""Phrases: words put together by a rule of the language, `NP(person & fits(verb.subject))`, and slots they fill.

A rule is a table of `phrases.toml` (or of `[phrases]` in a template). It has a head, the word the phrase is about;
slots of its own, drawn after the head and around it; and its text, or one text for each of several forms.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.input_files import brief, listed, located
from gardenpath.io.toml_file import TomlFile
from gardenpath.suites.grammar.lexicon import Lexicon
from gardenpath.suites.grammar.restriction import (
    Everything,
    Expression,
    arguments_in,
    parse_restriction,
    require_known,
    require_no_slots,
    slots_in,
)
from gardenpath.suites.templates.pattern import Hole, TextPattern, parse_pattern
from gardenpath.suites.templates.word_lists import WordList, read_list

HEAD_SLOT = "head"
"""The slot of the head in the slots and texts of a rule."""

CALL = re.compile(r"\s*([A-Za-z][\w-]*)\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WordSource:
    """A slot filled by a word of the lexicon."""

    which: Expression


@dataclass(frozen=True, slots=True)
class PhraseSource:
    """A slot filled by a phrase: its head is drawn, or is that of another slot."""

    rule: str
    head: Expression | str
    """Which words can be its head; or the slot whose head it shares."""


@dataclass(frozen=True, slots=True)
class ListSource:
    """A slot filled by one of the words the template itself gives."""

    words: WordList


SlotSource = WordSource | PhraseSource | ListSource


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to make a phrase."""

    slots: Mapping[str, SlotSource]
    texts: Mapping[str, TextPattern]
    """By form; one without a name where the phrase has only one."""
    when: Expression = field(default_factory=Everything)
    """Which heads it is for."""
    weight: float = 1.0
    """How often it is chosen, against the others."""


@dataclass(frozen=True, slots=True)
class PhraseRule:
    """How phrases of one name are made."""

    name: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """Words, and rules to put them together."""

    lexicon: Lexicon
    rules: Mapping[str, PhraseRule] = field(default_factory=dict)


def add_rules(file: TomlFile, tables: Mapping[str, Any], language: Language, *keys: str) -> Language:
    """The language with the rules of a file; each can use those before it."""
    for name, value in tables.items():
        if name in language.rules:
            file.refuse(f"there is a phrase {name!r} already; give this one another name", *keys, name)
        ways = [
            read_alternative(file, table, language, *keys, name)
            for table in (value if isinstance(value, list) else [value])
        ]
        language = Language(language.lexicon, {**language.rules, name: PhraseRule(name, tuple(ways))})
    return language


def read_alternative(file: TomlFile, value: object, language: Language, *keys: str) -> Alternative:
    """One way to make a phrase."""
    table = file.of_kind(value, dict, *keys)
    file.refuse_unknown(table, ("slots", "text", "forms", "when", "weight"), *keys)
    if ("text" in table) == ("forms" in table):
        file.refuse(f"the phrase {keys[-1]!r} needs either 'text' or 'forms'", *keys)
    texts = file.of_kind(table.get("forms", {"": table.get("text")}), dict, *keys)
    if not texts:
        file.refuse(f"the phrase {keys[-1]!r} has no forms", *keys)
    texts = {form: file.of_kind(text, str, *keys, "text") for form, text in texts.items()}
    condition = file.of_kind(table.get("when", ""), str, *keys, "when")
    weight = table.get("weight", 1)
    if not isinstance(weight, int | float) or not 0 < weight < math.inf:
        file.refuse(f"a weight is a number above 0, not {brief(weight)}", *keys, "weight")
    slots = read_slots(file, file.of_kind(table.get("slots", {}), dict, *keys), language, *keys, known=(HEAD_SLOT,))
    with located(file.where(*keys)):
        patterns = {form: parse_pattern(text) for form, text in texts.items()}
        for pattern in patterns.values():
            require_valid_holes(pattern, {HEAD_SLOT: None, **slots}, language)
        when = parse_restriction(condition)
        require_known(when, language.lexicon.features, language.lexicon.lemmas)
        require_no_slots(when)
    return Alternative(slots, patterns, when, float(weight))


def read_slots(
    file: TomlFile, table: Mapping[str, Any], language: Language, *keys: str, known: tuple[str, ...] = ()
) -> dict[str, SlotSource]:
    """Slots in the order in which they are drawn; each can speak of those before it."""
    slots: dict[str, SlotSource] = {}
    for slot, value in table.items():
        if slot in language.lexicon.form_names or slot in known:
            file.refuse(f"a slot cannot be called {slot!r}, which is the name of a form or of the head", *keys, slot)
        if not isinstance(value, str):
            slots[slot] = ListSource(read_list(file, value, *keys, slot))
            require_no_holes(file, slots[slot], *keys, slot)
            continue
        with located(file.where(*keys, slot)):
            source = parse_source(value, language.rules, (*known, *slots))
            require_valid_source(source, {**dict.fromkeys(known), **slots}, language.lexicon)
        slots[slot] = source
    return slots


def parse_source(text: str, rules: Mapping[str, PhraseRule], slots: tuple[str, ...]) -> SlotSource:
    """What fills a slot: a call of a rule, or an expression."""
    call = CALL.fullmatch(text)
    if call is None or call[1] not in rules:
        return WordSource(parse_restriction(text))
    argument = call[2].strip()
    return PhraseSource(call[1], argument if argument in slots else parse_restriction(argument))


def slots_needed(source: SlotSource) -> list[str]:
    """The slots that what fills a slot hangs on."""
    if isinstance(source, ListSource):
        return []
    asked = source.which if isinstance(source, WordSource) else source.head
    return [asked] if isinstance(asked, str) else slots_in(asked)


def require_no_holes(file: TomlFile, source: SlotSource, *keys: str) -> None:
    """Raise where a word of the template's own has a hole, which nothing would fill."""
    words = source.words.words if isinstance(source, ListSource) else ()
    for word in words:
        if any("{" in form for form in word.forms):
            file.refuse(f"{word.forms[0]!r}: a word in a list has no holes; write them in the texts", *keys)


def require_valid_source(source: SlotSource, slots: Mapping[str, SlotSource | None], lexicon: Lexicon) -> None:
    """Raise where a slot speaks of slots that are not drawn before it, or of features or arguments that no word has."""
    asked = source.which if isinstance(source, WordSource) else source.head if isinstance(source, PhraseSource) else ""
    if not isinstance(asked, str):
        require_known(asked, lexicon.features, lexicon.lemmas)
        for argument in arguments_in(asked):
            if argument not in lexicon.askers:
                raise InputError(f"no word has the argument {argument!r}; there is {listed(lexicon.askers)}")
    for name in slots_needed(source):
        if name not in slots:
            raise InputError(f"there is no slot {name!r} before this one; there is {listed(slots)}")
        if isinstance(slots[name], ListSource):
            raise InputError(f"{name!r} is a list of words without features; nothing can fit or take it")


def require_valid_holes(pattern: TextPattern, slots: Mapping[str, SlotSource | None], language: Language) -> None:
    """Raise where a text has a hole for a slot or a form that is not there."""
    for hole in (piece for piece in pattern if isinstance(piece, Hole)):
        if hole.name not in slots:
            raise InputError(f"{hole}: there is no slot {hole.name!r}; there is {listed(slots, most=20)}")
        forms = possible_forms(slots[hole.name], language)
        for part in hole.form.split(".") if hole.form else ():
            if isinstance(slots.get(part.removeprefix("!")), ListSource):
                raise InputError(f"{hole}: nothing can agree with {part!r}, a list of words without features")
            if part.removeprefix("!") not in slots and part not in forms:
                known = f"forms are {listed(forms, most=20)}, slots {listed(slots, most=20)}"
                raise InputError(f"{hole}: {part!r} is neither a form nor a slot to agree with; {known}")


def possible_forms(source: SlotSource | None, language: Language) -> list[str]:
    """The forms that what fills a slot can have; those of any word where it is one."""
    match source:
        case ListSource(words):
            return list(words.forms)
        case PhraseSource(rule):
            return list(dict.fromkeys(form for way in language.rules[rule].alternatives for form in way.texts))
        case _:
            return sorted(language.lexicon.form_names)
