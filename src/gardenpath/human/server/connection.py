"""Connections to SQLite and PostgreSQL behind one small interface: the SQL of this package runs on both."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from gardenpath.errors import InputError
from gardenpath.io.extras import require_extras

ADDRESS = "GARDENPATH_STUDY_DATABASE"
"""The environment's variable for the address of a database, which may have a password in it."""
Value = str | int | float | None
BUSY_SECONDS = 10
"""How long a connection waits for the writer before it."""
LEASES = 1717
"""The number of the PostgreSQL lock under which lists are leased and tables migrated."""


class Connection(Protocol):
    """A connection that the caller begins and ends transactions on."""

    errors: type[Exception]
    """What the driver raises."""

    def execute(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        """Run a statement with `?` for every value; its rows."""
        ...

    def begin(self) -> None:
        """Begin a transaction that writes."""
        ...

    def begin_reading(self) -> None:
        """Begin a transaction that sees everything as it is at one moment, and keeps nobody from writing."""
        ...

    def lock(self) -> None:
        """Keep other processes from leasing lists until the transaction ends."""
        ...

    def scrub(self) -> None:
        """Remove what was deleted from the disk too, as far as the database can be asked to."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class SQLiteConnection:
    """A connection to a file; what is committed is on disk (`synchronous=FULL`), what is erased is overwritten."""

    errors: type[Exception] = sqlite3.Error

    def __init__(self, path: Path) -> None:
        self.raw = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        # fullfsync: on macOS, where what is synchronised may otherwise still be in the memory of the disk.
        settings = ("journal_mode=WAL", "synchronous=FULL", "fullfsync=ON", "foreign_keys=ON", "secure_delete=ON")
        try:
            for setting in settings:
                self.raw.execute(f"PRAGMA {setting}")
        except sqlite3.Error:  # no database
            self.raw.close()
            raise

    def execute(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        """Run a statement; its rows."""
        return self.raw.execute(sql, values).fetchall()

    def begin(self) -> None:
        """Begin a transaction, alone: one that reads first would fail to write where another wrote in between."""
        self.raw.execute("BEGIN IMMEDIATE")

    def begin_reading(self) -> None:
        """Begin a transaction beside that of a writer."""
        self.raw.execute("BEGIN DEFERRED")

    def lock(self) -> None:
        """Do nothing: an immediate transaction is alone already."""

    def scrub(self) -> None:
        """Empty the write-ahead log, which holds pages as they were before."""
        self.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()


class PostgresConnection:
    """A connection to a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        import psycopg

        self.errors: type[Exception] = psycopg.Error
        self.raw = psycopg.connect(url, autocommit=True, connect_timeout=BUSY_SECONDS)
        self.raw.execute("SET synchronous_commit = on")

    def execute(self, sql: str, *values: Value) -> list[tuple[Any, ...]]:
        """Run a statement; its rows."""
        cursor = self.raw.execute(sql.replace("?", "%s").encode(), values)
        return cursor.fetchall() if cursor.description else []

    def begin(self) -> None:
        """Begin a transaction in which a statement sees what others committed before it."""
        self.raw.execute("BEGIN ISOLATION LEVEL READ COMMITTED")

    def begin_reading(self) -> None:
        """Begin a transaction that sees everything as it is now."""
        self.raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def lock(self) -> None:
        """Wait until no other process leases lists."""
        self.raw.execute("SELECT pg_advisory_xact_lock(%s)", (LEASES,))

    def scrub(self) -> None:
        """Do nothing: the server's own vacuum does it."""

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()


def is_postgres(address: str) -> bool:
    """Whether an address is that of a PostgreSQL database; else it is a path."""
    return address.startswith(("postgresql://", "postgres://"))


def database_address(folder: Path, url: str = "") -> str:
    """Where the answers of a study are: a URL given, that of the environment, or the SQLite file of its folder.

    The URL is one of a command line.
    """
    refuse_password(url)
    return url or os.environ.get(ADDRESS) or str(folder / "study.db")


def refuse_password(url: str) -> None:
    """Raise where a URL on a command line, which other users of a machine can see, has a password in it."""
    if url and is_postgres(url) and urlsplit(url).password:
        raise InputError(
            f"--database has a password in it, which others can see; set PGPASSWORD, use ~/.pgpass, or set {ADDRESS} "
            "to the whole address"
        )


def require_database(address: str) -> None:
    """Refuse a SQLite file that does not exist, instead of making an empty one."""
    if not is_postgres(address) and not Path(address).is_file():
        raise InputError(f"{address} does not exist: nobody has taken part yet; `gardenpath study serve` makes it")


def connect(address: str) -> Connection:
    """Connect to `postgresql://…`, or to the SQLite file of a path; a connection that fails names no password."""
    if not is_postgres(address):
        if "://" in address:
            scheme = address.partition("://")[0]
            raise InputError(f"the database is {scheme}://…; give postgresql://…, or the path of a SQLite file")
        try:
            return SQLiteConnection(Path(address))
        except sqlite3.Error as error:
            raise InputError(f"{address} cannot be used as a database ({error}); name another file") from error
    with require_extras("a PostgreSQL database"):
        import psycopg
    try:
        return PostgresConnection(address)
    except psycopg.Error as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        remedy = "check its address and the rights of its user, and that the server runs"
        raise InputError(f"the PostgreSQL database cannot be used ({first}); {remedy}") from None


@contextmanager
def transaction(connection: Connection, *, reading: bool = False) -> Iterator[None]:
    """Commit what the block does, or nothing of it."""
    (connection.begin_reading if reading else connection.begin)()
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(connection.errors):  # the connection may be gone, and the transaction with it
            connection.execute("ROLLBACK")
        raise
