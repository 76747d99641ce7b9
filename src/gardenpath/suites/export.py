"""Suites by name, written in a format of the field."""

from pathlib import Path
from typing import Unpack

from gardenpath.suites.formats.write import SuiteFormat, check_output, write_suites
from gardenpath.suites.load import LoadOptions, load_suites


def export_suites(name: str, path: Path, *, format: SuiteFormat, **options: Unpack[LoadOptions]) -> list[Path]:
    """Write the suites of a name to a file or a folder, which is checked before they are read; return the files."""
    check_output(path, format)
    return write_suites(load_suites(name, **options), path, format)
