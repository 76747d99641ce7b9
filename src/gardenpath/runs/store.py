"""The store: surprisals that were computed, by model, options and text, in one SQLite file."""

import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_parts, digest_text
from gardenpath.io.messages import advise
from gardenpath.models.protocol import Bits

SCHEMA = """
CREATE TABLE IF NOT EXISTS surprisals (
    key BLOB PRIMARY KEY, plan BLOB NOT NULL, bits BLOB NOT NULL, end_bits REAL, checksum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS repeats (
    key BLOB NOT NULL, plan BLOB NOT NULL, bits BLOB NOT NULL, end_bits REAL, checksum INTEGER NOT NULL,
    PRIMARY KEY (key, plan)
);
CREATE TABLE IF NOT EXISTS finished (plan BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (
    plan BLOB NOT NULL, part INTEGER NOT NULL, bits BLOB NOT NULL, checksum INTEGER NOT NULL, day INTEGER NOT NULL,
    PRIMARY KEY (plan, part)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS threads (plan BLOB NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (plan, number))
WITHOUT ROWID;
"""
"""`surprisals` has the scores of every text by the first plan that computed it, `repeats` those by later ones."""
IN_ORDER = (("surprisals", "key"), ("repeats", "rowid"))
"""The tables of texts and the column that orders them: earlier plans first."""
KEYS_PER_QUERY = 500
DAYS_KEPT = 30
"""Days for which the parts of a scoring that was never finished are kept."""


MAGIC = b"SQLite format 3\0"
"""How every SQLite file begins."""
TABLES = {"surprisals", "repeats", "finished", "parts", "threads"}


class DamagedStoreError(Exception):
    """The store does not hold what was written to it."""


DAMAGE = (sqlite3.DatabaseError, DamagedStoreError, UnicodeDecodeError, TypeError)
"""Errors of a damaged file: SQLite may return another type than was written, or a text that cannot be decoded."""


class UnwritableStoreError(InputError):
    """Nothing more can be written to the store; what was written before is kept."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The surprisals of one text, and the plan of the scoring that computed them."""

    bits: Bits
    end_bits: float | None
    plan: bytes


def default_store() -> Path:
    """The store that is used where none is named."""
    return cache_folder() / "surprisals.sqlite"


def text_key(fingerprint: str, options: str, text: str) -> bytes:
    """Compute the key of a text: a digest of everything that affects its surprisals."""
    return bytes.fromhex(digest_text("\0".join((fingerprint, options, text)), size=16))


def plan_key(keys: Iterable[bytes], budget: str) -> bytes:
    """Compute the key of a scoring: a digest of its texts in order and of how they are divided into steps.

    Two scorings of one plan compute identical numbers; numbers of different plans differ by rounding.
    """
    return bytes.fromhex(digest_parts([budget, *keys], size=16))


