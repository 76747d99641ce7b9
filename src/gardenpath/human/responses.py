"""Responses of participants: one typed table, whatever tool collected them, and the folder that holds it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import polars
from polars.exceptions import PolarsError

from gardenpath.errors import InputError
from gardenpath.human.spec import Exclusions, Role, Task
from gardenpath.io.messages import quote
from gardenpath.io.sealed_json import DamagedError, parse_object
from gardenpath.suites.suite import Suite

if TYPE_CHECKING:
    from gardenpath.human.analysis import StudyAnalysis

Columns = dict[str, polars.DataType | type[polars.DataType]]
RESPONSES: Columns = {
    "participant": polars.String,
    "session": polars.String,  # one visit of a participant to one list (an assignment of MTurk)
    "list": polars.String,
    "version": polars.String,  # the order of the list; empty where unknown
    "trial": polars.Int64,  # from 1, in the order of presentation
    "role": polars.String,  # test, filler, catch, check, practice
    "task": polars.String,  # choice, rating, reading, maze, question (on comprehension)
    "suite": polars.String,
    "item": polars.String,
    "cell": polars.String,  # the condition of the study: a suite, or a suite and level
    "condition": polars.String,  # the condition shown; null for a choice
    "order": polars.List(polars.String),  # choice: the conditions in the order shown; null otherwise
    "choice": polars.String,  # choice: the condition chosen; question: the answer; null otherwise
    "correct": polars.Boolean,  # choice, question, check, maze word; null where nothing is right or wrong
    "rating": polars.Float64,
    "word": polars.Int64,  # reading and maze: index of the word or region from 1; null otherwise
    "region": polars.String,  # reading and maze: the region in which the word begins
    "text": polars.String,  # reading and maze: the word
    "rt": polars.Float64,  # milliseconds
    "time": polars.Datetime("ms", "UTC"),  # when it was stored
}
"""The columns of responses.parquet: a row per answer; of reading and maze, a row per word."""
SESSIONS: Columns = {
    "participant": polars.String,
    "session": polars.String,
    "list": polars.String,
    "version": polars.String,
    "status": polars.String,  # complete, active, expired, rejected (by the researcher)
    "started": polars.Datetime("ms", "UTC"),
    "ended": polars.Datetime("ms", "UTC"),
    "seconds": polars.Float64,
    "hidden_field": polars.Boolean,  # whether the field that people cannot see was filled in
    "lost_focus": polars.Int64,  # how often the page lost the focus
    "answers": polars.String,  # answers to questions about the participant, as a JSON object
    "made_with": polars.String,  # version of gardenpath and digest of the materials
}
"""The columns of sessions.parquet: a row per visit of a participant."""

ROLES = (*get_args(Role), "check")
TASKS = (*get_args(Task), "question")
STATUSES = ("complete", "active", "expired", "rejected")
ONE_ANSWER = ["session", "trial", "task", "word"]
"""The columns that tell answers apart: a session has one answer to a trial, or one to each of its words."""
REQUIRED = {
    "responses": ("participant", "session", "list", "version", "trial", "role", "task", "suite", "item", "cell"),
    "sessions": ("participant", "session", "list", "version", "status", "answers", "made_with"),
}
"""The columns without empty cells; a text that is not known is empty."""


@dataclass(frozen=True, eq=False)
class Responses:
    """Responses of participants, their sessions, and the items they saw.

    >>> session = {"participant": "p1", "session": "s1", "status": "complete"}
    >>> answer = session | {"trial": 1, "task": "choice", "suite": "keys", "item": "1", "choice": "good"}
    >>> Responses(response_table([answer]), session_table([session]))
    <Responses: 1 response of 1 participant in 1 session, to 1 item of 1 suite>
    """

    responses: polars.DataFrame
    """A row per answer, or per word read; its columns are `RESPONSES`."""
    sessions: polars.DataFrame
    """A row per visit of a participant; its columns are `SESSIONS`."""
    suites: tuple[Suite, ...] = ()
    """The items as participants saw them, as far as known: what models are to be run on."""
    exclusions: Exclusions = field(default_factory=Exclusions)
    """Who and what an analysis leaves out."""
    source: str = ""
    """Where the responses come from: a file, or the folder of a study."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Parts of the source that are no responses, or were not understood, with their numbers."""

    def __post_init__(self) -> None:
        require_schema(self.responses, "responses")
        require_schema(self.sessions, "sessions")
        require_values(self)
        require_one_answer(self.responses)
        require_sessions(self)

    @staticmethod
    def read(folder: str | Path) -> "Responses":
        """Read the responses that `save` wrote."""
        from gardenpath.human.responses_folder import read_responses_folder  # imports this module

        return read_responses_folder(Path(folder))

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write responses, sessions and suites into a folder; `overwrite` replaces other responses there."""
        from gardenpath.human.responses_folder import write_responses_folder  # imports this module

        return write_responses_folder(self, Path(folder), overwrite=overwrite)

    def analyse(self) -> "StudyAnalysis":
        """Apply the exclusion rules, and return accuracies, majorities, ratings, times and agreement."""
        from gardenpath.human.analysis import analyse  # imports this module

        return analyse(self)

    def summary(self) -> str:
        """Summarise the numbers of responses, participants and items in one line."""
        people, sessions = self.sessions["participant"].n_unique(), self.sessions.height
        items = self.responses.select("suite", "item").n_unique()
        return (
            f"{count_of(self.responses.height, 'response')} of {count_of(people, 'participant')} in "
            f"{count_of(sessions, 'session')}, to {count_of(items, 'item')} of "
            f"{count_of(self.responses['suite'].n_unique(), 'suite')}"
        )

    def __repr__(self) -> str:
        return f"<Responses: {self.summary()}>"


def count_of(number: int, noun: str) -> str:
    """Write a number of things.

    >>> count_of(1_200, "session"), count_of(1, "reply")
    ('1,200 sessions', '1 reply')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def response_table(rows: Iterable[Mapping[str, Any]]) -> polars.DataFrame:
    """Build the table of responses; a cell without a value is null, or empty or `test` where it must not be."""
    filled = {"list": "", "version": "", "role": "test", "suite": "", "cell": ""}
    return build_table(({**filled, **{k: v for k, v in row.items() if v is not None}} for row in rows), RESPONSES)


