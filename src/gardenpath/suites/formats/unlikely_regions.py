"""Columns of a table of regions that look like factors: scored as words, they would spoil every sentence."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import Record
from gardenpath.suites.formats.named_columns import write_columns
from gardenpath.suites.formats.pair_columns import FEW_LEVELS
from gardenpath.suites.formats.wide_table import SentenceColumns, find_levels

NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?\s*%?")
MARK = re.compile(r"\W*|<[^<>]*>|\[[A-Z]+\]")
"""Text without words: punctuation, and special symbols such as <eos> and [SEP]."""
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")


def refuse_unlikely_regions(records: Sequence[Record], columns: SentenceColumns, path: Path) -> None:
    """Raise if columns that are read as regions hold no words of the sentences; note those that may hold none."""
    if unlikely := find_unlikely_regions(records, columns):
        reasons = "; ".join(f"{name!r} {reason}" for name, reason in unlikely.items())
        raise InputError(
            f"{path}: columns after {columns.condition!r} are regions, but {reasons}. "
            f"{advise_factors(records, columns, list(unlikely))}; if all are regions, add "
            f"{write_columns(regions=columns.regions)}"
        )
    if (last := possible_factor(records, columns)) is not None:
        name, example = last
        advise(
            f"{path}: the column {name!r} is read as the last region, so sentences end in {example!r}; if it is a "
            f"factor, add {write_columns(factors=[name])}, or move it before {columns.condition!r}; to confirm the "
            f"regions, add {write_columns(regions=columns.regions)}"
        )


def advise_factors(records: Sequence[Record], columns: SentenceColumns, names: Sequence[str]) -> str:
    """Return what to do with columns that are not regions: name them as factors, or name the regions without them."""
    factors = [name for name in names if can_be_factor(records, name, columns)]
    if len(factors) < len(names):
        regions = [name for name in columns.regions if name not in names]
        return f"If {quote(names)} must not be scored, add {write_columns(regions=regions, factors=factors)}"
    are, them = ("is a factor", "it") if len(names) == 1 else ("are factors", "them")
    return f"If {quote(names)} {are}, add {write_columns(factors=names)}, or move {them} before {columns.condition!r}"


def find_unlikely_regions(records: Sequence[Record], columns: SentenceColumns) -> dict[str, str]:
    """Return the columns that hold no words of the sentences, with the reason.

    They hold numbers only, or stand after the full stop of every sentence, or are labels in lower case before its
    capital.
    """
    cells = {name: [record.cells[name].strip() for record in records] for name in columns.regions}
    filled = {name: [text for text in texts if text] for name, texts in cells.items() if any(texts)}
    unlikely = {
        name: f"holds numbers only ({texts[0]!r} first)"
        for name, texts in filled.items()
        if all(NUMBER.fullmatch(text) for text in texts)
    }
    rest = {name: cells[name] for name in filled if name not in unlikely}
    end = end_of_sentences(rest)
    if end is None:
        return unlikely
    words = [name for name in rest if not all(MARK.fullmatch(text) for text in rest[name])]
    for name in words:
        if name in list(rest)[end + 1 :]:
            unlikely[name] = f"stands after the end of every sentence ({filled[name][0]!r} first)"
    before = words[: start_of_sentences({name: cells[name] for name in words})]
    if all(are_labels(filled[name]) and can_be_factor(records, name, columns) for name in before):
        for name in before:
            unlikely[name] = f"stands before the capital of every sentence ({filled[name][0]!r} first)"
    return unlikely


def are_labels(texts: Sequence[str]) -> bool:
    """Return whether texts are single words in lower case, as levels of factors are."""
    return all(text[:1].islower() and len(text.split()) == 1 for text in texts)


def can_be_factor(records: Sequence[Record], name: str, columns: SentenceColumns) -> bool:
    """Return whether a column has one value for every item, or one for every condition."""
    return any(find_levels(records, name, owner) is not None for owner in (columns.item, columns.condition))


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
