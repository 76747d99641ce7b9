"""Counts of the words of a corpus, the vocabulary built from them, and checks of unknown words."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from gardenpath.errors import InputError
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import BEGIN, END, Vocabulary, fallback
from gardenpath.training.specs.parts import VocabularyChoice


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often words occur, at the beginning of a sentence and elsewhere; memory grows with types, not with tokens."""

    source: str
    """The name of the text, for messages."""
    first: Counter[str] = field(default_factory=Counter)
    later: Counter[str] = field(default_factory=Counter)

    @property
    def sentences(self) -> int:
        """How many sentences there are: each has one first word."""
        return self.first.total()

    @property
    def tokens(self) -> int:
        """How many words there are, sentence markers not counted."""
        return self.first.total() + self.later.total()

    def totals(self) -> Counter[str]:
        """How often every word occurs."""
        totals = self.later.copy()
        totals.update(self.first)
        return totals


def count_words(
    path: Path | str, reading: Reading, *, workers: int | None = None, progress: ReportBytes | None = None
) -> WordCounts:
    """Count the words of a text, reading it once."""
    counts = WordCounts(str(path))
    work = partial(count_block, reading=reading)
    for part in map_blocks(Path(path), reading.layout, work, workers=workers, progress=progress):
        counts.first.update(part.first)
        counts.later.update(part.later)
    return counts


def count_block(block: TextBlock, reading: Reading) -> WordCounts:
    """Count the words of one block."""
    sentences = block_words(block, reading)
    first = Counter(words[0] for words in sentences)
    later = Counter(chain.from_iterable(words[1:] for words in sentences))
    return WordCounts(str(block.path), first, later)


def vocabulary_of(counts: WordCounts, choice: VocabularyChoice, *, lower: bool = False) -> Vocabulary:
    """Build a vocabulary from counts; unknown words get the classes that occur among the words left out."""
    totals = counts.totals()
    if len(totals) < 2:
        raise InputError(
            f"{counts.source} has no word but {next(iter(totals), '')!r}, {counts.tokens:,} times; "
            "a model can learn nothing from one word: name a larger corpus"
        )
    symbols = Vocabulary((BEGIN, END, fallback(choice.unknown)), choice.unknown, lower=lower)
    frequent = [word for word, n in totals.items() if n >= choice.min_count and not symbols.is_symbol(word)]
    spelled = pl.DataFrame({"word": pl.Series(frequent, dtype=pl.String), "count": [totals[word] for word in frequent]})
    ranked = spelled.select(pl.arg_sort_by("count", "word", descending=[True, False])).to_series()
    words = [frequent[index] for index in ranked[: choice.vocabulary_size]]
    if not words:
        raise InputError(
            f"{counts.source}: no word occurs {choice.min_count} times or more in {counts.tokens:,} words; "
            "name a larger corpus, or a smaller minimum count (`--min-count 1`)"
        )
    if choice.unknown == "single":
        return replace(symbols, words=(*symbols.words, *words))
    closed = replace(symbols, words=(*symbols.words, *words))
    classes = sorted(class_counts(counts, closed).keys() - set(symbols.words))
    return replace(symbols, words=(*symbols.words, *classes, *words))


def class_counts(counts: WordCounts, vocabulary: Vocabulary) -> Counter[str]:
    """Count the words of a text in each class of unknown words, whether the vocabulary has the class or not."""
    found: Counter[str] = Counter()
    own = 2 + len(vocabulary.symbols)
    for part, first in ((counts.first, True), (counts.later, False)):
        # Most words are known as they are spelled, which is found out without a call for each.
        for word in [word for word in part if vocabulary.ids.get(word, 0) < own]:
            if not vocabulary.known(word):
                found[vocabulary.class_of(word, first=first)] += part[word]
    return found


def unseen_classes(training: Mapping[str, int], held_out: Mapping[str, int]) -> dict[str, int]:
    """The classes of a held-out text that never occur in training, with their number of words: no model can know them.

    Both are counts of classes, as `class_counts` and `Corpus.classes` give them (Hu et al. 2020, section 3.2).
    """
    return {name: count for name, count in sorted(held_out.items()) if not training.get(name)}


def unseen_note(training: Mapping[str, int], held_out: Mapping[str, int], name: str) -> str | None:
    """A note on classes of unknown words that never occur in training; None if there are none."""
    unseen = unseen_classes(training, held_out)
    if not unseen:
        return None
    listed = ", ".join(f"{name} ({count:,})" for name, count in unseen.items())
    total = sum(unseen.values())
    found = "1 unknown word is of a class that never occurs in training, and is"
    if total > 1:
        found = f"{total:,} unknown words are of classes that never occur in training, and are"
    return f"{name}: {found} read as the nearest shorter class: {listed}"


def vocabulary_record(choice: VocabularyChoice) -> dict[str, Any]:
    """How a vocabulary was made, as checkpoints record it."""
    return {"min_count": choice.min_count, "size": choice.vocabulary_size, "unknown": choice.unknown}
