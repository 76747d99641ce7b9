"""A text in memory, read once: its vocabulary and its numbers, for whoever needs all of it at the same time.

The numbers are those of `encode_corpus`, which keeps them on disk and reads the text a second time, after its words
have been counted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.io.digest import digest_file
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import END, Vocabulary, WordIds
from gardenpath.training.corpora.corpus import WordCounts, class_counts, vocabulary_of
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.specs.parts import VocabularyChoice


class Numbering(dict[str, int]):
    """A number for every word that is asked for, in the order of first occurrence; sentences end with 0."""

    def __init__(self) -> None:
        super().__init__({END: 0})

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number

    def number(self, words: Sequence[str]) -> WordIds:
        """The numbers of some words; new ones get one."""
        return np.fromiter(map(self.__getitem__, words), dtype=np.int32, count=len(words))


@dataclass(frozen=True, slots=True)
class NumberedBlock:
    """Some sentences in numbers of their own."""

    words: list[str]
    numbers: WordIds


def number_block(block: TextBlock, reading: Reading) -> NumberedBlock:
    """The distinct words of a block, and the block in their numbers."""
    numbering = Numbering()
    words = list(chain.from_iterable((*sentence, END) for sentence in block_words(block, reading)))
    numbers = numbering.number(words)
    return NumberedBlock(list(numbering), numbers)


def number_text(
    path: Path | str,
    reading: Reading,
    choice: VocabularyChoice,
    *,
    workers: int | None = None,
    progress: ReportBytes | None = None,
) -> tuple[Vocabulary, Corpus]:
    """The vocabulary of a text, and the text in its numbers, every sentence followed by </s>."""
    digest = digest_file(path)
    numbering = Numbering()
    work = partial(number_block, reading=reading)
    blocks = map_blocks(Path(path), reading.layout, work, workers=workers, progress=progress)
    numbers = np.concatenate([numbering.number(block.words)[block.numbers] for block in blocks])
    is_end = numbers == 0
    is_first = np.append(True, is_end[:-1]) & ~is_end
    words = list(numbering)
    counts = WordCounts(str(path), count(words, numbers[is_first]), count(words, numbers[~is_first & ~is_end]))
    vocabulary = vocabulary_of(counts, choice, lower=reading.lower)
    first, later = (numbers_in(vocabulary, words, first=first) for first in (True, False))
    ids = np.where(is_first, first[numbers], later[numbers])
    classes = class_counts(counts, vocabulary)
    return vocabulary, Corpus(ids, counts.sentences, counts.tokens, classes.total(), classes, digest)


def count(words: list[str], numbers: WordIds) -> Counter[str]:
    """How often words occur, given by number."""
    times: NDArray[np.int64] = np.bincount(numbers, minlength=len(words))
    return Counter({words[number]: int(times[number]) for number in np.flatnonzero(times).tolist()})


def numbers_in(vocabulary: Vocabulary, words: list[str], *, first: bool) -> WordIds:
    """The numbers that words have in a vocabulary; the first of them is the end of a sentence."""
    numbers = (vocabulary.id_of(word, first=first) for word in words[1:])
    return np.fromiter(chain([vocabulary.ids[END]], numbers), dtype=np.int32, count=len(words))
