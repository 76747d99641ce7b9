"""How frequent words are: a table of English that comes with gardenpath, or counts from a text."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gardenpath.auditing.words import split_words
from gardenpath.errors import InputError
from gardenpath.io.text_files import explain_read_errors

ENGLISH = Path(__file__).parent / "english.tsv"
"""Zipf values by wordfreq (Speer 2022) of forms of words from 3 upwards, and of all words of the built-in suites."""
RARE = 2.0
"""The Zipf value of a word that is not in the table: once in ten million words."""
LOG2_OF_10 = math.log2(10)


@dataclass(frozen=True, slots=True)
class Frequencies:
    """What every word costs on its own, in bits."""

    name: str
    bits: Mapping[str, float]
    unseen: float
    """Bits of a word that is not there."""

    def of(self, word: str) -> float:
        """The unigram surprisal of a word."""
        return self.bits.get(word, self.unseen)

    def __contains__(self, word: str) -> bool:
        return word in self.bits


@cache
def english() -> Frequencies:
    """The table that comes with gardenpath. Zipf value: log10 of how often a word occurs in a billion words."""
    lines = ENGLISH.read_text(encoding="utf-8").split("\n")[1:]
    rows = (line.split("\t") for line in lines if line)
    return Frequencies("English (wordfreq)", {word: zipf_bits(float(zipf)) for word, zipf in rows}, zipf_bits(RARE))


def zipf_bits(zipf: float) -> float:
    """The surprisal of a word with that Zipf value."""
    return (9 - zipf) * LOG2_OF_10


def counted(lines: Iterable[str], name: str) -> Frequencies:
    """Frequencies by the counts of a text; a word that is not in it counts like one seen half a time."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(split_words(line))
    total = counts.total()
    if not total:
        raise InputError(f"{name} holds no word; name a text to count words in")
    return Frequencies(
        name, {word: -math.log2(count / total) for word, count in counts.items()}, -math.log2(0.5 / total)
    )


def counted_in(path: Path) -> Frequencies:
    """Frequencies by the counts of a text file, which is read line by line."""
    with explain_read_errors(path), path.open(encoding="utf-8-sig") as lines:
        return counted(lines, str(path))
