"""The database: migrations, one writer, commits together, other materials, addresses."""

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.human.formats.read import read_responses
from gardenpath.human.server.app import build_app
from gardenpath.human.server.connection import Connection, connect, database_address, transaction
from gardenpath.human.server.database import read_database
from gardenpath.human.server.erasure import erase_participant
from gardenpath.human.server.schema import MIGRATIONS, SETTINGS, migrate, read_setting, write_setting
from gardenpath.human.server.writer import Database, StorageError, require_same_materials
from served_study import small_study


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "study.db")
    return str(request.getfixturevalue("empty_postgres"))


def write_version_1(address: str) -> None:
    """A database as the first version of the tables has it, with one answer in it."""
    with closing(connect(address)) as connection, transaction(connection):
        for statement in (SETTINGS, *MIGRATIONS[0]):
            connection.execute(statement)
        write_setting(connection, "schema", "1")
        connection.execute("INSERT INTO participants (id, created) VALUES ('p', 1)")
        connection.execute(
            "INSERT INTO sessions (id, token, participant, list, version, state, started, last_seen, made_with) "
            "VALUES ('s', 't', 'p', 1, 2, 'complete', 1000, 4000, 'first')"
        )
        connection.execute(
            "INSERT INTO answers VALUES ('s', 0, 'k', 'keys', '1', 'bad', 0, ?, 2000)",
            json.dumps({"position": 0, "rt": 5, "by": "key"}),
        )


def test_a_database_of_version_1_is_brought_up_to_date(address: str) -> None:
    write_version_1(address)
    responses, sessions = read_database(small_study(), address)
    assert sessions.select("participant", "status", "list", "version").rows() == [("p", "complete", "1", "2")]
    assert responses.select("choice", "correct", "rt").rows() == [("bad", False, 5.0)]
    with closing(connect(address)) as connection, transaction(connection):
        assert read_setting(connection, "schema") == str(len(MIGRATIONS))
        assert migrate(connection) == len(MIGRATIONS)  # once is enough


def test_a_database_of_a_newer_gardenpath_is_refused(address: str) -> None:
    with closing(connect(address)) as connection, transaction(connection):
        migrate(connection)
        write_setting(connection, "schema", "99")
    with pytest.raises(InputError, match="tables of version 99"):
        Database(address)


