"""The help of a command in two columns, which leaves room for its texts in a window of 80 columns."""

import re
import shutil
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from gardenpath.commands.help_layout import bold, describe, option_lines
from gardenpath.commands.option_errors import explain_value

WIDEST = 100
"""Columns that a line takes at most."""


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
        write_help(self, ctx, formatter)


class PlainHelpGroup(TyperGroup):
    """A group of commands whose help lists them in the same two columns."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments; without any, print the help, which Typer would take to be printed already."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: usage, what the commands are for, each with its first paragraph, options."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        listed = [(name, re.split(r"\n\s*\n", command.help or "")[0]) for name, command in commands if command]
        write_help(self, ctx, formatter, Commands=listed)


def write_help(command: Any, ctx: Any, formatter: Any, **sections: list[tuple[str, str]]) -> None:
    """Write usage, description, the sections given, arguments and options."""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    formatter.write(f"{bold('Usage:')} {usage_of(command, ctx)}\n\n")
    formatter.write("\n".join(describe(command.help or "", width)) + "\n")
    params = [param for param in command.get_params(ctx) if not getattr(param, "hidden", False)]
    for heading, kind in (("Arguments", "argument"), ("Options", "option")):
        records = (param.get_help_record(ctx) for param in params if param.param_type_name == kind)
        # The type of an argument says nothing that its name does not.
        shown = [(one[0].partition(" ")[0] if kind == "argument" else one[0], one[1]) for one in records if one]
        sections[heading] = shown
    for heading, entries in sections.items():
        if entries:
            formatter.write(f"\n{bold(heading + ':')}\n")
            formatter.write("\n".join(line for entry in entries for line in option_lines(*entry, width)) + "\n")


def usage_of(command: Any, ctx: Any) -> str:
    """The command with its arguments, in one line: `FILE...` for several, `[FILE]` for what may be left out."""
    line = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    line = re.sub(r"\{(.*?)(?:\.\.\.)?\}", r"\1", line)
    return re.sub(r"\[\[(.*?)\]\]", r"[\1]", line)


def use_plain_help(commands: typer.Typer) -> None:
    """Give a group and all its commands this help."""
    commands.info.cls = PlainHelpGroup
    for command in commands.registered_commands:
        if command.cls is TyperCommand:
            command.cls = PlainHelpCommand
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            use_plain_help(group.typer_instance)
