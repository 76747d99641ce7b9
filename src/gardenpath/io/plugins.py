"""Plugins: the models, suite collections and file formats that other installed packages declare as entry points.

A package declares them in the groups `gardenpath.models`, `gardenpath.suites` and `gardenpath.formats`
(docs/extending.md). Finding plugins reads the metadata of packages and imports nothing; a package is imported when its
plugin is used.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, Literal

from gardenpath.errors import InputError

if TYPE_CHECKING:  # imported late: most commands need no plugin
    from importlib.metadata import Distribution, EntryPoint

Group = Literal["models", "suites", "formats"]
NOUNS: dict[Group, str] = {"models": "model", "suites": "suite collection", "formats": "format"}


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point of a package."""

    group: Group
    entry: "EntryPoint"

    @property
    def name(self) -> str:
        """The name under which the package declares it."""
        return self.entry.name

    @property
    def package(self) -> str:
        """The name and version of the package."""
        found: Distribution | None = self.entry.dist
        return f"{found.name} {found.version}" if found else "of an unknown name"

    @property
    def summary(self) -> str:
        """The package and the one line that it says about itself."""
        found: Distribution | None = self.entry.dist
        has_summary = found is not None and "Summary" in found.metadata
        return f"package {self.package}" + (f": {found.metadata['Summary']}" if found and has_summary else "")

    def load(self) -> Any:
        """Import what the entry point names."""
        with self.explain_errors("cannot be imported"):
            return self.entry.load()

    def declares(self, option: str) -> bool:
        """Return whether the function of the plugin has a parameter of that name."""
        function = self.load()
        return callable(function) and option in signature(function).parameters

    def call(self, *arguments: Any, **options: Any) -> Any:
        """Call the function of the plugin, with those of the options that it declares as parameters."""
        function = self.load()
        if not callable(function):
            raise self.fault(f"is {type(function).__name__} {self.entry.value}, not a function")
        passed = {name: value for name, value in options.items() if self.declares(name)}
        with self.explain_errors("failed"):
            return function(*arguments, **passed)

    def fault(self, what: str) -> InputError:
        """Make the error that names the plugin and its package."""
        return InputError(
            f"package {self.package}: its {NOUNS[self.group]} {self.name!r} {what}; "
            "mend, update or uninstall the package"
        )

    @contextmanager
    def explain_errors(self, what: str) -> Iterator[None]:
        """Turn any error of the package into one message; an `InputError` is the package's own message to the user."""
        try:
            yield
        except InputError:
            raise
        except Exception as error:  # the code of others may raise anything
            last = extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).parent.name}/{Path(last.filename).name}, line {last.lineno}"
            raise self.fault(f"{what} ({type(error).__name__}: {error}; {place})") from error


def find_plugins(group: Group) -> list[Plugin]:
    """Return the plugins of a group in all installed packages, by name; nothing is imported."""
    from importlib.metadata import entry_points

    found = [Plugin(group, entry) for entry in entry_points(group=f"gardenpath.{group}")]
    return sorted(found, key=lambda plugin: (plugin.name, plugin.package))


def find_plugin(group: Group, name: str) -> Plugin | None:
    """Return the plugin of a name; raise where two packages declare it."""
    found = [plugin for plugin in find_plugins(group) if plugin.name == name]
    if len(found) > 1:
        packages = " and ".join(plugin.package for plugin in found)
        raise InputError(f"the packages {packages} both have a {NOUNS[group]} {name!r}; uninstall one of them")
    return found[0] if found else None
