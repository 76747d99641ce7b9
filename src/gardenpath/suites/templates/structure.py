"""The bracketed structure of what a template generates, for making treebanks."""

from collections.abc import Iterator

from gardenpath.errors import InputError
from gardenpath.suites.suite import NO_BLANK_BEFORE
from gardenpath.suites.templates.generate import blocks, capitalised, filled
from gardenpath.suites.templates.template import Template
from gardenpath.suites.templates.word_lists import Word
from gardenpath.trees.brackets import parse_tree


def trees(template: Template, most: int | None = None) -> Iterator[tuple[str, str, str]]:
    """Item, condition and bracketed structure of every sentence that has one; see `blocks` for `most`."""
    for block in blocks(template, most):
        for cell in template.cells:
            if cell.tree is not None:
                pieces = template.scope(cell, block.levels).resolve(cell.tree)
                for id_, tree in zip(block.ids, filled(template, pieces, block.indices, structure), strict=True):
                    yield id_, cell.condition.name, finished(tree, template)


def structure(word: Word, form: int) -> str:
    """A form of a word as it stands in a tree."""
    return word.trees[form] if word.trees else word.forms[form]


def finished(tree: str, template: Template) -> str:
    """The tree with the capital letter and the period of the sentence."""
    if template.period:
        tree = f"{tree.rstrip().removesuffix(')')} (. {template.period}))"
    if not template.capitalise:
        return tree
    start = tree.rindex(" ", 0, tree.index(")")) + 1
    return tree[:start] + capitalised(tree[start:])


def leaves(tree: str) -> list[str]:
    """The words of a bracketed tree."""
    try:
        return parse_tree(tree).words()
    except InputError as error:
        raise InputError(
            f"{tree!r} is not a tree: brackets must close, and hold a label and what is under it"
        ) from error


def spelt(tree: str) -> str:
    """The sentence that the leaves of a tree make."""
    return NO_BLANK_BEFORE.sub("", " ".join(leaves(tree)))
