"""Batch files of Amazon Mechanical Turk: a row per assignment, with the sentences shown and the choices made."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.formats.cells import MISSING, number_cell, text_cell, time_cell
from gardenpath.human.formats.collected import Collected, Row, SeenItems
from gardenpath.human.formats.columns import ColumnMap, parse_column_map
from gardenpath.io.messages import quote
from gardenpath.io.tables import Record, read_records

BATCH_COLUMNS = {
    "condition": "Input.item_{trial}_condition",
    "sentence": "Input.field_{trial}_{position}",
    "choice": "Answer.Choice{trial}",
    "participant": "anonCode",
    "session": "AssignmentId",
    "status": "AssignmentStatus",
    "list": "Input.list",
    "version": "Input.answer_order",
    "seconds": "WorkTimeInSeconds",
    "started": "AcceptTime",
    "ended": "SubmitTime",
    "hidden": "Answer.humans",  # how its columns begin
    "check": "attnchk",  # how the conditions of attention checks begin
}
"""The columns of a batch by the field they hold; {trial} and {position} count from 1."""
CHECK = "check"
"""The suite of attention checks, on which no model is run."""
WORKER = "WorkerId"
"""The participant, where there is no column of anonymous codes."""
ANSWER_KEY = re.compile(r"(.+?)ans([0-9])")
"""A condition, and the position of the sentence that is right."""
POSITION = re.compile(r"\s*([0-9])")
"""How the text of a choice begins. The rest of it is not used: it may have been cut at an apostrophe."""
STATUSES = {"Approved": "complete", "Submitted": "complete", "Rejected": "rejected"}
SPELLINGS = {"navtive": "native"}
"""Answers about the participant whose name was misspelt in the released responses to BLiMP."""
NO_ANSWERS = ("useragent",)
"""What the page recorded of the browser, which is not needed and may identify a person."""


@dataclass(slots=True)
class Items:
    """Ids of the items of a batch: pairs are numbered by paradigm, whichever sentence is shown first."""

    seen: SeenItems = field(default_factory=dict)
    ids: dict[tuple[str, frozenset[str], str], str] = field(default_factory=dict)

    def find(self, suite: str, sentences: list[str], right: int | None) -> tuple[str, list[str]]:
        """The id of the item with these sentences, and their conditions in the order shown."""
        key = suite, frozenset(sentences), "" if right is None else sentences[right]
        if key not in self.ids:
            self.ids[key] = str(1 + sum(known[0] == suite for known in self.ids))
            others = [text for index, text in enumerate(sentences) if index != right]
            names = name_conditions(len(others), right)
            texts = others if right is None else [sentences[right], *others]
            self.seen[suite, self.ids[key]] = dict(zip(names, texts, strict=True))
        condition_of = {text: name for name, text in self.seen[suite, self.ids[key]].items()}
        return self.ids[key], [condition_of[text] for text in sentences]


def name_conditions(others: int, right: int | None) -> list[str]:
    """Conditions of an item: good and bad ones, or numbers where nothing is right or wrong."""
    if right is None:
        return [str(number) for number in range(1, others + 1)]
    return ["good", "bad"] if others == 1 else ["good", *(f"bad_{number}" for number in range(1, others + 1))]


def read_batches(paths: Sequence[Path], columns: str | ColumnMap | None = None) -> Collected:
    """Read batch files; a pair that is in several of them is one item."""
    named = {**BATCH_COLUMNS, **parse_column_map(columns, BATCH_COLUMNS)}
    items, found = Items(), Collected()
    for path in paths:
        records = read_records(path)
        trials = count_trials(records[0], named)
        for record in records:
            add_assignment(record, named, trials, items, found)
    found.seen.update({key: texts for key, texts in items.seen.items() if key[0] != CHECK})
    return found


def add_assignment(record: Record, columns: ColumnMap, trials: int, items: Items, found: Collected) -> None:
    """Add the session and the responses of one row."""
    session = read_assignment(record, columns)
    found.sessions.append(session)
    shared = {name: session[name] for name in ("participant", "session", "list", "version")}
    for trial in range(1, trials + 1):
        row = read_choice(record, columns, trial, items)
        if row is None:
            found.skipped["trials without an answer"] += 1
        else:
            found.responses.append(shared | row | {"time": session["ended"]})


def count_trials(record: Record, columns: ColumnMap) -> int:
    """How many trials an assignment has, by the columns of the first row."""
    pattern = columns["choice"]
    trials = next(n for n in count(1) if name_column(pattern, n) not in record.cells) - 1 if "{trial}" in pattern else 0
    if not trials:
        raise InputError(
            f"{record.path}: no column {name_column(pattern, 1)!r} with the first choice; name its column with "
            f"--columns choice='Answer.Choice{{trial}}'; the columns are {quote(record.cells, most=60)}"
        )
    return trials


def name_column(pattern: str, trial: int, position: int = 1) -> str:
    """The column of a trial, or of a sentence in it."""
    return pattern.replace("{trial}", str(trial)).replace("{position}", str(position))


def read_assignment(record: Record, columns: ColumnMap) -> Row:
    """The session of one row."""
    participant = text_cell(record, columns["participant"]) or text_cell(record, WORKER)
    if not participant:
        raise InputError(
            f"{record.where}: no participant in the column {columns['participant']!r} or {WORKER!r}; name the column "
            "with --columns participant=COLUMN"
        )
    status = text_cell(record, columns["status"]) or "Submitted"
    if status not in STATUSES:
        raise InputError(
            f"{record.where}, column {columns['status']!r}: unknown status {status!r}; known: {', '.join(STATUSES)}"
        )
    hidden = [name for name in record.cells if name.startswith(columns["hidden"])]
    return {
        "participant": participant,
        "session": text_cell(record, columns["session"]) or f"line {record.line}",
        "list": text_cell(record, columns["list"]),
        "version": text_cell(record, columns["version"]),
        "status": STATUSES[status],
        "started": time_cell(record, columns["started"]),
        "ended": time_cell(record, columns["ended"]),
        "seconds": number_cell(record, columns["seconds"]),
        "hidden_field": any(is_filled(record.label(name)) for name in hidden) if hidden else None,
        "answers": json.dumps(read_answers(record, columns), ensure_ascii=False),
    }


def is_filled(text: str) -> bool:
    """Whether somebody wrote into a field; several fields of one name are joined by bars, `|` is two empty ones."""
    return any(part.strip() not in MISSING for part in text.split("|"))


def read_answers(record: Record, columns: ColumnMap) -> dict[str, str]:
    """Answers to the questions about the participant: all that is neither a choice nor the hidden field."""
    choice = re.compile(re.escape(columns["choice"]).replace(re.escape("{trial}"), "[0-9]+"))
    answers = {}
    for name in record.cells:
        kind, _, answered = name.partition(".")
        hidden = name.startswith(columns["hidden"])
        other = kind == "Answer" and not hidden and answered not in NO_ANSWERS and not choice.fullmatch(name)
        if other and (text := text_cell(record, name)):
            answers[SPELLINGS.get(answered, answered)] = text
    return answers


def read_choice(record: Record, columns: Mapping[str, str], trial: int, items: Items) -> Row | None:
    """The response in one trial of a row; None where there is no answer."""
    column = name_column(columns["condition"], trial)
    condition = text_cell(record, column)
    sentences = read_sentences(record, columns["sentence"], trial)
    if not condition or len(sentences) < 2 or len(set(sentences)) < len(sentences):
        raise InputError(
            f"{record.where}, column {column!r}: trial {trial} needs a condition and two different sentences, not "
            f"{condition!r} with {quote(sentences)}; name the columns with --columns condition=…,sentence=…"
        )
    key = ANSWER_KEY.fullmatch(condition)
    right = int(key[2]) - 1 if key else None
    if right is not None and not 0 <= right < len(sentences):
        raise InputError(f"{record.where}, column {column!r}: {condition!r} names a sentence that does not exist")
    paradigm = key[1] if key else condition
    check = paradigm.startswith(columns["check"])
    suite = CHECK if check else paradigm
    item, order = items.find(suite, sentences, right)
    chosen = read_position(record, name_column(columns["choice"], trial), len(sentences))
    if chosen is None:
        return None
    return {
        "trial": trial, "role": "check" if check else "test", "task": "choice", "suite": suite, "item": item,
        "cell": suite, "order": order, "choice": order[chosen], "correct": None if right is None else chosen == right,
    }  # fmt: skip


def read_sentences(record: Record, pattern: str, trial: int) -> list[str]:
    """The sentences of a trial, in the order of their columns."""
    names = (name_column(pattern, trial, position) for position in range(1, 10 if "{position}" in pattern else 2))
    return [text for name in names if (text := text_cell(record, name))]


def read_position(record: Record, column: str, positions: int) -> int | None:
    """The position chosen, from 0; None where there is no answer."""
    text = text_cell(record, column)
    if not text:
        return None
    found = POSITION.match(text)
    if found is None or not 1 <= int(found[1]) <= positions:
        raise InputError(
            f"{record.where}, column {column!r}: an answer that begins with its position, from 1 to {positions}, is "
            f"expected, not {text!r}; correct the cell, or empty it"
        )
    return int(found[1]) - 1
