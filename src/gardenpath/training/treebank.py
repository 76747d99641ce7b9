"""Treebanks: the normalised trees of a file, what they amount to, and their words and actions as numbers."""

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.transitions import Actions, Labels, add_actions
from gardenpath.models.tree import Tree
from gardenpath.models.vocabulary import BEGIN, END, Vocabulary, WordIds
from gardenpath.training.brackets import Placed, place, read_placed_trees
from gardenpath.training.corpus import WordCounts
from gardenpath.training.normalise import TreeOptions, normalise
from gardenpath.training.reading import Progress

Starts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Survey:
    """What a treebank amounts to, as it was normalised."""

    words: WordCounts
    """Of its words; `vocabulary_of` makes a vocabulary of them."""
    labels: Counter[str] = field(default_factory=Counter)
    """How many constituents have each label; `labels_of` makes the labels of a model of them."""
    depths: Counter[int] = field(default_factory=Counter)
    """How many sentences have so many constituents open at once, at most."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many sentences have so many words."""
    left_out: list[int] = field(default_factory=list)
    """The lines of trees that hold no word."""

    @property
    def mean_depth(self) -> float:
        """Of sentences."""
        return sum(depth * count for depth, count in self.depths.items()) / self.depths.total()


@dataclass(frozen=True, slots=True)
class TreeCorpus:
    """The sentences of a treebank as numbers, one behind the other."""

    words: WordIds
    word_starts: Starts
    """Where the words of each sentence begin, and where those of the last one end."""
    actions: Actions
    action_starts: Starts
    """Where the actions of each sentence begin, and where those of the last one end."""

    def __len__(self) -> int:
        return len(self.word_starts) - 1

    def sentence(self, place: int) -> tuple[WordIds, Actions]:
        """The words and the actions of one sentence."""
        words = self.words[self.word_starts[place] : self.word_starts[place + 1]]
        return words, self.actions[self.action_starts[place] : self.action_starts[place + 1]]


def read_treebank(path: Path | str, options: TreeOptions | None = None) -> Iterator[Tree]:
    """The normalised trees of a file, one by one; those that hold no word are passed over (`survey` tells them)."""
    return (tree for _, tree in normalised(path, options) if tree is not None)


def normalised(
    path: Path | str, options: TreeOptions | None = None, *, progress: Progress | None = None
) -> Iterator[tuple[Placed, Tree | None]]:
    """Every tree of a file and what it is when normalised; None where no word is left of it."""
    found = False
    for placed in read_placed_trees(path, progress=progress):
        try:
            tree = normalise(placed.tree, options)
        except InputError as error:
            raise InputError(f"{place(path, placed.line, placed.sentence)}: {error}") from error
        found = found or tree is not None
        yield placed, tree
    if not found:
        raise InputError(f"{path}: none of its trees holds a word; name a treebank with words")


def survey(path: Path | str, options: TreeOptions | None = None, *, progress: Progress | None = None) -> Survey:
    """Count sentences, words, labels and depths of a treebank, which is read once."""
    found = Survey(WordCounts(str(path)))
    for placed, tree in normalised(path, options, progress=progress):
        if tree is None:
            found.left_out.append(placed.line)
            continue
        first, *later = words = tree.words()
        if BEGIN in words or END in words:
            raise InputError(
                f"{place(path, placed.line, placed.sentence)}: a word is {BEGIN} or {END}, which are kept for the "
                "edges of sentences; leave them out, or write them differently"
            )
        found.words.first[first] += 1
        found.words.later.update(later)
        found.labels.update(tree.labels())
        found.depths[tree.depth()] += 1
        found.lengths[len(words)] += 1
    return found


def encode_treebank(
    path: Path | str, vocabulary: Vocabulary, labels: Labels, options: TreeOptions | None = None
) -> TreeCorpus:
    """The words and actions of a treebank; a label that is none of the model's is told with line and sentence."""
    words, actions = array("i"), array("i")
    word_starts, action_starts = array("q", [0]), array("q", [0])
    for placed, tree in normalised(path, options):
        if tree is None:
            continue
        taken: list[int] = []
        try:
            add_actions(tree, labels, taken)
        except InputError as error:
            raise InputError(f"{place(path, placed.line, placed.sentence)}: {error}") from error
        actions.extend(taken)
        words.extend(vocabulary.number(word, first=not at) for at, word in enumerate(tree.words()))
        word_starts.append(len(words))
        action_starts.append(len(actions))
    return TreeCorpus(
        np.array(words, dtype=np.int32),
        np.array(word_starts),
        np.array(actions, dtype=np.int32),
        np.array(action_starts),
    )
