"""BLiMP (Warstadt et al. 2020) as JSON lines, and datasets with the same keys, read and written."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from gardenpath.errors import InputError, QuirkWarning
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.messages import advise, quote
from gardenpath.io.numbers import is_whole_number
from gardenpath.io.tables import Record
from gardenpath.suites.check import comparable_units
from gardenpath.suites.formats.pair_columns import Columns
from gardenpath.suites.formats.pairs import build_pair_suite, group_by_suite
from gardenpath.suites.formats.whole_sentence import FULL_SENTENCE, GOOD_AND_BAD, GRAMMATICAL_PAIR, less_surprising
from gardenpath.suites.suite import Item, Region, Sentence, Suite

PrefixMethod = Literal["one-prefix", "two-prefix"]

METHOD_FLAGS = {FULL_SENTENCE: "simple_LM_method", "one-prefix": "one_prefix_method", "two-prefix": "two_prefix_method"}
METADATA_KEYS = ("field", "linguistics_term", "paradigm", "lexically_identical", *METHOD_FLAGS.values())
"""Keys about the whole suite, kept as metadata."""

OWN_LEVELS = ("attractor", "distance", "morphology")
"""Levels of our own paradigms, by which the paper breaks its results down although its files lack them."""

PHENOMENON_IN_PAPER = {"s-selection": "argument_structure"}
"""Terms of the files that the paper counts under another phenomenon."""

PREFIX_REGIONS = ["prefix", "word", "rest"]
"""The regions of a sentence for which a prefix method is defined."""

PREFIX_FIELDS: dict[PrefixMethod, dict[str, tuple[str, str]]] = {
    "one-prefix": {
        "good": ("one_prefix_prefix", "one_prefix_word_good"),
        "bad": ("one_prefix_prefix", "one_prefix_word_bad"),
    },
    "two-prefix": {
        "good": ("two_prefix_prefix_good", "two_prefix_word"),
        "bad": ("two_prefix_prefix_bad", "two_prefix_word"),
    },
}
"""The keys of the prefix and the word of each condition, by method."""


def build_blimp_suites(records: Sequence[Record], columns: Columns, path: Path) -> list[Suite]:
    """Build the suites of lines with BLiMP's keys."""
    return [
        add_blimp_metadata(build_pair_suite(group, columns, path, name, phenomenon), group)
        for name, phenomenon, group in group_by_suite(records, columns, path)
    ]


def add_blimp_metadata(suite: Suite, records: Sequence[Record]) -> Suite:
    """Return the suite of pairs with BLiMP's methods, field and term."""
    where = f"{records[0].path}, suite {suite.name!r}"
    if same := [item.id for item in suite.items if len({sentence.text for sentence in item.sentences.values()}) == 1]:
        advise(f"{where}: {len(same)} pairs consist of the same sentence twice, always a tie: {quote(same, most=5)}")
    for quirk in find_quirks(suite, records):
        advise(f"{where}: {quirk}", QuirkWarning)
    is_pair = {condition.name for condition in suite.conditions} == set(GOOD_AND_BAD)
    methods = find_methods(records[0]) if is_pair else []
    items = suite.items
    if methods:
        pairs = zip(items, records, strict=True)
        items = tuple(replace(item, sentences=mark_regions(item, methods[0], record)) for item, record in pairs)
    simple = records[0].cells.get(METHOD_FLAGS[FULL_SENTENCE]) is not False
    predictions = suite.predictions if simple else ()
    return replace(
        suite,
        items=items,
        predictions=(*predictions, *(less_surprising(method, "good", ["bad"], "word") for method in methods)),
        phenomenon=PHENOMENON_IN_PAPER.get(suite.phenomenon, suite.phenomenon),
        metadata=read_blimp_metadata(records[0]),
    )


def find_quirks(suite: Suite, records: Sequence[Record]) -> Iterator[str]:
    """Yield the irregularities of a file that change no score, each once; the published files have all of these."""
    field = records[0].label("field")
    if field != normalise_field(field):
        yield f"the field {field!r} is read as {normalise_field(field)!r}, its spelling elsewhere"
    if suite.phenomenon in PHENOMENON_IN_PAPER:
        phenomenon = PHENOMENON_IN_PAPER[suite.phenomenon]
        yield f"{suite.phenomenon!r} counts as {phenomenon!r}, as in the paper's 12 phenomena"
    parts = dict.fromkeys(name for fields in PREFIX_FIELDS.values() for names in fields.values() for name in names)
    cells = [record.cells.get(name) for record in records for name in parts]
    spaces = sum(isinstance(cell, str) and cell != cell.strip() for cell in cells)
    if spaces:
        yield f"{spaces} prefixes or words have leading or trailing spaces, which were removed"
    flag = records[0].label("lexically_identical")
    words = [
        {tuple(sorted(comparable_units(sentence.text))) for sentence in item.sentences.values()} for item in suite.items
    ]
    other = sum(len(orders) > 1 for orders in words)
    if (flag == "true" and other) or (flag == "false" and not other):
        yield f"lexically_identical is {flag}, but {other} of {len(words)} pairs have different words; the flag is kept"


