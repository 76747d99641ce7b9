"""The commands and Python blocks of a page, run one after another."""

import ast
import contextlib
import io
import os
import shlex
import subprocess
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from doctest import DocTestParser
from pathlib import Path
from typing import Any

import polars
import pytest

from documentation.pages import Block
from gardenpath.commands import terminal
from gardenpath.commands.app import main

WIDTH = 80
ROWS = 4


class Both(io.StringIO):
    """A stream whose text is also written to another."""

    def __init__(self, other: io.StringIO) -> None:
        super().__init__()
        self.other = other

    def write(self, text: str) -> int:
        self.other.write(text)
        return super().write(text)


@dataclass(frozen=True)
class Done:
    """What a command left behind; `shown` is what a terminal shows of it."""

    code: int
    stdout: str
    shown: str


@dataclass(frozen=True)
class Statement:
    """A statement of Python, what it printed, its value, and what the page shows below it, if it is one of a prompt."""

    source: str
    printed: str
    value: Any = None
    shown: str | None = None

    @property
    def kept(self) -> str:
        """What is kept of it: of a table, its columns and first rows, since polars leaves out columns."""
        return table_text(self.value) if isinstance(self.value, polars.DataFrame) else self.printed


@dataclass
class Session:
    """A folder, and the names that Python blocks made."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def write_file(self, block: Block) -> None:
        """Write the file that a block shows."""
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.code, encoding="utf-8")

    def run_command(self, text: str) -> Done:
        """Run a command, or several with pipes between them; `> FILE` at the end writes to a file."""
        words = shell_words(text)
        target = None
        if ">" in words:
            *words, _, target = words
        done = Done(0, "", "")
        stages = list(split_at(words, "|"))
        for stage in stages:
            last = stage is stages[-1] and target is None
            run = gardenpath_command if stage[0] == "gardenpath" else other_command
            done = run(stage, stdin=done.stdout, on_terminal=last)
            if done.code:
                return done
        if target is not None:
            (self.folder / target).write_text(done.stdout, encoding="utf-8")
            return Done(0, "", "")
        return done

    def run_python(self, block: Block) -> Iterator[Statement]:
        """Run the statements of a block; each with what it prints, as a Python prompt would."""
        if block.code.startswith(">>> "):
            for example in DocTestParser().get_examples(block.code):
                (statement,) = ast.parse(example.source).body
                yield Statement(example.source.strip(), *self.run_statement(statement), shown=example.want)
            return
        for statement in ast.parse(block.code).body:
            source = ast.get_source_segment(block.code, statement) or ""
            yield Statement(source, *self.run_statement(statement))

    def run_statement(self, statement: ast.stmt) -> tuple[str, Any]:
        """Run a statement; what a prompt would print, and the value."""
        printed, value = io.StringIO(), None
        with contextlib.redirect_stdout(printed):
            if isinstance(statement, ast.Expr):
                value = eval(compile(ast.Expression(statement.value), "documentation", "eval"), self.names)  # noqa: S307 - our own pages
                if value is not None:
                    printed.write(f"{value!r}\n")
            else:
                exec(compile(ast.Module([statement], []), "documentation", "exec"), self.names)
        return printed.getvalue(), value


def table_text(table: polars.DataFrame) -> str:
    """The columns and first rows of a table."""
    rows = [
        [f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row] for row in table.head(ROWS).rows()
    ]
    return "\n".join("\t".join(row) for row in [[f"{table.height} rows"], table.columns, *rows]) + "\n"


def shell_words(text: str) -> list[str]:
    """The words of a command, without its comment; names with stars stand for the files that match."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|>;&")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    return [word for given in lexer for word in matching_files(given) or [given]]


def matching_files(pattern: str) -> list[str]:
    """The files that a name with a star stands for; none for other names."""
    return sorted(map(str, Path().glob(pattern))) if "*" in pattern and not pattern.startswith("/") else []


def split_at(words: list[str], separator: str) -> Iterator[list[str]]:
    """The parts of a list between separators."""
    part: list[str] = []
    for word in [*words, separator]:
        if word == separator:
            yield part
            part = []
        else:
            part.append(word)


def other_command(words: list[str], *, stdin: str, on_terminal: bool) -> Done:
    """Run a program."""
    done = subprocess.run(words, input=stdin, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stdout + done.stderr)


def gardenpath_command(words: list[str], *, stdin: str, on_terminal: bool) -> Done:
    """Run gardenpath in this process, as on a terminal without colours: a new one would spend seconds on imports."""
    shown = io.StringIO()
    stdout, stderr = Both(shown), Both(shown)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(), contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(stdout))
        stack.enter_context(contextlib.redirect_stderr(stderr))
        patch.setattr(sys, "argv", words)
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        patch.setattr(warnings, "showwarning", warnings.showwarning)
        if on_terminal:
            patch.setitem(os.environ, "COLUMNS", str(WIDTH))
            for console in (terminal.out, terminal.err):
                patch.setattr(console, "_width", WIDTH)
                patch.setattr(console, "_color_system", None)
            patch.setattr(terminal.out, "_force_terminal", True)
        try:
            main()
        except SystemExit as stopped:
            return Done(int(stopped.code or 0), stdout.getvalue(), shown.getvalue())
    raise AssertionError("the command line always ends with an exit code")
