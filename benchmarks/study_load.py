"""Many participants at once, while the study server is killed again and again: is every acknowledged trial stored?

python benchmarks/study_load.py [--participants 300] [--trials 76] [--think 3] [--kills 10] [--database postgres]

The server is `gardenpath study serve` in a process of its own, killed with SIGKILL at times spread over the run and
started again at once. The participants are in another process (study_load_client.py), all of them at once, each with
one connection over the loopback interface. A participant thinks for a time drawn from the exponential distribution,
sends a trial, and sends it again with the same key until it is acknowledged.

Afterwards, from the database: every acknowledged trial is there exactly once, and nothing else; nobody has two
sessions; complete sessions of lists differ by at most one plus live leases. And from the client: the time from the
first sending of a trial to its acknowledgement. Trials whose time overlaps one from a kill until the server answers
again are counted apart; all others count, including those that have to connect again and those in the queue behind
trials that waited for the server.

A kill of a process leaves the operating system's memory as it is: this is no test of power cuts.
"""

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gardenpath.human.server.connection import connect, transaction
from gardenpath.human.server.sessions import hash_panel_id
from gardenpath.human.spec import Materials, StudySpec
from gardenpath.human.study import Stimulus, Study, StudyList, StudyTrial
from gardenpath.suites.suite import Sentence, Suite
from postgres_server import running_postgres

CLIENT = Path(__file__).with_name("study_load_client.py")
LISTS = 10
SECONDS_TO_START = 60


def build_study(trials: int) -> Study:
    """Ten lists of pairs, in two versions, sides exchanged in the second."""
    pairs = [(f"The key number {n} is lost.", f"The key number {n} are lost.") for n in range(1, trials * LISTS + 1)]
    stimuli = {
        f"s{n}": Stimulus(
            f"s{n}", "test", "keys", str(n), "keys", {"good": Sentence(good), "bad": Sentence(bad)}, "good"
        )
        for n, (good, bad) in enumerate(pairs, start=1)
    }
    lists = [
        StudyList(number, version, tuple(
            StudyTrial(f"s{n}", order=("good", "bad") if (n + version) % 2 else ("bad", "good"))
            for n in range((number - 1) * trials + 1, number * trials + 1)
        ))
        for number in range(1, LISTS + 1)
        for version in (1, 2)
    ]  # fmt: skip
    spec = StudySpec(
        title="Load", lists=LISTS, versions=2, target=30,
        materials=[Materials(suites=["keys"], items=trials * LISTS)],
    )  # fmt: skip
    return Study(spec, stimuli, (), tuple(lists), (Suite.from_pairs(pairs, name="keys"),))


@dataclass
class Server:
    """The server's process, and when it was not there."""

    folder: Path
    address: str
    port: int
    process: "subprocess.Popen[bytes] | None" = None
    down: list[tuple[float, float]] = field(default_factory=list)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [sys.executable, "-m", "gardenpath", "study", "serve", str(self.folder), "--port", str(self.port)]
        command += ["--database", self.address]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + SECONDS_TO_START
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"the server does not start: {(self.folder / 'server.log').read_text()[-2000:]}")
            time.sleep(0.02)

    def answers(self) -> bool:
        """Whether the server is there, with its database."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def kill(self) -> None:
        """Kill the server and start it again."""
        assert self.process
        begin = time.monotonic()
        self.process.kill()
        self.process.wait()
        self.start()
        self.down.append((begin, time.monotonic()))

    def end(self) -> None:
        """End the server as Ctrl-C does."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)


def free_port() -> int:
    """A port nobody uses."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def run_load(server: Server, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Let participants take part while the server is killed; what was acknowledged to them."""
    log = server.folder / "acknowledged.jsonl"
    values = (server.port, options.participants, options.trials, options.think, options.seed)
    client = subprocess.Popen([sys.executable, str(CLIENT), str(log), *map(str, values)])
    begin, length = time.monotonic(), options.trials * options.think
    rng = random.Random(options.seed)
    for kill in range(options.kills):
        moment = begin + length * (kill + rng.uniform(0.3, 1)) / (options.kills + 0.5)
        while time.monotonic() < moment and client.poll() is None:
            time.sleep(0.05)
        if client.poll() is not None:
            sys.exit("the participants were done before all kills; give more trials or a longer --think")
        server.kill()
    if client.wait() != 0:
        sys.exit(f"the participants failed: exit code {client.returncode}")
    return [json.loads(line) for line in log.read_text().splitlines()]


