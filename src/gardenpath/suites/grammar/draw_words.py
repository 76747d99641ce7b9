"""Random words and phrases: the functor first, then its arguments, so that all restrictions hold."""

import random
from bisect import bisect
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from gardenpath.suites.grammar.lexicon import Entry, Lexicon, LexiconView
from gardenpath.suites.grammar.phrase_rules import (
    HEAD_SLOT,
    Alternative,
    Language,
    ListSource,
    PhraseSource,
    SlotSource,
    WordSource,
)
from gardenpath.suites.grammar.restriction import Expression, slots_in, words_satisfying
from gardenpath.suites.templates.pattern import TextPattern

OPEN_CLASSES = frozenset({"noun", "name", "verb", "adjective", "adverb"})
"""Categories of words that are used only once in an item."""

DRAWS_PER_WORD = 12
"""How many times a word is drawn if it has already been used."""

OTHER_NUMBER = {"sing": "plur", "plur": "sing"}


class DeadEnd(Exception):  # noqa: N818 - not an error: it ends one attempt
    """No word fits into a slot given those drawn so far; the item is drawn again from the start."""


class MissingForm(DeadEnd):
    """A word does not have the form that a text requires."""


@dataclass(frozen=True, slots=True)
class Constituent:
    """A phrase, or a word of the template's own, as drawn for one item."""

    forms: Mapping[str, str]
    form: str
    """The default form."""
    head: Entry | None = None
    governs: str = ""
    """The form of words that agree with it."""


Filler = Entry | Constituent
FilledSlots = dict[str, Filler]


@dataclass(frozen=True, slots=True)
class Pool:
    """Words one of which is to be drawn, in proportion to their weights."""

    entries: tuple[Entry, ...]
    steps: tuple[float, ...] = ()
    """Cumulative sums of the weights; empty if all are equal."""

    def draw(self, rng: random.Random) -> Entry:
        """Draw one of the words."""
        # Not choice() or choices(): their results for a seed may change between versions of Python, random()'s never.
        if not self.steps:
            return self.entries[int(rng.random() * len(self.entries))]
        return self.entries[bisect(self.steps, rng.random() * self.steps[-1])]


class Drawer:
    """Draws words and phrases of a language; caches which words fit where."""

    def __init__(self, language: Language, rng: random.Random) -> None:
        self.lexicon = language.lexicon
        self.rules = language.rules
        self.rng = rng
        self.pools: dict[tuple[object, ...], Pool] = {}
        self.by_set: dict[int, Pool] = {}
        self.chances: dict[tuple[str, int], tuple[list[Alternative], list[float]]] = {}
        self.used: set[str] = set()
        self.failures: Counter[str] = Counter()
        """Why attempts failed."""

    def fill(self, slots: Mapping[str, SlotSource], bound: FilledSlots) -> None:
        """Fill every slot, one after another."""
        for name, source in slots.items():
            match source:
                case WordSource(which):
                    bound[name] = self.word(which, bound, name)
                case PhraseSource(rule, head):
                    bound[name] = self.phrase(rule, head, bound, name)
                case ListSource(words):
                    chosen = words.words[int(self.rng.random() * len(words.words))]
                    bound[name] = Constituent(dict(zip(words.forms, chosen.forms, strict=True)), words.forms[0])

    def word(self, which: Expression, bound: FilledSlots, slot: str) -> Entry:
        """Draw a word that satisfies an expression, and is not yet used if it is of an open class."""
        pool = self.pool(which, bound)
        if pool.entries:
            for _ in range(DRAWS_PER_WORD):
                entry = pool.draw(self.rng)
                if entry.category not in OPEN_CLASSES:
                    return entry
                if entry.lemma not in self.used:
                    self.used.add(entry.lemma)
                    return entry
        self.failures[f"no word fits {slot!r}"] += 1
        raise DeadEnd

    def phrase(self, rule: str, head: Expression | str, bound: FilledSlots, slot: str) -> Constituent:
        """Draw a phrase by a rule."""
        entry = bound[head].head if isinstance(head, str) else self.word(head, bound, slot)
        assert entry is not None  # the reader refuses heads that are words of the template's own
        alternative = self.alternative(rule, entry, slot)
        inner: FilledSlots = {HEAD_SLOT: entry}
        self.fill(alternative.slots, inner)
        forms = {form: fill_text(pattern, inner) for form, pattern in alternative.texts.items()}
        return Constituent(forms, next(iter(forms)), entry, entry.governs)

    def alternative(self, rule: str, head: Entry, slot: str) -> Alternative:
        """Draw one of the ways to build a phrase with that head."""
        key = (rule, head.index)
        if key not in self.chances:
            view = LexiconView(self.lexicon, {})
            fitting = [a for a in self.rules[rule] if words_satisfying(a.when, view) >> head.index & 1]
            self.chances[key] = (fitting, list(accumulate(a.weight for a in fitting)))
        fitting, steps = self.chances[key]
        if not fitting:
            self.failures[f"no word fits {slot!r}"] += 1
            raise DeadEnd
        return fitting[bisect(steps, self.rng.random() * steps[-1])]

    def pool(self, which: Expression, bound: FilledSlots) -> Pool:
        """Return the words that satisfy an expression, given the words drawn so far."""
        heads = {slot: bound[slot].head for slot in slots_in(which)}
        key = (which, *heads.values())
        pool = self.pools.get(key)
        if pool is None:
            view = LexiconView(self.lexicon, {slot: head for slot, head in heads.items() if head is not None})
            words = words_satisfying(which, view)
            pool = self.by_set.get(words)
            if pool is None:
                pool = self.by_set[words] = pool_of(self.lexicon, words)
            self.pools[key] = pool
        return pool


def pool_of(lexicon: Lexicon, words: int) -> Pool:
    """Return the pool of a set of words."""
    entries = tuple(lexicon.members(words))
    weights = [entry.weight for entry in entries]
    return Pool(entries, tuple(accumulate(weights)) if len(set(weights)) > 1 else ())


def fill_text(pattern: TextPattern, bound: FilledSlots) -> str:
    """Return a text with its holes filled."""
    return "".join(
        piece if isinstance(piece, str) else agreeing_form(bound[piece.name], piece.form, bound) for piece in pattern
    )


def agreeing_form(filler: Filler, form: str, bound: FilledSlots) -> str:
    """Return the form of a word or phrase that a hole requires: by name, or in agreement with another slot.

    Parts that a word does not distinguish are dropped from the right: `past.sing` is the past.
    """
    if not form:
        if filler.form not in filler.forms:  # a form that a given vocabulary lacks
            raise MissingForm
        return filler.forms[filler.form]
    name = ".".join(resolve_form_part(part, bound) for part in form.split("."))
    while name not in filler.forms:
        name, dot, _ = name.rpartition(".")
        if not dot:
            if len(filler.forms) == 1 and "" in filler.forms:
                return filler.forms[""]
            raise MissingForm
    return filler.forms[name]


def resolve_form_part(part: str, bound: FilledSlots) -> str:
    """Return one part of a form: its name, or the form that agrees with the word in a slot, or the opposite."""
    if part.startswith("!"):
        if bound[part[1:]].governs not in OTHER_NUMBER:
            raise MissingForm
        return OTHER_NUMBER[bound[part[1:]].governs]
    return bound[part].governs if part in bound else part
