"""Datasets with the two sentences of a pair on separate lines: Zorro, CLAMS and CLiMP."""

import re
from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import locate_errors, show_value
from gardenpath.io.tables import TableRow, require_text, warn_of_spaces
from gardenpath.suites.formats.whole_sentence import (
    GOOD_AND_BAD,
    conditions_called,
    suite_name,
    whole_sentence_predictions,
)
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
    labelled = [(number, *split_label(line, f"{path}, line {number}")) for number, line in lines]
    warn_of_spaces(path, (text for _, _, text in labelled))
    for (number, label, _), wanted in zip(labelled, ["True", "False"] * len(labelled), strict=False):
        if label != wanted:
            raise InputError(f"{path}, line {number}: expected {wanted}, not {label}: each pair is True, then False")
    language = path.parent.name.removesuffix("_evalset") if path.parent.name.endswith("_evalset") else ""
    name = f"{path.stem}_{language}" if language else path.stem
    suite_pairs = pair_up([(number, text) for number, _, text in labelled], path)
    return build_alternating_suite(suite_pairs, path, name, language=language)


def split_label(line: str, where: str) -> tuple[str, str]:
    """Return the label and the sentence of a line."""
    match = LABELLED.fullmatch(line)
    if match is None:
        raise InputError(f"{where}: expected 'True' or 'False', a tab and a sentence, not {show_value(line)}")
    return match[1], match[2]


def chinese_column(rows: Sequence[TableRow]) -> tuple[int, int] | None:
    """Return the column of the sentences of a CLiMP file and the row they start at; None for other tables."""
    body = rows[1:]
    if body and all(len(row.cells) > 1 and CHINESE.search(row.cells[-2]) for row in body):
        has_header = not any(CHINESE.search(cell) for cell in rows[0].cells[-2:-1])
        return (-2, 1) if has_header else (-2, 0)
    if all(row.cells and CHINESE.search(row.cells[-1]) for row in rows):
        return -1, 0
    return None


def build_climp_suite(rows: Sequence[TableRow], column: int, start: int, path: Path) -> Suite:
    """Build the suite of a CLiMP file: good and bad rows alternate; the file of the ba construction has no header."""
    sentences = [(row.line, row.cells[column]) for row in rows[start:]]
    warn_of_spaces(path, (text for _, text in sentences))
    return build_alternating_suite(pair_up(sentences, path), path, path.stem.removesuffix("_1000"), language="zh")


def pair_up(lines: Sequence[NumberedLine], path: Path) -> list[tuple[str, str]]:
    """Return the lines two by two."""
    if len(lines) % 2:
        raise InputError(
            f"{path}, line {lines[-1][0]}: the last line has no partner: the number of sentences ({len(lines)}) is odd"
        )
    texts = [require_text(text, f"{path}, line {number}") for number, text in lines]
    return list(zip(texts[::2], texts[1::2], strict=True))


def build_alternating_suite(
    pairs: Sequence[tuple[str, str]], path: Path, name: str, phenomenon: str = "", *, language: str = ""
) -> Suite:
    """Build the suite of (good, bad) pairs, numbered from 1."""
    with locate_errors(path):
        return Suite(
            name=name or suite_name(path),
            conditions=conditions_called(GOOD_AND_BAD),
            items=tuple(
                Item(str(number), dict(zip(GOOD_AND_BAD, map(Sentence, pair), strict=True)))
                for number, pair in enumerate(pairs, 1)
            ),
            predictions=whole_sentence_predictions(GOOD_AND_BAD),
            phenomenon=phenomenon,
            source=str(path),
            metadata={"language": language} if language else EMPTY,
        )