def check_database(address: str, acknowledged: list[dict[str, Any]], options: argparse.Namespace) -> list[str]:
    """Compare the database with what was acknowledged; the faults found."""
    with closing(connect(address)) as connection, transaction(connection, reading=True):
        salt = bytes.fromhex(connection.execute("SELECT value FROM settings WHERE name = 'salt'")[0][0])
        stored = connection.execute(
            "SELECT participant, trial, idempotency_key FROM answers JOIN sessions ON sessions.id = session"
        )
        sessions = connection.execute("SELECT participant, list, state FROM sessions")
    hashes = {person: hash_panel_id(salt, person) for person in {one["participant"] for one in acknowledged}}
    expected = Counter((hashes[one["participant"]], one["trial"], one["key"]) for one in acknowledged)
    found = Counter(map(tuple, stored))
    live = sum(state != "complete" for _, _, state in sessions)
    complete = Counter(number for _, number, state in sessions if state == "complete")
    counts = [complete[number] for number in range(1, LISTS + 1)]
    print(f"database: {len(stored):,} trials, {len(sessions)} sessions, {live} not complete; by list {counts}")
    lost = {one for one in expected if found[one] != 1}
    faults = {
        f"{len(lost)} acknowledged trials are not stored exactly once": lost,
        "trials are stored that were not acknowledged": found.keys() - expected.keys(),
        "a participant has several sessions": len({person for person, _, _ in sessions}) != len(sessions),
        "not everything was acknowledged": len(expected) != options.participants * options.trials,
        "lists differ by more than one plus live leases": max(counts) - min(counts) > 1 + live,
        "participants did not finish": complete.total() != options.participants,
    }
    return [fault for fault, there in faults.items() if there]


def show_times(acknowledged: list[dict[str, Any]], down: list[tuple[float, float]]) -> float:
    """Print rates and times of acknowledgements; the 99th percentile of those no kill concerns, in ms."""
    begin, end = min(one["sent"] for one in acknowledged), max(one["acknowledged"] for one in acknowledged)
    middle = [
        one for one in acknowledged if begin + (end - begin) * 0.1 <= one["acknowledged"] < begin + (end - begin) * 0.6
    ]
    rate, busy = len(acknowledged) / (end - begin), len(middle) / ((end - begin) * 0.5)
    print(f"rate: {rate:.1f} trials/s over {end - begin:.0f} s; {busy:.1f} trials/s while most participants were there")
    print(f"kills: {len(down)}; server away for {', '.join(f'{up - kill:.2f}' for kill, up in down)} s")
    clear, concerned = [], []
    for one in acknowledged:
        hit = any(one["sent"] < up and one["acknowledged"] > kill for kill, up in down)
        (concerned if hit else clear).append((one["acknowledged"] - one["sent"]) * 1000)
    again = sum(one["attempts"] > 1 for one in acknowledged)
    clear.sort()
    found = {share: clear[min(len(clear) - 1, int(share * len(clear)))] for share in (0.5, 0.9, 0.99, 0.999)}
    print(
        f"acknowledged in: median {found[0.5]:.1f} ms, 90 % {found[0.9]:.1f} ms, 99 % {found[0.99]:.1f} ms, "
        f"99.9 % {found[0.999]:.1f} ms, most {clear[-1]:.1f} ms ({len(clear):,} trials)"
    )
    print(f"apart: {len(concerned):,} trials under way between a kill and the answering server; {again:,} sent again")
    return found[0.99]


@contextmanager
def database_for(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty database: sqlite, postgres (a server started for it), or a URL."""
    match kind:
        case "sqlite":
            yield str(folder / "study.db")
        case "postgres":
            with running_postgres() as url:
                yield url
        case url:
            yield url


def main() -> None:
    """Run the load and print what was found; exit with an error where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--participants", type=int, default=300)
    parser.add_argument("--trials", type=int, default=76, help="of each participant")
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds between trials")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgres, or the URL of an empty database")
    parser.add_argument("--most-ms", type=float, default=250, help="allowed 99th percentile of acknowledgements")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.participants} participants, {options.trials} trials each, think time {options.think} s, "
          f"{options.database}; load average {os.getloadavg()[0]:.2f} before")  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary, database_for(options.database, Path(temporary)) as address:
        folder = Path(temporary) / "study"
        build_study(options.trials).save(folder)
        server = Server(folder, address, free_port())
        try:
            server.start()
            acknowledged = run_load(server, options)
        finally:
            server.end()
        faults = check_database(address, acknowledged, options)
        slowest = show_times(acknowledged, server.down)
    print(f"load average {os.getloadavg()[0]:.2f} after")
    if slowest > options.most_ms:
        faults.append(f"the 99th percentile is above {options.most_ms:.0f} ms")
    if faults:
        sys.exit("FAULTS: " + "; ".join(faults))
    print("every acknowledged trial is stored exactly once")


if __name__ == "__main__":
    main()
