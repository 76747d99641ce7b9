"""How the help of a command is laid out: wrapped paragraphs, and options in two columns."""

import re
import textwrap
from collections.abc import Iterator

import typer

INDENT = 24
"""Columns before the text of an option."""
METAVARS = {"str": "TEXT", "int": "N", "int range": "N", "float": "NUMBER", "float range": "NUMBER", "path": "PATH"}
"""What stands for a value in the help, by the name of its type in Typer."""


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
    ['\\x1b[1m  --seed N\\x1b[0m              Seed of the sample. [default: 0]']
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
