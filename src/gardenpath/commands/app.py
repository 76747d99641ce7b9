"""The command line: all commands, and how errors are printed."""

import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_group

from gardenpath import __version__
from gardenpath.commands.help_text import PlainHelpGroup, use_plain_help
from gardenpath.commands.other_tools import KnowingCommand
from gardenpath.commands.terminal import out, print_line, show_warning
from gardenpath.errors import InputError, InputWarning
from gardenpath.io.extras import require_extras
from gardenpath.io.write_errors import DISK_FULL, IF_FULL

COMMANDS = (
    "run", "join", "score", "evaluate", "items", "table", "compare", "report", "perplexity", "audit", "parse", "suites",
    "corpus", "train", "models", "study", "experiment",
)  # fmt: skip
"""Each is a function, or a `Typer` of subcommands, in the module of the same name."""


HALF_CHARACTER = re.compile("[\ud800-\udfff]")
"""Stands for a byte of an argument that is not UTF-8."""


class Commands(PlainHelpGroup):
    """All commands; the module of one is imported when it is looked up, since together they take long to import."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # names alone, which Typer lists

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - Typer's signature
        """Import and build a command; None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"gardenpath.commands.{cmd_name}"), cmd_name)
        alone = typer.Typer(rich_markup_mode="markdown")
        if isinstance(command, typer.Typer):
            use_plain_help(command)
            alone.add_typer(command, name=cmd_name)
        else:
            alone.command(cmd_name, cls=KnowingCommand)(command)
        return get_group(alone).commands[cmd_name]


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback(invoke_without_command=True)
def root(*, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Find out what language models know about grammar: name a model and a suite of sentences, and get a table.

    First steps:

        gardenpath score smollm2 "The keys to the cabinet is lost."

        gardenpath run agreement --out runs/first

        gardenpath report runs/first
    """
    if version:
        print_line(f"gardenpath {__version__}", to=out)
        raise typer.Exit


def main() -> None:
    """Run the command line; input that cannot be used ends with one message and exit code 2."""
    warnings.simplefilter("always", InputWarning)
    warnings.showwarning = show_warning
    try:
        require_text_arguments(sys.argv)
        with require_extras("this command"):
            app()
    except (InputError, OSError) as error:
        remedy = (
            "" if isinstance(error, InputError) else f"; {IF_FULL if error.errno in DISK_FULL else 'check the path'}"
        )
        print_line(f"{error}{remedy}", label="error:", style="bold red")
        sys.exit(2)


def require_text_arguments(arguments: Sequence[str]) -> None:
    """Refuse names of files that are no texts, which no result could record."""
    for argument in arguments:
        if not argument.isascii() and HALF_CHARACTER.search(argument):
            raise InputError(f"{argument!a} is not UTF-8; rename the file")
