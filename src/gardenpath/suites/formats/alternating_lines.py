"""Datasets with the two sentences of a pair on separate lines: Zorro, CLAMS and CLiMP."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import show_value
from gardenpath.io.tables import TableRow, require_text, warn_of_spaces
from gardenpath.suites.formats.whole_sentence import GOOD_AND_BAD, build_whole_sentence_suite, suite_name
from gardenpath.suites.suite import EMPTY, Item, Join, Sentence, Suite, join_regions

ENDS_TOKENISED = re.compile(r"\S \.$|\S [?!]$")
LABELLED = re.compile(r"(True|False)\t(.*)")
CHINESE = re.compile(r"[\u3400-\u9fff]")

NumberedLine = tuple[int, str]
"""A line's number and text."""


def split_lines(text: str) -> list[NumberedLine]:
    """Return the lines that are not empty, with their numbers."""
    return [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def is_zorro(lines: Sequence[NumberedLine]) -> bool:
    """Return whether the first lines are lower-case sentences with a space before the final punctuation."""
    return all(ENDS_TOKENISED.search(line.rstrip()) and line == line.lower() for _, line in lines[:2])


def is_clams(lines: Sequence[NumberedLine]) -> bool:
    """Return whether the first line has True or False before its sentence."""
    return LABELLED.match(lines[0][1]) is not None


def build_zorro_suite(lines: Sequence[NumberedLine], path: Path, join: Join) -> Suite:
    """Build the suite of a Zorro file: odd lines bad, even lines good (in BabyBERTa and UnMasked: reversed)."""
    warn_of_spaces(path, (line for _, line in lines))
    texts = [(number, join_regions([("*", line)], join).text) for number, line in lines]
    return build_alternating_suite(
        [(good, bad) for bad, good in pair_up(texts, path)], path, path.stem, path.stem.rpartition("-")[0]
    )


def build_clams_suite(lines: Sequence[NumberedLine], path: Path) -> Suite:
    """Build the suite of a CLAMS file: True or False, a tab and a sentence, True and False lines alternating."""
    texts = []
    for (number, line), wanted in zip(lines, cycle(["True", "False"]), strict=False):
        where = f"{path}, line {number}"
        match = LABELLED.fullmatch(line)
        if match is None:
            raise InputError(f"{where}: expected 'True' or 'False', a tab and a sentence, not {show_value(line)}")
        if match[1] != wanted:
            raise InputError(f"{where}: expected {wanted}, not {match[1]}: each pair is True, then False")
        texts.append((number, match[2]))
    warn_of_spaces(path, (text for _, text in texts))
    language = path.parent.name.removesuffix("_evalset") if path.parent.name.endswith("_evalset") else ""
    name = f"{path.stem}_{language}" if language else path.stem
    return build_alternating_suite(pair_up(texts, path), path, name, language=language)


def chinese_column(rows: Sequence[TableRow]) -> tuple[int, int] | None:
    """Return the column of the sentences of a CLiMP file and the row they start at; None for other tables."""
    body = rows[1:]
    if body and all(len(row.cells) > 1 and CHINESE.search(row.cells[-2]) for row in body):
        has_header = not any(CHINESE.search(cell) for cell in rows[0].cells[-2:-1])
        return -2, int(has_header)
    return (-1, 0) if all(row.cells and CHINESE.search(row.cells[-1]) for row in rows) else None


def build_climp_suite(rows: Sequence[TableRow], column: int, start: int, path: Path) -> Suite:
    """Build the suite of a CLiMP file: good and bad rows alternate; the file of the ba construction has no header."""
    sentences = [(row.line, row.cells[column]) for row in rows[start:]]
    warn_of_spaces(path, (text for _, text in sentences))
    return build_alternating_suite(pair_up(sentences, path), path, path.stem.removesuffix("_1000"), language="zh")


def pair_up(lines: Sequence[NumberedLine], path: Path) -> list[tuple[str, str]]:
    """Return the lines two by two."""
    if len(lines) % 2:
        last = f"{path}, line {lines[-1][0]}"
        raise InputError(f"{last}: the last line has no partner: the number of sentences ({len(lines)}) is odd")
    texts = [require_text(text, f"{path}, line {number}") for number, text in lines]
    return list(zip(texts[::2], texts[1::2], strict=True))


def build_alternating_suite(
    pairs: Sequence[tuple[str, str]], path: Path, name: str, phenomenon: str = "", *, language: str = ""
) -> Suite:
    """Build the suite of (good, bad) pairs, numbered from 1."""
    sentences = [dict(zip(GOOD_AND_BAD, map(Sentence, pair), strict=True)) for pair in pairs]
    items = [Item(str(number), both) for number, both in enumerate(sentences, 1)]
    suite = build_whole_sentence_suite(name or suite_name(path), GOOD_AND_BAD, items, path, phenomenon)
    return replace(suite, metadata={"language": language} if language else EMPTY)
