"""Formulas taken apart for the page: what is compared with what, in words and as a tree."""

from collections.abc import Callable
from typing import Any

from gardenpath.reporting.formula_in_words import in_words
from gardenpath.suites.prediction import BitsComparison, Conjunction, Disjunction, Formula, Linear, Node, Reference

Tree = int | list[Any]
"""The number of a comparison, or `["&", ...]` or `["|", ...]` of trees."""


def formula_parts(formula: Formula, region_of: Callable[[Reference], str]) -> dict[str, Any]:
    """What the page needs of a formula; `region_of` tells the name of a region that is given by its number."""

    def name_of(reference: Reference) -> str:
        return "the whole sentence" if reference.region == "*" else region_of(reference)

    return {
        "formula": formula.text,
        "words": in_words(formula, name_of),
        "tree": tree(formula),
        "comparisons": [
            {
                "text": str(comparison),
                "operator": comparison.operator,
                "left": side(comparison.left, region_of),
                "right": side(comparison.right, region_of),
            }
            for comparison in formula.comparisons
        ],
    }


def side(linear: Linear, region_of: Callable[[Reference], str]) -> dict[str, Any]:
    """One side of a comparison: weighted regions of conditions, and a constant."""
    terms = [[region_of(reference), reference.condition, weight] for reference, weight in linear.terms]
    return {"terms": terms, "constant": linear.constant}


def tree(formula: Formula) -> Tree:
    """How & and | join the comparisons, which are numbered from left to right; a & b & c is one node."""
    numbers = iter(range(len(formula.comparisons)))

    def grown(node: Node) -> Tree:
        match node:
            case BitsComparison():
                return next(numbers)
            case Conjunction(left, right):
                return joined("&", grown(left), grown(right))
            case Disjunction(left, right):
                return joined("|", grown(left), grown(right))

    return grown(formula.root)


def joined(sign: str, left: Tree, right: Tree) -> Tree:
    """Two trees under one sign."""
    inner = [part[1:] if isinstance(part, list) and part[0] == sign else [part] for part in (left, right)]
    return [sign, *inner[0], *inner[1]]
