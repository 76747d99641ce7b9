"""The common result of all readers: rows of responses and sessions, the items that were seen, and what was left out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gardenpath.io.messages import locate_errors
from gardenpath.suites.formats.whole_sentence import conditions_called, whole_sentence_predictions
from gardenpath.suites.suite import Item, Sentence, Suite

Row = dict[str, Any]
"""Cells of a response or a session by column; those that are not known may be missing."""
SeenItems = dict[tuple[str, str], dict[str, str]]
"""The sentences that participants saw: by suite and item, then by condition."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Responses and sessions as a reader found them."""

    responses: list[Row] = field(default_factory=list)
    sessions: list[Row] = field(default_factory=list)
    seen: SeenItems = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    """Parts of the source that are no responses or were not understood, with their numbers."""


def join_collected(parts: Iterable[Collected]) -> Collected:
    """Put the results of several files together; a session that is in two of them has the answers of both."""
    joined, sessions = Collected(), dict[str, Row]()
    for part in parts:
        joined.responses.extend(part.responses)
        for row in part.sessions:
            sessions[row["session"]] = {**sessions.get(row["session"], {}), **row}
        for key, sentences in part.seen.items():
            joined.seen.setdefault(key, {}).update(sentences)
        joined.skipped.update(part.skipped)
    joined.sessions.extend(sessions.values())
    return joined


def build_seen_suites(seen: Mapping[tuple[str, str], Mapping[str, str]], source: Path) -> tuple[Suite, ...]:
    """Build the suites of the sentences that participants saw; with the standard predictions, where they apply."""
    by_suite: dict[str, list[Item]] = {}
    for (suite, item), sentences in seen.items():
        if sentences and suite:
            built = Item(item, {name: Sentence(text) for name, text in sentences.items()})
            by_suite.setdefault(suite, []).append(built)
    return tuple(build_seen_suite(name, items, source) for name, items in by_suite.items())


def build_seen_suite(name: str, items: list[Item], source: Path) -> Suite:
    """Build one suite; items that lack a condition are kept, but then no prediction is made."""
    conditions = list(dict.fromkeys(condition for item in items for condition in item.sentences))
    whole = all(len(item.sentences) == len(conditions) for item in items)
    predictions = whole_sentence_predictions(conditions) if whole else ()
    with locate_errors(source):
        return Suite(name, conditions_called(conditions), tuple(items), predictions, source=str(source))
