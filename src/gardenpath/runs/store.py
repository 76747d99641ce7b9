"""The store: surprisals that were computed, by model, options and text, in one SQLite file."""

import sqlite3
import time
import warnings
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError, InputWarning
from gardenpath.io.digest import digest_parts, digest_text
from gardenpath.models.protocol import Bits

SCHEMA = """
CREATE TABLE IF NOT EXISTS surprisals (
    key BLOB PRIMARY KEY, plan BLOB NOT NULL, bits BLOB NOT NULL, end_bits REAL, checksum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS finished (plan BLOB PRIMARY KEY) WITHOUT ROWID;
"""
KEYS_PER_QUERY = 500


class DamagedStoreError(Exception):
    """The store does not hold what was written to it."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The surprisals of one text, and the plan of the scoring that computed them."""

    bits: Bits
    end_bits: float | None
    plan: bytes


def text_key(fingerprint: str, options: str, text: str) -> bytes:
    """Compute the key of a text: a digest of everything that affects its surprisals."""
    return bytes.fromhex(digest_text("\0".join((fingerprint, options, text)), size=16))


def plan_key(keys: Iterable[bytes], budget: str) -> bytes:
    """Compute the key of a scoring: a digest of its texts in order and of how they are divided into steps.

    Two scorings of one plan compute identical numbers; numbers of different plans differ by rounding.
    """
    return bytes.fromhex(digest_parts([budget, *keys], size=16))


def checksum_of(plan: bytes, bits: bytes, end_bits: float | None) -> int:
    """Compute a checksum of everything stored about a text."""
    return zlib.crc32(repr(end_bits).encode(), zlib.crc32(plan, zlib.crc32(bits)))


class Store:
    """Surprisals on disk; whatever was written before a process was killed is there when it is started again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = self.open()

    def open(self) -> sqlite3.Connection:
        """Open or create the file; one that is damaged is set aside first."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self.connect()
        except (OSError, sqlite3.OperationalError) as error:
            raise InputError(f"the store {self.path} cannot be opened: {error}; name another with --store") from error
        except (sqlite3.DatabaseError, DamagedStoreError) as error:
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
        warnings.warn(
            f"the store {self.path} is damaged ({why}); it was set aside as {aside.name}: all is computed again",
            InputWarning,
            stacklevel=4,
        )

    def read(self, keys: Sequence[bytes]) -> dict[bytes, Stored]:
        """Read the texts with these keys that are stored; a damaged store is set aside and holds nothing."""
        found: dict[bytes, Stored] = {}
        try:
            for start in range(0, len(keys), KEYS_PER_QUERY):
                some = keys[start : start + KEYS_PER_QUERY]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, plan, bits, end_bits, checksum FROM surprisals WHERE key IN ({marks})"
                for key, plan, bits, end_bits, checksum in self.connection.execute(query, some):
                    if checksum_of(plan, bits, end_bits) != checksum:
                        raise DamagedStoreError("an entry does not match its checksum")
                    found[key] = Stored(np.frombuffer(bits, dtype=np.float64), end_bits, plan)
        except (sqlite3.DatabaseError, DamagedStoreError) as error:
            self.connection.close()
            self.move_aside(str(error))
            self.connection = self.connect()
            return {}
        return found

    def write(self, plan: bytes, rows: Mapping[bytes, tuple[Bits, float | None]]) -> None:
        """Store some texts: they are on disk when this returns."""
        blobs = ((key, bits.astype(np.float64).tobytes(), end_bits) for key, (bits, end_bits) in rows.items())
        try:
            with self.connection:
                self.connection.executemany(
                    "INSERT OR REPLACE INTO surprisals VALUES (?, ?, ?, ?, ?)",
                    ((key, plan, blob, end, checksum_of(plan, blob, end)) for key, blob, end in blobs),
                )
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"the store {self.path} cannot be written: {error}; free some space (or name another file with "
                "--store) and start again: what was computed before is kept"
            ) from error

    def finish(self, plan: bytes) -> None:
        """Record that a plan was carried out to its end."""
        with self.connection:
            self.connection.execute("INSERT OR REPLACE INTO finished VALUES (?)", (plan,))

    def finished(self) -> set[bytes]:
        """Read the plans that were carried out to their end."""
        return {plan for (plan,) in self.connection.execute("SELECT plan FROM finished")}

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
