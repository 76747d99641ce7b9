"""A PostgreSQL server for the tests of the study server, where one can be started."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server's database."""
    pytest.importorskip("psycopg")
    made = runpy.run_path(str(BENCHMARKS / "postgres_server.py"))
    try:
        with made["running_postgres"]() as url:
            yield url
    except made["CannotStartError"] as error:
        pytest.skip(str(error))


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    """The URL of a PostgreSQL database without tables."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return postgres
