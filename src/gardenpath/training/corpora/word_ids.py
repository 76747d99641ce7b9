"""A text in memory, read once: its vocabulary and its word ids.

The ids are those of `encode_corpus`, which keeps them on disk and reads the text a second time, after its words have
been counted.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from gardenpath.io.digest import digest_file
from gardenpath.text.corpus_reader import END_MARK, ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import BEGIN, END, Vocabulary, WordIds
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.corpora.word_counts import WordCounts, class_counts, vocabulary_of
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.training.threads import map_in_threads

OTHER_SPACE = re.compile(r"[^\S\n ]")


def block_tokens(block: TextBlock, reading: Reading) -> pl.Series:
    """The words of a block, every sentence followed by </s>."""
    text = block.text.lower() if reading.lower else block.text
    as_it_is = reading.layout == "lines" and reading.split == "blanks"
    if not as_it_is or any(mark in text for mark in (BEGIN, END, END_MARK)) or OTHER_SPACE.search(text):
        words = chain.from_iterable((*sentence, END) for sentence in block_words(block, reading))
        return pl.Series(list(words), dtype=pl.String)
    # The same without a Python string per word.
    spaced = text.removesuffix("\n").replace("\n", f" {END} ") + f" {END}"
    tokens = pl.Series([spaced]).str.split(" ").explode()
    tokens = tokens.filter(tokens != "")
    is_end = tokens == END
    return tokens.filter(~(is_end & is_end.shift(fill_value=True)))  # an empty line is no sentence


def encode_in_memory(
    path: Path | str, reading: Reading, choice: VocabularyChoice, *, progress: ReportBytes | None = None
) -> tuple[Vocabulary, Corpus]:
    """Build the vocabulary of a text, and encode the text in its ids, every sentence followed by </s>."""
    digest = digest_file(path)
    work = partial(block_tokens, reading=reading)
    workers = 1 if reading.split == "blanks" else None  # splitting at spaces takes less time than starting a process
    blocks = map_blocks(Path(path), reading.layout, work, workers=workers, progress=progress)
    words, ids = assign_ids(blocks)
    is_end = ids == words.index(END)
    is_first = np.append(True, is_end[:-1])
    counts = WordCounts(str(path), count_ids(words, ids[is_first]), count_ids(words, ids[~is_first & ~is_end]))
    vocabulary = vocabulary_of(counts, choice, lower=reading.lower)
    first, later = ids_in(vocabulary, words)
    classes = class_counts(counts, vocabulary)
    encoded = np.where(is_first, first[ids], later[ids])
    return vocabulary, Corpus(encoded, counts.sentences, counts.tokens, classes.total(), classes, digest)


def assign_ids(blocks: Iterable[pl.Series]) -> tuple[list[str], NDArray[np.uint32]]:
    """Give every word of a text an id; return the words by id, and the text in ids."""
    dtype = pl.Categorical(pl.Categories.random())
    # Categories are forgotten with the last series that has them: all are kept until the end. One thread, so that a
    # block is looked up while the next is read, and ids depend on the text alone.
    tokens = pl.concat(map_in_threads(lambda block: block.cast(dtype), blocks, workers=1))
    distinct = tokens.unique()
    words = distinct.gather(distinct.to_physical().arg_sort()).cast(pl.String)
    return words.to_list(), tokens.to_physical().to_numpy()


def count_ids(words: list[str], ids: NDArray[np.uint32]) -> Counter[str]:
    """Count words that are given by id."""
    times: NDArray[np.int64] = np.bincount(ids, minlength=len(words))
    return Counter({words[number]: int(times[number]) for number in np.flatnonzero(times).tolist()})


def ids_in(vocabulary: Vocabulary, words: list[str]) -> tuple[WordIds, WordIds]:
    """The ids of words, in the case of a vocabulary, at the beginning of a sentence and elsewhere."""
    later = np.fromiter(map(vocabulary.ids.get, words, repeat(0)), dtype=np.int32, count=len(words))
    first = later.copy()
    for index in np.flatnonzero(later == 0).tolist():
        first[index], later[index] = (vocabulary.id_of(words[index], first=first) for first in (True, False))
    return first, later
