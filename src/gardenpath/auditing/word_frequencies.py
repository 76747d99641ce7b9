"""Word frequencies: a table of English that comes with gardenpath, or counts from a text."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gardenpath.auditing.words import lowercase_words
from gardenpath.errors import InputError
from gardenpath.io.text_files import explain_read_errors

ENGLISH = Path(__file__).parent / "english.tsv"
"""Zipf values by wordfreq (Speer 2022) of word forms from 3 upwards, and of all words of the built-in suites."""
UNSEEN_ZIPF = 2.0
"""Zipf value of a word that is not in the table: once in ten million words."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """The unigram surprisal of words, in bits."""

    name: str
    bits: Mapping[str, float]
    unseen: float
    """Bits of a word that is not in the table."""

    def of(self, word: str) -> float:
        """The unigram surprisal of a word."""
        return self.bits.get(word, self.unseen)

    def __contains__(self, word: str) -> bool:
        return word in self.bits


@cache
def english() -> Frequencies:
    """Read the table that comes with gardenpath; Zipf value: log10 of the occurrences in a billion words."""
    rows = (line.split("\t") for line in ENGLISH.read_text(encoding="utf-8").split("\n")[1:] if line)
    bits = {word: zipf_bits(float(zipf)) for word, zipf in rows}
    return Frequencies("English (wordfreq)", bits, zipf_bits(UNSEEN_ZIPF))


def zipf_bits(zipf: float) -> float:
    """The surprisal of a word with a Zipf value."""
    return (9 - zipf) * math.log2(10)


def count_frequencies(lines: Iterable[str], name: str) -> Frequencies:
    """Count the words of a text; an unseen word counts as half an occurrence."""
    counts = Counter(word for line in lines for word in lowercase_words(line))
    total = counts.total()
    if not total:
        raise InputError(f"{name} has no words; name a text to count words in")
    bits = {word: -math.log2(count / total) for word, count in counts.items()}
    return Frequencies(name, bits, -math.log2(0.5 / total))


def count_frequencies_in_file(path: Path) -> Frequencies:
    """Count the words of a text file, line by line."""
    with explain_read_errors(path), path.open(encoding="utf-8-sig") as lines:
        return count_frequencies(lines, str(path))
