"""From trees as treebanks annotate them to those a model learns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.trees.brackets import PlacedTree, locate_tree, read_placed_trees
from gardenpath.trees.tree import Tree, bracketed

ROOT = "ROOT"
"""The label of a sentence that is not one phrase: a bare word, or several phrases side by side."""
WRAPPERS = ("", ROOT, "TOP", "S1", "VROOT")
"""Labels that mark nothing but the beginning of a sentence."""
TRACE = "-NONE-"
"""The tag of traces, never the label of a phrase."""
NO_WORDS = (TRACE, "CODE", "SU")
"""Tags of leaves that were never written or spoken: traces, and marks of turns and units in transcripts."""
JOINT = "+"
"""The separator of labels where a unary chain is one label."""
FUNCTIONS = re.compile(r"(?<=[^-=|])[-=|#].*")
"""Suffixes of a category: functions and indices (NP-SBJ-1, NP=2), the annotators' alternative (ADVP|PRT), the number of
what several phrases refer to (NP#4)."""
ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
}  # fmt: skip
"""Whole words that stand for brackets."""


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How trees are normalised."""

    tags: Literal["drop", "keep", "absent"] = "drop"
    """Parts of speech: `drop` puts words directly under phrases, as an RNNG has them; `absent`: there are none."""
    unary: Literal["merge", "keep", "join"] = "merge"
    """A phrase that is all of another: `merge` makes X over X one X, as is usual when traces go, and keeps the rest;
    `keep` keeps all; `join` makes S over VP one S+VP, which `split_joined` undoes."""
    functions: Literal["drop", "keep"] = "drop"
    """Functions and indices after categories."""
    spelling: Literal["text", "penn"] = "text"
    """The spelling of words: `text` has brackets and slashes as texts have them, `penn` keeps -LRB- and \\/."""
    no_words: tuple[str, ...] = NO_WORDS
    """Tags whose leaves are left out, with the phrases that hold nothing else."""


def normalise(tree: Tree, options: TreeOptions | None = None) -> Tree | None:
    """Normalise a tree as a model learns it; None if it holds no word.

    Unlabelled brackets and wrappers (ROOT, TOP) are removed. What is not one phrase without them is put under ROOT.
    """
    options = options or TreeOptions()
    match clean(tree, options):
        case ():
            return None
        case (Tree() as phrase,) if not is_kept_tag(phrase, options):
            return phrase
        case pieces:
            return Tree(ROOT, pieces)


def clean(tree: Tree, options: TreeOptions) -> tuple[Tree | str, ...]:
    """Normalise a constituent, which becomes nothing, a word, a phrase, or its children."""
    label = category(tree.label) if options.functions == "drop" else tree.label
    if tree.is_tag and (options.tags != "absent" or label == TRACE):
        return clean_tag(tree, label, options)
    children: list[Tree | str] = []
    for child in tree.children:
        if isinstance(child, Tree):
            children.extend(clean(child, options))
        elif options.tags == "absent":
            children.append(spell_word(child, options))
        else:
            raise InputError(
                f"the word {child!r} has no part of speech in {bracketed(tree)}; add one, or declare that no "
                "word has one (`--tags absent`)"
            )
    if not children or label in WRAPPERS:
        return tuple(children)
    return (build_phrase(label, tuple(children), options),)


def clean_tag(tree: Tree, label: str, options: TreeOptions) -> tuple[Tree | str, ...]:
    """Normalise a word and its part of speech."""
    (word,) = tree.children
    if label in options.no_words or not isinstance(word, str):
        return ()
    word = spell_word(word, options)
    return (word,) if options.tags == "drop" else (Tree(label, (word,)),)


def build_phrase(label: str, children: tuple[Tree | str, ...], options: TreeOptions) -> Tree:
    """Build a phrase over its children; an only child may become one with it."""
    match children:
        case (Tree() as child,) if options.unary != "keep" and not is_kept_tag(child, options):
            if options.unary == "join":
                return Tree(f"{label}{JOINT}{child.label}", child.children)
            if label == child.label:
                return child
    return Tree(label, children)


def is_kept_tag(tree: Tree, options: TreeOptions) -> bool:
    """Whether a normalised constituent is a part of speech."""
    return options.tags == "keep" and tree.is_tag


@cache
def category(label: str) -> str:
    """Strip functions and indices from a label: NP-SBJ-1 is NP, -LRB- is -LRB-."""
    return label if label.startswith("-") else FUNCTIONS.sub("", label, count=1)


def spell_word(word: str, options: TreeOptions) -> str:
    """Spell a word as the options require."""
    if options.spelling == "penn":
        return word
    return ESCAPES.get(word) or (word.replace("\\/", "/").replace("\\*", "*") if "\\" in word else word)


def split_joined(tree: Tree) -> Tree:
    """Split joined labels into unary chains."""
    children = tuple(split_joined(child) if isinstance(child, Tree) else child for child in tree.children)
    *above, lowest = tree.label.split(JOINT)
    tree = Tree(lowest, children)
    for label in reversed(above):
        tree = Tree(label, (tree,))
    return tree


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
