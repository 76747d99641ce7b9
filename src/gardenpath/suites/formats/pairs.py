"""Minimal pairs, and one good sentence among several, as TSV, CSV or JSON lines."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.io.messages import advise, quote, show_value
from gardenpath.io.table_text import DELIMITERS
from gardenpath.io.tables import Record, refuse_missing_value, require_text, warn_of_spaces
from gardenpath.suites.formats.pair_columns import Columns, add_other_levels, is_factor, require_columns
from gardenpath.suites.formats.whole_sentence import (
    GOOD_AND_BAD,
    GRAMMATICAL_PAIR,
    TRIPLE,
    build_whole_sentence_suite,
    keep_repeated_ids,
    suite_name,
    whole_sentence_predictions,
)
from gardenpath.suites.suite import EMPTY, Item, Sentence, Suite

LEADING_COLUMNS = ("suite", "key", "item")
"""The first columns of a file written by `write_pairs`; other columns are conditions, or factors."""


def build_pair_suites(records: Sequence[Record], columns: Columns, path: Path) -> list[Suite]:
    """Build the suites of rows of pairs, one for each suite and phenomenon that the rows name."""
    columns = add_other_levels(columns, [record.cells for record in records])
    groups = group_by_suite(records, columns, path)
    return [build_pair_suite(group, columns, path, name, phenomenon) for name, phenomenon, group in groups]


def suite_from_pairs(pairs: Iterable[Sequence[str]], name: str) -> Suite:
    """Build a suite from tuples of one good sentence and one or more bad ones; see `Suite.from_pairs`."""
    records = []
    for number, pair in enumerate(pairs, 1):
        if isinstance(pair, str) or len(pair) < 2:
            where = f"suite {name!r}, pair {number}"
            raise InputError(f"{where}: expected a good and a bad sentence, not {show_value(pair)}")
        records.append(Record(Path(name), number, {"good": pair[0], "bad": list(pair[1:])}, "pair"))
    if not records:
        raise InputError(f"suite {name!r} has no pairs; give at least one")
    return replace(build_pair_suite(records, Columns("good", "bad"), Path(name), name, ""), source="")


def group_by_suite(records: Sequence[Record], columns: Columns, path: Path) -> list[tuple[str, str, list[Record]]]:
    """Return the rows of each suite with its name and phenomenon, which is added to the name where needed."""
    require_columns(columns, records[0].cells, records[0].where)
    raw = [record.cells.get(name) for record in records for name in (columns.good, *columns.all_bad)]
    warn_of_spaces(path, (text for cell in raw for text in (cell if isinstance(cell, list) else [cell])))
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        key = record.label(columns.suite) or suite_name(path), record.label(columns.phenomenon)
        groups.setdefault(key, []).append(record)
    names = [name for name, _ in groups]
    return [
        (name if names.count(name) == 1 else f"{name}_{phenomenon or 'other'}", phenomenon, group)
        for (name, phenomenon), group in groups.items()
    ]


def build_pair_suite(records: Sequence[Record], columns: Columns, path: Path, name: str, phenomenon: str) -> Suite:
    """Build the suite of some rows."""
    items = [read_pair_item(record, columns, number) for number, record in enumerate(records, 1)]
    conditions = condition_names(len(items[0].sentences) - 1, columns)
    for record, item in zip(records, items, strict=True):
        if len(item.sentences) != len(conditions):
            raise InputError(
                f"{record.where}: {len(item.sentences)} sentences, but the first {record.unit} has {len(conditions)}; "
                "put items with more or fewer sentences in a separate suite"
            )
    items = keep_repeated_ids(items) if columns.others else items  # published numbers are not those of frames
    return build_whole_sentence_suite(name, conditions, items, path, phenomenon)


def read_pair_item(record: Record, columns: Columns, number: int) -> Item:
    """Return the item of one row: the good sentence and the bad ones."""
    id_ = record.label(columns.id) or str(number)
    for column in (columns.good, *columns.all_bad):
        if record.cell(column) is None or record.label(column) == "":
            raise InputError(
                f"{record.where}, column {column!r}: this is empty, so item {id_!r} has no such sentence; give a text "
                f"or remove the {record.unit}"
            )
        remedy = f"give item {id_!r} a sentence or remove the {record.unit}"
        refuse_missing_value(record.label(column), f"{record.where}, column {column!r}", remedy=remedy)
    bad = [text for column in columns.all_bad for text in read_alternatives(record, column)]
    names = condition_names(len(bad), columns)
    sentences = {name: Sentence(text) for name, text in zip(names, [record.text(columns.good), *bad], strict=True)}
    levels = {name: record.label(name) for name in columns.levels if record.label(name)}
    return Item(id_, sentences, levels=levels or EMPTY)


def read_alternatives(record: Record, column: str) -> list[str]:
    """Return the bad sentences of one cell: one, or a list of them."""
    cell = record.cell(column)
    if not isinstance(cell, list):
        return [record.text(column)]
    if not cell:
        raise InputError(f"{record.where}: column {column!r} holds no sentence ({show_value(cell)}); give at least one")
    return [require_text(text, f"{record.where}, column {column!r}") for text in cell]


def condition_names(bad: int, columns: Columns) -> tuple[str, ...]:
    """Return good and bad, or good, bad_1, bad_2 and so on; grammatical and ungrammatical keep their names."""
    if (columns.good, columns.bad) == GRAMMATICAL_PAIR and bad == 1:
        return GRAMMATICAL_PAIR
    return GOOD_AND_BAD if bad == 1 else ("good", *(f"bad_{number}" for number in range(1, bad + 1)))


def build_written_suites(records: Sequence[Record], path: Path, factors: Sequence[str] = ()) -> list[Suite]:
    """Build the suites of a file written by `write_pairs`: one column per condition of any suite.

    Columns of `factors`, and those that hold levels, are factors of the items.
    """
    added = list(records[0].cells)[len(LEADING_COLUMNS) :]
    labels = {name: [record.label(name) for record in records] for name in added}
    levels = [name for name in added if name in factors or holds_levels(name, added, labels[name])]
    columns = [name for name in added if name not in levels]
    factors = ("key", *levels)
    warn_of_spaces(path, (record.cells[column] for record in records for column in columns))
    suites: dict[str, list[Item]] = {}
    for record in records:
        for name in columns:
            refuse_missing_value(record.label(name), f"{record.where}, column {name!r}", remedy="empty the cell")
        sentences = {name: Sentence(record.label(name)) for name in columns if record.label(name)}
        own = {name: record.label(name) for name in factors if record.label(name)}
        suites.setdefault(record.text("suite"), []).append(Item(record.text("item"), sentences, levels=own or EMPTY))
    built = []
    for name, items in suites.items():
        present = {condition for item in items for condition in item.sentences}
        conditions = TRIPLE if present == set(TRIPLE) else tuple(column for column in columns if column in present)
        built.append(build_whole_sentence_suite(name, conditions, items, path))
    return built


def holds_levels(column: str, columns: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether a column beside those of good and bad sentences has the single words of a factor.

    Without known names of conditions, or with more words than one in a cell, every column is a condition.
    """
    known = next((pair for pair in (GOOD_AND_BAD, GRAMMATICAL_PAIR) if set(pair) <= set(columns)), ())
    if not known or column in (*known, *TRIPLE) or column.startswith("bad_"):
        return False
    return all(len(label.split()) <= 1 for label in labels) and is_factor([*filter(None, labels)])


