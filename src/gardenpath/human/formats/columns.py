"""Maps from the fields of a response to the columns of a file: given by the user, or found by usual names."""

from collections.abc import Iterable, Mapping

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.suites.formats.pair_columns import fold_column_name

ColumnMap = Mapping[str, str]
"""Columns of a file by the field they hold."""

USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "participant": (
        "participant", "participant_id", "subject", "subject_id", "subj", "worker", "worker_id", "prolific_pid",
        "prolific_id", "annotator", "anoncode",
    ),
    "session": ("session", "session_id", "assignment_id"),
    "list": ("list", "list_number"),
    "version": ("version",),
    "trial": ("trial", "trial_number", "trial_order"),
    "role": ("role",),
    "task": ("task",),
    "suite": ("suite", "experiment", "paradigm", "uid"),
    "item": ("item", "item_id", "item_number", "itemid", "pair_id", "stimulus_id"),
    "cell": ("cell",),
    "condition": ("condition", "cond"),
    "order": ("order",),
    "choice": ("choice", "chosen", "response", "answer"),
    "correct": ("correct", "is_correct", "accuracy"),
    "rating": ("rating", "judgment", "judgement", "acceptability"),
    "word": ("word_number", "word_index", "word_position", "position"),
    "region": ("region",),
    "text": ("word", "text", "token"),
    "rt": ("rt", "reading_time", "reaction_time", "response_time", "rt_ms"),
    "time": ("time", "timestamp"),
    "sentence": ("sentence",),
}  # fmt: skip
"""The fields of a response, and the columns that hold them unless the user names others."""


def parse_column_map(given: str | ColumnMap | None, fields: Iterable[str]) -> dict[str, str]:
    """Parse `field=COLUMN,field=COLUMN`, and refuse fields that do not exist."""
    known = list(fields)
    if isinstance(given, Mapping):
        pairs = [(str(field), str(column)) for field, column in given.items()]
    else:
        parts = [part.partition("=") for part in (given or "").split(",") if part.strip()]
        pairs = [(field.strip(), column.strip()) for field, _, column in parts]
    named: dict[str, str] = {}
    for field, column in pairs:
        if field not in known or not column:
            raise InputError(f"--columns: {field!r} is not FIELD=COLUMN; the fields are {', '.join(known)}")
        if field in named:
            raise InputError(f"--columns: {field!r} is given twice; name one column")
        named[field] = column
    return named


def find_columns(header: Iterable[str], given: ColumnMap, where: str) -> dict[str, str]:
    """The columns of a header by field: those that the user named, which must exist, and those with a usual name."""
    names = [name for name in header if name]
    missing = [column for column in given.values() if column not in names]
    if missing:
        raise InputError(f"{where}: no column {quote(missing)}; the columns are {quote(names)}")
    spelling = {fold_column_name(name): name for name in reversed(names) if name not in given.values()}
    found = dict(given)
    for field, usual in USUAL_NAMES.items():
        if field not in found:
            name = next((spelling[key] for one in usual if (key := fold_column_name(one)) in spelling), None)
            if name is not None and name not in found.values():
                found[field] = name
    return found
