"""A trial of Ibex or PCIbex: its lines, and the columns that an experimenter had logged."""

from collections.abc import Mapping
from dataclasses import dataclass

from gardenpath.human.formats.cells import text_cell
from gardenpath.human.formats.columns import USUAL_NAMES, ColumnMap
from gardenpath.human.formats.ibex_lines import FIRST
from gardenpath.io.tables import Record
from gardenpath.suites.formats.pair_columns import fold_column_name

SENTENCE, QUESTION, ANSWER = "Sentence (or sentence MD5)", "Question (NULL if none)", "Answer"
CORRECT, TAKEN = "Whether or not answer was correct (NULL if N/A)", "Time taken to answer"
WORD_NUMBER, WORD, READING, NEW_LINE = "Word number", "Word", "Reading time", "Newline?"
FIELD, FIELD_VALUE = "Field name", "Field value"
KIND, NAME, PARAMETER, VALUE, MOMENT = "PennElementType", "PennElementName", "Parameter", "Value", "EventTime"
STANDARD = frozenset(
    {
        *FIRST, SENTENCE, QUESTION, ANSWER, CORRECT, TAKEN, WORD_NUMBER, WORD, READING, NEW_LINE, FIELD, FIELD_VALUE,
        KIND, NAME, PARAMETER, VALUE, MOMENT, "Comments",
    }
)  # fmt: skip
"""Columns that the tools write by themselves."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The lines of one trial of one session."""

    session: str
    records: list[Record]


def logged_fields(trial: Trial, given: ColumnMap) -> dict[str, str]:
    """The fields of a response that the experimenter had logged: in columns the user named, or with usual names."""
    cells: Mapping[str, object] = {name: one for record in trial.records for name, one in record.cells.items()}
    spelling = {fold_column_name(name): name for name in cells if name not in STANDARD}
    found = {}
    for field, usual in USUAL_NAMES.items():
        names = [spelling[key] for one in usual if (key := fold_column_name(one)) in spelling]
        column = given.get(field) or next(iter(names), None)
        texts = (text_cell(record, column) for record in trial.records if column in record.cells)
        text = next(filter(None, texts), "")
        if text:
            found[field] = text
    return found
