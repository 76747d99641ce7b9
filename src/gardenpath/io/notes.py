"""Notes to the user, put together by kind: many files of a collection may have the same quirk."""

import re
from collections.abc import Iterable

VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|\S*/\S*|\d[\d,.]*|(?<=suite )\S+|^\S+(?=: )")
"""What notes of one kind differ in: names in quotation marks, paths, numbers, names of suites."""
SEVERAL = re.compile(r"…(?:(?:, | and )…)+")


def note_kind(note: str) -> str:
    """Return what all notes of a kind have in common.

    >>> note_kind("data/a.jsonl: 3 texts begin with spaces") == note_kind("data/b.jsonl: 12 texts begin with spaces")
    True
    """
    return SEVERAL.sub("…", VARYING.sub("…", note))


def group_notes(notes: Iterable[str], advice: str = "") -> list[str]:
    """Return one note per kind: the first, with the number of others like it and where these are printed.

    >>> group_notes(["a.csv: 2 spaces", "b.csv: 1 spaces", "other"], "`gardenpath suites check` prints all")
    ['a.csv: 2 spaces (and 1 more note like this; `gardenpath suites check` prints all)', 'other']
    """
    kinds: dict[str, list[str]] = {}
    for note in dict.fromkeys(notes):
        kinds.setdefault(note_kind(note), []).append(note)
    return [first + count_others(len(others), advice) for first, *others in kinds.values()]


def sum_up_quirks(quirks: Iterable[str], advice: str) -> list[str]:
    """Return one note for all quirks of published files, of whatever kind: the first, and the number of the others.

    >>> sum_up_quirks(["a: the flag is kept", "b: 2 spaces"], "CHECK prints those")
    ['nothing needs to be done: a: the flag is kept (and 1 more note like this; CHECK prints those)']
    """
    found = list(dict.fromkeys(quirks))
    return [f"nothing needs to be done: {found[0]}{count_others(len(found) - 1, advice)}"] if found else []


def count_others(number: int, advice: str) -> str:
    """Write how many other notes there are."""
    if not number:
        return ""
    return f" (and {number:,} more note{'s' if number > 1 else ''} like this{f'; {advice}' if advice else ''})"
