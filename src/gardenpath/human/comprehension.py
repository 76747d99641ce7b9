"""Comprehension questions of a study: read from a table, given to the items they are about."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.study import ComprehensionQuestion, Stimulus
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import Record, read_records

Rows = dict[tuple[str, str, str], Record]
"""The row of a table by suite, item and condition; the condition is empty where the row is about all of them."""


def add_questions(stimuli: Mapping[str, Stimulus], path: Path) -> dict[str, Stimulus]:
    """Give stimuli the questions of a table: suite, item, question, right, wrong and, where it matters, condition.

    A row without a condition is about all conditions that have no row of their own; an item without a row has no
    question.
    """
    rows = rows_by_sentence(read_records(path))
    require_use(rows, stimuli, path)
    questions = {key: read_question(row) for key, row in rows.items()}
    found = {}
    for id_, stimulus in stimuli.items():
        asked = {
            condition: questions[key]
            for condition in stimulus.sentences
            if (key := row_key(rows, stimulus, condition)) is not None
        }
        found[id_] = replace(stimulus, questions=asked) if asked else stimulus
    return found


def read_question(row: Record) -> ComprehensionQuestion:
    """Read a question and its two answers."""
    question = ComprehensionQuestion(row.text("question"), row.text("right"), row.text("wrong"))
    if question.right == question.wrong:
        raise InputError(f"{row.where}: both answers are {question.right!r}; the wrong one must differ")
    return question


def rows_by_sentence(records: Iterable[Record]) -> Rows:
    """Find the row of every suite, item and condition; raise where two rows are about the same."""
    rows: Rows = {}
    for row in records:
        for column in ("suite", "item"):
            if not row.label(column):
                row.cell(column)  # raises where the column is missing
                raise InputError(f"{row.where}: {column!r} is empty; name the {column} that the row is about")
        key = (row.label("suite"), row.label("item"), row.label("condition"))
        if key in rows:
            raise InputError(
                f"{row.where}: {name_of(key)} has a row already, in {rows[key].unit} {rows[key].line}; remove one"
            )
        rows[key] = row
    return rows


def row_key(rows: Collection[tuple[str, str, str]], stimulus: Stimulus, condition: str) -> tuple[str, str, str] | None:
    """The key of the row about a sentence: of its condition, or of all conditions; None if there is none."""
    own, general = (stimulus.suite, stimulus.item, condition), (stimulus.suite, stimulus.item, "")
    return own if own in rows else general if general in rows else None


def require_use(rows: Rows, stimuli: Mapping[str, Stimulus], path: Path) -> None:
    """Raise if a row names a suite that the study lacks, or if no row is of use; warn of rows about other items.

    A table may be about all items of a suite of which the study shows some, so that other items are no error.
    """
    suites = {stimulus.suite for stimulus in stimuli.values()}
    known = {(s.suite, s.item, condition) for s in stimuli.values() for condition in (*s.sentences, "")}
    unused = [key for key in rows if key not in known]
    for suite, item, condition in unused:
        if suite not in suites:
            row = rows[suite, item, condition]
            raise InputError(
                f"{row.where}: the study has no suite {suite!r}{nearest(suite, suites)}; its suites: "
                f"{quote(sorted(suites))}"
            )
    if not unused:
        return
    row, hint = rows[unused[0]], nearest_sentence(unused[0], known)
    first = f"the first is {row.unit} {row.line}, {name_of(unused[0])}{hint}"
    if len(unused) == len(rows):
        raise InputError(f"{path}: no row is about a sentence of this study; {first}")
    advise(f"{path}: {len(unused)} of {len(rows)} rows are about sentences that this study does not show; {first}")


def name_of(key: tuple[str, str, str]) -> str:
    """A suite, item and condition as messages name them."""
    suite, item, condition = key
    return f"suite {suite!r}, item {item!r}" + (f", condition {condition!r}" if condition else "")


def nearest_sentence(key: tuple[str, str, str], known: Collection[tuple[str, str, str]]) -> str:
    """The item, or the condition of the item, that a row may have meant."""
    suite, item, condition = key
    conditions = {one for where, named, one in known if (where, named) == (suite, item)}
    if conditions:
        return nearest(condition, conditions - {""})
    return nearest(item, {named for where, named, _ in known if where == suite})


def nearest(name: str, known: Iterable[str]) -> str:
    """The remedy for a name that does not exist, where one is near."""
    near = get_close_matches(name, sorted(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
