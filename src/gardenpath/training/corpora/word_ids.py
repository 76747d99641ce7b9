"""A text in memory, read once: its vocabulary and its word ids.

The ids are those of `encode_corpus`, which keeps them on disk and reads the text a second time, after its words have
been counted.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.io.digest import digest_file
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import END, Vocabulary, WordIds
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.corpora.word_counts import WordCounts, class_counts, vocabulary_of
from gardenpath.training.specs.parts import VocabularyChoice


class WordIdTable(dict[str, int]):
    """An id for every word, in the order of first occurrence; sentences end with 0."""

    def __init__(self) -> None:
        super().__init__({END: 0})

    def __missing__(self, word: str) -> int:
        self[word] = index = len(self)
        return index

    def encode(self, words: Sequence[str]) -> WordIds:
        """The ids of some words; new words get new ids."""
        return np.fromiter(map(self.__getitem__, words), dtype=np.int32, count=len(words))


def encode_own_ids(block: TextBlock, reading: Reading) -> tuple[list[str], WordIds]:
    """The distinct words of a block, and the block in ids of their own."""
    table = WordIdTable()
    words = list(chain.from_iterable((*sentence, END) for sentence in block_words(block, reading)))
    ids = table.encode(words)
    return list(table), ids


def encode_in_memory(
    path: Path | str, reading: Reading, choice: VocabularyChoice, *, progress: ReportBytes | None = None
) -> tuple[Vocabulary, Corpus]:
    """Build the vocabulary of a text, and encode the text in its ids, every sentence followed by </s>."""
    digest = digest_file(path)
    table = WordIdTable()
    work = partial(encode_own_ids, reading=reading)
    workers = 1 if reading.split == "blanks" else None  # splitting at spaces takes less time than starting a process
    blocks = map_blocks(Path(path), reading.layout, work, workers=workers, progress=progress)
    ids = np.concatenate([table.encode(words)[own] for words, own in blocks])
    is_end = ids == 0
    is_first = np.append(True, is_end[:-1]) & ~is_end
    words = list(table)
    counts = WordCounts(str(path), count_ids(words, ids[is_first]), count_ids(words, ids[~is_first & ~is_end]))
    vocabulary = vocabulary_of(counts, choice, lower=reading.lower)
    first, later = (ids_in(vocabulary, words, first=first) for first in (True, False))
    ids = np.where(is_first, first[ids], later[ids])
    classes = class_counts(counts, vocabulary)
    return vocabulary, Corpus(ids, counts.sentences, counts.tokens, classes.total(), classes, digest)


def count_ids(words: list[str], ids: WordIds) -> Counter[str]:
    """Count words that are given by id."""
    times: NDArray[np.int64] = np.bincount(ids, minlength=len(words))
    return Counter({words[number]: int(times[number]) for number in np.flatnonzero(times).tolist()})


def ids_in(vocabulary: Vocabulary, words: list[str], *, first: bool) -> WordIds:
    """The ids of words in a vocabulary; the first of them is the end of a sentence."""
    ids = (vocabulary.id_of(word, first=first) for word in words[1:])
    return np.fromiter(chain([vocabulary.ids[END]], ids), dtype=np.int32, count=len(words))
