"""300 participants at once while the server is killed ten times, on SQLite and on PostgreSQL; and a small one."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


def run_load(database: str, *options: str) -> str:
    """Run the load; its output."""
    command = [sys.executable, str(BENCHMARKS / "study_load.py"), "--database", database, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def require_postgres() -> None:
    """Skip where PostgreSQL cannot be started."""
    pytest.importorskip("psycopg")
    made = runpy.run_path(str(BENCHMARKS / "postgres_server.py"))
    try:
        made["programs"](), made["as_other_user"]()
    except made["CannotStartError"] as error:
        pytest.skip(str(error))


def test_a_few_participants_and_one_kill() -> None:
    """The same in small; how fast it is, is not asked here."""
    small = ("--participants", "20", "--trials", "10", "--think", "0.3", "--kills", "1", "--most-ms", "inf")
    assert "every acknowledged trial is stored exactly once" in run_load("sqlite", *small)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_300_participants_and_ten_kills(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    if database == "postgres":
        require_postgres()
    found = run_load(database, "--participants", "300", "--trials", "76", "--think", "3", "--kills", "10")
    with capsys.disabled():
        print(f"\n{found}")  # noqa: T201 - the rate achieved belongs to the result
    assert "database: 22,800 trials, 300 sessions, 0 not complete" in found
    assert "kills: 10" in found
