"""Results of the page that `gardenpath study export --to jspsych` writes: a row per trial, and one at the end."""

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from gardenpath.errors import InputError
from gardenpath.human.formats.cells import (
    index_cell,
    list_cell,
    milliseconds_cell,
    number_cell,
    text_cell,
    time_cell,
    truth_cell,
)
from gardenpath.human.formats.collected import Collected, Row
from gardenpath.human.formats.jatos import Result
from gardenpath.io.messages import show_value
from gardenpath.io.tables import Record, label_text

PREFIX, QUESTIONS, END = "gardenpath-", "gardenpath-questions", "gardenpath-end"
SHARED = ("participant", "session", "list", "version")


def is_exported(result: Result) -> bool:
    """Whether a result was saved by a page of ours."""
    return any(kind_of(record).startswith(PREFIX) for record in result.trials)


def kind_of(record: Record) -> str:
    """The type of a trial."""
    return label_text(record.cells.get("trial_type"))


def collect_exported(results: Iterable[Result], digest: str = "") -> Collected:
    """Turn results into sessions and responses; `digest`: that of the materials, if only these are wanted.

    A session may be in several results: a page that sends its rows to an address sends the new ones each time, and
    those again that were not acknowledged.
    """
    found = Collected()
    sessions: dict[str, dict[int, Record]] = {}
    for result in results:
        for record in result.trials:
            if not kind_of(record).startswith(PREFIX):
                found.skipped["trials of other kinds"] += 1
                continue
            require_materials(record, digest)
            name = text_cell(record, "session") or text_cell(record, "participant") or result.name
            index = index_cell(record, "trial_index")
            rows = sessions.setdefault(name, {})
            rows.setdefault(len(rows) if index is None else index, record)
    for name, rows in sessions.items():
        records = [rows[index] for index in sorted(rows)]
        session = read_session(records, name)
        found.sessions.append(session)
        found.responses.extend(read_responses(records, session))
    return found


def require_materials(record: Record, digest: str) -> None:
    """Refuse a row of another study."""
    found = text_cell(record, "study")
    if digest and found and found != digest:
        raise InputError(
            f"{record.where}: the page had other materials ({found}) than the study ({digest}); name the study it was "
            "exported from"
        )


def read_session(records: list[Record], name: str) -> Row:
    """The session of some rows: who, which list, and the answers about the participant."""
    first, last = records[0], records[-1]
    answers: dict[str, str] = {}
    for record in records:
        given = record.cells.get("answers")
        if kind_of(record) == QUESTIONS and isinstance(given, Mapping):
            answers |= {str(key): label_text(value) for key, value in given.items()}
    hidden = [is_filled(record.cells["hidden_field"]) for record in records if "hidden_field" in record.cells]
    elapsed, ended = milliseconds_cell(last, "time_elapsed"), time_cell(last, "time")
    timed = ended is not None and elapsed is not None
    return {
        **{field: text_cell(first, field) for field in SHARED[2:]},
        "participant": text_cell(first, "participant") or name,
        "session": name,
        "status": "complete" if any(kind_of(record) == END for record in records) else "expired",
        "started": ended - timedelta(milliseconds=elapsed) if timed else None,  # type: ignore[operator, arg-type]  # checked by `timed`
        "ended": ended,
        "seconds": None if elapsed is None else elapsed / 1000,
        "hidden_field": any(hidden) if hidden else None,
        "lost_focus": sum(index_cell(record, "lost_focus") or 0 for record in records),
        "answers": json.dumps(answers, ensure_ascii=False),
        "made_with": " ".join(filter(None, (text_cell(first, "gardenpath"), text_cell(first, "study")))),
    }


def is_filled(value: Any) -> bool:
    """Whether the hidden field was filled in: true, or the text that was written into it."""
    return value if isinstance(value, bool) else bool(label_text(value))


def read_responses(records: Iterable[Record], session: Row) -> list[Row]:
    """The responses in the rows of a session."""
    trials = [record for record in records if kind_of(record) not in (QUESTIONS, END)]
    shared = {name: session[name] for name in SHARED}
    return [
        shared | {"time": time_cell(record, "time")} | row
        for number, record in enumerate(trials, start=1)
        for row in read_trial(record, index_cell(record, "trial") or number)
    ]


def read_trial(record: Record, number: int) -> list[Row]:
    """The responses in one trial."""
    task = kind_of(record).removeprefix(PREFIX)
    common: Row = {name: text_cell(record, name) for name in ("suite", "item", "cell")}
    common |= {
        "trial": number, "role": text_cell(record, "role") or "test", "task": task,
        "condition": text_cell(record, "condition") or None, "rt": milliseconds_cell(record, "rt"),
    }  # fmt: skip
    match task:
        case "choice":
            chosen = {"order": list_cell(record, "order"), "choice": text_cell(record, "choice") or None}
            return [common | {"condition": None, "correct": truth_cell(record, "correct")} | chosen]
        case "rating":
            return [common | {"correct": truth_cell(record, "correct"), "rating": number_cell(record, "rating")}]
        case "reading" | "maze":
            return [common | word for word in read_words(record, task)] + read_question(record, common)
        case _:
            raise InputError(
                f"{record.where}: unknown kind of trial {kind_of(record)!r}; install the newest gardenpath"
            )


def read_words(record: Record, task: str) -> list[Row]:
    """The time of every word of a sentence, with its text and region where they were saved."""
    measured = record.cells.get("times" if task == "reading" else "words")
    if not isinstance(measured, list):
        raise InputError(f"{record.where}: a list with the times of the words is expected, not {show_value(measured)}")
    texts, regions = (texts_of_words(record, name, len(measured)) for name in ("pieces", "regions"))
    rows = []
    for index, one in enumerate(measured):
        word = Record(record.path, record.line, one if isinstance(one, dict) else {"rt": one}, record.unit)
        mistakes = index_cell(word, "mistakes")
        rows.append(
            {
                "word": index + 1,
                "text": texts[index] or None,
                "region": regions[index] or None,
                "rt": milliseconds_cell(word, "rt"),
                "correct": None if mistakes is None else mistakes == 0,
            }
        )
    return rows


def texts_of_words(record: Record, name: str, length: int) -> list[str]:
    """Texts that belong to the words of a sentence; empty ones where they were not saved."""
    values = record.cells.get(name)
    if not isinstance(values, list) or len(values) != length:
        return [""] * length
    return [label_text(value) for value in values]


def read_question(record: Record, common: Row) -> list[Row]:
    """The answer to a comprehension question, where there was one."""
    asked = record.cells.get("question")
    if not isinstance(asked, dict):
        return []
    answer = Record(record.path, record.line, asked, record.unit)
    correct, rt = truth_cell(answer, "correct"), milliseconds_cell(answer, "rt")
    return [common | {"task": "question", "choice": text_cell(answer, "choice") or None, "correct": correct, "rt": rt}]
