"""Formulas taken apart for the page: what is compared with what, in words and as a tree."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gardenpath.errors import InputWarning
from gardenpath.reporting.formula_in_words import in_words
from gardenpath.suites.prediction import Both, Comparison, Either, Formula, Linear, Node, Reference, parse_formula

Tree = int | list[Any]
"""The number of a comparison, or `["&", ...]` or `["|", ...]` of trees."""


def read_formula(text: str) -> Formula:
    """A formula that was read before, when the suite was run: what there was to warn of has been said."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return parse_formula(text)


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
            case Comparison():
                return next(numbers)
            case Both(left, right):
                return joined("&", grown(left), grown(right))
            case Either(left, right):
                return joined("|", grown(left), grown(right))

    return grown(formula.root)


def joined(sign: str, left: Tree, right: Tree) -> Tree:
    """Two trees under one sign."""
    inner = [part[1:] if isinstance(part, list) and part[0] == sign else [part] for part in (left, right)]
    return [sign, *inner[0], *inner[1]]


def merged_order(sequences: Sequence[Sequence[str]]) -> list[str]:
    """The regions of a suite in order, from those of its sentences, each of which may lack some."""
    order: list[str] = []
    for sequence in sorted(sequences, key=len, reverse=True):
        place = 0
        for name in sequence:
            if name in order:
                place = order.index(name) + 1
            else:
                order.insert(place, name)
                place += 1
    return order


def region_names(
    formulas: Sequence[Formula], order: Sequence[str], holds: Callable[[Callable[[Reference], str]], bool]
) -> Callable[[Reference], str]:
    """How regions that formulas give by number are called; by the number where `holds` denies the names.

    A region that is empty in every sentence has no tokens, so that the numbers after it name others than they seem to.
    """
    numbered = any(name.isdecimal() for name in order)
    numbers = {str(place): name for place, name in enumerate(order, 1)}

    def by_place(reference: Reference) -> str:
        named = reference.region == "*" or reference.region in order or numbered
        return reference.region if named else numbers.get(reference.region, reference.region)

    used = any(reference.region.isdecimal() for formula in formulas for reference in formula.references)
    if used and not holds(by_place):
        return lambda reference: reference.region
    return by_place


def margins_agree(
    formula: Formula,
    sums: Mapping[tuple[str, str], np.ndarray],
    margins: np.ndarray,
    region_of: Callable[[Reference], str],
) -> bool:
    """Whether sums of bits by region and condition give the margins that were found."""
    nothing = np.zeros(len(margins))
    bits = {
        reference: sums.get((region_of(reference), reference.condition), nothing) for reference in formula.references
    }
    again = np.stack([np.broadcast_to(part.margin(bits), len(margins)) for part in formula.comparisons], axis=1)
    both = np.isfinite(again) & np.isfinite(margins)
    return bool(np.allclose(again[both], margins[both], atol=1e-3))
