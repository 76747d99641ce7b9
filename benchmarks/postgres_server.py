"""A PostgreSQL server of one's own, in a temporary directory, reached through a socket in it."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS_TO_START = 60


class CannotStartError(Exception):
    """PostgreSQL cannot be started here; the message says why."""


def programs() -> Path:
    """The directory of PostgreSQL's programs: Debian's newest, or that of the path."""
    found = shutil.which("postgres")
    known = [Path(found).resolve().parent] if found else []
    known += sorted(path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    whole = [folder for folder in known if all((folder / name).exists() for name in ("initdb", "pg_isready"))]
    if not whole:
        raise CannotStartError("PostgreSQL is not installed")
    return whole[-1]


def as_other_user() -> tuple[list[str], int | None]:
    """How to start a program as another user, because PostgreSQL refuses root; and the number of that user."""
    if os.geteuid() != 0:
        return [], None
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        if shutil.which("setpriv") is None:
            raise CannotStartError("root may not run PostgreSQL, and there is no setpriv to change the user")
        return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"], user.pw_uid
    raise CannotStartError("root may not run PostgreSQL, and there is no user postgres or nobody")


@contextmanager
def running_postgres() -> Iterator[str]:
    """Run a server for the time of a block; yield the URL of its database."""
    binaries, (prefix, user) = programs(), as_other_user()
    folder = Path(tempfile.mkdtemp(prefix="gardenpath-postgres-"))
    try:
        if user is not None:
            os.chown(folder, user, -1)
        data = folder / "data"
        made = subprocess.run(
            [*prefix, binaries / "initdb", "-D", data, "-U", "study", "-A", "trust", "-E", "UTF8", "--no-locale"],
            capture_output=True, text=True, check=False, cwd=folder,
        )  # fmt: skip
        if made.returncode:
            raise CannotStartError(f"initdb failed: {made.stderr.strip()}")
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [*prefix, binaries / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="],
                stdout=log, stderr=log, cwd=folder,
            )  # fmt: skip
        try:
            wait_until_ready(binaries, folder, server)
            yield f"postgresql://study@/postgres?host={folder}"
        finally:
            server.send_signal(signal.SIGINT)  # ends connections that are left, too
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_until_ready(binaries: Path, folder: Path, server: "subprocess.Popen[bytes]") -> None:
    """Wait until a server takes connections."""
    end = time.monotonic() + SECONDS_TO_START
    while subprocess.run([binaries / "pg_isready", "-q", "-h", folder], check=False).returncode:
        if server.poll() is not None or time.monotonic() > end:
            raise CannotStartError(f"PostgreSQL does not start: {(folder / 'log').read_text()[-500:]}")
        time.sleep(0.1)
