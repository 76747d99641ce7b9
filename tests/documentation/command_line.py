"""Whether commands that pages name exist, with all their options."""

import re
import shlex
import tomllib
from functools import cache
from typing import Any

from typer.main import get_group

from documentation.pages import ROOT
from gardenpath.commands.app import app

BRACKETS = re.compile(r"[\[\]]|\.\.\.|…")
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
COMPLETION = {"--install-completion", "--show-completion"}
EXTRA = re.compile(r"(?:gardenpath|['\" ]\.)\[([\w,]+)\]")


@cache
def all_commands() -> dict[tuple[str, ...], Any]:
    """Every command by its words; also groups of commands."""
    found: dict[tuple[str, ...], Any] = {(): get_group(app)}
    pending: list[tuple[str, ...]] = [()]
    for words in pending:
        for name in getattr(found[words], "commands", {}):
            found[*words, name] = found[words].get_command(None, name)
            pending.append((*words, name))
    return found


@cache
def all_options() -> set[str]:
    """The options of all commands."""
    known = {"--help"} | COMPLETION
    for command in all_commands().values():
        for parameter in command.params:
            known.update(parameter.opts, parameter.secondary_opts)
    return known


def cut_command(words: list[str]) -> tuple[Any, list[str]]:
    """The command that words name, and its arguments."""
    length = 0
    while tuple(words[: length + 1]) in all_commands() and length < len(words):
        length += 1
    return all_commands()[tuple(words[:length])], words[length:]


def complete_command_error(words: list[str]) -> str | None:
    """What is wrong with a command that could be given as it is; None if nothing is."""
    command, arguments = cut_command(words)
    if hasattr(command, "commands"):
        return None if arguments in (["--help"], ["--version"]) else f"no command {' '.join(words)!r}"
    try:
        command.make_context(command.name, list(arguments))
    except Exception as error:  # noqa: BLE001 - errors of the command line have no base class of ours
        return None if type(error).__name__ == "Exit" else f"{error or type(error).__name__}"
    return None


def named_command_error(text: str) -> str | None:
    """What is wrong with a command that stands within a sentence, or a synopsis: only its options are looked up."""
    words = shlex.split(BRACKETS.sub(" ", text).replace("'", ""), comments=True)[1:]
    command, arguments = cut_command(words)
    if hasattr(command, "commands") and arguments and not arguments[0].startswith("-") and arguments[0].islower():
        return f"no command {arguments[0]!r}"
    own = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    known = own | {"--help"} | (COMPLETION if not words or words[0].startswith("-") else set())
    unknown = [word for word in arguments if word.startswith("--") and word.partition("=")[0] not in known]
    return f"no option {', '.join(unknown)}" if unknown else None


def script_error(words: list[str]) -> str | None:
    """What is wrong with `python benchmarks/NAME.py --option`."""
    path = ROOT / words[0]
    if not path.is_file():
        return f"no file {words[0]}"
    source = path.read_text(encoding="utf-8")
    unknown = [word for word in words[1:] if word.startswith("--") and f'"{word.partition("=")[0]}"' not in source]
    return f"no option {', '.join(unknown)} in {words[0]}" if unknown else None


def unknown_extras(text: str) -> set[str]:
    """The extras that a text names and that the package does not have."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    return {name for names in EXTRA.findall(text) for name in names.split(",")} - set(known)