def today() -> int:
    """Return the number of the day, as unfinished scorings are dated."""
    return int(time.time() // 86_400)


def checksum_of(plan: bytes, bits: bytes, end_bits: float | None) -> int:
    """Compute a checksum of everything stored about a text, or about a part, given its number."""
    return zlib.crc32(repr(end_bits).encode(), zlib.crc32(plan, zlib.crc32(bits)))


class Store:
    """Surprisals on disk; whatever was written before a process was killed is there when it is started again."""

    seconds_between_writes = 1.0
    """How often parts of a scoring that is under way are written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = self.open()

    def open(self) -> sqlite3.Connection:
        """Open or create the file; a damaged store is set aside first, and any other file is refused as it is."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path != default_store():
                refuse_foreign(self.path)
            return self.connect()
        except (OSError, sqlite3.OperationalError) as error:
            raise InputError(f"the store {self.path} cannot be opened: {error}; name another with --store") from error
        except DAMAGE as error:
            self.move_aside(str(error))
            return self.connect()

    def connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=60.0)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(SCHEMA)
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise DamagedStoreError(verdict)
        except BaseException:
            connection.close()
            raise
        return connection

    def move_aside(self, why: str) -> None:
        """Rename a damaged file, and warn of it."""
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        self.path.rename(aside)
        for extra in ("-wal", "-shm"):
            self.path.with_name(self.path.name + extra).unlink(missing_ok=True)
        advise(f"the store {self.path} is damaged ({why}); it was set aside as {aside.name}: all is computed again")

    def read(self, keys: Sequence[bytes]) -> dict[bytes, list[Stored]]:
        """Read the texts with these keys that are stored, by every plan that computed them, the first one first.

        A damaged store is set aside and holds nothing.
        """
        found: dict[bytes, list[Stored]] = {}
        with self.set_aside_if_damaged(found):
            for start, (table, order) in product(range(0, len(keys), KEYS_PER_QUERY), IN_ORDER):
                some = keys[start : start + KEYS_PER_QUERY]
                marks = ",".join("?" * len(some))
                query = (
                    f"SELECT key, plan, bits, end_bits, checksum FROM {table} WHERE key IN ({marks}) ORDER BY {order}"
                )
                for key, plan, bits, end_bits, checksum in self.connection.execute(query, some):
                    if checksum_of(plan, bits, end_bits) != checksum:
                        raise DamagedStoreError("an entry does not match its checksum")
                    found.setdefault(key, []).append(Stored(np.frombuffer(bits, dtype=np.float64), end_bits, plan))
        return found

    def read_parts(self, plan: bytes) -> dict[int, Bits]:
        """Read the parts of a scoring that was not finished; a damaged store is set aside and holds nothing."""
        found: dict[int, Bits] = {}
        with self.set_aside_if_damaged(found):
            for part, bits, checksum in self.connection.execute(
                "SELECT part, bits, checksum FROM parts WHERE plan = ?", (plan,)
            ):
                if checksum_of(plan, bits, part) != checksum:
                    raise DamagedStoreError("a part of a scoring does not match its checksum")
                found[part] = np.frombuffer(bits, dtype=np.float64)
        return found

    @contextmanager
    def set_aside_if_damaged(self, found: MutableMapping[Any, Any]) -> Iterator[None]:
        """Set the file aside where reading shows that it is damaged, and forget what was found in it."""
        try:
            yield
        except DAMAGE as error:
            # A store that is locked or on a failing disk is not damaged; one without its tables is.
            if isinstance(error, sqlite3.OperationalError) and not str(error).startswith("no such"):
                raise InputError(
                    f"the store {self.path} cannot be read: {error}; try again, or name another with --store"
                ) from error
            self.connection.close()
            self.move_aside(str(error))
            self.connection = self.connect()
            found.clear()

    def write_parts(self, plan: bytes, parts: Mapping[int, Bits], *, threads: int) -> None:
        """Store parts of a scoring that is under way, and on how many threads: they are on disk when this returns."""
        blobs = {part: bits.astype(np.float64).tobytes() for part, bits in parts.items()}
        with self.transaction():
            self.connection.executemany(
                "INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)",
                ((plan, part, blob, checksum_of(plan, blob, part), today()) for part, blob in blobs.items()),
            )
            self.connection.execute("INSERT OR REPLACE INTO threads VALUES (?, ?)", (plan, threads))

    def finish(self, plan: bytes, rows: Mapping[bytes, tuple[Bits, float | None]], *, threads: Iterable[int]) -> None:
        """Store the texts of a scoring that was carried out to its end, and forget its parts and those long left.

        What other plans computed stays.
        """
        # SQLite has no NaN: the missing bits of an end are NULL.
        blobs = (
            (key, bits.astype(np.float64).tobytes(), None if end is None or np.isnan(end) else end)
            for key, (bits, end) in rows.items()
        )
        with self.transaction():
            for entry in ((key, plan, blob, end, checksum_of(plan, blob, end)) for key, blob, end in blobs):
                added = self.connection.execute("INSERT OR IGNORE INTO surprisals VALUES (?, ?, ?, ?, ?)", entry)
                if not added.rowcount:
                    self.connection.execute("INSERT OR IGNORE INTO repeats VALUES (?, ?, ?, ?, ?)", entry)
            self.connection.execute("INSERT OR REPLACE INTO finished VALUES (?)", (plan,))
            self.connection.executemany(
                "INSERT OR REPLACE INTO threads VALUES (?, ?)", ((plan, one) for one in threads)
            )
            self.connection.execute("DELETE FROM parts WHERE plan = ? OR day < ?", (plan, today() - DAYS_KEPT))

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write everything inside or nothing."""
        try:
            with self.connection:
                yield
        except sqlite3.DatabaseError as error:
            remedy = "free some space, or name another file" if "full" in str(error) else "name another file"
            raise UnwritableStoreError(
                f"the store {self.path} cannot be written ({error}): {remedy} with --store; what was written before is "
                "kept"
            ) from error

    def finished(self) -> set[bytes]:
        """Read the plans that were carried out to their end; a damaged store is set aside and holds none."""
        found: dict[bytes, None] = {}
        with self.set_aside_if_damaged(found):
            found.update({plan: None for (plan,) in self.connection.execute("SELECT plan FROM finished")})
        return set(found)

    def read_threads(self, plans: Iterable[bytes]) -> set[int]:
        """Read on how many threads scorings were computed, as far as it was recorded: more than one if resumed."""
        found: dict[int, None] = {}
        with self.set_aside_if_damaged(found):
            for plan in plans:
                rows = self.connection.execute("SELECT number FROM threads WHERE plan = ?", (plan,))
                found.update({number: None for (number,) in rows})
        return set(found)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


def refuse_foreign(path: Path) -> None:
    """Refuse a file that is no store of gardenpath, damaged or not, without changing it."""
    if not path.is_file() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        first_page = file.read(4096)
    try:
        tables = read_table_names(path) if first_page.startswith(MAGIC) else {"no table"}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        tables = TABLES if b"surprisals" in first_page else {"no table"}
    if not tables <= TABLES:
        raise InputError(
            f"{path} is not a store of gardenpath, and is left as it is; name another file with --store, or one that "
            "does not exist yet"
        )


def read_table_names(path: Path) -> set[str]:
    """Read the names of the tables of an SQLite file."""
    with closing(sqlite3.connect(path, timeout=60.0)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
