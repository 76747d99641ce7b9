"""The one writer of a study's database: answers that wait together are committed together, then acknowledged."""

import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from gardenpath.errors import InputError
from gardenpath.human.server.connection import Connection, connect, transaction
from gardenpath.human.server.messages import RefusedError
from gardenpath.human.server.schema import migrate, read_setting, write_setting

T = TypeVar("T")
MOST_IN_ONE_COMMIT = 64
ATTEMPTS = 3
PAUSE_SECONDS = 0.2
"""Between the attempts at a transaction whose connection was lost, or that had to wait too long."""
SALT, MATERIALS, CLOSED = "salt", "materials", "closed"
"""Settings of a database."""


class StorageError(Exception):
    """Nothing was stored; the same request may be sent again."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some work inside a transaction, and who waits for its result; it may have to be done again."""

    work: Callable[[Connection], Any]
    future: Future[Any]


class Database:
    """A database with one thread that writes; every result is given out only after its commit."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection = connect(address)
        try:
            with transaction(self.connection):
                migrate(self.connection)
                self.salt = make_salt(self.connection)
        except Exception as error:
            self.connection.close()
            if isinstance(error, self.connection.errors):
                raise InputError(f"the database cannot be used ({error}); check its address and its rights") from error
            raise
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.thread = Thread(target=self.write, name="study-writer", daemon=True)
        self.thread.start()

    def submit(self, work: Callable[[Connection], T]) -> "Future[T]":
        """Let the writer do some work in a transaction; the result comes after the commit."""
        future: Future[T] = Future()
        self.jobs.put(Job(work, future))
        return future

    def run(self, work: Callable[[Connection], T]) -> T:
        """Do some work in a transaction, and wait for its commit."""
        return self.submit(work).result()

    def close(self) -> None:
        """Finish what waits, then close."""
        self.jobs.put(None)
        self.thread.join()
        self.connection.close()

    def write(self) -> None:
        """Do the work that comes, as much of it as waits in one transaction, until the end."""
        while (job := self.jobs.get()) is not None:
            batch = [job]
            while len(batch) < MOST_IN_ONE_COMMIT and not self.jobs.empty():
                following = self.jobs.get()
                if following is None:
                    self.jobs.put(None)  # the end, after this batch
                    break
                batch.append(following)
            self.commit(batch)

    def commit(self, batch: list[Job]) -> None:
        """Do a batch of work; where it cannot be committed together, each job is tried alone."""
        outcomes = self.attempt(batch)
        if isinstance(outcomes, list):
            for job, outcome in zip(batch, outcomes, strict=True):
                if isinstance(outcome, RefusedError):
                    job.future.set_exception(outcome)
                else:
                    job.future.set_result(outcome)
        elif len(batch) == 1:
            batch[0].future.set_exception(outcomes)
        else:
            for job in batch:
                self.commit([job])

    def attempt(self, batch: list[Job]) -> list[Any] | Exception:
        """Do a batch of work in one transaction: results and refusals, or why nothing was stored."""
        failed = ""
        for attempt in range(ATTEMPTS):
            try:
                with transaction(self.connection):
                    return [self.do(job) for job in batch]
            except self.connection.errors as error:
                failed = type(error).__name__
                time.sleep(PAUSE_SECONDS * attempt)
                self.reconnect()
            except Exception as error:  # noqa: BLE001 - handed to who waits for the result
                return error
        return StorageError(failed)

    def do(self, job: Job) -> Any:
        """Do one job of a transaction; a refusal comes before anything is written, so the others go on."""
        try:
            return job.work(self.connection)
        except RefusedError as refused:
            return refused

    def reconnect(self) -> None:
        """Connect again; where that fails, the next attempt fails too."""
        try:
            fresh = connect(self.address)
        except InputError:
            return
        self.connection.close()
        self.connection = fresh


def make_salt(connection: Connection) -> bytes:
    """The salt of a database, drawn when it is new."""
    salt = read_setting(connection, SALT)
    if salt is None:
        salt = secrets.token_hex(32)
        write_setting(connection, SALT, salt)
    return bytes.fromhex(salt)


def require_same_materials(connection: Connection, digest: str) -> None:
    """Record which materials the sessions of a database are about; refuse others once there are sessions."""
    known = read_setting(connection, MATERIALS)
    if known not in (None, digest) and connection.execute("SELECT 1 FROM sessions LIMIT 1"):
        raise InputError(
            f"the database has sessions of other materials ({known}, now {digest}): the study was built again since; "
            "put the folder back as it was, or start with a new folder or database"
        )
    write_setting(connection, MATERIALS, digest)
