"""Suites by name, written in a format of the field."""

from pathlib import Path

from gardenpath.suites.formats.write import SuiteFormat, check_output, write_suites
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Join


def export_suites(
    name: str, path: Path, *, format: SuiteFormat, join: Join = "natural", sample: int | None = None, seed: int = 0
) -> list[Path]:
    """Write the suites of a name to a file or a folder, which is checked before they are read; return the files."""
    check_output(path, format)
    return write_suites(load_suites(name, join=join, sample=sample, seed=seed), path, format)
