"""The normalised trees of a file, with their positions."""

from collections.abc import Iterator
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.trees.brackets import PlacedTree, locate_tree, read_placed_trees
from gardenpath.trees.normalise import TreeOptions, normalise
from gardenpath.trees.tree import Tree


def read_normalised(
    path: Path | str, options: TreeOptions | None = None, *, progress: ReportBytes | None = None
) -> Iterator[tuple[PlacedTree, Tree | None]]:
    """Read every tree of a file, as it stands and normalised; None where no word is left of it."""
    found = False
    for placed in read_placed_trees(path, progress=progress):
        try:
            tree = normalise(placed.tree, options)
        except InputError as error:
            raise InputError(f"{locate_tree(path, placed.line, placed.sentence)}: {error}") from error
        found = found or tree is not None
        yield placed, tree
    if not found:
        raise no_words(path)


def no_words(path: Path | str) -> InputError:
    """Make the error for a treebank of traces alone."""
    return InputError(f"{path}: none of its trees holds a word; name a treebank with words")
