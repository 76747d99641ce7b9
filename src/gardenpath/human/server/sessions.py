"""Sessions of participants: how they get a list, resume, and end; all methods run inside one transaction."""

import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from gardenpath.human.answers import count_trials
from gardenpath.human.server.connection import Connection
from gardenpath.human.server.messages import RefusedError, StartRequest
from gardenpath.human.server.schema import read_setting
from gardenpath.human.server.writer import CLOSED
from gardenpath.human.study import Study, StudyList

COLUMNS = "id, participant, list, version, state, last_seen, code"
KNOWN = f"""SELECT {COLUMNS}, (SELECT count(*) FROM answers WHERE session = sessions.id),
    (SELECT trial FROM answers WHERE session = sessions.id AND idempotency_key = ?) FROM sessions WHERE token = ?"""
"""One statement, because a database may be far away."""
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that are mistaken for others."""
UNKNOWN = "This session is not known here, or was continued in another window. Please open the study's address again."
TAKEN_PART = "You have taken part in this study already. Thank you."
TOO_LATE = "The time in which this session could be continued is over. Thank you for your answers so far."
CLOSED_NOW = "This study is closed: it takes no more participants. Thank you for your interest."
FULL = "This study has all the participants it needs. Thank you for your interest."


def now_ms() -> int:
    """The time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Session:
    """One participant's visit to one list."""

    id: str
    participant: str
    list: int
    version: int
    state: str
    """active or complete."""
    last_seen: int
    code: str | None


@dataclass(frozen=True, slots=True)
class Started:
    """A session that has begun or is resumed."""

    session: Session
    token: str
    next_trial: int
    questions_answered: list[str]


