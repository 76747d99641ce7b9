"""The words that a model knows, with which suites are filled: a list, a vocabulary of gardenpath, a model folder."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_text
from gardenpath.io.numbers import parse_decimal
from gardenpath.io.text_files import read_text
from gardenpath.text.penn import penn_sentences
from gardenpath.text.vocabulary import read_vocabulary

SUBWORDS_FILE = "tokenizer.json"
"""What the folder of a model of sub-words has instead."""
OF_A_TEXT = (
    "for the words of a running text, name a model trained on it: `gardenpath train ngram --order 1 --corpus TEXT "
    "--out words`, then --vocabulary words"
)
VOCABULARY_FILE = "vocabulary.json"
"""The vocabulary in the folder of a trained model."""

PLAIN = re.compile(r"[A-Za-z]+(?:[- ][A-Za-z]+)*")
"""Texts whose words are separated by spaces alone."""


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Words with their counts; spelled in lower case only if the model knows no capital letters."""

    counts: Mapping[str, float]
    """1 for every word if there are no counts."""
    lower: bool = False
    """Whether texts are put into lower case before they are looked up."""
    source: str = ""
    """Where they come from, for messages and metadata."""

    @cached_property
    def digest(self) -> str:
        """The digest of the words and counts."""
        return digest_text("\n".join(f"{word}\t{count:g}" for word, count in sorted(self.counts.items())))

    def unknown_in(self, text: str) -> list[str]:
        """Return the unknown words of a text, in order; words are those of the Penn Treebank.

        >>> KnownWords({"the": 5, "teacher": 1, "'s": 2}).unknown_in("the teacher's book")
        ['book']
        """
        spelled = text.lower() if self.lower else text
        words = spelled.split() if PLAIN.fullmatch(spelled) else penn_sentences([spelled])[0]
        return [word for word in words if word not in self.counts]

    def knows(self, text: str) -> bool:
        """Return whether all words of a text are known."""
        return not self.unknown_in(text)

    def weight(self, texts: Iterable[str]) -> float:
        """Return how often a word is drawn relative to others: 1 + log10 of the count of its most frequent form."""
        counts = [self.counts.get(text.lower() if self.lower else text, 1) for text in texts]
        return 1 + math.log10(max([1, *counts]))


def read_known_words(path: str | Path) -> KnownWords:
    """Read known words: one per line, perhaps with its count after a space or tab; a vocabulary.json; a model folder.

    Words of a list without any capital letter are those of a model that reads lower case only.
    """
    path = Path(path)
    file = path / VOCABULARY_FILE if path.is_dir() else path
    if not file.exists():
        if (path / SUBWORDS_FILE).exists():
            raise InputError(
                f"{path} holds a model that reads sub-words: it spells every word, so suites need not be filled with "
                "words it knows; leave out --vocabulary, or name a list of the words of its training text"
            )
        fault = f"there is no {VOCABULARY_FILE} in this folder" if path.is_dir() else "there is no such file"
        raise InputError(f"{path}: {fault}; name a list of words, a {VOCABULARY_FILE} or the folder of a trained model")
    if file.suffix == ".json":
        vocabulary = read_vocabulary(file)
        words = [word for word in vocabulary.words if vocabulary.has(word)]
        return KnownWords(dict.fromkeys(words, 1.0), vocabulary.lower, str(path))
    counts = read_word_counts(file)
    return KnownWords(counts, not any(word != word.lower() for word in counts), str(path))


def read_word_counts(path: Path) -> dict[str, float]:
    """Read a list of words, each perhaps with its count."""
    counts: dict[str, float] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        cells = line.split()
        where = f"{path}, line {number}"
        if len(cells) > 2:
            raise InputError(
                f"{where}: {line[:60]!r} is not a word, or a word and its count; write one word per line; {OF_A_TEXT}"
            )
        if cells:
            counts[cells[0]] = counts.get(cells[0], 0) + (read_count(cells[1], where) if len(cells) == 2 else 1)
    return counts


def read_count(text: str, where: str) -> float:
    """Return a count, a positive number."""
    try:
        count = parse_decimal(text)
    except InputError:
        count = math.nan
    if not 0 < count < math.inf:
        raise InputError(f"{where}: the count of a word must be a positive number, not {text!r}; {OF_A_TEXT}")
    return count
