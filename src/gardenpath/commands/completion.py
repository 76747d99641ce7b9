"""What a shell proposes for the values of options: names of suites and of models."""

import inspect
from collections.abc import Callable
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


COMPLETIONS: dict[str, Callable[[str], list[str]]] = {"suites": complete_suites, "models": complete_models}
"""By the field of a specification."""


def argument_for(field: str, option: str) -> inspect.Parameter:
    """Build the arguments, called `named`, that give a field the same values as its option."""
    argument = typer.Argument(
        metavar=option[2:].upper(), help=f"The same as `{option}`.", autocompletion=COMPLETIONS.get(field)
    )
    kind = Annotated[list[str] | None, argument]
    return inspect.Parameter("named", inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=None)
