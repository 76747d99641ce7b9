"""From the trees of a treebank, with all its annotators wrote down, to those a model learns."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.trees.tree import Tree, bracketed

ROOT = "ROOT"
"""The label of a sentence that is not one phrase: a bare word, or several phrases side by side."""
WRAPPERS = ("", ROOT, "TOP", "S1", "VROOT")
"""Labels that say no more than that a sentence begins."""
TRACE = "-NONE-"
"""The tag of traces, which no phrase has for its label."""
NO_WORDS = (TRACE, "CODE", "SU")
"""Tags of leaves that nobody wrote or said: traces, and the marks of turns and units in transcripts of speech."""
JOINT = "+"
"""Between the labels of a unary chain that is one label."""
FUNCTIONS = re.compile(r"(?<=[^-=|])[-=|].*")
"""What follows the category: functions and indices (NP-SBJ-1, NP=2), a second opinion of the annotators (ADVP|PRT)."""
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
    """Functions and indices behind categories."""
    spelling: Literal["text", "penn"] = "text"
    """Of words: `text` has brackets and slashes as texts have them, `penn` leaves -LRB- and \\/."""
    no_words: tuple[str, ...] = NO_WORDS
    """Tags whose leaves are left out, with the phrases that hold nothing else."""


def normalise(tree: Tree, options: TreeOptions | None = None) -> Tree | None:
    """The tree a model learns; None if no word is left of it.

    Unlabelled brackets and wrappers (ROOT, TOP) go. What is not one phrase without them is put under ROOT.
    """
    options = options or TreeOptions()
    match cleaned(tree, options):
        case ():
            return None
        case (Tree() as phrase,) if not is_tag(phrase, options):
            return phrase
        case pieces:
            return Tree(ROOT, pieces)


def cleaned(tree: Tree, options: TreeOptions) -> tuple[Tree | str, ...]:
    """What becomes of a constituent: nothing, a word, a phrase, or all that was in it."""
    label = category(tree.label) if options.functions == "drop" else tree.label
    if tree.is_tag and (options.tags != "absent" or label == TRACE):
        return cleaned_tag(tree, label, options)
    children: list[Tree | str] = []
    for child in tree.children:
        if isinstance(child, Tree):
            children.extend(cleaned(child, options))
        elif options.tags == "absent":
            children.append(spelled(child, options))
        else:
            raise InputError(
                f"the word {child!r} has no part of speech in {bracketed(tree)}; give it one, or say that no word has "
                "one (`--tags absent`)"
            )
    if not children or label in WRAPPERS:
        return tuple(children)
    return (over(label, tuple(children), options),)


def cleaned_tag(tree: Tree, label: str, options: TreeOptions) -> tuple[Tree | str, ...]:
    """What becomes of a word and its part of speech."""
    (word,) = tree.children
    if label in options.no_words or not isinstance(word, str):
        return ()
    word = spelled(word, options)
    return (word,) if options.tags == "drop" else (Tree(label, (word,)),)


def over(label: str, children: tuple[Tree | str, ...], options: TreeOptions) -> Tree:
    """A phrase over its children, or one with its only child."""
    match children:
        case (Tree() as child,) if options.unary != "keep" and not is_tag(child, options):
            if options.unary == "join":
                return Tree(f"{label}{JOINT}{child.label}", child.children)
            if label == child.label:
                return child
    return Tree(label, children)


def is_tag(tree: Tree, options: TreeOptions) -> bool:
    """Whether a normalised constituent is a part of speech."""
    return options.tags == "keep" and tree.is_tag


@cache
def category(label: str) -> str:
    """A label without functions and indices: NP-SBJ-1 is NP, -LRB- is -LRB-."""
    return label if label.startswith("-") else FUNCTIONS.sub("", label, count=1)


def spelled(word: str, options: TreeOptions) -> str:
    """A word as the options have it."""
    if options.spelling == "penn":
        return word
    return ESCAPES.get(word) or (word.replace("\\/", "/").replace("\\*", "*") if "\\" in word else word)


def split_joined(tree: Tree) -> Tree:
    """The tree with joined labels taken apart."""
    children = tuple(split_joined(child) if isinstance(child, Tree) else child for child in tree.children)
    *above, lowest = tree.label.split(JOINT)
    tree = Tree(lowest, children)
    for label in reversed(above):
        tree = Tree(label, (tree,))
    return tree
