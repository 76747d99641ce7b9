"""Leases of lists: balance, time-outs, targets, erasure; on SQLite and on PostgreSQL."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.human.server.connection import connect, transaction
from gardenpath.human.server.database import read_database
from gardenpath.human.server.erasure import erase_participant
from gardenpath.human.server.messages import AnswerRequest, RefusedError, StartRequest
from gardenpath.human.server.schema import write_setting
from gardenpath.human.server.sessions import Sessions
from gardenpath.human.server.storing import store_answer
from gardenpath.human.server.writer import CLOSED, Database
from gardenpath.human.study import Study
from served_study import ANSWERS, Clock, key_of, small_study


class Server:
    """Sessions and their database, without HTTP."""

    def __init__(self, study: Study, address: str) -> None:
        self.clock = Clock()
        self.database = Database(address)
        self.sessions = Sessions(study, self.database.salt, "test", self.clock)

    def start(self, panel_id: str | None = None, **fields: object) -> tuple[int, int]:
        """Start a session; its list and version."""
        started = self.begin(panel_id, **fields)
        return started.session.list, started.session.version

    def begin(self, panel_id: str | None = None, **fields: object):
        """Start a session."""
        request = StartRequest(panel_id=panel_id, **fields)
        return self.database.run(lambda connection: self.sessions.start(connection, request))

    def complete(self, panel_id: str | None = None) -> None:
        """Start a session and end it."""
        session = self.begin(panel_id).session
        self.database.run(lambda connection: self.sessions.complete(connection, session))


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "study.db")
    return str(request.getfixturevalue("empty_postgres"))


@pytest.fixture
def server(address: str) -> Iterator[Server]:
    found = Server(small_study(lists=3, versions=2, target=2), address)
    yield found
    found.database.close()


def test_lists_and_then_their_versions_fill_evenly(server: Server) -> None:
    given_out = [server.start() for _ in range(12)]
    for size in range(1, 13):
        lists = Counter(number for number, _ in given_out[:size])
        assert max(lists.values()) - min(lists[number] for number in (1, 2, 3)) <= 1
    assert set(Counter(given_out).values()) == {2}


def test_a_lease_returns_after_its_time(server: Server) -> None:
    assert [server.start(f"P{n}")[0] for n in (1, 2, 3)] == [1, 2, 3]
    server.clock.pass_minutes(30)
    assert server.start("P2")[0] == 2  # heard of
    server.clock.pass_minutes(31)  # P1 and P3 have dropped out
    assert [server.start()[0] for _ in range(3)] == [1, 3, 1]


def test_complete_sessions_keep_their_place(server: Server) -> None:
    server.complete()
    server.start()
    server.clock.pass_minutes(1000)
    assert [server.start()[0] for _ in range(3)] == [2, 3, 1]


def test_a_rejected_session_gives_its_place_to_another(server: Server) -> None:
    server.complete("P1")
    assert [server.start()[0], server.start()[0]] == [2, 3]
    server.database.run(lambda connection: connection.execute("UPDATE sessions SET rejected = 1 WHERE list = 1"))
    assert server.start()[0] == 1


def test_a_closed_study_lets_only_those_go_on_who_have_begun(server: Server) -> None:
    server.start("P1")
    server.database.run(lambda connection: write_setting(connection, CLOSED, "yes"))
    with pytest.raises(RefusedError, match="closed") as refused:
        server.start("P2")
    assert refused.value.status == 403
    assert server.start("P1")[0] == 1


def test_beyond_the_target_lists_fill_evenly_or_the_study_is_full(server: Server) -> None:
    for _ in range(6):
        server.start()
    assert server.start()[0] == 1
    full = small_study(lists=3, target=2, close_when_full=True)
    server.sessions = Sessions(full, server.database.salt, "test", server.clock)
    with pytest.raises(RefusedError, match="all the participants it needs"):
        server.start()
    server.clock.pass_minutes(61)  # all have dropped out
    assert server.start()[0] == 1


def test_many_at_once_from_two_processes_worth_of_writers(address: str) -> None:
    study = small_study(lists=3, versions=2)
    servers = [Server(study, address) for _ in range(2)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: servers[n % 2].start(f"P{n % 40}"), range(80)))
    for server in servers:
        server.database.close()
    assert Counter(found[:40]) == Counter(found[40:])  # every participant began once, and resumed once
    assert {count // 2 for count in Counter(number for number, _ in found).values()} <= {13, 14}


def test_erasure_leaves_nothing_behind(server: Server, address: str) -> None:
    started = {panel_id: server.begin(panel_id) for panel_id in ("P1", "P2")}
    for one in started.values():
        request = AnswerRequest(token=one.token, key=key_of(0), trial=0, answer=ANSWERS["choice"])
        server.database.run(lambda connection, request=request: store_answer(connection, server.sessions, request))
    assert erase_participant(address, "nobody") == 0
    assert erase_participant(address, "P1") == 1
    responses, sessions = read_database(server.sessions.study, address)
    assert set(responses["participant"]) == set(sessions["participant"]) == {started["P2"].session.participant}
    assert erase_participant(address, started["P2"].session.participant) == 1
    connection = connect(address)
    with transaction(connection, reading=True):
        counts = [connection.execute(f"SELECT count(*) FROM {name}") for name in TABLES]
    connection.close()
    assert counts == [[(0,)]] * len(TABLES)
    assert server.start("P1") == (1, 1)


TABLES = ("participants", "sessions", "answers", "questions")


def held(server: Server) -> list[int]:
    """Complete and live sessions of every list."""
    rows = server.database.run(lambda connection: connection.execute("SELECT list, state, last_seen FROM sessions"))
    since = server.clock.ms - server.sessions.lease_ms
    counts = Counter(row[0] for row in rows if row[1] == "complete" or row[2] >= since)
    return [counts[number] for number in sorted(server.sessions.numbers())]


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["start", "complete", "wait"]), max_size=30), st.integers(2, 4))
def test_newcomers_go_where_they_are_needed(
    tmp_path_factory: pytest.TempPathFactory, events: list[str], lists: int
) -> None:
    """Whatever people do, a newcomer gets a list with the fewest; so gaps of drop-outs are filled first."""
    server = Server(small_study(lists=lists, versions=1), str(tmp_path_factory.mktemp("leases") / "study.db"))
    started = []

    def begin(panel_id: str) -> None:
        before = held(server)
        session = server.begin(panel_id).session
        started.append((panel_id, session))
        assert before[session.list - 1] == min(before)

    for number, event in enumerate(events):
        match event:
            case "start":
                begin(f"P{number}")
            case "complete" if started:
                panel_id, session = started.pop(0)
                with suppress(RefusedError):  # too late
                    server.start(panel_id)
                    server.database.run(lambda connection, one=session: server.sessions.complete(connection, one))
            case "wait":
                server.clock.pass_minutes(25)
    counts = held(server)
    for number in range(sum(max(counts) - count for count in counts)):
        begin(f"Q{number}")
    assert max(held(server)) - min(held(server)) <= 1
    server.database.close()
