"""Suites written to files, in the format the user names."""

import unicodedata
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.io.write_errors import require_writable, require_writable_folder
from gardenpath.suites.formats.blimp import write_blimp
from gardenpath.suites.formats.pairs import write_pairs
from gardenpath.suites.formats.region_table import write_region_table
from gardenpath.suites.formats.syntaxgym_writing import write_syntaxgym
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
    if is_single_file(path):
        write_file(suites, path, format)
        return [path]
    files = [path / f"{name}{FORMAT_SUFFIXES[format][0]}" for name in file_names(suites)]
    for suite, file in zip(suites, files, strict=True):
        write_file([suite], file, format)
    return files


def is_single_file(path: Path) -> bool:
    """Whether a path names a file for suites, and not a folder for a file of each."""
    return bool(path.suffix) and not path.is_dir()


def check_output(path: Path, format: SuiteFormat) -> None:
    """Refuse a path that suites cannot be written to, before they are read or generated."""
    if not is_single_file(path):
        require_writable_folder(path)
        return
    if path.suffix not in FORMAT_SUFFIXES[format]:
        raise InputError(f"{path}: a file in the format {format} must end in {' or '.join(FORMAT_SUFFIXES[format])}")
    require_writable(path)


def file_names(suites: Sequence[Suite]) -> list[str]:
    """Return the file names of suites: the names of the suites, with their collections only if needed.

    They differ in more than case or the composition of letters, which some file systems ignore; where the names of
    suites do not, a number is added, and a note reports it.
    """
    names = [suite.name.rpartition("/")[2] for suite in suites]
    if len(set(map(fold_name, names))) == len(names):
        return names
    taken: dict[str, str] = {}
    for suite in suites:
        whole = suite.name.replace("/", "_")
        numbered = (f"{whole}-{number}" if number > 1 else whole for number in count(1))
        name = next(name for name in numbered if fold_name(name) not in taken)
        if name != whole:
            advise(
                f"the files of the suites {taken[fold_name(whole)]!r} and {suite.name!r} would have the same name, or "
                f"names that differ in case only; that of {suite.name!r} is called {name!r}"
            )
        taken[fold_name(name)] = suite.name
        names[len(taken) - 1] = name
    return names


def fold_name(name: str) -> str:
    """Fold what a file system may not distinguish."""
    return unicodedata.normalize("NFC", name).casefold()


def write_file(suites: Sequence[Suite], path: Path, format: SuiteFormat) -> None:
    """Write suites to one file, in a folder that is created if needed."""
    check_output(path, format)
    if len(suites) > 1 and format != "pairs":
        raise InputError(f"{path}: {len(suites)} suites do not fit in one file of this format; name a folder")
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
