"""Names of the regions that formulas give by number, found from the tokens of a run."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

import numpy as np
import polars

from gardenpath.errors import InputWarning
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.prediction import Formula, Reference, Values


def read_formula(text: str) -> Formula:
    """Parse a formula of a run without its warnings, which were shown when the suite was read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return parse_formula(text)


def region_order(tokens: polars.DataFrame) -> list[str]:
    """The regions of a suite in order, from the tokens of its sentences."""
    lists = (
        tokens.group_by("item", "condition", maintain_order=True).agg("region")["region"].unique(maintain_order=True)
    )
    return merge_orders([[name for name, _ in groupby(names)] for names in lists.to_list()])


def merge_orders(sequences: Sequence[Sequence[str]]) -> list[str]:
    """Merge the regions of sentences, each of which may lack some, into one order."""
    order: list[str] = []
    for sequence in sorted(sequences, key=len, reverse=True):
        position = 0
        for name in sequence:
            if name not in order:
                order.insert(position, name)
            position = order.index(name) + 1
    return order


def region_names(
    formulas: Sequence[Formula], order: Sequence[str], holds: Callable[[Callable[[Reference], str]], bool]
) -> Callable[[Reference], str]:
    """A function from references to region names; numbers stay numbers where `holds` rejects the names.

    A region that is empty in every sentence has no tokens, so that the numbers after it name other regions.
    """
    numbered = any(name.isdecimal() for name in order)
    by_number = {str(number): name for number, name in enumerate(order, 1)}

    def name_of(reference: Reference) -> str:
        named = reference.region == "*" or reference.region in order or numbered
        return reference.region if named else by_number.get(reference.region, reference.region)

    used = any(reference.region.isdecimal() for formula in formulas for reference in formula.references)
    if used and not holds(name_of):
        return lambda reference: reference.region
    return name_of


def margins_agree(
    formula: Formula, sums: Mapping[tuple[str, str], Values], margins: Values, name_of: Callable[[Reference], str]
) -> bool:
    """Whether sums of bits by region and condition give the margins (items, comparisons) that were recorded."""
    nothing = np.zeros(len(margins))
    bits = {reference: sums.get((name_of(reference), reference.condition), nothing) for reference in formula.references}
    again = np.stack([np.broadcast_to(part.margin(bits), len(margins)) for part in formula.comparisons], axis=1)
    both = np.isfinite(again) & np.isfinite(margins)
    return bool(np.allclose(again[both], margins[both], atol=1e-3))
