"""Suites written to files, in the format the user names."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, assert_never

from gardenpath.errors import InputError
from gardenpath.suites.formats.blimp import write_blimp
from gardenpath.suites.formats.long_table import write_tsv
from gardenpath.suites.formats.pairs import write_pairs
from gardenpath.suites.formats.syntaxgym import write_syntaxgym
from gardenpath.suites.suite import Suite

Format = Literal["syntaxgym", "blimp", "pairs", "tsv"]

SUFFIX: dict[Format, str] = {"syntaxgym": ".json", "blimp": ".jsonl", "pairs": ".tsv", "tsv": ".tsv"}


def write_suite(suite: Suite, path: str | Path, format: Format) -> None:
    """Write one suite; a path without the extension of the format gets it."""
    path = Path(path)
    if path.suffix != SUFFIX[format]:
        raise InputError(f"{path}: a file in the format {format} ends in {SUFFIX[format]}; rename it")
    match format:
        case "syntaxgym":
            write_syntaxgym(suite, path)
        case "blimp":
            write_blimp(suite, path)
        case "pairs":
            write_pairs(suite, path)
        case "tsv":
            write_tsv(suite, path)
        case _:
            assert_never(format)


def write_suites(suites: Sequence[Suite], folder: str | Path, format: Format) -> list[Path]:
    """Write each suite to a file of its own in a folder, which is made if need be."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{suite.name.replace('/', '_')}{SUFFIX[format]}" for suite in suites]
    for suite, path in zip(suites, paths, strict=True):
        write_suite(suite, path, format)
    return paths
