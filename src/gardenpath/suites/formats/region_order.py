"""The order of a sentence's regions where a file lists them in another order than that of their numbers."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Protocol, TypeVar

from gardenpath.io.messages import advise


class Numbered(Protocol):
    """Whatever has the number of a region."""

    @property
    def number(self) -> int:
        """The number of the region in its file."""


Cell = TypeVar("Cell", bound=Numbered)


def order_regions(cells: Mapping[str, Mapping[str, list[Cell]]], path: Path) -> dict[str, dict[str, list[Cell]]]:
    """Return the regions of every sentence (by item and condition) in the order of the sentence; note what differs.

    It is that of the numbers, which in published files is also that of the file. Where numbers only follow the first
    appearance of regions, as in files that gardenpath writes, sentences may have regions in different orders (`the dog
    now barks`, `now the dog barks`): there the order of the file counts.
    """
    sentences = {(item, name): own for item, conditions in cells.items() for name, own in conditions.items()}
    others = {trial: own for trial, own in sentences.items() if not is_ascending(own)}
    listed = is_by_appearance(sentences.values())
    if others:
        (item, condition), regions = next(iter(others.items()))
        one = f"item {item!r}, condition {condition!r}: {', '.join(str(cell.number) for cell in regions)}"
        taken = "the order of the file was kept" if listed else "they were put in the order of their numbers"
        advise(
            f"{path}: {len(others)} of {len(sentences)} sentences do not list their regions in the order of "
            f"'region_number' ({one}); {taken}"
        )
    return {
        item: {name: [*own] if listed else sorted(own, key=attrgetter("number")) for name, own in conditions.items()}
        for item, conditions in cells.items()
    }


def is_ascending(regions: Sequence[Numbered]) -> bool:
    """Return whether regions are in the order of their numbers."""
    return all(one.number < later.number for one, later in pairwise(regions))


def is_by_appearance(sentences: Iterable[Sequence[Numbered]]) -> bool:
    """Return whether each region that is new in the file has a greater number than all before it."""
    greatest: float = float("-inf")
    seen: set[int] = set()
    for region in (region for regions in sentences for region in regions):
        if region.number not in seen and region.number < greatest:
            return False
        seen.add(region.number)
        greatest = max(greatest, region.number)
    return True
