"""Runs beside the accuracies that were published on their suites."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.runs.results import Runs, RunSource, read_runs
from gardenpath.statistics.published import against_published
from gardenpath.statistics.selection import Names, select_outcomes
from gardenpath.suites.published import published_for_suites, released_names

PROTOCOL_OF = {
    "blimp": "blimp-2020", "marvin-linzen": "marvin-linzen-2018", "syntactic-generalization": "hu-2020",
    "reflexives": "hu-chen-levy-2020",
}  # fmt: skip
"""The protocol of the paper behind every collection that has published accuracies."""


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """Models beside published accuracies."""

    rows: polars.DataFrame
    """See `statistics.published.against_published`."""
    notes: list[str]
    """Which suites were recognised by their names, and which models were scored by the protocol of the paper."""


def compare_published(
    runs: RunSource | Sequence[RunSource], *, model: Names = None, prediction: Names = None
) -> PublishedComparison:
    """Compare the models of runs with the published accuracies on the same suites.

    model, prediction: only those of this name, or of these.

    Suites are those of the built-in collections, or files of their authors, whose suites have the same names.
    """
    done = read_runs(runs)
    outcomes = select_outcomes(done.counted(), model=model, prediction=prediction)
    models = set(outcomes["model"])
    names = outcomes["suite"].unique(maintain_order=True).to_list()
    rows = against_published(outcomes, published_for_suites(names))
    if not len(rows):
        raise InputError(
            "nothing was published on the suites of these runs; there are figures for the built-in blimp, "
            "marvin-linzen, reflexives and syntactic-generalization, and for the files of their authors"
        )
    shown = {suite for text in rows["suite"] for suite in text.split(" ")}
    released = released_names([name for name in names if name in shown])
    notes = [
        f"taken for suites of {name}, because they have the same names: {quote(own, most=3)}"
        for name, own in by_collection(released).items()
    ]
    collections = dict.fromkeys(released.get(name, name).partition("/")[0] for name in names if name in shown)
    return PublishedComparison(rows, notes + [protocol_note(done, PROTOCOL_OF[name], models) for name in collections])


def by_collection(released: dict[str, str]) -> dict[str, list[str]]:
    """List the suites of each collection, by the built-in names of suites."""
    found: dict[str, list[str]] = {}
    for suite, name in released.items():
        found.setdefault(name.partition("/")[0], []).append(suite)
    return found


def protocol_note(runs: Runs, protocol: str, models: Collection[str] | None = None) -> str:
    """A sentence on which models, of some or of all, were scored by the protocol of a paper."""
    shown = set(runs.tables.models["model"]) if models is None else models
    used: dict[bool, list[str]] = {True: [], False: []}
    for number, manifest in enumerate(runs.manifests):
        for model in manifest.models:
            name = runs.names[number, model.name]
            if name in shown:
                used[manifest.spec.get("protocol") == protocol].append(name)
    if not used[True]:
        return f"Not scored by the protocol of the paper, as `gardenpath run --protocol {protocol}` does."
    others = f"; not so scored: {quote(used[False], most=3)}" if used[False] else ""
    which = f" ({quote(used[True], most=3)})" if used[False] else ""
    return f"Scored by the protocol of the paper, {protocol}{which}{others}."
