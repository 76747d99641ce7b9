"""How few items a run may count where items share words: if all items with the same word have the same result."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import polars

from gardenpath.statistics.effective_items import effective_items
from gardenpath.suites.suite import Item


@dataclass(frozen=True, slots=True)
class FewestItems:
    """The words by which a run counts fewest items, before any result is known."""

    slot: str
    words: int
    items: int
    """The effective number of items if the items of a word always have the same result."""


def fewest_items(items: Sequence[Item]) -> FewestItems | None:
    """The fewest items that intervals may count because items share words; None if they count all, whatever happens."""
    slots = dict.fromkeys(slot for item in items for slot in item.fillers)
    fillers = [json.dumps(dict(item.fillers)) for item in items]
    tables = []
    for slot in slots:
        own = [item.fillers.get(slot, f"{number}") for number, item in enumerate(items)]
        ranks = {word: rank for rank, (word, _) in enumerate(Counter(own).most_common())}
        credit = [float(ranks[word] % 2) for word in own]  # every second word is right, in all its items
        tables.append(polars.DataFrame({"slot": [slot] * len(items), "fillers": fillers, "credit": credit}))
    if not tables:
        return None
    worth = effective_items(polars.concat(tables), "credit", ["slot"])
    slot, least = min(worth.rows(), key=lambda row: row[1])
    words = len({item.fillers[slot] for item in items if slot in item.fillers})
    return FewestItems(slot, words, max(int(least), 1)) if int(least) < len(items) else None
