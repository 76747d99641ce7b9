"""`gardenpath study serve` and `gardenpath study erase`, in processes of their own."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gardenpath.human.server.database import read_database
from gardenpath.human.study import Study
from served_study import ANSWERS, key_of, small_study


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_study().save(tmp_path / "study")
    return tmp_path / "study"


def gardenpath(*words: object) -> "subprocess.CompletedProcess[str]":
    """Run a command."""
    command = [sys.executable, "-m", "gardenpath", "study", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@contextmanager
def serving(*words: object, **environment: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Run the server on a free port; its address, and its process."""
    command = [sys.executable, "-m", "gardenpath", "study", "serve", *map(str, words), "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment
    )
    assert process.stdout
    address = process.stdout.readline().strip()
    try:
        yield address, process
    finally:
        process.kill()
        process.communicate()


def post(address: str, **body: Any) -> dict[str, Any]:
    """Send JSON."""
    request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return dict(json.loads(response.read()))


def test_serve_take_part_and_end(folder: Path) -> None:
    with serving(folder, GARDENPATH_STUDY_PASSWORD="correct horse battery") as (address, process):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        token = post(f"{address}api/start", panel_id="secret-panel-id")["token"]
        stored = post(f"{address}api/answer", token=token, key=key_of(0), trial=0, answer=ANSWERS["choice"])
        assert stored == {"stored": True, "next": 1}
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "?PROLIFIC_PID=ID" in err
    assert "?list=1" in err
    assert "/researcher" in err
    assert "all answers are in the database" in err
    assert not any(secret in out + err for secret in ("secret-panel-id", token, "battery", "Traceback"))
    responses, _ = read_database(Study.read(folder), folder / "study.db")
    assert responses.height == 1
    assert gardenpath("erase", folder, "someone").returncode == 2
    erased = gardenpath("erase", folder, "secret-panel-id")
    assert erased.returncode == 0, erased.stderr
    assert read_database(Study.read(folder), folder / "study.db")[0].height == 0


def test_the_server_loads_no_torch(folder: Path) -> None:
    code = (
        "import sys; from gardenpath.human.study import Study; from gardenpath.human.server.app import build_app; "
        f"build_app(Study.read({str(folder)!r}), {str(folder / 'study.db')!r}, password='correct horse'); "
        "assert not {'torch', 'transformers', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_command_line_loads_no_server() -> None:
    code = "import gardenpath.commands.app, sys; assert not {'starlette', 'uvicorn', 'sqlite3'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_refusals(folder: Path, tmp_path: Path) -> None:
    def refused(message: str, *words: object) -> None:
        done = gardenpath("serve", *words)
        assert done.returncode == 2
        assert re.search(message, " ".join(done.stderr.split())), done.stderr

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused(rf"port {port} of 127\.0\.0\.1 cannot be used", folder, "--port", port)
    refused("has a password in it", folder, "--database", "postgresql://me:hunter2@localhost/x")
    refused("no-study", tmp_path / "no-study")
    assert gardenpath("erase", folder, "P1").returncode == 2


def test_without_a_password_a_note_says_how_to_set_one(folder: Path) -> None:
    with serving(folder, GARDENPATH_STUDY_PASSWORD="") as (_, process):
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert "set GARDENPATH_STUDY_PASSWORD" in err
