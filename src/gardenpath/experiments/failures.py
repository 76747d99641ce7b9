"""Steps that failed: why, and their last lines."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.perform import record_failure
from gardenpath.experiments.step import ATTEMPTS, DONE, FAILED, LOG, Step
from gardenpath.experiments.step_lock import is_locked
from gardenpath.io.sealed_json import find_sealed, parse_object

SHOWN = 8
"""Lines of a log that are shown."""
TAIL = 4096
"""Bytes at the end of a log that are looked at."""


def record_unexplained(root: Path, steps: Iterable[Step], *, since: float, log: Path) -> None:
    """Write failed.json for steps that were due, have no result, and left no reason: their process was killed.

    since: when the plan began to be carried out. log: of the scheduler, for steps that were never begun.
    """
    for step in steps:
        folder = root / step.name
        if (folder / DONE).exists() or (folder / FAILED).exists() or is_locked(folder):
            continue
        if not all((root / name / DONE).exists() for name in step.inputs):
            continue
        record_failure(folder, guess_reason(folder, since, log))


def guess_reason(folder: Path, since: float, log: Path) -> str:
    """Why a step that left no reason has no result."""
    attempts = [one for one in read_attempts(folder) if one["started"] >= since]
    if attempts:
        return "it was interrupted" if "ended" in attempts[-1] else "its process was killed"
    if was_started(folder, since):
        return "its process ended before its work began"
    return f"it was never started; the last lines of the scheduler:\n{last_lines(log)}"


def was_started(folder: Path, since: float) -> bool:
    """Whether a process for a step was started since some moment: its log is opened before anything else."""
    try:
        return (folder / LOG).stat().st_mtime >= since
    except FileNotFoundError:
        return False


def read_attempts(folder: Path) -> list[dict[str, Any]]:
    """All times that a step was begun."""
    found = find_sealed(folder / ATTEMPTS)
    return [] if found is None else list(found["attempts"])


def read_reason(folder: Path) -> str:
    """Why a step failed."""
    try:
        return str(parse_object((folder / FAILED).read_bytes()).get("reason", ""))
    except (OSError, ValueError, InputError):
        return "the reason is not known"


def last_lines(log: Path, lines: int = SHOWN) -> str:
    """The last lines of a log that are not empty."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - TAIL))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join([line.rstrip() for line in text.splitlines() if line.strip()][-lines:])


def explain_failure(folder: Path) -> str:
    """Why a step failed, then the last lines that it printed."""
    reason, printed = read_reason(folder), last_lines(folder / LOG)
    return reason if not printed or reason in printed else f"{reason}\n{printed}"
