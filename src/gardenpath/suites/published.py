"""Published accuracies of models and humans on the built-in suites, for comparison with new results."""

import csv
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from gardenpath.errors import InputError
from gardenpath.suites.catalog import BUILTIN, builtin_collections, describe_unknown_suite
from gardenpath.suites.phenomena import phenomenon_name

TieRule = Literal["wrong", "credit"]
"""How an accuracy counts ties: as wrong, or as the expected value when ties are broken at random."""


FILE = "published.tsv"
"""The file of published accuracies in the folder of a collection."""


@dataclass(frozen=True, slots=True)
class PublishedAccuracy:
    """One published accuracy."""

    suites: tuple[str, ...]
    """The suite it was measured on, or several that were pooled."""
    key: str
    """The level `key` of the items it was measured on; empty for all items."""
    prediction: str
    source: str
    """The paper and table it is printed in."""
    model: str
    """The model, or `humans`."""
    accuracy: float
    ties: TieRule
    """How its authors counted ties; people, who had to choose, break theirs as if at random: `credit`."""
    note: str = ""
    """Caveats for the reader."""


def published_accuracies(collection: str) -> list[PublishedAccuracy]:
    """Return the published accuracies for the suites of a built-in collection; none if nothing was published."""
    if collection not in builtin_collections():
        raise InputError(describe_unknown_suite(collection))
    folder = collection.partition("/")[0]
    path = BUILTIN / folder / FILE
    if not folder or not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        figures = [parse_row(row, folder) for row in csv.DictReader(file, delimiter="\t")]
    return [figure for figure in figures if figure.suites[0].rpartition("/")[0] == collection]


def published_for_suites(suites: Iterable[str]) -> list[PublishedAccuracy]:
    """Return the published accuracies for those of the named suites that are built in.

    A suite read from a file of the authors has the name of the built-in one without its collection; the accuracies for
    it are those of the built-in one, under its own name.
    """
    names, known = list(suites), set(builtin_collections())
    collections = dict.fromkeys(suite.rpartition("/")[0] for suite in names)
    found = [figure for name in collections if name in known for figure in published_accuracies(name)]
    for collection in dict.fromkeys(name.rpartition("/")[0] for name in released_names(names).values()):
        found += [
            replace(figure, suites=tuple(name.rpartition("/")[2] for name in figure.suites))
            for figure in published_accuracies(collection)
        ]
    return found


def released_names(suites: Iterable[str]) -> dict[str, str]:
    """Return the built-in names of suites that are named as in the files of their authors, without a collection.

    >>> released_names(["wh_island", "blimp/wh_island", "mine"])
    {'wh_island': 'blimp/wh_island'}
    """
    built_in = {
        name.rpartition("/")[2]: name
        for collection, names in builtin_collections().items()
        if collection and (BUILTIN / collection / FILE).exists()
        for name in names
    }
    return {suite: built_in[suite] for suite in suites if suite in built_in}


def suite_topics(figures: Iterable[PublishedAccuracy]) -> dict[str, dict[str, str]]:
    """Return the phenomenon and the circuit of every suite of some published accuracies, from its template."""
    topics = {}
    for suite in dict.fromkeys(suite for figure in figures for suite in figure.suites):
        path = BUILTIN / f"{suite}.toml"
        head = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        topics[suite] = {
            "phenomenon": phenomenon_name(str(head.get("phenomenon", ""))),
            "circuit": str(head.get("circuit", "")),
        }
    return topics


def parse_row(row: dict[str, str], folder: str) -> PublishedAccuracy:
    """Return the published accuracy of one row of the file."""
    suites = tuple(f"{folder}/{name}" for name in row["suite"].split())
    key, prediction, source, model = (row[column] for column in ("key", "prediction", "source", "model"))
    ties = next(rule for rule in get_args(TieRule) if rule == row["ties"])
    return PublishedAccuracy(suites, key, prediction, source, model, float(row["accuracy"]), ties, row["note"] or "")
