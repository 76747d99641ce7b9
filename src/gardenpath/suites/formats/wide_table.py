"""Tables with a sentence per row: item, condition, and one column per region, in the order of the sentence.

Columns before those of item and condition are factors, and so are those that the user names as such. A table may also
have a region per row (region, content).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.tables import Record, refuse_missing_value
from gardenpath.suites.forgotten_cells import mark_forgotten_cells
from gardenpath.suites.formats.named_columns import NamedColumns
from gardenpath.suites.formats.pair_columns import fold_column_name
from gardenpath.suites.formats.region_table import REGION_COLUMNS, build_region_suite
from gardenpath.suites.suite import EMPTY, Join, Suite

ITEM_NAMES = ("item", "itemnumber", "itemid", "itemno")
CONDITION_NAMES = ("condition", "conditionname", "cond")
REGION_NAMES = ("region", "regionname", "regionnumber")
"""How the columns may be called, reduced by `fold_column_name`."""

NEAR = 0.75
"""How similar two levels are of which one is probably a misspelling of the other."""
NOTHING_STATED = NamedColumns()
"""For tables of which the user names no column."""

Levels = dict[str, dict[str, str]]
"""The levels of factors, by item or by condition."""


@dataclass(frozen=True, slots=True)
class SentenceColumns:
    """The columns of a table with a sentence, or a region, per row."""

    item: str
    condition: str
    factors: tuple[str, ...]
    """Properties of items, or of conditions."""
    regions: tuple[str, ...]
    """One column per region; or two, with its name and its content, where a row is a region."""
    is_long: bool = False
    """Whether a row is a region."""


def find_sentence_columns(header: Sequence[str], stated: NamedColumns = NOTHING_STATED) -> SentenceColumns | None:
    """Return the columns of a table of regions; None for other tables."""
    spelling = {fold_column_name(name): name for name in reversed(header)}
    item, condition, region = (
        next((spelling[name] for name in names if name in spelling), None)
        for names in (ITEM_NAMES, CONDITION_NAMES, REGION_NAMES)
    )
    item, condition = stated.item or item, stated.condition or condition
    if item is None or condition is None:
        return None
    if region is not None and "content" in spelling and not stated.regions:
        named = (region, spelling["content"])
        numbers = [name for name in header if fold_column_name(name) in REGION_NAMES]
        others = tuple(name for name in header if name and name not in (item, condition, *named, *numbers))
        return SentenceColumns(item, condition, others, named, is_long=True)
    start = max(header.index(item), header.index(condition)) + 1
    others = tuple(name for name in header if name and name not in (item, condition, *stated.regions))
    factors = tuple(name for name in others if name in header[:start] or name in stated.factors)
    regions = stated.regions or tuple(name for name in others if name not in factors)
    return SentenceColumns(item, condition, factors, regions)


def build_wide_suite(records: Sequence[Record], columns: SentenceColumns, path: Path, join: Join) -> Suite:
    """Build the suite of a table of regions; it has no predictions."""
    if not columns.regions:
        raise InputError(f"{path}: no column after {columns.condition!r} is a region; add one column per region")
    if not columns.is_long:
        require_one_row(records, columns)
    suite = with_levels(build_region_suite(list(region_rows(records, columns)), path, join), records, columns)
    # The circuit was guessed from the name, as for files of SyntaxGym.
    return mark_forgotten_cells(replace(suite, circuit=""))


def build_numbered_suite(records: Sequence[Record], path: Path, join: Join) -> Suite:
    """Build the suite of SyntaxGym's table; other columns with one value per item, or per condition, are factors."""
    item, condition, *regions = REGION_COLUMNS
    others = [name for name in records[0].cells if name and name not in REGION_COLUMNS]
    factors = [name for name in others if any(find_levels(records, name, owner) for owner in (item, condition))]
    suite = build_region_suite(records, path, join)
    return with_levels(suite, records, SentenceColumns(item, condition, tuple(factors), tuple(regions), is_long=True))


def with_levels(suite: Suite, records: Sequence[Record], columns: SentenceColumns) -> Suite:
    """Return a suite with the levels of its items and conditions, from the columns of a table."""
    by_item, by_condition = divide_levels(records, columns)
    items = (replace(item, levels=by_item.get(item.id, EMPTY)) for item in suite.items)
    conditions = (replace(one, levels=by_condition.get(one.name, EMPTY)) for one in suite.conditions)
    return replace(suite, items=tuple(items), conditions=tuple(conditions))


