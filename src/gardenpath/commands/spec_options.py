"""Command-line options from the fields of a specification."""

import inspect
from collections.abc import Callable, Collection
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import typer

from gardenpath.commands.completion import COMPLETIONS, argument_for
from gardenpath.commands.terminal import out
from gardenpath.io.printable import printable_lines
from gardenpath.io.spec import Spec, describe_field, flag_of

SpecFile = Annotated[
    Path | None, typer.Option("--spec", help="TOML file with these options as fields; options given here override it.")
]
PrintSpec = Annotated[bool, typer.Option("--print-spec", help="Print the specification as TOML and stop.")]


def command_for(
    spec: type[Spec], action: Callable[..., None], *, some: Collection[str] = (), positional: str = ""
) -> Callable[..., None]:
    """Build a Typer command with an option for every field of a specification, or for some fields.

    `action(spec, **others)` gets the validated specification and its own keyword-only options, which stand after the
    fields in the help; its docstring is the help. `--spec FILE` reads a specification, `--print-spec` writes one; a
    command with some fields only does not have these two. The field `positional` takes arguments without an option too.
    """
    required_first = sorted(some or spec.model_fields, key=lambda name: not spec.model_fields[name].is_required())
    options = [option_for(spec, name) for name in required_first]
    own = list(inspect.signature(action).parameters.values())[1:]
    shared = [
        inspect.Parameter("spec", inspect.Parameter.KEYWORD_ONLY, annotation=SpecFile, default=None),
        inspect.Parameter("print_spec", inspect.Parameter.KEYWORD_ONLY, annotation=PrintSpec, default=False),
    ]
    if positional:
        options.insert(0, argument_for(positional, flag_of(spec, positional).option))

    def command(**given: Any) -> None:
        path, printed = given.pop("spec", None), given.pop("print_spec", False)
        if named := given.pop("named", None):
            given[positional] = [*(given[positional] or ()), *named]
        others = {parameter.name: given.pop(parameter.name) for parameter in own}
        fields = {name: value for name, value in given.items() if value is not None}
        chosen = spec.from_fields(fields) if path is None else spec.from_toml(path, fields)
        if printed:
            out.print(printable_lines(chosen.to_toml()), soft_wrap=True, end="")
        else:
            action(chosen, **others)

    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # read by Typer
        [*options, *own, *([] if some else shared)]
    )
    command.__name__, command.__doc__ = action.__name__, action.__doc__
    return command


def option_for(spec: type[Spec], name: str) -> inspect.Parameter:
    """Build the option of one field; None stands for one that was not given."""
    field, flag = spec.model_fields[name], flag_of(spec, name)
    kind = list[str] if flag.joined else str if flag.as_text else option_type(field.annotation)
    names = (f"{flag.option}/--no-{flag.option[2:]}",) if kind is bool and "/" not in flag.option else (flag.option,)
    default = "" if field.is_required() or field.default is None or field.default is False else field.default
    shown = " ".join(map(str, default)) if isinstance(default, tuple) else str(default)
    if any(name in preset for preset in spec.PRESETS.values()):
        shown = "the preset's"
    option = typer.Option(
        None, *names, *([flag.short] if flag.short else []), help=describe_field(spec, name), metavar=flag.metavar,
        show_default=shown or False, autocompletion=COMPLETIONS.get(name),
    )  # fmt: skip
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind | None, default=option)


def field_option(spec: type[Spec], name: str) -> Any:
    """Build the option of one field for a command with its own signature: `Annotated[str, field_option(…)]`."""
    flag = flag_of(spec, name)
    return typer.Option(flag.option, help=describe_field(spec, name), metavar=flag.metavar)


def option_type(annotation: Any) -> Any:
    """Choose the type Typer reads an option as: a list for sequences, text for types that parse it themselves."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return option_type(arguments[0])
    if origin in (Union, UnionType):
        (kind, *_) = [option_type(part) for part in arguments if part is not type(None)]
        return kind
    if origin in (tuple, list):
        kind = option_type(arguments[0])
        return list[str if get_origin(kind) is Literal else kind]  # type: ignore[misc]  # a type made at run time
    if origin is Literal or annotation in (str, int, float, bool, Path):
        return annotation
    return str
