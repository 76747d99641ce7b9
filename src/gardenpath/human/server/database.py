"""What a study's database holds, as the tables of responses and sessions."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.human.answers import ANSWERS, ShownTrial, rows_of, show_trial
from gardenpath.human.server.connection import Connection, connect, require_database, transaction
from gardenpath.human.server.schema import MIGRATIONS, VERSION, migrate, read_setting
from gardenpath.human.server.sessions import now_ms
from gardenpath.human.study import Study

if TYPE_CHECKING:
    import polars

STATUS = """CASE WHEN rejected = 1 THEN 'rejected' WHEN state = 'complete' THEN 'complete'
    WHEN last_seen >= ? THEN 'active' ELSE 'expired' END"""
"""The status of a session; the value is the time since which a session is live."""


def read_database(study: Study, address: str | Path) -> "tuple[polars.DataFrame, polars.DataFrame]":
    """Read the tables of responses and sessions from `postgresql://…`, or from the SQLite file of a path."""
    require_database(str(address))
    connection = connect(str(address))
    try:
        if int(read_setting(connection, VERSION) or 0) != len(MIGRATIONS):
            with transaction(connection):
                migrate(connection)
        with transaction(connection, reading=True):  # both tables as they are at one moment
            return read_tables(study, connection)
    except connection.errors as error:
        raise InputError(f"the database cannot be read ({error}); restore it from a back-up") from None
    finally:
        connection.close()


def read_tables(study: Study, connection: Connection) -> "tuple[polars.DataFrame, polars.DataFrame]":
    """Read the tables of responses and sessions inside a transaction."""
    from gardenpath.human.responses import response_table, session_table

    return response_table(response_rows(study, connection)), session_table(session_rows(study, connection))


def response_rows(study: Study, connection: Connection) -> Iterator[dict[str, Any]]:
    """Yield the rows of all answers, session by session, in the order of the trials."""
    lists = {(listed.number, listed.version): listed for listed in study.lists}

    @cache
    def shown(number: int, version: int, index: int) -> ShownTrial:
        return show_trial(study, lists[number, version], index)

    for participant, session, number, version, trial, answer, received in connection.execute(
        "SELECT participant, session, list, version, trial, answer, received FROM answers "
        "JOIN sessions ON sessions.id = session ORDER BY started, session, trial"
    ):
        here = {"participant": participant, "session": session, "time": received}
        for row in rows_of(shown(number, version, trial), ANSWERS[study.spec.task].model_validate_json(answer)):
            yield row | here


def session_rows(study: Study, connection: Connection) -> Iterator[dict[str, Any]]:
    """Yield a row for every session, in the order they began."""
    answers: dict[str, dict[str, str]] = {}
    for session, given in connection.execute("SELECT session, answers FROM questions ORDER BY asked DESC"):
        answers.setdefault(session, {}).update(json.loads(given))
    since = now_ms() - study.spec.resume_minutes * 60_000
    for row in connection.execute(
        f"SELECT id, participant, list, version, {STATUS}, started, ended, hidden_field, lost_focus, made_with "
        "FROM sessions ORDER BY started, id", since,
    ):  # fmt: skip
        session, participant, number, version, status, started, ended, hidden, lost_focus, made_with = row
        yield {
            "participant": participant, "session": session, "list": str(number), "version": str(version),
            "status": status, "started": started, "ended": ended,
            "seconds": None if ended is None else (ended - started) / 1000,
            "hidden_field": bool(hidden), "lost_focus": lost_focus,
            "answers": json.dumps(answers.get(session, {}), ensure_ascii=False), "made_with": made_with,
        }  # fmt: skip
