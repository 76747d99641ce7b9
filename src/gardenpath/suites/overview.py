"""What suites there are: names, counts and a line about each, without generating anything."""

import csv
from collections.abc import Iterable

from gardenpath.io.plugins import find_plugins
from gardenpath.suites.catalog import (
    BUILTIN,
    builtin_collections,
    builtin_sources,
    match_short,
    match_sources,
    read_collection,
)
from gardenpath.suites.suite import Suite

SuiteRow = dict[str, str | int | None]
"""A suite: its name, collection, items, conditions and description; a collection also has the number of its suites."""


def list_suites(name: str | None = None) -> list[SuiteRow]:
    """Return the suites of a name (by default all built-in ones), with collection, items, conditions and description.

    Collections of other packages are opened only by name; without one, they are listed with their package.

    >>> list_suites("agreement")[0]["items"]
    32
    """
    sources = builtin_sources() if name is None else match_sources(name) or match_short(name)
    known = read_overview()
    rows: list[SuiteRow] = [
        {"suite": source.name, "collection": source.collection, **known[source.name]} for source in sources
    ]
    if name is None:
        plugins = find_plugins("suites")
        return rows + [{"suite": "", "collection": each.name, "package": each.package} for each in plugins]
    if rows:
        return rows
    suites, faults = read_collection(name, "natural", None, None)
    if faults:
        raise faults[0]
    return [describe_suite(suite) for suite in suites]


def list_collections() -> list[SuiteRow]:
    """Return every suite on its own and every collection, with the number of its suites, items and conditions.

    >>> [row["suites"] for row in list_collections() if row["name"] == "blimp"]
    [67]
    """
    known = read_overview()
    rows: list[SuiteRow] = []
    for collection, members in builtin_collections().items():
        if not collection:
            rows += [{"name": member, "suites": 1, **known[member]} for member in members]
            continue
        items = sum(int(known[member]["items"] or 0) for member in members)
        conditions = join_range(int(known[member]["conditions"] or 0) for member in members)
        counts: SuiteRow = {"suites": len(members), "items": items, "conditions": conditions}
        rows.append({"name": collection, **counts, "description": known[collection]["description"]})
    for each in find_plugins("suites"):
        rows.append({"name": each.name, "suites": None, "items": None, "conditions": None, "description": each.summary})
    return rows


def describe_suite(suite: Suite) -> SuiteRow:
    """Describe a suite that was read: by what its file says about it, or else by its phenomenon."""
    said = next((suite.metadata[key] for key in ("contrast", "comment") if suite.metadata.get(key)), suite.phenomenon)
    return {
        "suite": suite.name, "collection": suite.name.partition("/")[0], "items": len(suite.items),
        "conditions": len(suite.conditions), "description": str(said),
    }  # fmt: skip


def read_overview() -> dict[str, SuiteRow]:
    """Read the counts and descriptions of the built-in suites, and the descriptions of collections."""
    with (BUILTIN / "overview.tsv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file, delimiter="\t"))
    return {
        row["name"]: {
            "items": int(row["items"] or 0), "conditions": int(row["conditions"] or 0),
            "description": row["description"],
        }
        for row in table
    }  # fmt: skip


def join_range(numbers: Iterable[int]) -> str:
    """Write the least and the greatest of some numbers.

    >>> join_range([6, 2, 4]), join_range([2, 2])
    ('2–6', '2')
    """
    found = sorted(set(numbers))
    return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"
