"""Formulas as data for the page: in words, as a tree of comparisons, and as weighted regions."""

from functools import partial
from itertools import count
from typing import Any

from gardenpath.reporting.formula_in_words import RegionName, formula_in_words
from gardenpath.suites.prediction import Formula, Linear

FormulaTree = int | list[Any]
"""The number of a comparison, or `["&", ...]` or `["|", ...]` of trees."""


def formula_parts(formula: Formula, region_name: RegionName) -> dict[str, Any]:
    """The parts of a formula that the page shows; `region_name` names regions that the formula gives by number."""
    return {
        "formula": formula.text,
        "words": formula_in_words(formula, region_name),
        "tree": formula_tree(formula),
        "comparisons": [
            {
                "text": str(comparison),
                "operator": comparison.operator,
                "left": side_parts(comparison.left, region_name),
                "right": side_parts(comparison.right, region_name),
            }
            for comparison in formula.comparisons
        ],
    }


def side_parts(side: Linear, region_name: RegionName) -> dict[str, Any]:
    """One side of a comparison: weighted regions of conditions, and a constant."""
    terms = [[region_name(reference), reference.condition, weight] for reference, weight in side.terms]
    return {"terms": terms, "constant": side.constant}


def formula_tree(formula: Formula) -> FormulaTree:
    """The tree of & and | over the comparisons, numbered from left to right; a & b & c is one node."""
    numbers = count()
    tree: FormulaTree = formula.combine(lambda _: next(numbers), partial(join_trees, "&"), partial(join_trees, "|"))
    return tree


def join_trees(operator: str, left: FormulaTree, right: FormulaTree) -> FormulaTree:
    """Put two trees under one operator."""
    inner = [part[1:] if isinstance(part, list) and part[0] == operator else [part] for part in (left, right)]
    return [operator, *inner[0], *inner[1]]