def find_methods(record: Record) -> list[PrefixMethod]:
    """Return the prefix method whose keys are present (in the published files at most one)."""
    present = [
        method
        for method, fields in PREFIX_FIELDS.items()
        if all(record.label(name) for names in fields.values() for name in names)
    ]
    if len(present) > 1:
        advise(f"{record.where}: both prefix methods are present; only one-prefix is read")
    return present[:1]


def mark_regions(item: Item, method: PrefixMethod, record: Record) -> dict[str, Sentence]:
    """Return both sentences of a pair with the regions prefix, word and rest."""
    sentences = {}
    for condition, fields in PREFIX_FIELDS[method].items():
        text = item.sentences[condition].text
        prefix, word = (record.text(field) for field in fields)
        if not text.startswith(f"{prefix} {word}"):
            raise InputError(
                f"{record.where}: {text!r} does not start with the prefix {prefix!r} and the word {word!r}"
            )
        start, end = len(prefix) + 1, len(prefix) + 1 + len(word)
        rest = len(text) - len(text[end:].lstrip())
        spans = zip(PREFIX_REGIONS, ((0, len(prefix)), (start, end), (rest, len(text))), strict=True)
        sentences[condition] = Sentence(text, tuple(Region(name, *span) for name, span in spans))
    return sentences


def read_blimp_metadata(record: Record) -> dict[str, str]:
    """Return what the first line states about the whole suite, with one spelling of each field."""
    spelling = {key.lower(): key for key in record.cells}
    stated = {key: record.label(spelling.get(key.lower())) for key in METADATA_KEYS}
    stated["field"] = normalise_field(stated["field"])
    return {key: value for key, value in stated.items() if value}


def normalise_field(field: str) -> str:
    """Return the field as most files spell it: syntax_semantics."""
    return field.replace("/", "_").replace("-", "_")


def write_blimp(suite: Suite, path: Path) -> None:
    """Write pairs as JSON lines with BLiMP's keys, in BLiMP's order."""
    pair = pair_conditions(suite)
    methods = writable_methods(suite)
    lines = [json.dumps(convert_item(suite, item, pair, methods), ensure_ascii=False) for item in suite.items]
    write_text_atomically(path, "\n".join(lines) + "\n")


def pair_conditions(suite: Suite) -> tuple[str, str]:
    """Return the names of the good and the bad condition of a suite of pairs."""
    conditions = {condition.name for condition in suite.conditions}
    for pair in (GOOD_AND_BAD, GRAMMATICAL_PAIR):
        if conditions == set(pair):
            return pair
    raise InputError(
        f"suite {suite.name!r} cannot be written as BLiMP: its conditions are {quote(sorted(conditions))}, "
        "not 'good' and 'bad' (or 'grammatical' and 'ungrammatical'); write SyntaxGym JSON instead"
    )


def writable_methods(suite: Suite) -> list[str]:
    """Return the methods among the suite's predictions; warn of predictions that are left out."""
    is_cut = all([region.name for region in sentence.regions] == PREFIX_REGIONS for _, sentence in suite.trials())
    possible = METHOD_FLAGS if is_cut else (FULL_SENTENCE,)
    methods = [prediction.name for prediction in suite.predictions if prediction.name in possible]
    lost = [prediction.name for prediction in suite.predictions if prediction.name not in possible]
    if lost:
        advise(f"suite {suite.name!r}: BLiMP's format cannot hold these predictions: {quote(lost)}")
    return methods


def convert_item(suite: Suite, item: Item, pair: tuple[str, str], methods: Sequence[str]) -> dict[str, Any]:
    """Return one pair with BLiMP's keys."""
    good, bad = (item.sentences[name] for name in pair)
    words, other_words = (Counter(sentence.text.lower().split()) for sentence in (good, bad))
    identical = suite.metadata.get("lexically_identical") or str(words == other_words).lower()
    line = {
        "sentence_good": good.text,
        "sentence_bad": bad.text,
        "field": suite.metadata.get("field", ""),
        "linguistics_term": suite.metadata.get("linguistics_term", suite.phenomenon),
        "UID": suite.name.rpartition("/")[2],
        **{flag: method in methods for method, flag in METHOD_FLAGS.items()},
        "lexically_identical": identical == "true",
        "pairID": item.id,
    }
    for method, fields in PREFIX_FIELDS.items():
        if method in methods:
            for condition, sentence in zip(GOOD_AND_BAD, (good, bad), strict=True):
                prefix, word = fields[condition]
                line |= {prefix: sentence.content("prefix"), word: sentence.content("word")}
    left_out = OWN_LEVELS if suite.name.startswith("blimp/") else ()
    known = {name: level for name, level in item.levels.items() if name not in left_out}
    return line | {name: int(level) if is_whole_number(level) else level for name, level in known.items()}
