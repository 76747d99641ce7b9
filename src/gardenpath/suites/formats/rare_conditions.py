"""Conditions that one item of a table has alone, in place of one that all others have: probably misspelt."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from gardenpath.io.messages import advise
from gardenpath.io.tables import Record

FEWEST_ITEMS = 3
"""With fewer items, none of two names of a condition is the rare one."""


def note_rare_conditions(records: Sequence[Record], item: str, condition: str) -> None:
    """Warn of a condition of one item that has nearly the name of one that this item alone lacks, with its line.

    item, condition: the columns of items and of conditions.
    """
    rows: dict[str, dict[str, Record]] = {}
    for record in records:
        rows.setdefault(record.cells[item], {}).setdefault(record.cells[condition], record)
    counts = Counter(name for own in rows.values() for name in own)
    if len(rows) < FEWEST_ITEMS:
        return
    usual = [name for name, count in counts.items() if count == len(rows) - 1]
    for own in rows.values():
        missing = [name for name in usual if name not in own]
        for name, record in own.items():
            if counts[name] == 1 and (near := get_close_matches(name, missing, n=1)):
                advise(f"{record.where}: {name!r} occurs in one item only; did you mean {near[0]!r}?")
