"""File formats of other installed packages: a package declares a reader under the ending of its files."""

from pathlib import Path

from gardenpath.io.plugins import Plugin, find_plugins
from gardenpath.suites.suite import Join, Suite


def ending_of(plugin: Plugin) -> str:
    """Return the ending of the files that a format reads, as `Path.suffix` has it."""
    return "." + plugin.name.removeprefix(".").lower()


def plugin_suffixes() -> set[str]:
    """Return the endings of files that other packages read."""
    return {ending_of(plugin) for plugin in find_plugins("formats")}


def read_plugin_format(path: Path, join: Join) -> list[Suite] | None:
    """Read a file by the first reader of another package that recognises it; None if there is none.

    A reader gets the path, and `join` if it declares it; it returns suites, or None for a file in another format.
    """
    for plugin in find_plugins("formats"):
        if ending_of(plugin) != path.suffix.lower():
            continue
        found = plugin.call(path, join=join)
        if found is None:
            continue
        if isinstance(found, Suite):
            return [found]
        with plugin.explain_errors("failed"):  # a generator of theirs runs only now
            suites = list(found)
        if not suites or not all(isinstance(suite, Suite) for suite in suites):
            kinds = ", ".join(sorted({type(suite).__name__ for suite in suites})) or "nothing"
            raise plugin.fault(f"returned {kinds} for {path}, where suites, or None, are needed")
        return suites
    return None
