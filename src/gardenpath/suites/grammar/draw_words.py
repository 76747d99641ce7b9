"""Drawing words and phrases at random: the functor first, then what it takes, so that all restrictions hold."""

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
    PhraseRule,
    PhraseSource,
    SlotSource,
    WordSource,
)
from gardenpath.suites.grammar.restriction import Expression, slots_in
from gardenpath.suites.templates.pattern import TextPattern

OPEN_CLASSES = frozenset({"noun", "name", "verb", "adjective", "adverb"})
"""Categories of which no word is used twice in one item."""

DRAWS_PER_WORD = 12
"""How often a word is drawn again because it was used already."""

OTHER_NUMBER = {"sing": "plur", "plur": "sing"}


class DeadEnd(Exception):  # noqa: N818 - not an error: it ends one attempt
    """No word fits into a slot beside those drawn so far; the item is begun anew."""


class MissingForm(DeadEnd):
    """A word does not have the form that a text asks for."""


@dataclass(frozen=True, slots=True)
class Constituent:
    """A phrase, or a word of the template's own, as drawn for one item."""

    forms: Mapping[str, str]
    form: str
    """The form it stands in where none is asked for."""
    head: Entry | None = None
    governs: str = ""
    """The form of what agrees with it."""


Filler = Entry | Constituent
FilledSlots = dict[str, Filler]


@dataclass(frozen=True, slots=True)
class Pool:
    """Words one of which is to be drawn, heavier ones more often."""

    entries: tuple[Entry, ...]
    steps: tuple[float, ...] = ()
    """Running sums of the weights; nothing where all weigh the same."""

    def draw(self, rng: random.Random) -> Entry:
        """One of the words."""
        # By hand: what choice() and choices() make of a seed may change from one Python to the next, random() never.
        if not self.steps:
            return self.entries[int(rng.random() * len(self.entries))]
        return self.entries[bisect(self.steps, rng.random() * self.steps[-1])]


class Drawer:
    """Draws from a language; remembers which words fit where."""

    def __init__(self, language: Language, rng: random.Random) -> None:
        self.lexicon = language.lexicon
        self.rules = language.rules
        self.rng = rng
        self.pools: dict[tuple[object, ...], Pool] = {}
        self.by_set: dict[int, Pool] = {}
        self.slots_of: dict[Expression, tuple[str, ...]] = {}
        self.chances: dict[tuple[str, int], tuple[list[Alternative], list[float]]] = {}
        self.used: set[str] = set()
        self.failures: Counter[str] = Counter()

    def fill(self, slots: Mapping[str, SlotSource], bound: FilledSlots) -> None:
        """Draw every slot, one after the other."""
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
        """A word of which the expression is true, and which is not yet used if it is of an open class."""
        pool = self.pool(which, bound)
        if pool.entries:
            for _ in range(DRAWS_PER_WORD):
                entry = pool.draw(self.rng)
                if entry.category not in OPEN_CLASSES:
                    return entry
                if entry.lemma not in self.used:
                    self.used.add(entry.lemma)
                    return entry
        self.failures[slot] += 1
        raise DeadEnd

    def phrase(self, rule: str, head: Expression | str, bound: FilledSlots, slot: str) -> Constituent:
        """A phrase made by a rule."""
        entry = bound[head].head if isinstance(head, str) else self.word(head, bound, slot)
        assert entry is not None  # the head of a word of the template's own is refused when templates are read
        alternative = self.alternative(self.rules[rule], entry, slot)
        inner: FilledSlots = {HEAD_SLOT: entry}
        self.fill(alternative.slots, inner)
        forms = {form: fill_text(pattern, inner) for form, pattern in alternative.texts.items()}
        return Constituent(forms, next(iter(forms)), entry, entry.governs)

    def alternative(self, rule: PhraseRule, head: Entry, slot: str) -> Alternative:
        """One of the ways to make a phrase with that head."""
        key = (rule.name, head.place)
        if key not in self.chances:
            view = LexiconView(self.lexicon, {})
            fitting = [a for a in rule.alternatives if a.when.among(view) >> head.place & 1]
            self.chances[key] = (fitting, list(accumulate(a.weight for a in fitting)))
        fitting, steps = self.chances[key]
        if not fitting:
            self.failures[slot] += 1
            raise DeadEnd
        return fitting[bisect(steps, self.rng.random() * steps[-1])]

    def pool(self, which: Expression, bound: FilledSlots) -> Pool:
        """The words of which an expression is true, given the words drawn so far."""
        slots = self.slots_of.get(which)
        if slots is None:
            slots = self.slots_of[which] = tuple(slots_in(which))
        heads = {slot: bound[slot].head for slot in slots}
        key = (which, *heads.values())
        pool = self.pools.get(key)
        if pool is None:
            view = LexiconView(self.lexicon, {slot: head for slot, head in heads.items() if head is not None})
            words = which.among(view)
            pool = self.by_set.get(words)
            if pool is None:
                pool = self.by_set[words] = pool_of(self.lexicon, words)
            self.pools[key] = pool
        return pool


def pool_of(lexicon: Lexicon, words: int) -> Pool:
    """The pool of a set of words."""
    entries = tuple(lexicon.members(words))
    weights = [entry.weight for entry in entries]
    return Pool(entries, tuple(accumulate(weights)) if len(set(weights)) > 1 else ())


def fill_text(pattern: TextPattern, bound: FilledSlots) -> str:
    """A text with its holes filled."""
    return "".join(
        piece if isinstance(piece, str) else agreeing_form(bound[piece.name], piece.form, bound) for piece in pattern
    )


def agreeing_form(filler: Filler, form: str, bound: FilledSlots) -> str:
    """The form of a word or phrase that a hole asks for: by name, or the one that agrees with another slot.

    Parts that a word does not show are passed over from the right: `past.sing` is the past.
    """
    if not form:
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
    """One part of a form: its name, or what the word in a slot asks of words that agree with it, or the contrary."""
    if part.startswith("!"):
        if bound[part[1:]].governs not in OTHER_NUMBER:
            raise MissingForm
        return OTHER_NUMBER[bound[part[1:]].governs]
    return bound[part].governs if part in bound else part
