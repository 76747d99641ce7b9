"""The sizes of corpora: Table 1 of Hu et al. (2020), and unknown words of held-out texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.folders import list_treebank
from gardenpath.training.corpora.treebank import read_words
from gardenpath.training.corpora.watch import Watch, unwatched
from gardenpath.training.corpora.word_counts import WordCounts, class_counts, count_words, unseen_classes, vocabulary_of
from gardenpath.training.specs.corpora import CorpusStatisticsSpec


@dataclass(frozen=True, slots=True)
class TrainingSize:
    """A row of Table 1."""

    corpus: str
    sentences: int
    tokens: int
    types: int
    non_unk_types: int
    """Words with an id of their own."""
    unk_types: int
    """Classes of unknown words that occur."""
    unknown_rate: float
    """Of the tokens."""


@dataclass(frozen=True, slots=True)
class HeldOutSize:
    """A held-out text under the vocabulary of a training corpus."""

    text: str
    corpus: str
    """Of training."""
    sentences: int
    tokens: int
    types: int
    unk_types: int
    unknown_rate: float
    unseen_classes: Mapping[str, int]
    """Classes of unknown words that never occur in training, with their number of words."""


@dataclass(frozen=True, slots=True)
class CorpusTable:
    """The sizes of training corpora and of held-out texts."""

    training: tuple[TrainingSize, ...]
    held_out: tuple[HeldOutSize, ...]

    def unseen_notes(self) -> list[str]:
        """The classes of unknown words of held-out texts that never occur in training."""
        return [
            f"{row.text}: classes of unknown words that never occur in {row.corpus}: "
            + ", ".join(f"{name} ({count:,})" for name, count in row.unseen_classes.items())
            for row in self.held_out
            if row.unseen_classes
        ]


def count_tree_words(path: Path, sections: str, *, lower: bool, progress: ReportBytes | None) -> WordCounts:
    """Count the words of a treebank, without traces."""
    counts = WordCounts(str(path))
    for words in read_words(list_treebank(path, sections), progress=progress):
        first, *later = map(str.lower, words) if lower else words
        counts.first[first] += 1
        counts.later.update(later)
    return counts


def measure_corpora(
    training: Sequence[Path], held_out: Sequence[Path], spec: CorpusStatisticsSpec, *, workers: int | None = None,
    watch: Watch = unwatched,
) -> CorpusTable:  # fmt: skip
    """Measure training corpora, and held-out texts under the vocabulary of each; a text is read once.

    With the layout `trees` they are treebanks; sections are those of training.
    """

    def count(path: Path, sections: str = "") -> WordCounts:
        with watch(path) as report:
            if spec.layout == "trees":
                return count_tree_words(path, sections, lower=spec.lower, progress=report)
            how = Reading(spec.layout, spec.split, spec.lower)
            return count_words(path, how, workers=workers, progress=report)

    texts = {path: count(path) for path in held_out}
    rows: list[TrainingSize] = []
    held_rows: list[HeldOutSize] = []
    for path in training:
        counts = count(path, spec.sections)
        vocabulary = vocabulary_of(counts, spec, lower=spec.lower)
        classes = class_counts(counts, vocabulary)
        own_words = len(vocabulary) - 2 - len(vocabulary.symbols)
        rows.append(TrainingSize(corpus=str(path), non_unk_types=own_words, **text_size(counts, classes)))
        for text, other in texts.items():
            found = class_counts(other, vocabulary)
            unseen = unseen_classes(classes, found)
            held_rows.append(HeldOutSize(str(text), str(path), unseen_classes=unseen, **text_size(other, found)))
    return CorpusTable(tuple(rows), tuple(held_rows))


def text_size(counts: WordCounts, classes: Mapping[str, int]) -> dict[str, Any]:
    """Measure a text and its unknown words."""
    return {
        "sentences": counts.sentences, "tokens": counts.tokens, "types": len(counts.totals()),
        "unk_types": len(classes), "unknown_rate": sum(classes.values()) / counts.tokens,
    }  # fmt: skip
