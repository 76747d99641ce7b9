"""Runs written to folders: all files of a run together, and never over another run by mistake."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file
from gardenpath.io.folder_update import claim_folder, put_in_place
from gardenpath.io.json_text import to_json, without_nan
from gardenpath.io.messages import quote
from gardenpath.io.sealed_json import seal_record
from gardenpath.io.write_errors import explain_write_errors
from gardenpath.runs.folder import OUTCOMES_FILE, TIMING_FILE, TOKENS_FILE, write_tables
from gardenpath.runs.items import items_csv
from gardenpath.runs.manifest import FORMAT, MANIFEST_FILE, Manifest, read_manifest
from gardenpath.runs.shard import SHARD_FILE
from gardenpath.runs.spec import RunSpec

if TYPE_CHECKING:
    from gardenpath.runs.results import Run

PICTURES = ("accuracy.png", "accuracy.svg")
"""What the command draws into the folder afterwards; those of an older run must not stay."""
ITEMS_FILE = "items.csv"
"""The items for R and spreadsheets: made of the other tables, and never read."""
REMEMBERED = "its scores are remembered, and the same command computes nothing twice"


class UnsavedRunError(InputError):
    """A run was computed, but cannot be written; nothing of it is lost: it is `run`."""

    def __init__(self, message: str, run: "Run") -> None:
        super().__init__(message)
        self.run = run


@contextmanager
def claim_run_folder(folder: Path, spec: RunSpec) -> Iterator[Path]:
    """Yield an empty folder for the files of a run; refuse where another process writes, or where another run is."""
    with claim_folder(folder) as fresh:
        refuse_shard(folder)
        there = None if spec.overwrite else find_manifest(folder)
        if there is not None:
            found, wanted = (each.computed_fields() for each in (there.run_spec(), spec))
            refuse_other_run(folder, [name for name in wanted if found.get(name) != wanted[name]])
        yield fresh


def find_manifest(folder: Path) -> Manifest | None:
    """The manifest of the run in a folder; None where there is no run.

    Files that no run wrote, but have the names of a run's, are refused: they would be lost.
    """
    if (folder / MANIFEST_FILE).exists():
        return read_manifest(folder)
    if found := [name for name in (ITEMS_FILE, TOKENS_FILE, OUTCOMES_FILE, *PICTURES) if (folder / name).exists()]:
        raise InputError(
            f"{folder} holds no run, but {quote(found)}, which would be lost; name another folder, or replace it with "
            "--overwrite"
        )
    return None


def refuse_shard(folder: Path) -> None:
    """Raise if a folder holds a shard, whose files are not those of a run."""
    if (folder / SHARD_FILE).exists():
        raise InputError(f"{folder} holds a shard of a run; name another folder for the whole run")


def refuse_other_run(folder: Path, differing: list[str]) -> None:
    """Raise if the run in a folder differs in anything that changes results."""
    if differing:
        raise InputError(
            f"{folder} holds another run ({', '.join(differing)} differ), which would be lost; name another folder, or "
            "replace it with --overwrite"
        )


def write_run(run: "Run", fresh: Path, *, overwrite: bool) -> Path:
    """Write a run into the empty folder that was claimed for it, and put it in place; return its folder."""
    folder = fresh.parent.parent
    try:
        refuse_shard(folder)
        there = None if overwrite else find_manifest(folder)
        if there is not None:
            refuse_other_run(folder, differences(there, run.manifest))
        write_run_tables(run, fresh, folder)
        with explain_write_errors(folder / MANIFEST_FILE):
            files = {name: digest_file(fresh / name) for name in (TOKENS_FILE, OUTCOMES_FILE)}
            record = without_nan({**run.manifest.record(), "files": files})
            (fresh / MANIFEST_FILE).write_text(seal_record(record, FORMAT), encoding="utf-8")
            timing = {"finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"), **run.timing}
            (fresh / TIMING_FILE).write_text(to_json(timing), encoding="utf-8")
        put_in_place(fresh, outdated=PICTURES)
    except InputError as error:
        raise UnsavedRunError(f"the results cannot be kept: {error}. {REMEMBERED.capitalize()}", run) from error
    return folder


def write_run_tables(run: "Run", fresh: Path, folder: Path) -> None:
    """Write the tables of a run; messages name the files as they are called when they are in place."""
    tables = {TOKENS_FILE: run.written_tokens.collect(), OUTCOMES_FILE: run.written_outcomes}
    write_tables(tables, fresh, folder)
    with explain_write_errors(folder / ITEMS_FILE):
        (fresh / ITEMS_FILE).write_text(items_csv(run.long_items()), encoding="utf-8", newline="")


def differences(there: Manifest, now: Manifest) -> list[str]:
    """What two manifests differ in, of all that changes results."""
    found, wanted = (
        {
            **manifest.run_spec().computed_fields(),
            "weights of models": [(model.name, model.fingerprint) for model in manifest.models],
            "contents of suites": [(suite.name, suite.hash) for suite in manifest.suites],
        }
        for manifest in (there, now)
    )
    return [name for name in wanted if found.get(name) != wanted[name]]
