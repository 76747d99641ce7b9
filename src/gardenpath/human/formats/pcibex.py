"""The lines that elements of PennController write: selections, scales, keys, controllers of Ibex, events of trials."""

import re
from collections.abc import Mapping
from dataclasses import replace

from gardenpath.human.formats.cells import number_cell, text_cell
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
CHOICES = {("Selector", "Selection"), ("Key", "PressedKey"), ("Button", "Click"), ("DropDown", "Selected")}
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
    """The answers given by selections, keys, scales and texts; of each element the last, which holds."""
    began: float | None = None
    answers: dict[str, Row] = {}
    for record in trial.records:
        kind, parameter, moment = record.label(KIND), record.label(PARAMETER), number_cell(record, MOMENT)
        if parameter == PRINT or (parameter == TRIAL and record.label(VALUE) == START):
            began = moment
        answer = read_element(record, (kind, parameter), fields)
        if answer is not None:
            rt = None if moment is None or began is None else max(moment - began, 0.0)
            name, value = record.label(NAME), text_cell(record, VALUE)
            answers[f"{kind} {name}"] = {**answer, "rt": rt, "name": name, "value": value}
    return list(answers.values())


def read_element(record: Record, event: tuple[str, str], fields: Mapping[str, str]) -> Row | None:
    """The answer in a line; None where it has none, or where a key was pressed that stands for no sentence."""
    value = text_cell(record, VALUE)
    if not value:
        return None
    if "item" not in fields:
        return {"task": "text"} if event in CHOICES | RATINGS | TEXTS else None
    if event in RATINGS:
        return {"task": "rating", "rating": number_cell(record, VALUE)}
    if event not in CHOICES or event[0] == "Button":  # buttons are for going on
        return None
    order = order_of(fields)
    if not order or value in order:
        return {"task": "choice", "choice": value}
    position = KEYS.get(value, int(value) - 1 if is_whole_number(value) else -1)
    return {"task": "choice", "choice": order[position]} if 0 <= position < len(order) else None


def order_of(fields: Mapping[str, str]) -> list[str] | None:
    """The conditions of a choice in the order shown, where it was logged."""
    return [part.strip() for part in re.split(r"[;|]", fields["order"])] if fields.get("order") else None
