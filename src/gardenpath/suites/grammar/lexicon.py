"""A lexicon: words with their forms, features and what they ask of their arguments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gardenpath.suites.grammar.restriction import Expression


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One word of the lexicon; a noun in the singular and in the plural are two."""

    place: int
    """Its number in the lexicon."""
    category: str
    lemma: str
    forms: Mapping[str, str]
    form: str
    """The form it stands in where none is asked for."""
    features: frozenset[str]
    restrictions: Mapping[str, Expression]
    """What it asks of each argument."""
    governs: str = ""
    """The form it asks of a word that agrees with it or depends on it: a noun its number, an auxiliary a verb form."""
    weight: float = 1.0
    """How often it is drawn, against others."""
    where: str = ""
    """Its row, for messages."""

    @property
    def head(self) -> "Entry":
        """The word that a phrase is about: of a word, itself."""
        return self


@dataclass(frozen=True)
class Lexicon:
    """All words of a language; a set of words is an integer with a bit for each."""

    name: str
    entries: tuple[Entry, ...]
    features: Mapping[str, str]
    """What each feature means."""

    @cached_property
    def everything(self) -> int:
        """All words."""
        return (1 << len(self.entries)) - 1

    @cached_property
    def masks(self) -> dict[str, int]:
        """The words that have each feature."""
        masks = dict.fromkeys(self.features, 0)
        for entry in self.entries:
            for feature in entry.features:
                masks[feature] |= 1 << entry.place
        return masks

    @cached_property
    def lemmas(self) -> dict[str, int]:
        """The words that a dictionary has under each lemma."""
        lemmas: dict[str, int] = {}
        for entry in self.entries:
            lemmas[entry.lemma] = lemmas.get(entry.lemma, 0) | 1 << entry.place
        return lemmas

    @cached_property
    def satisfying(self) -> dict[Expression, int]:
        """The words of which each restriction in the lexicon is true."""
        view = LexiconView(self, {})
        asked = dict.fromkeys(expression for entry in self.entries for expression in entry.restrictions.values())
        return {expression: expression.among(view) for expression in asked}

    @cached_property
    def askers(self) -> dict[str, list[tuple[int, int]]]:
        """For each argument, the sets of words that are asked for, and the words that ask for them."""
        askers: dict[str, dict[int, int]] = {}
        for entry in self.entries:
            for argument, expression in entry.restrictions.items():
                sets = askers.setdefault(argument, {})
                wanted = self.satisfying[expression]
                sets[wanted] = sets.get(wanted, 0) | 1 << entry.place
        return {argument: list(sets.items()) for argument, sets in askers.items()}

    @cached_property
    def sounds(self) -> dict[str, bool]:
        """Words whose first sound is not what their first letter says, and whether it is a vowel."""
        odd = [entry for entry in self.entries if entry.features & {"vowel", "consonant"}]
        return {form: "vowel" in entry.features for entry in odd for form in entry.forms.values()}

    @cached_property
    def form_names(self) -> frozenset[str]:
        """The names of all forms, and of their parts."""
        return frozenset(part for entry in self.entries for form in entry.forms for part in form.split("."))

    def members(self, words: int) -> Iterator[Entry]:
        """The words of a set, in order."""
        while words:
            lowest = words & -words
            yield self.entries[lowest.bit_length() - 1]
            words ^= lowest


@dataclass(frozen=True, slots=True)
class LexiconView:
    """A lexicon together with the words in the slots so far: what expressions are asked of."""

    lexicon: Lexicon
    bound: Mapping[str, Entry]

    @property
    def everything(self) -> int:
        """All words."""
        return self.lexicon.everything

    def having(self, feature: str) -> int:
        """The words that have a feature."""
        return self.lexicon.masks[feature]

    def called(self, lemma: str) -> int:
        """The words that a dictionary has under a lemma."""
        return self.lexicon.lemmas[lemma]

    def fitting(self, slot: str, argument: str) -> int:
        """The words that what is in a slot takes as its argument; none where it has no such argument."""
        expression = self.bound[slot].restrictions.get(argument)
        return 0 if expression is None else self.lexicon.satisfying[expression]

    def taking(self, slot: str, argument: str) -> int:
        """The words that take what is in a slot as their argument."""
        place = self.bound[slot].place
        found = 0
        for wanted, askers in self.lexicon.askers.get(argument, ()):
            if wanted >> place & 1:
                found |= askers
        return found

    def taking_only(self, argument: str, allowed: int) -> int:
        """The words that take nothing but these as their argument."""
        found = 0
        for wanted, askers in self.lexicon.askers.get(argument, ()):
            # Restrictions are on nouns: that `!animal` is true of verbs too means nothing.
            nouns = wanted & self.lexicon.masks[ARGUMENT_FEATURE]
            if nouns and not nouns & ~allowed:
                found |= askers
        return found


ARGUMENT_FEATURE = "argument"
"""The feature of words that can be arguments, worked out: nouns and names."""
