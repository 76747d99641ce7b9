"""Treebanks of the sentences that templates generate, where the template gives their structure."""

from typing import Literal

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.write_errors import require_writable
from gardenpath.suites.catalog import find_templates
from gardenpath.suites.templates.sentence_trees import generate_trees
from gardenpath.training.specs.corpora import TemplateTreesSpec
from gardenpath.trees.brackets import parse_tree, write_trees
from gardenpath.trees.tree import Tree


def write_template_trees(name_or_path: str, spec: TemplateTreesSpec) -> int:
    """Write the trees that a specification describes; how many they are."""
    require_writable(spec.out)
    rendering: Literal["as-written", "sentence"] = "sentence" if spec.sentences else "as-written"
    drawn = template_trees(name_or_path, rendering=rendering, n=spec.n, rng=np.random.default_rng(spec.seed))
    return write_trees(spec.out, drawn)


def template_trees(
    name_or_path: str, *, rendering: Literal["as-written", "sentence"] = "as-written", n: int | None = None,
    rng: np.random.Generator | None = None,
) -> list[Tree]:  # fmt: skip
    """Generate the trees of a template, a file or a collection, each once.

    They are in the order of the templates; with `n`, so many of them are drawn, in the order of the draw.
    """
    found: dict[str, str] = {}
    for template in find_templates(name_or_path):
        if rendering == "sentence":
            template = template.as_sentences()
        for _, _, tree in generate_trees(template):
            found.setdefault(tree, template.name)
    if not found:
        raise InputError(
            f"no template of {name_or_path!r} gives the structure of its sentences; add [trees], or name another, "
            "such as marvin-linzen, which has them for agreement"
        )
    if n is not None and n > len(found):
        raise InputError(f"there are {len(found):,} different trees, {n:,} are wanted; draw fewer")
    trees = list(found)
    if n is not None:
        trees = [trees[index] for index in (rng or np.random.default_rng(0)).permutation(len(trees))[:n]]
    return [parse_tree(tree, found[tree]) for tree in trees]
