"""A browser, and a study server on a free port of this machine."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gardenpath.human.study import Study


class Served:
    """A study that is being served: its address, and what its database holds."""

    def __init__(self, address: str, database: Path) -> None:
        self.address = address
        self.database = database

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(sql).fetchall()

    @property
    def answered(self) -> list[int]:
        """The trials with an answer, of all sessions."""
        return [trial for (trial,) in self.rows("SELECT trial FROM answers ORDER BY session, trial")]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Study], Served]]:
    """Serve studies in threads of this process."""
    uvicorn = pytest.importorskip("uvicorn", reason="needs uvicorn: pip install gardenpath[serve]")
    from gardenpath.human.server.app import build_app, open_socket

    folder = tmp_path_factory.mktemp("served")
    running = []

    def start(study: Study) -> Served:
        database = folder / f"study-{len(running)}.db"
        listening = open_socket("127.0.0.1", 0)
        listening.listen()
        app = build_app(study, str(database))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        running.append((server, thread, listening))
        return Served(f"http://127.0.0.1:{listening.getsockname()[1]}/", database)

    yield start
    for server, _, _ in running:
        server.should_exit = True
    for _, thread, listening in running:
        thread.join()
        listening.close()
