"""The bracketed trees of generated sentences, for making treebanks."""

from collections.abc import Iterator

from gardenpath.errors import InputError
from gardenpath.suites.suite import SPACE_TO_REMOVE
from gardenpath.suites.templates.generate import capitalise, fill_pattern, item_blocks
from gardenpath.suites.templates.template import Template
from gardenpath.trees.brackets import parse_tree


def generate_trees(template: Template, most: int | None = None) -> Iterator[tuple[str, str, str]]:
    """Yield item, condition and bracketed tree of every sentence that has one; see `item_blocks` for `most`."""
    for block in item_blocks(template, most):
        for cell in template.cells:
            if cell.tree is not None:
                pieces = template.scope(cell, block.levels).resolve(cell.tree)
                trees = fill_pattern(
                    template, pieces, block.indices, lambda word, form: (word.trees or word.forms)[form]
                )
                for id_, tree in zip(block.ids, trees, strict=True):
                    yield id_, cell.condition.name, finish_tree(tree, template)


def finish_tree(tree: str, template: Template) -> str:
    """Return the tree with the capital letter and the period of the sentence."""
    if template.period:
        tree = f"{tree.rstrip().removesuffix(')')} (. {template.period}))"
    if not template.capitalise:
        return tree
    start = tree.rindex(" ", 0, tree.index(")")) + 1
    return tree[:start] + capitalise(tree[start:])


def spell_sentence(tree: str) -> str:
    """Return the sentence that the leaves of a bracketed tree make."""
    try:
        words = parse_tree(tree).words()
    except InputError as error:
        fault = f"{tree!r} is not a tree: brackets must close, and hold a label and what is under it"
        raise InputError(fault) from error
    return SPACE_TO_REMOVE.sub("", " ".join(words))
