"""Results of Ibex and PCIbex: judgments, choices, reading times and questions."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.formats.cells import (
    FALSE,
    TRUE,
    cell_error,
    index_cell,
    milliseconds_cell,
    text_cell,
    time_cell,
    truth_cell,
)
from gardenpath.human.formats.collected import Collected, Row
from gardenpath.human.formats.columns import USUAL_NAMES, ColumnMap, parse_column_map
from gardenpath.human.formats.ibex_lines import FIRST, read_ibex_lines
from gardenpath.human.formats.ibex_trial import (
    ANSWER,
    CORRECT,
    FIELD,
    FIELD_VALUE,
    READING,
    SENTENCE,
    TAKEN,
    WORD,
    WORD_NUMBER,
    Trial,
    logged_fields,
)
from gardenpath.human.formats.long_table import ItemNumbers, complete_choice
from gardenpath.human.formats.pcibex import is_penn, is_start, order_of, penn_answers, plain_records
from gardenpath.human.responses import ROLES
from gardenpath.io.messages import quote
from gardenpath.io.tables import Record

HASH = re.compile(r"[0-9a-f]{32}")
NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?")
VISIT = ("participant", "session", "list", "version")


@dataclass(slots=True)
class Reader:
    """What is found while the trials of a file are read one after another."""

    columns: ColumnMap
    suite: str
    """The suite of responses that do not name theirs."""
    found: Collected = field(default_factory=Collected)
    sessions: dict[str, Row] = field(default_factory=dict)
    numbers: ItemNumbers = field(default_factory=ItemNumbers)


def read_ibex(path: Path, columns: str | ColumnMap | None = None) -> Collected:
    """Read a results file of Ibex or PCIbex."""
    given = parse_column_map(columns, USUAL_NAMES)
    trials = group_trials(read_ibex_lines(path))
    header = {name for trial in trials for record in trial.records for name in record.cells}
    missing = [column for column in given.values() if column not in header]
    if missing:
        raise InputError(f"{path}: no column {quote(missing)}; the columns are {quote(sorted(header), most=40)}")
    reader = Reader(given, path.stem)
    for trial in trials:
        read_trial(trial, reader)
    for row in reader.found.responses:  # the list may be named by later trials only
        row |= {name: reader.sessions[row["session"]][name] for name in VISIT}
    for session in reader.sessions.values():
        reader.found.sessions.append(session | {"answers": json.dumps(session["answers"], ensure_ascii=False)})
    return reader.found


def group_trials(records: Iterable[Record]) -> list[Trial]:
    """Put the lines of a trial together, trials in the order of the file; several people may submit at once."""
    trials: list[Trial] = []
    current: dict[tuple[str, str], Trial] = {}
    for record in records:
        session = f"{record.label(FIRST[0])} {record.label(FIRST[1])}"
        key = session, record.label(FIRST[3])
        if key not in current or is_start(record):  # an item may be shown again
            current[key] = Trial(session, [])
            trials.append(current[key])
        current[key].records.append(record)
    return trials


def read_trial(trial: Trial, reader: Reader) -> None:
    """Add the responses of a trial to an item, or its answers about the participant."""
    fields = logged_fields(trial, reader.columns)
    session = reader.sessions.setdefault(trial.session, new_session(trial))
    session |= {name: fields[name] for name in ("participant", "list", "version") if name in fields}
    records, elements = trial.records, list[Row]()
    if is_penn(trial.records[0]):
        records, elements = plain_records(trial), penn_answers(trial, fields)
    answers = [*read_records(records, reader), *(row for row in elements if row["task"] != "text")]
    answers = [row for row in answers if row["task"] != "rating" or read_rating(row, reader)]
    about = {record.label(FIELD): record.label(FIELD_VALUE) for record in records if record.label(FIELD)}
    about |= {row["name"]: row["value"] for row in elements if row["task"] == "text"}
    session["answers"] |= about
    if answers:
        add_responses(trial, fields, answers, records, reader)
    elif not about:
        reader.found.skipped["trials without an answer to an item"] += 1


def new_session(trial: Trial) -> Row:
    """The session that a trial begins; until another participant is named, people are identified by their hashes."""
    record = trial.records[0]
    return {
        "participant": text_cell(record, FIRST[1]) or trial.session, "session": trial.session, "list": "",
        "version": "", "ended": time_cell(record, FIRST[0]), "answers": {}, "trials": 0,
    }  # fmt: skip


def read_records(records: Iterable[Record], reader: Reader) -> list[Row]:
    """The words and answers in the lines of the controllers of Ibex."""
    rows: list[Row] = []
    for record in records:
        if READING in record.cells:
            word = index_cell(record, WORD_NUMBER)
            if not word:
                raise cell_error(record, WORD_NUMBER, "the number of a word, from 1, is expected")
            text = text_cell(record, WORD) or None
            rows.append({"task": "reading", "word": word, "text": text, "rt": milliseconds_cell(record, READING)})
        elif TAKEN in record.cells and text_cell(record, ANSWER):
            rows.append(read_answer(record))
        elif TAKEN in record.cells:
            reader.found.skipped["questions without an answer"] += 1
    if any(row["task"] == "reading" for row in rows):
        return [row | {"task": "question"} if row["task"] == "choice" else row for row in rows]
    return rows


def read_answer(record: Record) -> Row:
    """The answer of a judgment or a question."""
    answer, rt = text_cell(record, ANSWER), milliseconds_cell(record, TAKEN)
    if "Judgment" in record.label(FIRST[2]):
        return {"task": "rating", "rating": answer, "rt": rt}
    return {"task": "choice", "choice": answer, "correct": truth_cell(record, CORRECT), "rt": rt}


def read_rating(row: Row, reader: Reader) -> bool:
    """Replace a rating by the number with which it begins; whether there is one."""
    number = NUMBER.match(row["rating"])
    if number is None:
        reader.found.skipped["ratings that are not numbers"] += 1
        return False
    row["rating"] = float(number[0])
    return True


def add_responses(
    trial: Trial, fields: Mapping[str, str], answers: list[Row], records: list[Record], reader: Reader
) -> None:
    """Add the answers of a trial to an item as responses, and the sentence it showed."""
    record, session = trial.records[0], reader.sessions[trial.session]
    suite = fields.get("suite") or reader.suite
    text = next((found for one in records if (found := sentence_of(one))), "")
    condition = fields.get("condition") or ("" if "item" in fields else text_cell(record, FIRST[5]))
    item = fields.get("item") or text_cell(record, FIRST[6])
    item = item or (reader.numbers.find(suite, text) if text else text_cell(record, FIRST[5]) or "1")
    session["trials"] += 1
    role = fields.get("role", "")
    common: Row = {
        "session": trial.session, "trial": session["trials"], "role": role if role in ROLES else "test",
        "suite": suite, "item": item, "cell": fields.get("cell") or suite, "condition": condition or None,
        "order": None, "choice": None, "correct": None, "rating": None, "word": None, "time": session["ended"],
    }  # fmt: skip
    given: set[object] = set()
    for answer in answers:
        row = mark_answer(common | {name: answer[name] for name in answer if name not in ("name", "value")}, fields)
        if (row["task"], row["word"]) in given:
            reader.found.skipped["further answers in one trial"] += 1
        else:
            given.add((row["task"], row["word"]))
            reader.found.responses.append(row)
    if text and all(answer["task"] != "choice" for answer in answers):
        reader.found.seen.setdefault((suite, item), {}).setdefault(condition or "sentence", text)


def mark_answer(row: Row, fields: Mapping[str, str]) -> Row:
    """Add to an answer the order of the sentences shown, and whether it is right, where these were logged."""
    right = fields.get("correct", "")
    if right and right.casefold() not in TRUE | FALSE and row["correct"] is None:
        given = {"choice": row["choice"], "question": row["choice"], "rating": f"{row['rating'] or 0:g}"}
        row |= {"correct": given[row["task"]] == right} if row["task"] in given else {}
    return complete_choice(row | {"order": row["order"] or order_of(fields)}) if row["task"] == "choice" else row


def sentence_of(record: Record) -> str:
    """The sentence that a line names, if it is no hash."""
    text = text_cell(record, SENTENCE)
    return "" if HASH.fullmatch(text) else text
