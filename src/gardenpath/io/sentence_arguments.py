"""Sentences as arguments of a command: given themselves, or in a file."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import JSON_SUFFIXES
from gardenpath.io.text_files import Line, read_lines
from gardenpath.io.workbook import is_workbook

GIVEN = "command line"
"""The source of sentences that are arguments."""
FILE_NAME = re.compile(r"[^\s?!]*[\w~]")
"""What may be a path; sentences have spaces or closing punctuation."""
TABLE_SUFFIXES = (".csv", ".tsv", *JSON_SUFFIXES)
"""Files that rarely have one sentence per line."""
SUFFIXES = (".txt", ".text", ".md", ".gz", ".xlsx", ".ods", *TABLE_SUFFIXES)
"""Files of texts and tables."""
LONGEST_PATH = 1000
"""Characters from which an argument is not looked up as a path, which systems refuse."""


def read_sentences(arguments: Sequence[str]) -> list[Line]:
    """Return the sentences of arguments, or of the one file that an argument names (`-`: standard input)."""
    if not all(argument.strip() for argument in arguments):
        raise InputError("a sentence is empty; leave it out or give it words")
    files = [one for one in arguments if one == "-" or looks_like_file(one)]
    if files and len(arguments) > 1:
        raise InputError(
            f"{files[0]!r} is a file, beside other arguments; give one file, or sentences, each in quotation marks"
        )
    if files:
        lines = read_lines(None if files == ["-"] else accept_text(Path(files[0])))
        advise_of_blank_lines(lines)
        return lines
    advise_of_single_words(arguments)
    return [Line(text.strip(), GIVEN, number) for number, text in enumerate(arguments, start=1)]


def advise_of_single_words(arguments: Sequence[str]) -> None:
    """Warn that words are scored as sentences: they may be a file that is missing, or a sentence without quotes."""
    words = [one for one in arguments if FILE_NAME.fullmatch(one.strip())]
    if len(words) == 1:
        advise(f"{words[0]!r} is scored as a sentence of one word; there is no file of this name")
    elif words:
        advise(
            f"{quote(words, most=4)} are scored as sentences of one word each; put a sentence of several words in "
            "quotation marks"
        )


def advise_of_blank_lines(lines: Sequence[Line]) -> None:
    """Warn that blank lines between sentences are left out, so that sentences have other numbers than lines."""
    if blank := lines[-1].number - len(lines):
        those = "1 blank line is" if blank == 1 else f"{blank:,} blank lines are"
        advise(f"{lines[0].source}: {those} left out, so `sentence` is not the number of the line")


def accept_text(file: Path) -> Path:
    """Return a file of sentences; refuse a workbook, and warn where lines are probably those of a table."""
    suite = f"`gardenpath run {shlex.quote(str(file))}` scores the sentences of a table"
    if file.is_file() and is_workbook(file):
        raise InputError(f"{file} is a workbook, not a text with one sentence per line; {suite}")
    if file.suffix.lower() in TABLE_SUFFIXES:
        advise(f"{file}: every line is scored as it stands, with the header and what separates the cells; {suite}")
    return file


def looks_like_file(argument: str) -> bool:
    """Return whether an argument is a path: one that exists, or one without spaces with a slash or a known suffix."""
    if FILE_NAME.fullmatch(argument) and ("/" in argument or "\\" in argument or argument.lower().endswith(SUFFIXES)):
        return True
    return len(argument) < LONGEST_PATH and Path(argument).exists() and not Path(argument).is_dir()


def refuse_sentence(model: str) -> None:
    """Refuse a sentence in place of the model, before sentences are read or anything is loaded."""
    is_sentence = " " in model.strip() and ":" not in model.split()[0] and not Path(model).exists()
    if is_sentence:
        raise InputError(
            f"the model is missing: the first argument is {model!r}, which is a sentence; write "
            f"`gardenpath score smollm2 {shlex.quote(model)}`"
        )