@dataclass(frozen=True)
class Sessions:
    """The sessions of one study."""

    study: Study
    salt: bytes
    made_with: str
    """Version of gardenpath and digest of the materials, recorded with every session."""
    clock: Callable[[], int] = now_ms

    @property
    def lease_ms(self) -> int:
        """How long a session that is not heard of holds its place in a list, and may be resumed."""
        return self.study.spec.resume_minutes * 60_000

    def start(self, connection: Connection, request: StartRequest) -> Started:
        """Resume the session of a token or a panel id, or begin a new one."""
        connection.lock()
        participant = hash_panel_id(self.salt, request.panel_id) if request.panel_id else None
        found = find_session(connection, "token", hash_token(request.token)) if request.token else None
        # Another person may sit at the same computer: the panel's id decides.
        if found and request.token and participant in (None, found.participant):
            return self.resume(connection, found, request.token)
        if participant and (found := find_session(connection, "participant", participant)):
            if found.state == "complete":
                raise RefusedError(409, TAKEN_PART)
            token = secrets.token_urlsafe(32)
            resumed = self.resume(connection, found, token)
            connection.execute("UPDATE sessions SET token = ? WHERE id = ?", hash_token(token), found.id)
            return resumed
        return self.begin(connection, participant or secrets.token_hex(16), request.list)

    def resume(self, connection: Connection, session: Session, token: str) -> Started:
        """Continue a session, unless its time is over."""
        answered = count_answers(connection, session)
        self.require_lease(session, answered)
        self.touch(connection, session)
        rows = connection.execute("SELECT asked FROM questions WHERE session = ? ORDER BY asked DESC", session.id)
        return Started(session, token, answered, [str(asked) for (asked,) in rows])

    def begin(self, connection: Connection, participant: str, wanted: int | None) -> Started:
        """Lease a place in the list with the fewest complete and live sessions."""
        if read_setting(connection, CLOSED) == "yes":
            raise RefusedError(403, CLOSED_NOW)
        listed, now = self.choose_list(connection, wanted), self.clock()
        token = secrets.token_urlsafe(32)
        session = Session(secrets.token_hex(8), participant, listed.number, listed.version, "active", now, None)
        connection.execute("INSERT INTO participants (id, created) VALUES (?, ?)", participant, now)
        connection.execute(
            "INSERT INTO sessions (id, token, participant, list, version, state, started, last_seen, made_with) "
            "VALUES (?, ?, ?, ?, ?, 'active', ?, ?, ?)",
            session.id, hash_token(token), participant, listed.number, listed.version, now, now, self.made_with,
        )  # fmt: skip
        return Started(session, token, 0, [])

    def choose_list(self, connection: Connection, wanted: int | None) -> StudyList:
        """The list, and the version of it, that most needs a participant; or a version of the list wanted."""
        lists = [one for one in self.study.lists if wanted in (None, one.number)]
        if not lists:
            raise RefusedError(400, f"This study has no list {wanted}; it has {len(self.numbers())}.")
        held = connection.execute(
            "SELECT list, version, count(*) FROM sessions "
            "WHERE rejected = 0 AND (state = 'complete' OR last_seen >= ?) GROUP BY list, version",
            self.clock() - self.lease_ms,
        )  # fmt: skip
        by_version = Counter({(number, version): count for number, version, count in held})
        by_list: Counter[int] = Counter()
        for (number, _), count in by_version.items():
            by_list[number] += count
        chosen = min(lists, key=lambda one: (by_list[one.number], by_version[one.number, one.version]))
        if self.study.spec.close_when_full and by_list[chosen.number] >= self.study.spec.target:
            raise RefusedError(403, FULL)
        return chosen

    def numbers(self) -> set[int]:
        """The numbers of the lists."""
        return {one.number for one in self.study.lists}

    def listed(self, session: Session) -> StudyList:
        """The list of a session in its version."""
        return next(
            one for one in self.study.lists if (one.number, one.version) == (session.list, session.version)
        )  # fmt: skip

    def known(self, connection: Connection, token: str, key: str = "") -> tuple[Session, int, int | None]:
        """The session of a token that may go on, how many trials it has answered, and which of them with a key."""
        rows = connection.execute(KNOWN, key, hash_token(token))
        if not rows:
            raise RefusedError(401, UNKNOWN)
        *columns, answered, with_key = rows[0]
        session = Session(*columns)
        self.require_lease(session, answered)
        return session, answered, with_key

    def require_lease(self, session: Session, answered: int) -> None:
        """Refuse to resume a session too late; who has answered all trials may still finish."""
        if (
            session.state == "active"
            and self.clock() - session.last_seen > self.lease_ms
            and answered < count_trials(self.study, self.listed(session))
        ):
            raise RefusedError(410, TOO_LATE)

    def touch(self, connection: Connection, session: Session, *, lost_focus: int = 0, hidden: bool = False) -> None:
        """Record that a participant was heard of."""
        connection.execute(
            "UPDATE sessions SET last_seen = ?, lost_focus = lost_focus + ?, "
            "hidden_field = CASE WHEN ? = 1 THEN 1 ELSE hidden_field END WHERE id = ?",
            self.clock(), lost_focus, int(hidden), session.id,
        )  # fmt: skip

    def complete(self, connection: Connection, session: Session) -> Session:
        """End a session, with the completion code."""
        if session.state == "complete":
            return session
        code = self.study.spec.panel.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(10))
        now = self.clock()
        connection.execute(
            "UPDATE sessions SET state = 'complete', ended = ?, last_seen = ?, code = ? WHERE id = ?",
            now, now, code, session.id,
        )  # fmt: skip
        return replace(session, state="complete", code=code)


def find_session(connection: Connection, column: str, value: str) -> Session | None:
    """The session with a value in a column of its own: id, token or participant."""
    rows: list[tuple[Any, ...]] = connection.execute(f"SELECT {COLUMNS} FROM sessions WHERE {column} = ?", value)
    return Session(*rows[0]) if rows else None


def count_answers(connection: Connection, session: Session) -> int:
    """The trials answered, which is the index of the next."""
    return int(connection.execute("SELECT count(*) FROM answers WHERE session = ?", session.id)[0][0])


def hash_token(token: str) -> str:
    """A token as the database has it; whoever reads the database cannot continue a session."""
    return sha256(token.encode()).hexdigest()


def hash_panel_id(salt: bytes, panel_id: str) -> str:
    """A panel's id as the database has it; without the salt it cannot be compared with a list of ids."""
    return hmac.new(salt, panel_id.encode(), sha256).hexdigest()[:32]


def erase(connection: Connection, participant: str) -> int:
    """Delete everything about a participant; the number of sessions deleted."""
    sessions = connection.execute("SELECT id FROM sessions WHERE participant = ?", participant)
    for (session,) in sessions:
        connection.execute("DELETE FROM answers WHERE session = ?", session)
        connection.execute("DELETE FROM questions WHERE session = ?", session)
    connection.execute("DELETE FROM sessions WHERE participant = ?", participant)
    connection.execute("DELETE FROM participants WHERE id = ?", participant)
    return len(sessions)
