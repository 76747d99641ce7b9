"""The help of a command in two columns, which leaves room for its texts in a window of 80 columns."""

import re
import shutil
from typing import Any

import typer
from typer.core import TyperCommand

from gardenpath.commands.help_layout import bold, describe, option_lines
from gardenpath.io.expected_values import describe_expected
from gardenpath.io.messages import suggest

WIDEST = 100
"""Columns that a line takes at most."""
PARSER = "Value error, "
"""What the parser of options puts before messages about values."""


class PlainHelpCommand(TyperCommand):
    """A command whose help has its options in two columns, not the five of Typer, and whose errors name near values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments; an error about an invalid value suggests the nearest valid one."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            explain_value(error)
            raise

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: usage, what the command does, arguments, options."""
        width = min(WIDEST, shutil.get_terminal_size().columns)
        formatter.write(f"{bold('Usage:')} {self.usage_of(ctx)}\n\n")
        formatter.write("\n".join(describe(self.help or "", width)) + "\n")
        params = [param for param in self.get_params(ctx) if not getattr(param, "hidden", False)]
        for heading, kind in (("Arguments", "argument"), ("Options", "option")):
            records = (param.get_help_record(ctx) for param in params if param.param_type_name == kind)
            # The type of an argument says nothing that its name does not.
            shown = [(one[0].partition(" ")[0] if kind == "argument" else one[0], one[1]) for one in records if one]
            if shown:
                formatter.write(f"\n{bold(heading + ':')}\n")
                formatter.write("\n".join(line for record in shown for line in option_lines(*record, width)) + "\n")

    def usage_of(self, ctx: Any) -> str:
        """The command with its arguments, in one line: `FILE...` for several, `[FILE]` for what may be left out."""
        line = " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)])
        line = re.sub(r"\{(.*?)(?:\.\.\.)?\}", r"\1", line)
        return re.sub(r"\[\[(.*?)\]\]", r"[\1]", line)


def explain_value(error: Any) -> None:
    """Name what a value must be in an error about an invalid one, with what the option is, or the nearest valid one.

    >>> error = ValueError()
    >>> error.message = "Value error, 'sites' is not one of 'items', 'suites'."
    >>> explain_value(error)
    >>> error.message
    "'sites' is not one of 'items', 'suites'; did you mean 'suites'?"
    """
    message = getattr(error, "message", None)
    for details in error.__cause__.errors() if hasattr(error.__cause__, "errors") else ():
        if expected := describe_expected(details):
            about = f". {text}" if (text := getattr(getattr(error, "param", None), "help", "")) else ""
            error.message = f"{str(details['input'])!r} must be {expected}{about}"
            return
    if isinstance(message, str) and message.startswith(PARSER):
        given, *allowed = re.findall("'([^']*)'", message) or [""]
        error.message = message.removeprefix(PARSER).removesuffix(".") + suggest(given, allowed)


def use_plain_help(commands: typer.Typer) -> None:
    """Give all commands of a group this help."""
    for command in commands.registered_commands:
        if command.cls is TyperCommand:
            command.cls = PlainHelpCommand
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            use_plain_help(group.typer_instance)
