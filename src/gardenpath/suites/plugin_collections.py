"""Suite collections of other installed packages: `NAME` is a whole collection, `NAME/SUITE` one suite of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from os import PathLike
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.io.plugins import Plugin, find_plugin
from gardenpath.suites.suite import Suite


def find_collection(name: str) -> Plugin | None:
    """Return the collection that a name of a suite or collection belongs to, if another package declares it."""
    collection = name.partition("/")[0]
    return find_plugin("suites", collection) if collection else None


def open_collection(plugin: Plugin) -> Path | list[Suite]:
    """Return the folder or the suites of a collection: what the package names, or what its function returns."""
    content = plugin.load()
    if callable(content):
        content = plugin.call()
    if isinstance(content, str | PathLike):
        folder = Path(content)
        if not folder.exists():
            raise plugin.fault(f"names the folder {str(folder)!r}, which does not exist")
        return folder
    with plugin.explain_errors("failed"):  # a generator of theirs runs only now
        suites = list(content) if isinstance(content, Iterable) else [content]
    if wrong := [suite for suite in suites if not isinstance(suite, Suite)]:
        raise plugin.fault(f"gave a {type(wrong[0]).__name__}, where a folder or suites are needed")
    return suites


def name_members(suites: Sequence[Suite], plugin: Plugin) -> list[Suite]:
    """Return suites under the name of their collection, with the package as their source."""
    source = f"package {plugin.package}"
    return [replace(suite, name=f"{plugin.name}/{suite.name}", source=source) for suite in suites]


def choose_members(name: str, suites: Sequence[Suite], plugin: Plugin) -> list[Suite]:
    """Return all suites of a collection if that is what is named, or else the one suite that is."""
    chosen = [suite for suite in suites if name in (plugin.name, suite.name)]
    if not chosen:
        names = [suite.name for suite in suites]
        near = get_close_matches(name, names, n=3)
        there = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it has {quote(names, most=6)}"
        raise InputError(f"unknown suite {name!r} in the collection of the package {plugin.package}; {there}")
    return chosen
