"""The words of a Maze that need a distractor: aligned over the conditions of an item, with candidates for each."""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from gardenpath.human.distractor_words import english_vocabulary
from gardenpath.human.study import Stimulus

CANDIDATES, RESERVE = 12, 24
"""Candidates for every word, of which one is taken, and further ones that are tried where all of them fit."""
AFFIXES = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)
"""Punctuation before a word, the word, punctuation behind it."""

Words = tuple[str, ...]
Occurrence = tuple[str, int]
"""A condition, and the index of a word in its sentence."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Words of the conditions of an item that are aligned and have one distractor."""

    occurrences: tuple[Occurrence, ...]
    candidates: tuple[str, ...]
    reserve: tuple[str, ...] = ()
    """Further candidates, which other slots may have in reserve, too."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The slots of an item, with the words of its sentences."""

    stimulus: Stimulus
    words: Mapping[str, Words]
    slots: tuple[Slot, ...]


def split_words(stimulus: Stimulus, condition: str) -> Words:
    """The words of a sentence as a Maze shows them: what stands between spaces."""
    return tuple(stimulus.sentences[condition].text.split())


def split_affixes(piece: str) -> tuple[str, str, str]:
    """The punctuation before a word, the word, the punctuation behind it; marks alone count as a word.

    >>> split_affixes("“dogs,”")
    ('“', 'dogs', ',”')
    """
    opening, core, closing = AFFIXES.fullmatch(piece).groups()  # type: ignore[union-attr]  # it matches every text
    return (opening, core, closing) if core else ("", piece, "")


def dress(candidate: str, piece: str) -> str:
    """Write a word with the capitals and the punctuation of another.

    >>> dress("table", "Dogs,")
    'Table,'
    """
    opening, core, closing = split_affixes(piece)
    return f"{opening}{with_capitals(candidate, core)}{closing}"


def with_capitals(candidate: str, word: str) -> str:
    """Write a word with capitals where another has them: all letters, or the first."""
    if word.isupper() and len(word) > 1:
        return candidate.upper()
    return candidate[0].upper() + candidate[1:] if word[:1].isupper() else candidate


def align_conditions(sentences: Mapping[str, Words]) -> list[tuple[Occurrence, ...]]:
    """Group the words of several sentences that are aligned: equal words, then words put in place of others."""
    slots: list[list[Occurrence]] = []
    of: dict[Occurrence, int] = {}
    for condition, words in sentences.items():
        mine: dict[int, int] = {}
        for kind in ("equal", "replace"):
            for earlier in sentences:
                if earlier == condition:
                    break
                for before, index in matching_words(sentences[earlier], words, kind):
                    slot = of[earlier, before]
                    if index not in mine and slot not in mine.values():
                        mine[index] = slot
        for index in range(len(words)):
            if index not in mine:
                mine[index] = len(slots)
                slots.append([])
            slots[mine[index]].append((condition, index))
            of[condition, index] = mine[index]
    return [tuple(slot) for slot in slots]


def matching_words(first: Words, second: Words, kind: str) -> Iterator[tuple[int, int]]:
    """Yield the indices of words of two sentences that are equal, or that replace one another word for word."""
    mine, others = ([split_affixes(piece)[1].lower() for piece in words] for words in (first, second))
    for code, at, to, start, end in SequenceMatcher(None, mine, others, autojunk=False).get_opcodes():
        if code == kind and to - at == end - start:
            yield from zip(range(at, to), range(start, end), strict=True)


def draw_candidates(stimulus: Stimulus, seed: int) -> Drawn:
    """Draw the candidates of every slot of an item: no word of its sentences, none in two slots."""
    vocabulary = english_vocabulary()
    rng = random.Random(f"{seed}\n{stimulus.suite}\n{stimulus.item}")
    words = {condition: split_words(stimulus, condition) for condition in stimulus.sentences}
    cores = {condition: [split_affixes(piece)[1].lower() for piece in pieces] for condition, pieces in words.items()}
    avoid = vocabulary.related({core for row in cores.values() for core in row})
    aligned = [tuple(one for one in slot if one[1] > 0) for slot in align_conditions(words)]
    wanted = []
    for occurrences in filter(None, aligned):
        shown = [cores[condition][index] for condition, index in occurrences]
        length = sum(map(len, shown)) / len(shown)
        bits = sum(map(vocabulary.frequencies.of, shown)) / len(shown)
        candidates = vocabulary.draw(length, bits, count=CANDIDATES, avoid=avoid, rng=rng)
        avoid |= set(candidates)
        wanted.append((occurrences, candidates, length, bits))
    slots = [
        Slot(occurrences, tuple(candidates), tuple(vocabulary.draw(*like, count=RESERVE, avoid=avoid, rng=rng)))
        for occurrences, candidates, *like in wanted
    ]
    return Drawn(stimulus, words, tuple(slots))
