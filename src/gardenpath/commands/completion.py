"""What a shell proposes for the values of options: names of suites and of models, factors, what is in runs."""

import inspect
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer


def complete_suites(incomplete: str) -> list[str]:
    """Return built-in suites and collections that begin so; below a collection, its suites only.

    Where there is none, the shell proposes files.
    """
    from gardenpath.io.plugins import find_plugins
    from gardenpath.suites.catalog import builtin_sources

    sources = builtin_sources()
    names = {source.name for source in sources} | {source.collection for source in sources if source.collection}
    names |= {plugin.name for plugin in find_plugins("suites")}
    found = sorted(name for name in names if name.startswith(incomplete))
    folder = incomplete.rpartition("/")[0]
    level = folder.count("/") + 1 if folder else 0
    # As with files: the collections first, their suites once one is named.
    nearest = [name for name in found if name.count("/") <= level]
    return nearest if len(nearest) > 1 else found


def complete_models(incomplete: str) -> list[str]:
    """Return the forms of model specs that begin so, up to their colon."""
    from gardenpath.models.load import spec_forms

    forms = [form.partition(":") for form in spec_forms() if form != "DIR"]
    return sorted({name + colon for name, colon, _ in forms if (name + colon).startswith(incomplete)})


def complete_groups(incomplete: str) -> list[str]:
    """Return what results can be grouped by and begins so, after the last comma."""
    from gardenpath.statistics.group_names import POOLED

    before, comma, last = incomplete.rpartition(",")
    names = sorted({*POOLED, "suite", "model"} - {*before.split(",")})
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


def complete_run_models(context: typer.Context, incomplete: str) -> list[str]:
    """Return the models of the runs that the command names which begin so."""
    return [name for name in names_in_runs(context, "models") if name.startswith(incomplete)]


def complete_run_suites(context: typer.Context, incomplete: str) -> list[str]:
    """Return the suites of the runs that the command names which begin so, and their collections."""
    suites = names_in_runs(context, "suites")
    names = {*suites, *(name.rpartition("/")[0] for name in suites)}
    return sorted(name for name in names if name and name.startswith(incomplete))


def names_in_runs(context: typer.Context, kind: str) -> list[str]:
    """Return the names of models or suites in the manifests of the runs among the arguments; nothing of other folders.

    Manifests are read without checks: a shell waits, and the command itself reports what is wrong.
    """
    found: list[str] = []
    # Where the value of an option is missing yet, arguments are not assigned to parameters.
    for folder in (*(context.params.get("runs") or ()), *context.args):
        with suppress(OSError, ValueError, KeyError, TypeError):
            manifest = json.loads((Path(folder) / "manifest.json").read_text(encoding="utf-8"))
            found += [one["name"] for one in manifest[kind]]
    return list(dict.fromkeys(found))


COMPLETIONS: dict[str, Callable[[str], list[str]]] = {
    "suites": complete_suites, "models": complete_models, "by": complete_groups,
}  # fmt: skip
"""By the field of a specification."""


def argument_for(field: str, option: str) -> inspect.Parameter:
    """Build the arguments, called `named`, that give a field the same values as its option."""
    argument = typer.Argument(
        metavar=option[2:].upper(), help=f"The same as `{option}`.", autocompletion=COMPLETIONS.get(field)
    )
    kind = Annotated[list[str] | None, argument]
    return inspect.Parameter("named", inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=None)
