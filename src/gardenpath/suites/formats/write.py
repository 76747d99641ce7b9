"""Suites written to files, in the format the user names."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.suites.formats.blimp import write_blimp
from gardenpath.suites.formats.pairs import write_pairs
from gardenpath.suites.formats.region_table import write_region_table
from gardenpath.suites.formats.syntaxgym import write_syntaxgym
from gardenpath.suites.formats.variant_table import has_variants, write_variants
from gardenpath.suites.suite import Suite

SuiteFormat = Literal["syntaxgym", "blimp", "pairs", "tsv"]

FORMAT_SUFFIXES: dict[SuiteFormat, tuple[str, ...]] = {
    "syntaxgym": (".json",),
    "blimp": (".jsonl",),
    "pairs": (".tsv", ".csv"),
    "tsv": (".tsv",),
}
"""The extensions of files in a format; the first is the default."""


def write_suites(suites: Sequence[Suite], path: str | Path, format: SuiteFormat) -> list[Path]:
    """Write suites to a file, or each to a file of its own in a folder; return the files.

    Only a table of pairs holds several suites.
    """
    path = Path(path)
    if path.suffix and not path.is_dir():
        write_file(suites, path, format)
        return [path]
    files = [path / f"{name}{FORMAT_SUFFIXES[format][0]}" for name in file_names(suites)]
    for suite, file in zip(suites, files, strict=True):
        write_file([suite], file, format)
    return files


def file_names(suites: Sequence[Suite]) -> list[str]:
    """Return the file names of suites: the names of the suites, with their collections only if needed."""
    names = [suite.name.rpartition("/")[2] for suite in suites]
    return names if len(set(names)) == len(names) else [suite.name.replace("/", "_") for suite in suites]


def write_file(suites: Sequence[Suite], path: Path, format: SuiteFormat) -> None:
    """Write suites to one file, in a folder that is created if needed."""
    if path.suffix not in FORMAT_SUFFIXES[format]:
        raise InputError(f"{path}: a file in the format {format} must end in {' or '.join(FORMAT_SUFFIXES[format])}")
    if len(suites) > 1 and format != "pairs":
        raise InputError(f"{path}: {len(suites)} suites do not fit in one file of this format; name a folder")
    with atomic_write(path) as scratch:
        write_format(suites, scratch, format)


def write_format(suites: Sequence[Suite], path: Path, format: SuiteFormat) -> None:
    """Write suites with the writer of a format."""
    match format:
        case "pairs" if any(has_variants(suite) for suite in suites):
            write_variants(suites, path)
        case "pairs":
            write_pairs(suites, path)
        case "syntaxgym":
            write_syntaxgym(suites[0], path)
        case "blimp":
            write_blimp(suites[0], path)
        case "tsv":
            write_region_table(suites[0], path)
