"""Runs beside the accuracies that were published on their suites."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, suggest
from gardenpath.runs.results import Runs, RunSource, read_runs
from gardenpath.statistics.accuracy import split_names
from gardenpath.statistics.group_names import POOLED
from gardenpath.statistics.grouping import drop_left_out, unknown_group
from gardenpath.statistics.published import against_published, means_beside_published
from gardenpath.statistics.selection import Names, select_outcomes
from gardenpath.suites.published import published_for_suites, released_names

PROTOCOL_OF = {
    "blimp": "blimp-2020", "marvin-linzen": "marvin-linzen-2018", "syntactic-generalization": "hu-2020",
    "reflexives": "hu-chen-levy-2020",
}  # fmt: skip
"""The protocol of the paper behind every collection that has published accuracies."""
KNOWN_GROUPS = f"{', '.join(POOLED)} or model"
"""What published accuracies can be grouped by, for messages."""


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """Models beside published accuracies."""

    rows: polars.DataFrame
    """See `statistics.published.against_published`."""
    notes: list[str]
    """Which suites were recognised by their names, and which models were scored by the protocol of the paper."""
    means: polars.DataFrame
    """Means over the suites of every group of `by`, or over all; see `statistics.published.means_beside_published`."""


def compare_published(
    runs: RunSource | Sequence[RunSource],
    *,
    model: Names = None,
    prediction: Names = None,
    by: str = "suite",
    against: Names = None,
) -> PublishedComparison:
    """Compare the models of runs with the published accuracies on the same suites.

    model, prediction: only those of this name, or of these. against: only these published models; the beginning of a
    name is enough. by: "circuit", "phenomenon", "field" or "model" for means over the suites that have both accuracies.

    Suites are those of the built-in collections, or files of their authors, whose suites have the same names.
    """
    done = read_runs(runs)
    outcomes = select_outcomes(drop_left_out(done.outcomes()), model=model, prediction=prediction)
    models = set(outcomes["model"])
    names = outcomes["suite"].unique(maintain_order=True).to_list()
    groups = published_groups(outcomes, by)
    rows = against_published(outcomes, published_for_suites(names))
    if not len(rows):
        raise InputError(
            "nothing was published on the suites of these runs; there are figures for the built-in blimp, "
            "marvin-linzen, reflexives and syntactic-generalization, and for the files of their authors"
        )
    rows = rows if against is None else choose_published(rows, [against] if isinstance(against, str) else against)
    shown = {suite for text in rows["suite"] for suite in text.split(" ")}
    released = released_names([name for name in names if name in shown])
    notes = [
        f"taken for suites of {name}, because they have the same names: {quote(own, most=3)}"
        for name, own in by_collection(released).items()
    ]
    collections = dict.fromkeys(released.get(name, name).partition("/")[0] for name in names if name in shown)
    notes += [protocol_note(done, PROTOCOL_OF[name], models) for name in collections]
    topics = outcomes.select("suite", *groups).unique(maintain_order=True)
    means = means_beside_published(rows.join(topics, on="suite", how="left", maintain_order="left"), groups)
    if by != "suite" and not len(means):
        raise InputError(f"all figures published on these suites are of parts of suites or of several: leave out {by}")
    return PublishedComparison(rows, notes, means)


def published_groups(outcomes: polars.DataFrame, by: str) -> list[str]:
    """List the columns whose suites are averaged; none for "suite" and "model".

    Published accuracies are of whole suites, so that factors of items are refused.
    """
    names = [name for name in split_names(by) if name not in ("suite", "model")]
    for name in names:
        if name not in POOLED:
            raise InputError(f"published accuracies are of whole suites: group by {KNOWN_GROUPS}, not by {name!r}")
        if name not in outcomes.columns:
            raise InputError(unknown_group(outcomes, name))
    return names


def choose_published(rows: polars.DataFrame, against: Sequence[str]) -> polars.DataFrame:
    """Keep the rows about some published models; raise where one is not among them."""
    known = rows["reference"].unique(maintain_order=True).to_list()
    return rows.filter(polars.col("reference").is_in([find_published(name, known) for name in against]))


def find_published(name: str, known: Sequence[str]) -> str:
    """Return the published model of this name, or the only one that begins so but for case and punctuation.

    >>> find_published("gpt2", ["GPT-2 (large)", "LSTM"])
    'GPT-2 (large)'
    """
    letters = letters_of(name)
    same = [one for one in known if letters_of(one) == letters]
    begun = [one for one in known if letters and letters_of(one).startswith(letters)]
    for found in ([one for one in known if one == name], same, begun):
        if len(found) == 1:
            return found[0]
    near = [one for one in known if letters in letters_of(one)]
    advice = f"; did you mean one of {quote(near)}?" if near else f": {quote(known)}{suggest(name, known)}"
    raise InputError(f"there is no published model {name!r} on these suites{advice}")


def letters_of(name: str) -> str:
    """Return the letters and digits of a name, in lower case.

    >>> letters_of("GPT-2 (large)")
    'gpt2large'
    """
    return "".join(filter(str.isalnum, name.lower()))


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
