"""The tables of a study's database, and the steps from each version of them to the next."""

from gardenpath.errors import InputError
from gardenpath.human.server.connection import Connection

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # A participant is a salted hash of the panel's id, or a random number where there is none.
        "CREATE TABLE participants (id TEXT PRIMARY KEY, created BIGINT NOT NULL)",
        # Unique participant: nobody takes part twice, whatever the program does. Times are milliseconds since 1970.
        """CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            token TEXT NOT NULL UNIQUE,
            participant TEXT NOT NULL UNIQUE REFERENCES participants (id),
            list INTEGER NOT NULL,
            version INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('active', 'complete')),
            started BIGINT NOT NULL,
            last_seen BIGINT NOT NULL,
            ended BIGINT,
            code TEXT,
            lost_focus INTEGER NOT NULL DEFAULT 0,
            hidden_field INTEGER NOT NULL DEFAULT 0,
            made_with TEXT NOT NULL)""",
        # condition: the one chosen, or the one shown where nothing is chosen; the choice is never kept as text.
        """CREATE TABLE answers (
            session TEXT NOT NULL REFERENCES sessions (id),
            trial INTEGER NOT NULL,
            idempotency_key TEXT NOT NULL,
            suite TEXT NOT NULL,
            item TEXT NOT NULL,
            condition TEXT NOT NULL,
            correct INTEGER,
            answer TEXT NOT NULL,
            received BIGINT NOT NULL,
            PRIMARY KEY (session, trial),
            UNIQUE (session, idempotency_key))""",
        """CREATE TABLE questions (
            session TEXT NOT NULL REFERENCES sessions (id),
            asked TEXT NOT NULL CHECK (asked IN ('before', 'after')),
            answers TEXT NOT NULL,
            received BIGINT NOT NULL,
            PRIMARY KEY (session, asked))""",
    ),
    # A session that the researcher rejected gives its place in the list to somebody else.
    ("ALTER TABLE sessions ADD COLUMN rejected INTEGER NOT NULL DEFAULT 0",),
)
"""Statements by version of the tables; a database of version n is brought up to date by those after the n-th."""
SETTINGS = "CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
VERSION = "schema"


def migrate(connection: Connection) -> int:
    """Bring the tables up to date, inside the caller's transaction; the version they had before."""
    connection.lock()
    connection.execute(SETTINGS)
    before = int(read_setting(connection, VERSION) or 0)
    if before > len(MIGRATIONS):
        raise InputError(
            f"the database has tables of version {before}, this gardenpath knows versions up to {len(MIGRATIONS)}; "
            "install the gardenpath that wrote it, or a newer one"
        )
    for statements in MIGRATIONS[before:]:
        for statement in statements:
            connection.execute(statement)
    write_setting(connection, VERSION, str(len(MIGRATIONS)))
    return before


def read_setting(connection: Connection, name: str) -> str | None:
    """The value of a setting, or None."""
    rows = connection.execute("SELECT value FROM settings WHERE name = ?", name)
    return str(rows[0][0]) if rows else None


def write_setting(connection: Connection, name: str, value: str) -> None:
    """Set a setting, inside the caller's transaction."""
    connection.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name, value,
    )  # fmt: skip
