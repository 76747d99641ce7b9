"""Suites by name: a file or folder of the user's, or one that comes with gardenpath."""

from dataclasses import replace
from difflib import get_close_matches
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.suite import Join, Suite


def find_suites(name_or_path: str, join: Join = "natural") -> list[Suite]:
    """The suites of a path that exists, or else the built-in suite of that name."""
    if Path(name_or_path).exists():
        return read_suites(name_or_path, join)
    file = builtin_files().get(name_or_path)
    if file is None:
        raise InputError(unknown(name_or_path))
    with as_file(file) as path:
        return [replace(suite, source=f"gardenpath:{name_or_path}") for suite in read_suites(path, join)]


def builtin_names() -> list[str]:
    """The names of the suites that come with gardenpath."""
    return sorted(builtin_files())


def builtin_files() -> dict[str, Traversable]:
    """The file of each built-in suite: its name is the file's."""
    folder = files("gardenpath.suites") / "builtin"
    return {Path(file.name).stem: file for file in folder.iterdir() if file.name.endswith(".json")}


def unknown(name: str) -> str:
    """The message for a name that is neither a path nor a built-in suite."""
    close = get_close_matches(name, builtin_names(), n=3)
    advice = (
        f"did you mean {' or '.join(map(repr, close))}?"
        if close
        else "`gardenpath suites list` shows the built-in ones"
    )
    return f"{name!r} is neither a file or folder nor a built-in suite; {advice}"
