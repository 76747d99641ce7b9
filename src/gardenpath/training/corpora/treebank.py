"""Treebanks: the normalised trees of a file, their sizes, and their words and actions as ids."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_lines
from gardenpath.io.write_errors import require_writable
from gardenpath.models.trained.rnng.trees import Limits
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.text.vocabulary import BEGIN, END, Vocabulary, WordIds
from gardenpath.training.corpora.folders import CorpusPaths, list_treebank
from gardenpath.training.corpora.watch import Watch, unwatched
from gardenpath.training.corpora.word_counts import WordCounts
from gardenpath.training.specs.corpora import TreebankSpec
from gardenpath.trees.brackets import locate_tree, read_placed_trees, write_trees
from gardenpath.trees.normalise import TreeOptions, no_words, read_normalised, spell_word
from gardenpath.trees.transitions import FIRST_LABEL, REDUCE, Actions, Labels, oracle
from gardenpath.trees.tree import Tree

Starts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Survey:
    """Counts of a normalised treebank."""

    words: WordCounts
    """Counts of words, from which `vocabulary_of` builds a vocabulary."""
    labels: Counter[str] = field(default_factory=Counter)
    """How many constituents have each label; `labels_of` takes the labels of a model from them."""
    depths: Counter[int] = field(default_factory=Counter)
    """How many sentences have so many constituents open at once, at most."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many sentences have so many words."""
    left_out: list[int | str] = field(default_factory=list)
    """Trees that hold no word: their lines; in a treebank of several files, file and line."""

    @property
    def mean_depth(self) -> float:
        """Of sentences."""
        return sum(depth * count for depth, count in self.depths.items()) / self.depths.total()

    def left_out_note(self) -> str:
        """How many trees hold no word, and where the first is."""
        first = self.left_out[0]
        where = f"line {first}" if isinstance(first, int) else first
        return f"{len(self.left_out):,} trees hold no word; first {where}"

    def record(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "treebank": self.words.source, "sentences": self.words.sentences, "tokens": self.words.tokens,
            "types": len(self.words.totals()), "longest": max(self.lengths), "constituents": self.labels.total(),
            "mean_depth": self.mean_depth, "depth": max(self.depths), "left_out": self.left_out,
            "labels": dict(self.labels.most_common()),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class TreeCorpus:
    """The sentences of a treebank as ids, one after another."""

    words: WordIds
    word_starts: Starts
    """Where the words of each sentence begin, and where those of the last one end."""
    actions: Actions
    action_starts: Starts
    """Where the actions of each sentence begin, and where those of the last one end."""
    unknown: int = 0
    """How many of the words have no id of their own."""
    left_out: tuple[str, ...] = ()
    """Trees that are left out, because they hold no word or the model cannot build them: where, and why."""

    def __len__(self) -> int:
        return len(self.word_starts) - 1

    def sentence(self, index: int) -> tuple[WordIds, Actions]:
        """The words and the actions of one sentence."""
        words = self.words[self.word_starts[index] : self.word_starts[index + 1]]
        return words, self.actions[self.action_starts[index] : self.action_starts[index + 1]]


def read_treebank(treebank: CorpusPaths, options: TreeOptions | None = None) -> Iterator[Tree]:
    """Read the normalised trees of a treebank, one by one, except those that hold no word (`survey` lists these)."""
    for path in list_treebank(treebank):
        yield from (tree for _, tree in read_normalised(path, options) if tree is not None)


def read_words(treebank: CorpusPaths, *, progress: ReportBytes | None = None) -> Iterator[list[str]]:
    """The words of every tree, those of `read_treebank` by any of its options; parts of speech may be there or not."""
    for path in list_treebank(treebank):
        found = False
        for placed in read_placed_trees(path, progress=progress):
            words = words_of(placed.tree, TreeOptions())
            if words:
                found = True
                yield words
        if not found:
            raise no_words(path)


def words_of(tree: Tree, options: TreeOptions) -> list[str]:
    """The words of a tree as it stands in its file, without traces."""
    if tree.is_tag and tree.label in options.no_words:
        return []
    return [
        word
        for child in tree.children
        for word in (words_of(child, options) if isinstance(child, Tree) else [spell_word(child, options)])
    ]


def survey(
    treebank: CorpusPaths, options: TreeOptions | None = None, *, name: str = "", progress: ReportBytes | None = None
) -> Survey:
    """Count sentences, words, labels and depths of a treebank, which is read once.

    `name`: what the treebank is called; without it, its first file.
    """
    files = list_treebank(treebank)
    found = Survey(WordCounts(name or str(files[0])))
    for path in files:
        for placed, tree in read_normalised(path, options, progress=progress):
            if tree is None:
                found.left_out.append(placed.line if len(files) == 1 else f"{path}, line {placed.line}")
                continue
            words = tree.words()
            if BEGIN in words or END in words:
                raise InputError(
                    f"{locate_tree(path, placed.line, placed.sentence)}: a word is {BEGIN} or {END}, reserved for the "
                    "edges of sentences; leave them out, or write them differently"
                )
            found.words.first[words[0]] += 1
            found.words.later.update(words[1:])
            found.labels.update(tree.labels())
            found.depths[tree.depth()] += 1
            found.lengths[len(words)] += 1
    return found


def measure_treebanks(
    paths: Sequence[Path], spec: TreebankSpec, *, trees: Path | None = None, text: Path | None = None,
    watch: Watch = unwatched,
) -> dict[Path, Survey]:  # fmt: skip
    """Survey treebanks, each a file or a folder; the normalised trees and their words are written to files if named."""
    if trees is not None and text is not None and trees.absolute() == text.absolute():
        raise InputError(f"--out and --text are both {text}; name a file for the trees and another for the words")
    files = {path: list_treebank(path, spec.sections) for path in paths}
    together = [file for some in files.values() for file in some]
    for path in (trees, text):
        require_writable(path, *together)
    options = TreeOptions(tags=spec.tags, unary=spec.unary, spelling=spec.spelling)
    found = {}
    for path in paths:
        with watch(path) as report:
            found[path] = survey(files[path], options, name=str(path), progress=report)
    if trees is not None:
        write_trees(trees, read_treebank(together, options))
    if text is not None:
        write_lines(text, (" ".join(tree.words()) for tree in read_treebank(together, options)))
    return found


def encode_treebank(
    treebank: CorpusPaths, vocabulary: Vocabulary, labels: Labels, options: TreeOptions | None = None, *,
    limits: Limits | None = None, leave_out: bool = False,
) -> TreeCorpus:  # fmt: skip
    """Encode the words and actions of a treebank.

    A tree that the model cannot build, because of an unknown label or its limits, is reported with line and sentence,
    or left out; one that holds no word is always left out.
    """
    words, actions = array("i"), array("i")
    word_starts, action_starts = array("q", [0]), array("q", [0])
    unknown, left_out = 0, []
    files = list_treebank(treebank)
    for path, placed, tree in ((file, *found) for file in files for found in read_normalised(file, options)):
        where = f"line {placed.line}" if len(files) == 1 else f"{path}, line {placed.line}"
        if tree is None:
            left_out.append(f"{where}: it holds no word")
            continue
        try:
            taken = oracle(tree, labels).tolist()
            check_limits(taken, limits or Limits())
        except InputError as error:
            if not leave_out:
                raise InputError(f"{locate_tree(path, placed.line, placed.sentence)}: {error}") from error
            left_out.append(f"{where}: {error}")
            continue
        actions.extend(taken)
        own = tree.words()
        words.extend(vocabulary.id_of(word, first=not index) for index, word in enumerate(own))
        unknown += sum(not vocabulary.known(word) for word in own)
        word_starts.append(len(words))
        action_starts.append(len(actions))
    if not len(words):
        raise InputError(f"{files[0]}: the model can build none of its trees ({left_out[0]}); name another treebank")
    return TreeCorpus(
        np.array(words, dtype=np.int32), np.array(word_starts), np.array(actions, dtype=np.int32),
        np.array(action_starts), unknown, tuple(left_out),
    )  # fmt: skip


def check_limits(actions: Sequence[int], limits: Limits) -> None:
    """Refuse a tree that opens more constituents, at once or in a row, than a model may."""
    opened = deepest = chain = longest = 0
    for action in actions:
        opens = action >= FIRST_LABEL
        opened += 1 if opens else -(action == REDUCE)
        chain = chain + 1 if opens else 0
        deepest, longest = max(deepest, opened), max(longest, chain)
    if deepest > limits.open or longest > limits.chain:
        raise InputError(
            f"{deepest} constituents are open at once, up to {longest} opened directly in a row; the model "
            f"allows {limits.open} and {limits.chain}: raise its limits (`--open-limit`, `--chain-limit`), or leave "
            "the tree out"
        )
