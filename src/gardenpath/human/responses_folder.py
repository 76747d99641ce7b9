"""The folder that holds responses: two tables, the suites that people saw, and a sealed record of their source."""

import warnings
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import polars
from polars.exceptions import PanicException, PolarsError

from gardenpath.errors import InputError, InputWarning
from gardenpath.human.responses import Responses
from gardenpath.human.spec import Exclusions
from gardenpath.io.digest import digest_file
from gardenpath.io.folder_update import claim_folder, finish_update, put_in_place
from gardenpath.io.sealed_json import SEALED_FORMAT, read_sealed, seal_record
from gardenpath.io.write_errors import explain_write_errors
from gardenpath.runs.folder import write_tables
from gardenpath.suites.formats.region_contents import is_joined
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Suite

RECORD, TABLES = "responses.json", ("responses.parquet", "sessions.parquet")
SUITES, MATERIALS = "suites", "materials.json"
AGAIN = "import or analyse the responses again"


def write_responses_folder(found: Responses, folder: Path, *, overwrite: bool) -> Path:
    """Write responses, all files together; refuse a folder with other responses, or with another study."""
    with claim_folder(folder) as fresh:
        earlier = find_record(folder)
        if earlier is not None and not overwrite:
            raise InputError(
                f"{folder} holds responses ({earlier.get('source') or 'of a study'}); name another folder, or replace "
                "them with --overwrite"
            )
        names = write_seen_suites(found.suites, folder, earlier or {})
        write_tables(dict(zip(TABLES, (found.responses, found.sessions), strict=True)), fresh, folder)
        record = {
            "gardenpath": metadata.version("gardenpath"),
            "source": found.source,
            "exclusions": found.exclusions.record(),
            "skipped": dict(found.skipped),
            "files": {name: digest_file(fresh / name) for name in TABLES},
            "suites": names,
        }
        with explain_write_errors(folder / RECORD):
            (fresh / RECORD).write_text(seal_record(record), encoding="utf-8")
        put_in_place(fresh)
    return folder


def find_record(folder: Path) -> dict[str, Any] | None:
    """The record of the responses in a folder; None where there are none."""
    finish_update(folder)
    return read_record(folder) if (folder / RECORD).exists() else None


def read_record(folder: Path) -> dict[str, Any]:
    """Read the record of a folder, and refuse one that is damaged or of another kind."""
    record = read_sealed(folder / RECORD, AGAIN)
    if record.get("format") != SEALED_FORMAT:
        raise InputError(
            f"{folder / RECORD} has the format {record.get('format')!r}, which this gardenpath does not know"
        )
    return record


def write_seen_suites(suites: tuple[Suite, ...], folder: Path, earlier: Mapping[str, Any]) -> dict[str, str]:
    """Write suites into their folder; return the hash of each by its name. Those of a study are left as they are."""
    there = folder / SUITES
    hashes = {suite.name: suite.hash() for suite in suites}
    if (folder / MATERIALS).exists():
        study = {suite.name: suite.hash() for suite in read_suites(there, hashes)}
        if study != hashes:
            raise InputError(
                f"{folder} holds a study with other suites than those of these responses; name another --out"
            )
        return hashes
    known = set(earlier.get("suites", {}))
    if there.is_dir() and (other := {suite.name for suite in read_suites(there, hashes)} - known - set(hashes)):
        raise InputError(
            f"{there} holds the suite {min(other)!r}, which is not of these responses; name another folder with --out"
        )
    written = write_suites([suite for suite in suites if fits_regions(suite)], there, "syntaxgym")
    written += write_suites([suite for suite in suites if not fits_regions(suite)], there, "pairs")
    for path in set(there.glob("*.*")) - set(written):
        path.unlink()  # of the responses that are replaced
    return hashes


def fits_regions(suite: Suite) -> bool:
    """Whether SyntaxGym JSON holds the sentences as they are; those with a space before a full stop need a table."""
    return all(sentence.regions or is_joined(sentence, "natural") for _, sentence in suite.trials())


def read_suites(folder: Path, hashes: Mapping[str, str]) -> list[Suite]:
    """Read the suites of a folder, as `gardenpath run --suite` does; none where there is no file in it.

    Where a suite does not have the hash it should have, it is read with a space before all punctuation.
    """
    if not any(folder.glob("*.*")):
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # responses need no predictions
        suites = load_suites(folder)
        if all(hashes.get(suite.name) in (suite.hash(), None) for suite in suites):
            return suites
        spaced = load_suites(folder, join="space")
    pairs = zip(suites, spaced, strict=True)
    return [other if other.hash() == hashes.get(other.name) else suite for suite, other in pairs]


def read_responses_folder(folder: Path) -> Responses:
    """Read responses whose files have the digests they were written with."""
    finish_update(folder)
    if not (folder / RECORD).exists():
        raise InputError(f"{folder} holds no responses: there is no {RECORD}; `gardenpath study import` writes one")
    record = read_record(folder)
    responses, sessions = (read_table(folder / name, record) for name in TABLES)
    hashes = record_field(record, "suites", folder)
    suites = read_suites(folder / SUITES, hashes)
    found = {suite.name: suite.hash() for suite in suites}
    wrong = [name for name, digest in hashes.items() if found.get(name) != digest]
    if wrong:
        raise InputError(
            f"{folder / SUITES}: the suite {wrong[0]!r} is missing, or is not as the participants saw it; {AGAIN}"
        )
    return Responses(
        responses, sessions, tuple(suite for suite in suites if suite.name in hashes),
        Exclusions.from_fields(record_field(record, "exclusions", folder)),
        str(record.get("source", "")), record_field(record, "skipped", folder),
    )  # fmt: skip


def record_field(record: Mapping[str, Any], key: str, folder: Path) -> dict[str, Any]:
    """An object in the record that must be there."""
    value = record.get(key)
    if not isinstance(value, dict):
        raise InputError(f"{folder / RECORD}: {key!r} is missing; {AGAIN}")
    return value


def read_table(path: Path, record: Mapping[str, Any]) -> polars.DataFrame:
    """Read a table whose digest is that of the record."""
    expected = record_field(record, "files", path.parent).get(path.name)
    if not path.exists():
        raise InputError(f"{path} is missing; {AGAIN}")
    if digest_file(path) != expected:
        raise InputError(f"{path} is not the table it was written as; {AGAIN}")
    try:
        return polars.read_parquet(path, glob=False)
    except (OSError, PolarsError, PanicException) as error:
        cause = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} cannot be read ({cause}); {AGAIN}") from error
