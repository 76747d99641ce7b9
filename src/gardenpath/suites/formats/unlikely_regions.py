"""Columns of a table of regions that look like factors: scored as words, they would spoil every sentence."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import Record
from gardenpath.suites.formats.named_columns import write_columns
from gardenpath.suites.formats.pair_columns import FEW_LEVELS
from gardenpath.suites.formats.wide_table import SentenceColumns

NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?\s*%?")
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")


def refuse_unlikely_regions(records: Sequence[Record], columns: SentenceColumns, path: Path) -> None:
    """Raise if columns that are read as regions hold no words of the sentences; note those that may hold none."""
    unlikely = find_unlikely_regions(records, columns.regions)
    if unlikely:
        names = list(unlikely)
        reasons = "; ".join(f"{name!r} {reason}" for name, reason in unlikely.items())
        raise InputError(
            f"{path}: columns after {columns.condition!r} are regions, but {reasons}. If {quote(names)} "
            f"{'is a factor' if len(names) == 1 else 'are factors'}, add {write_columns(factors=names)}, or move "
            f"{'it' if len(names) == 1 else 'them'} before {columns.condition!r}; if all are regions, add "
            f"{write_columns(regions=columns.regions)}"
        )
    if (last := possible_factor(records, columns)) is not None:
        name, example = last
        advise(
            f"{path}: the column {name!r} is read as the last region, so sentences end in {example!r}; if it is a "
            f"factor, add {write_columns(factors=[name])}, or move it before {columns.condition!r}; to confirm the "
            f"regions, add {write_columns(regions=columns.regions)}"
        )


def find_unlikely_regions(records: Sequence[Record], regions: Sequence[str]) -> dict[str, str]:
    """Return the columns that hold no words of the sentences, with the reason.

    They hold numbers only, or stand after the full stop of every sentence, or in lower case before its capital.
    """
    cells = {name: [record.cells[name].strip() for record in records] for name in regions}
    filled = {name: [text for text in texts if text] for name, texts in cells.items() if any(texts)}
    unlikely = {
        name: f"holds numbers only ({texts[0]!r} first)"
        for name, texts in filled.items()
        if all(NUMBER.fullmatch(text) for text in texts)
    }
    words = {name: cells[name] for name in filled if name not in unlikely}
    end = end_of_sentences(words)
    if end is None:
        return unlikely
    names = list(words)
    for name in names[end + 1 :]:
        unlikely[name] = f"stands after the end of every sentence ({filled[name][0]!r} first)"
    for name in names[: start_of_sentences(words)]:
        unlikely[name] = f"stands before the capital of every sentence ({filled[name][0]!r} first)"
    return unlikely


def end_of_sentences(cells: Mapping[str, Sequence[str]]) -> int | None:
    """Return the index of the last column in which a sentence ends; None unless all of them end with punctuation."""
    texts = list(cells.values())
    ends = [n for n, column in enumerate(texts) if any(SENTENCE_END.search(text) for text in column)]
    if not ends:
        return None
    for row in zip(*texts[: ends[-1] + 1], strict=True):
        if not SENTENCE_END.search(next((text for text in reversed(row) if text), "")):
            return None
    return ends[-1]


def start_of_sentences(cells: Mapping[str, Sequence[str]]) -> int:
    """Return the index of the first column in which all sentences have a capital; 0 unless all before it have none."""
    for index, column in enumerate(cells.values()):
        if all(text[:1].isupper() for text in column):
            return index
        if any(text[:1].isupper() for text in column):
            return 0
    return 0


def possible_factor(records: Sequence[Record], columns: SentenceColumns) -> tuple[str, str] | None:
    """Return the last column and a cell of it, if it holds few single words that are fixed for every item.

    Sentences that end in punctuation need no such note: what stands after it is refused.
    """
    cells = {name: [record.cells[name].strip() for record in records] for name in columns.regions}
    if len(cells) < 2 or end_of_sentences(cells) is not None:
        return None
    name = columns.regions[-1]
    levels: dict[str, set[str]] = {}
    for record, text in zip(records, cells[name], strict=True):
        levels.setdefault(record.text(columns.item), set()).add(text)
    if any(len(found) > 1 for found in levels.values()):
        return None
    different = {text for found in levels.values() for text in found}
    are_words = all(text and len(text.split()) == 1 for text in different)
    few = 2 <= len(different) <= min(FEW_LEVELS, len(levels) // 2)
    return (name, cells[name][0]) if are_words and few else None