def write_pairs(suites: Sequence[Suite], path: Path) -> None:
    """Write whole sentences and factors, a column each, as TSV or CSV; warn of what is lost."""
    conditions = list(dict.fromkeys(condition.name for suite in suites for condition in suite.conditions))
    if set(conditions) == set(TRIPLE):
        conditions = [*GRAMMATICAL_PAIR, "intrusive"]
    for suite in suites:
        warn_of_lost_predictions(suite)
    factors = writable_factors(suites, conditions)
    with atomic_write(path) as scratch, scratch.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=DELIMITERS[path.suffix.lower()], lineterminator="\n")
        writer.writerow((*LEADING_COLUMNS, *conditions, *factors))
        for suite in suites:
            for item in suite.items:
                texts = [item.sentences[name].text if name in item.sentences else "" for name in conditions]
                levels = [item.levels.get(name, "") for name in factors]
                writer.writerow((suite.name, item.levels.get("key", ""), item.id, *texts, *levels))


def writable_factors(suites: Sequence[Suite], conditions: Sequence[str]) -> list[str]:
    """Return the factors of items whose columns are read back as such; warn of the others, which are left out."""
    levels = [item.levels for suite in suites for item in suite.items]
    names = [name for name in dict.fromkeys(name for own in levels for name in own) if name != "key"]
    taken = (*LEADING_COLUMNS, *conditions)
    kept = [
        name
        for name in names
        if name not in taken and holds_levels(name, conditions, [own.get(name, "") for own in levels])
    ]
    if lost := [name for name in names if name not in kept]:
        advise(
            f"a table of pairs has no column for {quote(lost)}, whose levels could be read as sentences; write "
            "SyntaxGym JSON or a table of regions (--format tsv) to keep them"
        )
    return kept


def warn_of_lost_predictions(suite: Suite) -> None:
    """Name the predictions that a table of sentences cannot hold."""
    standard = whole_sentence_predictions([condition.name for condition in suite.conditions])
    kept = {(p.name, p.formula.root) for p in standard}
    lost = [p.name for p in suite.predictions if (p.name, p.formula.root) not in kept]
    if lost:
        fault = f"a table of sentences cannot hold regions or these predictions: {quote(lost)}"
        advise(f"suite {suite.name!r}: {fault}; write SyntaxGym JSON to keep them")
