"""A lexicon: words with their forms, features and restrictions on their arguments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gardenpath.suites.grammar.restriction import Expression, words_satisfying

ARGUMENT_FEATURE = "argument"
"""The feature of words that can be arguments, which the reader adds: nouns and names."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One word of the lexicon; the singular and the plural of a noun are two words."""

    index: int
    """Its index in the lexicon."""
    category: str
    lemma: str
    forms: Mapping[str, str]
    form: str
    """The default form."""
    features: frozenset[str]
    restrictions: Mapping[str, Expression]
    """The restriction on each argument."""
    governs: str = ""
    """The form of words that agree with it or depend on it: the number of a noun, the verb form of an auxiliary."""
    weight: float = 1.0
    """The relative frequency with which it is drawn."""
    where: str = ""
    """Its row, for messages."""

    @property
    def head(self) -> "Entry":
        """The head: of a word, itself."""
        return self


@dataclass(frozen=True)
class Lexicon:
    """All words of a language; a set of words is an integer with a bit for each word."""

    name: str
    entries: tuple[Entry, ...]
    features: Mapping[str, str]
    """The meaning of each feature."""
    part: str = ""
    """Which lexicon of the language it is."""
    folder: Path = Path()
    """The folder of the language."""
    others: frozenset[str] = frozenset()
    """Words of the language that a smaller lexicon lacks; templates can exclude them all the same."""

    @cached_property
    def everything(self) -> int:
        """All words."""
        return (1 << len(self.entries)) - 1

    @cached_property
    def masks(self) -> dict[str, int]:
        """The words with each feature."""
        masks = dict.fromkeys(self.features, 0)
        for entry in self.entries:
            for feature in entry.features:
                masks[feature] |= 1 << entry.index
        return masks

    @cached_property
    def lemmas(self) -> dict[str, int]:
        """The words with each lemma."""
        lemmas = dict.fromkeys(self.others, 0)
        for entry in self.entries:
            lemmas[entry.lemma] = lemmas.get(entry.lemma, 0) | 1 << entry.index
        return lemmas

    @cached_property
    def satisfying(self) -> dict[Expression, int]:
        """The words that satisfy each restriction in the lexicon."""
        view = LexiconView(self, {})
        restrictions = dict.fromkeys(expression for entry in self.entries for expression in entry.restrictions.values())
        return {expression: words_satisfying(expression, view) for expression in restrictions}

    @cached_property
    def restrictors(self) -> dict[str, list[tuple[int, int]]]:
        """For each argument, the sets of words that are allowed, and the words that allow exactly these."""
        restrictors: dict[str, dict[int, int]] = {}
        for entry in self.entries:
            for argument, expression in entry.restrictions.items():
                sets = restrictors.setdefault(argument, {})
                wanted = self.satisfying[expression]
                sets[wanted] = sets.get(wanted, 0) | 1 << entry.index
        return {argument: list(sets.items()) for argument, sets in restrictors.items()}

    @cached_property
    def sounds(self) -> dict[str, bool]:
        """Words whose first letter misrepresents their first sound, and whether this is a vowel."""
        marked = [entry for entry in self.entries if entry.features & {"vowel", "consonant"}]
        return {form: "vowel" in entry.features for entry in marked for form in entry.forms.values()}

    @cached_property
    def form_names(self) -> frozenset[str]:
        """The names of all forms, and of their parts."""
        return frozenset(part for entry in self.entries for form in entry.forms for part in form.split("."))

    def members(self, words: int) -> Iterator[Entry]:
        """Yield the words of a set, in order."""
        while words:
            lowest = words & -words
            yield self.entries[lowest.bit_length() - 1]
            words ^= lowest


@dataclass(frozen=True, slots=True)
class LexiconView:
    """A lexicon together with the words in the slots so far, against which expressions are evaluated."""

    lexicon: Lexicon
    bound: Mapping[str, Entry]

    def fitting(self, slot: str, argument: str) -> int:
        """Return the words that the word in a slot takes as its argument; none if it has no such argument."""
        expression = self.bound[slot].restrictions.get(argument)
        return 0 if expression is None else self.lexicon.satisfying[expression]

    def taking(self, slot: str, argument: str) -> int:
        """Return the words that take the word in a slot as their argument."""
        index = self.bound[slot].index
        found = 0
        for wanted, restrictors in self.lexicon.restrictors.get(argument, ()):
            if wanted >> index & 1:
                found |= restrictors
        return found

    def agreeing(self, slot: str) -> int:
        """Return the words that have the number of the word in a slot."""
        return self.lexicon.masks.get(self.bound[slot].governs, 0)

    def taking_only(self, argument: str, allowed: int) -> int:
        """Return the words that take nothing but the allowed words as their argument."""
        found = 0
        for wanted, restrictors in self.lexicon.restrictors.get(argument, ()):
            # Restrictions are on nouns: it is irrelevant that `!animal` is true of verbs, too.
            nouns = wanted & self.lexicon.masks[ARGUMENT_FEATURE]
            if nouns and not nouns & ~allowed:
                found |= restrictors
        return found