def session_table(rows: Iterable[Mapping[str, Any]]) -> polars.DataFrame:
    """Build the table of sessions; a cell without a value is null, or empty or `complete` where it must not be."""
    filled = {"list": "", "version": "", "status": "complete", "answers": "{}", "made_with": ""}
    return build_table(({**filled, **{k: v for k, v in row.items() if v is not None}} for row in rows), SESSIONS)


def build_table(rows: Iterable[Mapping[str, Any]], columns: Columns) -> polars.DataFrame:
    """Build a table with these columns from rows, which may lack some of them or have others."""
    kept = list(rows)
    try:
        return polars.DataFrame(
            {name: [row.get(name) for row in kept] for name in columns}, schema=columns, strict=True
        )
    except (PolarsError, TypeError, OverflowError) as error:
        raise InputError(
            f"the rows do not fit the table: {(str(error).splitlines() or [type(error).__name__])[0]}"
        ) from error


def require_schema(table: polars.DataFrame, name: str) -> None:
    """Refuse a table without the columns and types that it must have."""
    columns = RESPONSES if name == "responses" else SESSIONS
    if list(table.columns) != list(columns):
        missing = [column for column in columns if column not in table.columns]
        other = [column for column in table.columns if column not in columns]
        fault = f"lacks {quote(missing)}" if missing else f"has {quote(other)}" if other else "has another order"
        raise InputError(f"the table of {name} {fault}; its columns are {', '.join(columns)}")
    for column, kind in columns.items():
        if table.schema[column] != kind:
            raise InputError(f"{name}, column {column!r}: its type is {table.schema[column]}; it must be {kind}")
    for column in REQUIRED[name]:
        if table[column].null_count():
            row = table[column].is_null().arg_max()
            raise InputError(f"{name}, row {row}: column {column!r} is null; write an empty text for what is not known")


def require_values(found: Responses) -> None:
    """Refuse roles, tasks and statuses that do not exist, answers without what their task needs, and other nonsense."""
    for name, column, known in (
        ("responses", "role", ROLES), ("responses", "task", TASKS), ("sessions", "status", STATUSES),
    ):  # fmt: skip
        other = set(getattr(found, name)[column]) - set(known)
        if other:
            raise InputError(f"{name}, column {column!r}: unknown {quote(sorted(other))}; known: {', '.join(known)}")
    choice, word = polars.col("choice"), polars.col("word")
    needs = {
        "a choice without the condition chosen": (polars.col("task") == "choice") & choice.is_null(),
        "a rating without a number": (polars.col("task") == "rating") & polars.col("rating").is_null(),
        "a word without its index": polars.col("task").is_in(["reading", "maze"]) & word.is_null(),
        "an answer that has the index of a word": polars.col("task").is_in(["choice", "rating"]) & word.is_not_null(),
        "an index below 1": (polars.col("trial") < 1) | (word < 1),
        "a time below 0": polars.col("rt") < 0,
        "a number that is not finite": polars.col("rt").is_finite().not_() | polars.col("rating").is_finite().not_(),
        "the choice is not among the conditions shown": (polars.col("task") == "choice")
        & polars.col("order").list.contains(choice).not_(),
        "no item": polars.col("item") == "",
    }
    for fault, where in needs.items():
        wrong = found.responses.filter(where)
        if wrong.height:
            raise InputError(f"responses, {describe_answer(wrong)}: {fault}; correct the source, or leave the row out")
    for text in found.sessions["answers"].unique():
        try:
            parse_object(text)
        except DamagedError as error:
            raise InputError(f"sessions, column 'answers': {error}; a JSON object is expected, not {text!r}") from error


def require_one_answer(responses: polars.DataFrame) -> None:
    """Refuse responses in which a session answers a trial twice."""
    repeated = responses.filter(responses.select(ONE_ANSWER).is_duplicated())
    if repeated.height:
        raise InputError(
            f"responses, {describe_answer(repeated)}: answered twice; keep one of the answers, or give each visit of a "
            "participant a session of its own"
        )


def describe_answer(rows: polars.DataFrame) -> str:
    """Name the first of some responses in a message."""
    row = rows.row(0, named=True)
    word = "" if row["word"] is None else f", word {row['word']}"
    return f"session {row['session']!r}, trial {row['trial']} ({row['suite']}, item {row['item']!r}{word})"


def require_sessions(found: Responses) -> None:
    """Refuse two rows of one session, and responses of a session that is not in the table of sessions."""
    repeated = found.sessions.filter(polars.col("session").is_duplicated())
    if repeated.height:
        raise InputError(f"sessions: {repeated['session'][0]!r} is there twice; a session has one row")
    keys = ["participant", "session"]
    lost = found.responses.join(found.sessions, on=keys, how="anti")
    if lost.height:
        row = lost.row(0, named=True)
        raise InputError(
            f"responses of participant {row['participant']!r} in session {row['session']!r}, which is not in the table "
            "of sessions; add a row there"
        )
