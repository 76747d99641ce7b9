"""The lines that elements of PennController write: selections, scales, keys, controllers of Ibex, events of trials."""

import re
from collections.abc import Mapping
from dataclasses import replace

from gardenpath.human.formats.cells import text_cell
from gardenpath.human.formats.collected import Row
from gardenpath.human.formats.ibex_lines import FIRST
from gardenpath.human.formats.ibex_trial import (
    ANSWER,
    FIELD,
    FIELD_VALUE,
    KIND,
    MOMENT,
    NAME,
    PARAMETER,
    QUESTION,
    READING,
    SENTENCE,
    TAKEN,
    VALUE,
    WORD,
    WORD_NUMBER,
    Trial,
)
from gardenpath.io.numbers import is_whole_number
from gardenpath.io.tables import Record

TRIAL, START, PRINT, CONTROLLER = "_Trial_", "Start", "Print", "Controller-"
CHOICES = {("Selector", "Selection"), ("Key", "PressedKey"), ("Key", "Key"), ("DropDown", "Selected")}
RATINGS = {("Scale", "Choice")}
TEXTS = {("TextInput", "Final"), ("DropDown", "Selected")}
KEYS = {"F": 0, "J": 1, "E": 0, "I": 1, "ArrowLeft": 0, "ArrowRight": 1, "first": 0, "second": 1, "left": 0, "right": 1}
"""Usual keys and names for the first and the second of two sentences."""


def is_penn(record: Record) -> bool:
    """Whether a line was written by PennController."""
    return KIND in record.cells


def plain_records(trial: Trial) -> list[Record]:
    """The lines that controllers of Ibex and forms wrote, with their columns as Ibex calls them.

    The first two columns of a controller are called Parameter and Value.
    """
    plain = []
    for record in trial.records:
        kind = record.label(KIND)
        if kind.startswith(CONTROLLER):
            own = (WORD_NUMBER, WORD) if READING in record.cells else (QUESTION, ANSWER)
            own = own if READING in record.cells or TAKEN in record.cells else (SENTENCE, VALUE)
        elif kind == "Html":
            own = (FIELD, FIELD_VALUE)
        else:
            continue
        values = dict(zip(own, (record.cells.get(PARAMETER), record.cells.get(VALUE)), strict=True))
        plain.append(replace(record, cells={**record.cells, FIRST[2]: kind.removeprefix(CONTROLLER), **values}))
    return plain


def penn_answers(trial: Trial, fields: Mapping[str, str]) -> list[Row]:
    """The answers given by selections, keys, scales and texts; of each element the last, which holds.

    A time is counted from the last element that was printed before the answer, or from the beginning of the trial.
    Lines are in the order of elements, not of events.
    """
    began = [moment_of(record) for record in trial.records if is_beginning(record)]
    answers: dict[str, Row] = {}
    for record in trial.records:
        kind, name, value = record.label(KIND), record.label(NAME), value_of(record)
        answer = read_element((kind, record.label(PARAMETER)), value, answer_fields(record, fields))
        if answer is not None:
            moment = moment_of(record)
            before = [one for one in began if one is not None and moment is not None and one <= moment]
            rt = moment - max(before) if moment is not None and before else None
            answers[f"{kind} {name}"] = {**answer, "rt": rt, "name": name, "value": value}
    return list(answers.values())


def is_beginning(record: Record) -> bool:
    """Whether a line says that the trial began, or that something appeared."""
    parameter = record.label(PARAMETER)
    return parameter == PRINT or (parameter == TRIAL and record.label(VALUE) == START)


def is_start(record: Record) -> bool:
    """Whether a line says that a trial began."""
    return record.label(PARAMETER) == TRIAL and record.label(VALUE) == START


def moment_of(record: Record) -> float | None:
    """When something happened; None where it never did."""
    text = record.label(MOMENT)
    return float(text) if is_whole_number(text) else None


def value_of(record: Record) -> str:
    """The value of a line; some versions of PennController write the option of a list in the next column."""
    value = text_cell(record, VALUE)
    if record.label(KIND) == "DropDown" and value == record.label(PARAMETER) and moment_of(record) is None:
        return text_cell(record, MOMENT)
    if record.label(KIND) == "Key" and record.label(PARAMETER) == "Key" and is_whole_number(value) and len(value) < 4:
        return chr(int(value)).strip()  # a key code
    return value


def answer_fields(record: Record, fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields of a trial; the order of a selection, where it was not logged, is in the comment."""
    shown = text_cell(record, "Comments")
    if "order" in fields or record.label(KIND) != "Selector" or record.label(VALUE) not in shown.split(";"):
        return fields
    return {**fields, "order": shown}


def read_element(event: tuple[str, str], value: str, fields: Mapping[str, str]) -> Row | None:
    """The answer in a line; None where it has none, or where a key was pressed that stands for no sentence."""
    if not value or event not in CHOICES | RATINGS | TEXTS:
        return None
    if "item" not in fields:
        return {"task": "text"}
    if event in RATINGS:
        return {"task": "rating", "rating": value}
    if event not in CHOICES:
        return None
    order = order_of(fields)
    if not order or value in order:
        return {"task": "choice", "choice": value, "order": order}
    position = KEYS.get(value, int(value) - 1 if is_whole_number(value) else -1)
    return {"task": "choice", "choice": order[position], "order": order} if 0 <= position < len(order) else None


def order_of(fields: Mapping[str, str]) -> list[str] | None:
    """The conditions of a choice in the order shown, where it was logged."""
    return [part.strip() for part in re.split(r"[;|]", fields["order"])] if fields.get("order") else None
