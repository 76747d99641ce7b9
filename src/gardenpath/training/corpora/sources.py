"""What samples are drawn from: the sentences of texts, or the trees of treebanks."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.io.digest import digest_files
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_sentences, block_words, map_blocks, text_blocks
from gardenpath.text.reading import Layout, Reading, Split
from gardenpath.training.corpora.folders import list_treebank
from gardenpath.training.corpora.treebank import read_words, words_of
from gardenpath.trees.brackets import read_placed_trees
from gardenpath.trees.normalise import ESCAPES, TreeOptions
from gardenpath.trees.tree import Tree, bracketed

Lengths = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TextSource:
    """Texts, read one after another; a sample has their sentences as they are written, one per line."""

    paths: tuple[Path, ...]
    reading: Reading
    lower: bool = False
    """Whether samples are written in lower case."""

    ENDINGS: ClassVar = (".txt",)
    """Of the files of a sample."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are read."""
        return self.paths

    def lengths(self, *, workers: int | None = None, progress: ReportBytes | None = None) -> Lengths:
        """Count the words of every sentence."""
        work, layout = partial(block_lengths, reading=self.reading), self.reading.layout
        parts = (map_blocks(path, layout, work, workers=workers, progress=progress) for path in self.paths)
        return np.concatenate(list(chain.from_iterable(parts)))

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Every sentence as a line of each file of a sample."""
        layout = self.reading.layout
        for path in self.paths:
            for block in text_blocks(path, layout):
                for sentence in block_sentences(block, layout):
                    yield (sentence.lower() if self.lower else sentence,)

    def record(self) -> dict[str, Any]:
        """Where the sentences come from, as manifests record it."""
        return {**describe_paths(self.paths, self.files), "reading": asdict(self.reading)}


@dataclass(frozen=True, slots=True)
class TreeSource:
    """Treebanks, read one after another; a sample has their trees as they are written, one per line, and their words.

    Trees that hold no word are never drawn.
    """

    paths: tuple[Path, ...]
    """Files or folders."""
    sections: str = ""
    """Of folders: only these."""
    lower: bool = False
    """Whether samples are written in lower case."""

    ENDINGS: ClassVar = (".mrg", ".txt")
    """Of the files of a sample."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are read."""
        return list_treebank(self.paths, self.sections)

    # All sources have this signature; a treebank is small enough to be read without workers or progress.
    def lengths(self, *, workers: int | None = None, progress: ReportBytes | None = None) -> Lengths:  # noqa: ARG002
        """Count the words of every tree, without traces; in this process alone."""
        counts = (len(words) for path in self.files for words in read_words(path, progress=progress))
        return np.fromiter(counts, dtype=np.int32)

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Every sentence as a line of each file of a sample: its tree, and its words."""
        for path in self.files:
            for placed in read_placed_trees(path):
                tree = lower_words(placed.tree) if self.lower else placed.tree
                words = words_of(tree, TreeOptions())
                if words:
                    yield bracketed(tree), " ".join(words)

    def record(self) -> dict[str, Any]:
        """Where the sentences come from, as manifests record it."""
        how = {"layout": "trees", "sections": self.sections}
        return {**describe_paths(self.paths, self.files), "reading": how}


SampleSource = TextSource | TreeSource


def find_source(
    paths: Sequence[Path], layout: Layout | Literal["trees"], *, split: Split = "penn", sections: str = "",
    lower: bool = False,
) -> SampleSource:  # fmt: skip
    """The texts or, with the layout `trees`, the treebanks that samples are drawn from."""
    if layout == "trees":
        return TreeSource(tuple(paths), sections, lower=lower)
    return TextSource(tuple(paths), Reading(layout, split), lower=lower)


def block_lengths(block: TextBlock, reading: Reading) -> Lengths:
    """Count the words of every sentence of a block."""
    return np.array([len(words) for words in block_words(block, reading)], dtype=np.int32)


def lower_words(tree: Tree) -> Tree:
    """Put the words of a tree into lower case; the spellings of brackets stay."""
    children = tuple(
        lower_words(child) if isinstance(child, Tree) else child if child in ESCAPES else child.lower()
        for child in tree.children
    )
    return Tree(tree.label, children)


def describe_paths(paths: Sequence[Path], files: Sequence[Path]) -> dict[str, Any]:
    """The paths of a corpus, and the digest of its files."""
    named = [str(path) for path in paths]
    return {"corpus": named[0] if len(named) == 1 else named, "digest_of_corpus": digest_files(files)}
