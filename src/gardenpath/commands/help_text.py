"""The help of a command in two columns, which leaves room for its texts in a window of 80 columns."""

import re
import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperCommand

from gardenpath.io.messages import suggest

WIDEST = 100
"""Columns that a line takes at most."""
INDENT = 24
"""Columns before the text of an option."""
PARSER = "Value error, "
"""What the parser of options puts before messages about values."""
METAVARS = {"str": "TEXT", "int": "N", "int range": "N", "float": "NUMBER", "float range": "NUMBER", "path": "PATH"}
"""What stands for a value in the help, by the name of its type in Typer."""


class PlainHelpCommand(TyperCommand):
    """A command whose help has its options in two columns, not the five of Typer, and whose errors name near values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments; the message about a value that an option has not ends with the nearest of those it has."""
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
    """Put the nearest of the values that an option has into the message about one that it has not."""
    message = getattr(error, "message", None)
    if isinstance(message, str) and message.startswith(PARSER):
        given, *allowed = re.findall("'([^']*)'", message) or [""]
        error.message = message.removeprefix(PARSER).removesuffix(".") + suggest(given, allowed)


def bold(text: str) -> str:
    """Mark a text as bold, which only a terminal shows."""
    return typer.style(text, bold=True)


def describe(text: str, width: int) -> Iterator[str]:
    """Wrap a docstring; lines that are indented, such as examples, stay as they are.

    >>> list(describe("What it does,\\nin short.\\n\\n    gardenpath run", 80))
    ['What it does, in short.', '', '    gardenpath run']
    """
    paragraphs = re.split(r"\n\s*\n", textwrap.dedent(text.replace("\f", "")).strip("\n"))
    for number, paragraph in enumerate(paragraphs):
        yield from [""] if number else []
        if paragraph.startswith("    "):
            yield from paragraph.splitlines()
        else:
            yield from textwrap.wrap(plain(paragraph), width, break_on_hyphens=False)


def option_lines(names: str, text: str, width: int) -> Iterator[str]:
    """Lay out an option: its names, and its text beside or below them.

    >>> list(option_lines("--seed <int>", "Seed of the sample.  [default: (0)]", 80))
    ['  --seed N              Seed of the sample. [default: 0]']
    """
    left = "  " + re.sub(r"<(?:list\[)?([^<>\]]*)\]?>", lambda kind: METAVARS.get(kind[1].lower(), kind[1]), names)
    lines = textwrap.wrap(plain(text), width - INDENT, break_on_hyphens=False)
    if len(left) > INDENT - 2 or not lines:
        yield bold(left)
    else:
        yield bold(left) + " " * (INDENT - len(left)) + lines.pop(0)
    yield from (" " * INDENT + line for line in lines)


def plain(text: str) -> str:
    """A text in one line, without the marks of Markdown and the brackets around a default."""
    return re.sub(r"\[default: \((.*)\)\]$", r"[default: \1]", " ".join(text.replace("`", "").split()))


def use_plain_help(commands: typer.Typer) -> None:
    """Give all commands of a group this help."""
    for command in commands.registered_commands:
        if command.cls is TyperCommand:
            command.cls = PlainHelpCommand
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            use_plain_help(group.typer_instance)
