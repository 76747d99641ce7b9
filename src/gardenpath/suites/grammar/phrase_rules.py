"""Phrases: words combined by a rule of the language, `NP(person & fits(verb.subject))`, and the slots they fill.

A rule is a table of `phrases.toml` (or of `[phrases]` in a template). It has a head, the central word of the phrase;
slots of its own, filled after the head; and its text, or one text for each of several forms.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import locate_errors, quote, show_value
from gardenpath.io.toml_file import TomlFile
from gardenpath.suites.grammar.lexicon import Lexicon
from gardenpath.suites.grammar.restriction import (
    And,
    Everything,
    Expression,
    Fits,
    Only,
    Or,
    Takes,
    parse_restriction,
    require_features,
    require_known,
    slots_in,
    subexpressions,
)
from gardenpath.suites.templates.pattern import Hole, TextPattern, parse_pattern
from gardenpath.suites.templates.word_lists import WordList, read_list

LARGEST_WEIGHT = 1e9
HEAD_SLOT = "head"
"""The slot of the head in the slots and texts of a rule."""

CALL = re.compile(r"\s*([A-Za-z][\w-]*)\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WordSource:
    """A slot filled by a word of the lexicon."""

    which: Expression


@dataclass(frozen=True, slots=True)
class PhraseSource:
    """A slot filled by a phrase, whose head is drawn or is that of another slot."""

    rule: str
    head: Expression | str
    """The restriction on its head, or the slot whose head it shares."""


@dataclass(frozen=True, slots=True)
class ListSource:
    """A slot filled by one of the words in the template itself."""

    words: WordList


SlotSource = WordSource | PhraseSource | ListSource


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to build a phrase."""

    slots: Mapping[str, SlotSource]
    texts: Mapping[str, TextPattern]
    """By form; a single empty name if the phrase has only one form."""
    when: Expression = field(default_factory=Everything)
    """The restriction on heads for which it is available."""
    weight: float = 1.0
    """The relative frequency with which it is chosen."""


@dataclass(frozen=True, slots=True)
class Language:
    """Words, and rules to combine them."""

    lexicon: Lexicon
    rules: Mapping[str, tuple[Alternative, ...]] = field(default_factory=dict)
    """The ways to build phrases of each name."""


def add_rules(file: TomlFile, tables: Mapping[str, Any], language: Language, *keys: str) -> Language:
    """Return the language with the rules of a file; each can use those before it."""
    for name, value in tables.items():
        if name in language.rules:
            file.refuse(f"the phrase {name!r} is defined twice; rename one of them", *keys, name)
        given = value if isinstance(value, list) else [value]
        ways = tuple(read_alternative(file, table, language, *keys, name) for table in given)
        language = Language(language.lexicon, {**language.rules, name: ways})
    return language


def read_alternative(file: TomlFile, value: object, language: Language, *keys: str) -> Alternative:
    """Read one way to build a phrase."""
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
    if not isinstance(weight, int | float) or not 0 < weight < LARGEST_WEIGHT:
        file.refuse(f"a weight must be a positive number, not {show_value(weight)}", *keys, "weight")
    slots = read_slots(file, file.of_kind(table.get("slots", {}), dict, *keys), language, *keys, known=(HEAD_SLOT,))
    with locate_errors(file.where(*keys)):
        patterns = {form: parse_pattern(text) for form, text in texts.items()}
        for pattern in patterns.values():
            require_valid_holes(pattern, {HEAD_SLOT: None, **slots}, language)
        when = parse_restriction(condition)
        require_features(when, language.lexicon)
    return Alternative(slots, patterns, when, float(weight))


def read_slots(
    file: TomlFile, table: Mapping[str, Any], language: Language, *keys: str, known: tuple[str, ...] = ()
) -> dict[str, SlotSource]:
    """Read slots in the order in which they are filled; each can refer to those before it."""
    slots: dict[str, SlotSource] = {}
    for slot, value in table.items():
        if slot in language.lexicon.form_names or slot in known:
            file.refuse(f"a slot cannot be called {slot!r}, the name of a form or of the head", *keys, slot)
        if not isinstance(value, str):
            words = read_list(file, value, *keys, slot)
            for form in (form for word in words.words for form in word.forms if "{" in form):
                file.refuse(f"{form!r}: a word in a list cannot have holes; write them in the texts", *keys, slot)
            slots[slot] = ListSource(words)
            continue
        with locate_errors(file.where(*keys, slot)):
            source = parse_source(value, language.rules, (*known, *slots))
            require_valid_source(source, {**dict.fromkeys(known), **slots}, language.lexicon)
        slots[slot] = source
    return slots


def parse_source(
    text: str, rules: Mapping[str, Sequence[Alternative]], slots: tuple[str, ...]
) -> WordSource | PhraseSource:
    """Parse what fills a slot: a call of a rule, or a restriction.

    The head of a phrase is drawn among the words with which its rule can build one.
    """
    call = CALL.fullmatch(text)
    if call is None or call[1] not in rules:
        return WordSource(parse_restriction(text))
    argument = call[2].strip()
    if argument in slots:
        return PhraseSource(call[1], argument)
    buildable = reduce(Or, (way.when for way in rules[call[1]]))
    return PhraseSource(call[1], And(parse_restriction(argument), buildable))


def require_valid_source(
    source: WordSource | PhraseSource, slots: Mapping[str, SlotSource | None], lexicon: Lexicon
) -> None:
    """Raise if a slot refers to slots that are not filled before it, or to unknown features or arguments."""
    restriction = source.which if isinstance(source, WordSource) else source.head
    if not isinstance(restriction, str):
        require_known(restriction, lexicon)
        for part in subexpressions(restriction):
            if isinstance(part, Fits | Takes | Only) and part.argument not in lexicon.restrictors:
                raise InputError(f"no word has the argument {part.argument!r}; arguments: {quote(lexicon.restrictors)}")
    for name in (restriction,) if isinstance(restriction, str) else slots_in(restriction):
        if name not in slots:
            raise InputError(f"there is no slot {name!r} before this one; slots: {quote(slots)}")
        if isinstance(slots[name], ListSource):
            fault = f"{name!r} is a list of words without features"
            raise InputError(f"{fault}; fits() and takes() need a word of the lexicon")


def require_valid_holes(pattern: TextPattern, slots: Mapping[str, SlotSource | None], language: Language) -> None:
    """Raise if a text has a hole for an unknown slot or form."""
    for hole in (piece for piece in pattern if isinstance(piece, Hole)):
        if hole.name not in slots:
            raise InputError(f"{hole}: there is no slot {hole.name!r}; slots: {quote(slots, most=20)}")
        forms = possible_forms(slots[hole.name], language)
        for part in hole.form.split(".") if hole.form else ():
            if isinstance(slots.get(part.removeprefix("!")), ListSource):
                raise InputError(f"{hole}: nothing can agree with {part!r}, a list of words without features")
            if part.removeprefix("!") not in slots and part not in forms:
                known = f"forms are {quote(forms, most=20)}, slots {quote(slots, most=20)}"
                raise InputError(f"{hole}: {part!r} is neither a form nor a slot to agree with; {known}")


def possible_forms(source: SlotSource | None, language: Language) -> list[str]:
    """Return the forms that a source can have; those of any word if it is a word."""
    match source:
        case ListSource(words):
            return list(words.forms)
        case PhraseSource(rule):
            names = (form for way in language.rules[rule] for form in way.texts)
            return list(dict.fromkeys(part for name in names for part in name.split(".")))
        case _:
            return sorted(language.lexicon.form_names)
