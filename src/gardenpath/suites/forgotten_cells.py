"""Cells of a table of regions that were probably forgotten: empty in a few items, with words in most of them.

An empty region has 0 bits, so an item with a forgotten cell could count as right; it is invalid instead. Files of
SyntaxGym are left as they are published.
"""

import json
from collections import Counter
from dataclasses import replace

from gardenpath.suites.prediction import Reference
from gardenpath.suites.suite import Item, Suite

FORGOTTEN = "forgotten cells"
"""The key in the metadata of a suite: its forgotten cells as JSON, a list of item, condition and region."""

Cell = tuple[str, str, str]
"""The item, condition and region of a cell."""


def mark_forgotten_cells(suite: Suite) -> Suite:
    """Add to a suite the regions that are empty in one condition of some items, but filled in it in most items."""
    filled = {
        (item.id, name, region.name): region.end > region.start
        for item in suite.items
        for name, sentence in item.sentences.items()
        for region in sentence.regions
    }
    rows = Counter((name, region) for _, name, region in filled)
    empty = [cell for cell, is_filled in filled.items() if not is_filled]
    counts = Counter((name, region) for _, name, region in empty)
    cells = [cell for cell in empty if 2 * counts[cell[1:]] < rows[cell[1:]]]
    return replace(suite, metadata={**suite.metadata, FORGOTTEN: json.dumps(cells)}) if cells else suite


def forgotten_cells(suite: Suite) -> frozenset[Cell]:
    """Return the cells that were marked when the suite was read."""
    try:
        cells = json.loads(suite.metadata.get(FORGOTTEN, "[]"))
        return frozenset((str(item), str(condition), str(region)) for item, condition, region in cells)
    except (ValueError, TypeError):  # something else in a file that has this key by chance
        return frozenset()


def lacks_region(item: Item, reference: Reference, cells: frozenset[Cell]) -> bool:
    """Return whether what a formula names was forgotten; in a whole sentence, a region that other conditions have."""
    sentence = item.sentences[reference.condition]
    if reference.region != "*":
        return (item.id, reference.condition, sentence.region(reference.region).name) in cells
    names = [name for id_, condition, name in cells if (id_, condition) == (item.id, reference.condition)]
    others = {region.name for other in item.sentences.values() for region in other.regions if region.end > region.start}
    return any(name in others for name in names)
