"""What the researcher sees of a running study, counted from its database."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from gardenpath.human.answers import count_trials
from gardenpath.human.server.connection import Connection
from gardenpath.human.server.database import STATUS
from gardenpath.human.server.schema import read_setting
from gardenpath.human.server.sessions import Sessions
from gardenpath.human.server.writer import CLOSED
from gardenpath.human.view import trials_of


@dataclass
class SessionSummary:
    """One session in the researcher's table."""

    id: str
    participant: str
    list: int
    version: int
    status: str
    """complete, active, expired or rejected."""
    started: int
    ended: int | None
    lost_focus: int
    hidden_field: int
    """1 where it was filled in."""
    trials: int = 0
    answered: int = 0
    checks: int = 0
    failed_checks: int = 0
    judged: int = 0
    """Answers to test and catch items that can be right or wrong."""
    right: int = 0


@dataclass
class Overview:
    """A study in numbers."""

    closed: bool
    sessions: list[SessionSummary]
    """The newest first."""
    statuses: dict[int, Counter[str]]
    """Sessions of each list by status."""
    accuracy: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """By role and cell: right answers, and all that can be right or wrong."""

    def median_minutes(self) -> float | None:
        """The median time from start to end of complete sessions."""
        times = [one.ended - one.started for one in self.sessions if one.ended is not None]
        return median(times) / 60_000 if times else None

    def count(self, status: str) -> int:
        """The sessions with a status."""
        return sum(counts[status] for counts in self.statuses.values())


def summarise(connection: Connection, sessions: Sessions) -> Overview:
    """Count sessions and right answers, inside a transaction."""
    study = sessions.study
    lists = {(one.number, one.version): one for one in study.lists}
    trials = {key: count_trials(study, listed) for key, listed in lists.items()}
    found = []
    for row in connection.execute(
        f"SELECT id, participant, list, version, {STATUS}, started, ended, lost_focus, hidden_field FROM sessions "
        "ORDER BY started DESC, id", sessions.clock() - sessions.lease_ms,
    ):  # fmt: skip
        one = SessionSummary(*row)
        one.trials = trials[one.list, one.version]
        found.append(one)
    statuses: dict[int, Counter[str]] = {number: Counter() for number in sorted(sessions.numbers())}
    for one in found:
        statuses[one.list][one.status] += 1
    overview = Overview(read_setting(connection, CLOSED) == "yes", found, statuses)
    overview.accuracy = judge(connection, sessions, {one.id: one for one in found})
    return overview


def judge(
    connection: Connection, sessions: Sessions, summaries: dict[str, SessionSummary]
) -> dict[tuple[str, str], tuple[int, int]]:
    """Count right answers into the summaries of sessions; return them by role and cell."""
    study, practice = sessions.study, len(sessions.study.practice)
    kinds = {
        (listed.number, listed.version): [study.stimuli[trial.stimulus] for trial in trials_of(study, listed)]
        for listed in study.lists
    }
    right: Counter[tuple[str, str]] = Counter()
    judged: Counter[tuple[str, str]] = Counter()
    for session, trial, correct in connection.execute("SELECT session, trial, correct FROM answers"):
        one = summaries[session]
        one.answered += 1
        if correct is None or trial < practice:
            continue
        stimulus = kinds[one.list, one.version][trial]
        if stimulus.role == "check":
            one.checks += 1
            one.failed_checks += not correct
        elif stimulus.role in ("test", "catch"):
            one.judged += 1
            one.right += correct
        judged[stimulus.role, stimulus.cell] += 1
        right[stimulus.role, stimulus.cell] += correct
    return {key: (right[key], judged[key]) for key in sorted(judged)}
