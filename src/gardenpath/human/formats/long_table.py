"""Long tables, a row per response: .csv, .tsv or JSON lines, with columns of any names."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.formats.cells import (
    cell_error,
    index_cell,
    list_cell,
    milliseconds_cell,
    number_cell,
    text_cell,
    time_cell,
    truth_cell,
)
from gardenpath.human.formats.collected import Collected, Row
from gardenpath.human.formats.columns import USUAL_NAMES, ColumnMap, find_columns, parse_column_map
from gardenpath.human.responses import ROLES, TASKS
from gardenpath.io.messages import quote
from gardenpath.io.numbers import is_whole_number
from gardenpath.io.tables import Record, read_records

FILES = (".csv", ".tsv", ".json", ".jsonl")
GOOD = ("good", "grammatical", "acceptable")
BAD = ("bad", "ungrammatical", "unacceptable")
"""Conditions whose names tell whether they are right."""


def read_long_table(path: Path, columns: str | ColumnMap | None = None) -> Collected:
    """Read a table with a row per response, or per word that was read."""
    given = parse_column_map(columns, USUAL_NAMES)
    if path.suffix.lower() not in FILES:
        raise InputError(f"{path}: a table ends in {', '.join(FILES)}; save it as one of these, or rename it")
    records = read_records(path)
    found = find_columns(records[0].cells, given, str(path))
    require_fields(found, records[0])
    return collect_records(records, found, path.stem)


def require_fields(columns: ColumnMap, record: Record) -> None:
    """Refuse a table without participants, items or answers."""
    answers = ("choice", "correct", "rating", "rt")
    for needed in (("participant",), ("item", "sentence"), answers):
        if not any(field in columns for field in needed):
            names = f"{needed[0]!r}" if len(needed) == 1 else f"any of {quote(needed)}"
            raise InputError(
                f"{record.path}: no column for {names}; name it with --columns {needed[0]}=COLUMN; the columns are "
                f"{quote(record.cells, most=30)}"
            )


def collect_records(records: Iterable[Record], columns: ColumnMap, suite: str) -> Collected:
    """Turn records into responses and sessions; those without a participant, an item or an answer are counted.

    `suite`: the suite of responses that do not name theirs.
    """
    found, sessions, numbers = Collected(), dict[str, Row](), ItemNumbers()
    for record in records:
        row = convert_record(record, columns, suite)
        sentence = text_cell(record, columns.get("sentence"))
        if not row["participant"]:
            found.skipped["rows without a participant"] += 1
        elif not row["item"] and not sentence:
            found.skipped["rows without an item"] += 1
        elif not row["task"]:
            found.skipped["rows without an answer"] += 1
        else:
            row["item"] = row["item"] or numbers.find(row["suite"], sentence)
            found.responses.append(row)
            session = {name: row[name] for name in ("participant", "session", "list", "version")}
            sessions.setdefault(row["session"], session)
            if sentence and row["task"] != "choice":
                seen = found.seen.setdefault((row["suite"], row["item"]), {})
                seen.setdefault(row["condition"] or "sentence", sentence)
    count_from_one(found.responses, "trial")
    count_from_one(found.responses, "word")
    number_trials(found.responses)
    found.sessions.extend(sessions.values())
    return found


class ItemNumbers:
    """Numbers for items that only have sentences, by suite, in the order of first appearance."""

    def __init__(self) -> None:
        self.numbers: dict[str, dict[str, str]] = {}

    def find(self, suite: str, sentence: str) -> str:
        """The number of a sentence."""
        known = self.numbers.setdefault(suite, {})
        return known.setdefault(sentence, str(len(known) + 1))


def convert_record(record: Record, columns: ColumnMap, suite: str) -> Row:
    """The response of one record; its task is empty where there is no answer."""
    texts = ("participant", "list", "version", "suite", "item", "cell", "condition", "choice", "region", "text")
    row: Row = {name: text_cell(record, columns.get(name)) for name in texts}
    row |= {
        "session": text_cell(record, columns.get("session")) or row["participant"],
        "trial": index_cell(record, columns.get("trial")),
        "role": one_of(record, columns.get("role"), ROLES) or "test",
        "order": list_cell(record, columns.get("order")),
        "correct": truth_cell(record, columns.get("correct")),
        "rating": number_cell(record, columns.get("rating")),
        "word": index_cell(record, columns.get("word")),
        "rt": milliseconds_cell(record, columns.get("rt")),
        "time": time_cell(record, columns.get("time")),
    }
    row["task"] = one_of(record, columns.get("task"), TASKS) or infer_task(row)
    row["suite"] = row["suite"] or suite
    row["cell"] = row["cell"] or row["suite"]
    for name in ("condition", "choice", "region", "text"):
        row[name] = row[name] or None
    if row["task"] == "choice":
        return complete_choice(row)
    return row | {"order": None, "choice": row["choice"] if row["task"] == "question" else None}


def one_of(record: Record, column: str | None, known: Sequence[str]) -> str:
    """The cell as one of some names; empty where there is no value."""
    name = text_cell(record, column).casefold()
    if name and name not in known:
        raise cell_error(record, column, f"one of {', '.join(known)} is expected")
    return name


def infer_task(row: Row) -> str:
    """The task that a response without one belongs to, by what it has; empty where it has no answer."""
    if row["rating"] is not None:
        return "rating"
    if row["word"] is not None:
        return "reading" if row["rt"] is not None else ""
    return "choice" if row["choice"] or row["correct"] is not None else ""


def complete_choice(row: Row) -> Row:
    """Add to a choice what follows from the rest: the condition at a position, right or wrong."""
    choice, order, correct = row["choice"], row["order"], row["correct"]
    if order and choice not in order and choice and is_whole_number(choice) and 1 <= int(choice) <= len(order):
        choice = order[int(choice) - 1]
    if choice is None and correct is not None:
        choice = GOOD[0] if correct else BAD[0]
    if correct is None and choice in GOOD + BAD:
        correct = choice in GOOD
    if order and choice not in order:
        order = None
    return row | {"choice": choice, "order": order, "correct": correct, "condition": None, "word": None}


def count_from_one(rows: list[Row], field: str) -> None:
    """Let indices begin with 1 where the file counts from 0."""
    if any(row[field] == 0 for row in rows):
        for row in rows:
            row[field] = None if row[field] is None else row[field] + 1


def number_trials(rows: list[Row]) -> None:
    """Number the trials of every session in the order of rows, where the file does not."""
    last: dict[str, Row] = {}
    for row in rows:
        before = last.get(row["session"])
        if row["trial"] is None:
            row["trial"] = 1 if before is None else before["trial"] + (not continues(row, before))
        last[row["session"]] = row


def continues(row: Row, before: Row) -> bool:
    """Whether a response belongs to the same trial as the one before it: the next word, or a question afterwards."""
    same = all(row[name] == before[name] for name in ("suite", "item"))
    if row["task"] == "question":
        return bool(same and before["task"] != "question")
    words = row["word"] is not None and before["word"] is not None and row["word"] > before["word"]
    return bool(same and words and row["condition"] == before["condition"])
