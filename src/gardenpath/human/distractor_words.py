"""Words that can be distractors of a Maze: the open-class words of the English lexicon, with their frequencies."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from gardenpath.auditing.word_frequencies import Frequencies, english
from gardenpath.suites.grammar.lexicon_file import LANGUAGES_FOLDER, load_lexicon

OPEN_CLASSES = ("noun", "verb", "adjective", "adverb")
"""Categories of candidates. Names and words of closed classes continue too many sentences."""
GOVERNED = "preposition"
"""The form of an entry that is a word of its own: the preposition that a verb or noun takes."""
NEAREST = 4
"""Candidates are drawn from so many times as many words: those nearest in frequency."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Candidates, the frequencies of words, and which words are forms of the same word."""

    candidates: Mapping[int, tuple[str, ...]]
    """By length; in lower case, sorted."""
    frequencies: Frequencies
    relatives: Mapping[str, frozenset[str]]
    """For every form, all forms of its lemmas."""

    def related(self, words: Collection[str]) -> set[str]:
        """Words in lower case and all forms of them: beside *barks*, *bark* would be a trap."""
        return {form for word in words for form in (word, *self.relatives.get(word, ()))}

    def draw(self, length: float, bits: float, *, count: int, avoid: Collection[str], rng: random.Random) -> list[str]:
        """Draw words within one character of a length, or more where these are too few, and of similar frequency.

        bits: the unigram surprisal that words should have.
        """
        near: list[str] = []
        for widening in range(1, round(length + max(self.candidates, default=0)) + 1):
            sizes = [size for size in self.candidates if abs(size - length) <= widening]
            near = [word for size in sizes for word in self.candidates[size] if word not in avoid]
            if len(near) >= count:
                break
        nearest = sorted(near, key=lambda word: (abs(self.frequencies.of(word) - bits), word))[: NEAREST * count]
        # Only random() is the same in every version of Python.
        return [word for _, word in sorted((rng.random(), word) for word in nearest)[:count]]


@cache
def english_vocabulary() -> Vocabulary:
    """Build the vocabulary of the full English lexicon; words too rare for the table of frequencies are left out."""
    frequencies = english()
    entries = load_lexicon(LANGUAGES_FOLDER / "english").entries
    closed = {
        form for entry in entries if entry.category not in (*OPEN_CLASSES, "name") for form in entry.forms.values()
    }
    closed |= {entry.forms[GOVERNED] for entry in entries if GOVERNED in entry.forms}
    candidates: set[str] = set()
    families: dict[str, set[str]] = {}
    for entry in entries:
        forms = {form for name, form in entry.forms.items() if name != GOVERNED}
        families.setdefault(entry.lemma, set()).update(form.lower() for form in forms)
        if entry.category in OPEN_CLASSES:
            candidates |= {form for form in forms if form.isalpha() and form == form.lower() and form in frequencies}
    relatives: dict[str, set[str]] = {}
    for family in families.values():
        for form in family:
            relatives.setdefault(form, set()).update(family)
    frozen = {form: frozenset(family) for form, family in relatives.items()}
    by_length = {size: tuple(sorted(words)) for size, words in group_by_length(candidates - closed).items()}
    return Vocabulary(by_length, frequencies, frozen)


def group_by_length(words: Collection[str]) -> dict[int, list[str]]:
    """Group words by their numbers of characters."""
    groups: dict[int, list[str]] = {}
    for word in words:
        groups.setdefault(len(word), []).append(word)
    return groups