def require_one_row(records: Sequence[Record], columns: SentenceColumns) -> None:
    """Raise if two rows have the same item and condition, or a row no text."""
    seen: dict[tuple[str, str], Record] = {}
    for record in records:
        item, condition = record.text(columns.item), record.text(columns.condition)
        if (item, condition) in seen:
            first = seen[item, condition]
            raise InputError(
                f"{record.where}: item {item!r} already has the condition {condition!r} in {first.unit} {first.line}; "
                "rename one of them or remove a row"
            )
        seen[item, condition] = record
        if not any(record.cells[name].strip() for name in columns.regions):
            raise InputError(
                f"{record.where}: item {item!r} has no sentence for the condition {condition!r}: all its regions are "
                "empty; give a text or remove the row"
            )


def region_rows(records: Iterable[Record], columns: SentenceColumns) -> Iterator[Record]:
    """Yield one row per region with SyntaxGym's columns; regions are numbered in the order of first appearance."""
    numbers: dict[str, int] = {}
    for record in records:
        contents = {name: record.cells[name] for name in columns.regions}
        if columns.is_long:
            name, content = columns.regions
            contents = {record.text(name): record.cells[content]}
        for region, content in contents.items():
            refuse_missing_value(content, f"{record.where}, region {region!r}", remedy="empty the cell, or fill it in")
            number = str(numbers.setdefault(region, len(numbers) + 1))
            cells = (record.text(columns.item), record.text(columns.condition), number, region, content)
            yield replace(record, cells=dict(zip(REGION_COLUMNS, cells, strict=True)))


def divide_levels(records: Sequence[Record], columns: SentenceColumns) -> tuple[Levels, Levels]:
    """Return the levels of items and those of conditions: a factor belongs to whichever fixes its level."""
    by_item: Levels = {}
    by_condition: Levels = {}
    for factor in columns.factors:
        owners = ((columns.item, by_item), (columns.condition, by_condition))
        found, levels = next(
            ((found, levels) for owner, levels in owners if (found := find_levels(records, factor, owner)) is not None),
            (None, by_item),
        )
        if found is None:
            empty = next((record for record in records if not record.label(factor)), None)
            if empty is not None:
                raise InputError(
                    f"{empty.where}: the factor {factor!r} has no level; fill in the cell: all rows of an item, or of "
                    "a condition, have the same level"
                )
            raise several_levels(records, factor, columns)
        for name, level in found.items():
            levels.setdefault(name, {})[factor] = level
    return by_item, by_condition


def several_levels(records: Sequence[Record], factor: str, columns: SentenceColumns) -> InputError:
    """Make the error for a factor with several levels in one item and in one condition; it names the rarest level.

    Of items and conditions, those with fewer deviating cells are probably those that the factor belongs to.
    """
    deviating = {owner: find_deviating(records, factor, owner) for owner in (columns.item, columns.condition)}
    owner = min(deviating, key=lambda name: len(deviating[name]))
    record, usual = deviating[owner][0]
    level, other = record.label(factor), usual.label(factor)
    is_near = level.casefold() == other.casefold() or get_close_matches(level, [other], cutoff=NEAR)
    remedy = f"did you mean {other!r}? If not," if is_near else "correct the cell,"
    kind = "item" if owner == columns.item else "condition"
    return InputError(
        f"{record.where}: the column {factor!r} is a factor, for it stands before the regions, or is named as one, but "
        f"{kind} {record.text(owner)!r} has {level!r} here, and {other!r} in {usual.unit} {usual.line}; {remedy} "
        "make the column a region, or remove it"
    )


def find_deviating(records: Sequence[Record], factor: str, owner: str) -> list[tuple[Record, Record]]:
    """Return the rows with another level than most of their item (or condition), each with the first of these."""
    overall = Counter(record.label(factor) for record in records)
    rows: dict[str, list[Record]] = {}
    for record in records:
        rows.setdefault(record.text(owner), []).append(record)
    found = []
    for own in rows.values():
        counts = Counter(record.label(factor) for record in own)
        most = max(counts, key=lambda level: (counts[level], overall[level]))
        usual = next(record for record in own if record.label(factor) == most)
        found += [(record, usual) for record in own if record.label(factor) != most]
    return found


def find_levels(records: Sequence[Record], factor: str, owner: str) -> dict[str, str] | None:
    """Return the level of every item (or condition) in a column; None if one has several."""
    levels: dict[str, str] = {}
    for record in records:
        level = record.label(factor)
        if levels.setdefault(record.text(owner), level) != level:
            return None
    return {name: level for name, level in levels.items() if level}