def test_what_is_committed_survives_power_cuts_as_far_as_sqlite_can(tmp_path: Path) -> None:
    with closing(connect(str(tmp_path / "study.db"))) as connection:
        settings = {name: connection.execute(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")}
    assert settings == {"journal_mode": "wal", "synchronous": 2}


def test_work_that_waits_is_committed_together(address: str) -> None:
    database = Database(address)
    begun, go_on = threading.Event(), threading.Event()
    commits = count_commits(database)

    def wait(_: Connection) -> None:
        begun.set()
        go_on.wait()

    first = database.submit(wait)
    begun.wait()
    waiting = [database.submit(lambda connection, n=n: write_setting(connection, f"n{n}", "x")) for n in range(30)]
    go_on.set()
    for future in [first, *waiting]:
        future.result()
    assert len(commits) == 2
    database.close()


def count_commits(database: Database) -> list[str]:
    """Watch the statements of a database; the list of its commits grows."""
    commits: list[str] = []
    execute = database.connection.execute

    def watched(sql: str, *values: Any) -> Any:
        if sql == "COMMIT":
            commits.append(sql)
        return execute(sql, *values)

    database.connection.execute = watched  # type: ignore[method-assign]
    return commits


def test_work_that_fails_undoes_only_itself(address: str) -> None:
    database = Database(address)
    begun, go_on = threading.Event(), threading.Event()

    def wait(connection: Connection) -> None:
        write_setting(connection, "before", "x")
        begun.set()
        go_on.wait()

    def fail(connection: Connection) -> None:
        write_setting(connection, "failed", "x")
        raise KeyError("no")

    def break_statement(connection: Connection) -> None:
        write_setting(connection, "broken", "x")
        connection.execute("INSERT INTO nowhere VALUES (1)")

    first = database.submit(wait)
    begun.wait()
    failed, broken = database.submit(fail), database.submit(break_statement)
    after = database.submit(lambda connection: write_setting(connection, "after", "x"))
    go_on.set()
    first.result()
    after.result()
    assert isinstance(failed.exception(), KeyError)
    assert isinstance(broken.exception(), StorageError)
    names = database.run(lambda connection: [name for (name,) in connection.execute("SELECT name FROM settings")])
    assert {"before", "after"} <= set(names)
    assert not {"failed", "broken"} & set(names)
    database.close()


def test_what_waits_is_stored_before_the_end(address: str) -> None:
    database = Database(address)
    for number in range(200):
        database.submit(lambda connection, n=number: write_setting(connection, f"n{n}", "x"))
    database.close()
    with closing(connect(address)) as connection, transaction(connection, reading=True):
        assert connection.execute("SELECT count(*) FROM settings WHERE value = 'x'") == [(200,)]


def test_another_writer_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.human.server.connection.BUSY_SECONDS", 0.01)
    database = Database(str(tmp_path / "study.db"))
    with closing(sqlite3.connect(tmp_path / "study.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        future = database.submit(lambda connection: write_setting(connection, "late", "x"))
        assert isinstance(future.exception(), StorageError)  # refused, and nothing said to be stored
        other.execute("ROLLBACK")
    database.run(lambda connection: write_setting(connection, "late", "x"))
    database.close()


def test_other_materials_are_refused_once_there_are_sessions(address: str) -> None:
    database = Database(address)
    database.run(lambda connection: require_same_materials(connection, "first"))
    database.run(lambda connection: require_same_materials(connection, "second"))  # nobody has taken part
    database.close()
    with closing(connect(address)) as connection, transaction(connection):
        connection.execute("INSERT INTO participants (id, created) VALUES ('p', 1)")
        connection.execute(
            "INSERT INTO sessions (id, token, participant, list, version, state, started, last_seen, made_with) "
            "VALUES ('s', 't', 'p', 1, 2, 'complete', 1000, 4000, 'first')"
        )
    with pytest.raises(InputError, match=r"sessions of other materials \(second, now"):
        build_app(small_study(), address)


def test_the_salt_stays_and_differs_between_databases(tmp_path: Path) -> None:
    salts = []
    for name in ("a.db", "a.db", "b.db"):
        database = Database(str(tmp_path / name))
        salts.append(database.salt)
        database.close()
    assert salts[0] == salts[1] != salts[2]


def test_erased_answers_are_not_left_in_the_file(tmp_path: Path) -> None:
    address = str(tmp_path / "study.db")
    write_version_1(address)
    with closing(connect(address)) as connection, transaction(connection):
        connection.execute("UPDATE answers SET idempotency_key = 'to-be-erased'")
    assert erase_participant(address, "p") == 1
    assert b"to-be-erased" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_passwords_are_not_given_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="PGPASSWORD") as refused:
        database_address(tmp_path, "postgresql://me:hunter2@localhost/study")
    assert "hunter2" not in str(refused.value)
    assert database_address(tmp_path) == str(tmp_path / "study.db")
    monkeypatch.setenv("GARDENPATH_STUDY_DATABASE", "postgresql://me:hunter2@localhost/study")
    assert database_address(tmp_path) == "postgresql://me:hunter2@localhost/study"
    assert database_address(tmp_path, "postgresql://me@localhost/other") == "postgresql://me@localhost/other"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("mysql://me:hunter2@host/x", r"the database is mysql://…; give postgresql"),
        ("postgresql://me:hunter2@127.0.0.1:1/x", r"cannot be used .*; check its address"),
        ("no/such/folder/study.db", r"cannot be used as a database"),
    ],
)
def test_addresses_that_cannot_be_used(address: str, message: str) -> None:
    if address.startswith("postgres"):
        pytest.importorskip("psycopg")
    with pytest.raises(InputError, match=message) as refused:
        connect(address)
    assert "hunter2" not in str(refused.value)


def test_a_file_that_does_not_exist_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody has taken part yet"):
        read_database(small_study(), tmp_path / "study.db")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "study.db").write_text("not a database, but long enough to be looked at " * 20)
    with pytest.raises(InputError, match="cannot be used as a database"):
        read_database(small_study(), tmp_path / "study.db")


def test_responses_are_read_where_the_server_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_study().save(tmp_path / "study")
    with pytest.raises(InputError, match="GARDENPATH_STUDY_DATABASE in the environment"):
        read_responses(tmp_path / "study")
    elsewhere = str(tmp_path / "elsewhere.db")
    monkeypatch.setenv("GARDENPATH_STUDY_DATABASE", elsewhere)
    with pytest.raises(InputError, match=r"elsewhere.db does not exist: nobody has taken part yet"):
        read_responses(tmp_path / "study")
    write_version_1(elsewhere)
    found = read_responses(tmp_path / "study")
    assert found.responses["choice"].to_list() == ["bad"]
    found.save(tmp_path / "study")
    answer = json.dumps({"position": 0, "rt": 99, "by": "key"})
    with closing(connect(elsewhere)) as connection, transaction(connection):
        connection.execute("UPDATE answers SET answer = ?", answer)
    assert read_responses(tmp_path / "study").responses["rt"].to_list() == [99.0]  # the server has more by now
