"""Suites written to files, in the format the user names."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.suites.formats.blimp import write_blimp
from gardenpath.suites.formats.long_table import write_tsv
from gardenpath.suites.formats.pairs import write_pairs
from gardenpath.suites.formats.syntaxgym import write_syntaxgym
from gardenpath.suites.formats.variants import has_variants, write_variants
from gardenpath.suites.suite import Suite

Format = Literal["syntaxgym", "blimp", "pairs", "tsv"]

SUFFIXES: dict[Format, tuple[str, ...]] = {
    "syntaxgym": (".json",),
    "blimp": (".jsonl",),
    "pairs": (".tsv", ".csv"),
    "tsv": (".tsv",),
}
"""How files in a format end; the first is the one they get by default."""


def write_suite(suite: Suite, path: str | Path, format: Format) -> None:
    """Write one suite to a file."""
    write_file([suite], Path(path), format)


def write_suites(suites: Sequence[Suite], path: str | Path, format: Format) -> list[Path]:
    """Write suites to the file named, or each to a file of its own in the folder named; return the files.

    Only a table of pairs holds several suites.
    """
    path = Path(path)
    if path.suffix and not path.is_dir():
        write_file(suites, path, format)
        return [path]
    path.mkdir(parents=True, exist_ok=True)
    files = [path / f"{suite.name.replace('/', '_')}{SUFFIXES[format][0]}" for suite in suites]
    for suite, file in zip(suites, files, strict=True):
        write_suite(suite, file, format)
    return files


def write_file(suites: Sequence[Suite], path: Path, format: Format) -> None:
    """Write suites to one file."""
    if path.suffix not in SUFFIXES[format]:
        raise InputError(f"{path}: a file in the format {format} ends in {' or '.join(SUFFIXES[format])}; name it so")
    if format == "pairs":
        if any(has_variants(suite) for suite in suites):
            write_variants(suites, path)
        else:
            write_pairs(suites, path)
        return
    if len(suites) > 1:
        raise InputError(f"{path}: {len(suites)} suites do not fit in one file; name a folder to write them to")
    match format:
        case "syntaxgym":
            write_syntaxgym(suites[0], path)
        case "blimp":
            write_blimp(suites[0], path)
        case "tsv":
            write_tsv(suites[0], path)
