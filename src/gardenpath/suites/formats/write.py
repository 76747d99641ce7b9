"""Suites written to files, in the format the user names."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.suites.formats.blimp import write_blimp
from gardenpath.suites.formats.long_table import write_tsv
from gardenpath.suites.formats.pairs import write_pairs
from gardenpath.suites.formats.syntaxgym import write_syntaxgym
from gardenpath.suites.suite import Suite

Format = Literal["syntaxgym", "blimp", "pairs", "tsv"]

SUFFIX: dict[Format, str] = {"syntaxgym": ".json", "blimp": ".jsonl", "pairs": ".tsv", "tsv": ".tsv"}


def write_suite(suite: Suite, path: str | Path, format: Format) -> None:
    """Write one suite to a file."""
    path = Path(path)
    if path.suffix != SUFFIX[format]:
        raise InputError(f"{path}: a file in the format {format} ends in {SUFFIX[format]}; name it so")
    match format:
        case "syntaxgym":
            write_syntaxgym(suite, path)
        case "blimp":
            write_blimp(suite, path)
        case "pairs":
            write_pairs(suite, path)
        case "tsv":
            write_tsv(suite, path)


def write_suites(suites: Sequence[Suite], path: str | Path, format: Format) -> list[Path]:
    """Write one suite to the file named, or each to a file of its own in the folder named; return the files."""
    path = Path(path)
    if path.suffix and not path.is_dir():
        if len(suites) > 1:
            raise InputError(f"{path}: {len(suites)} suites do not fit in one file; name a folder to write them to")
        write_suite(suites[0], path, format)
        return [path]
    path.mkdir(parents=True, exist_ok=True)
    files = [path / f"{suite.name.replace('/', '_')}{SUFFIX[format]}" for suite in suites]
    for suite, file in zip(suites, files, strict=True):
        write_suite(suite, file, format)
    return files
