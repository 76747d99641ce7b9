"""The columns of a table that a user names: `good=COLUMN,bad=COLUMN` for pairs, `factor=COLUMN` for any table."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, suggest
from gardenpath.suites.formats.pair_columns import Columns

PAIR_KEYS = ("good", "bad", "id", "suite", "factor")
"""The columns a user can name in a table of pairs."""
REGION_KEYS = ("item", "condition", "region", "factor")
"""The columns a user can name in a table of regions."""
IGNORED_KEY = "ignore"
"""The key, in any table, of a column that is neither a factor nor a region."""
REPEATED_KEYS = ("bad", "region", "factor", IGNORED_KEY)
"""The keys that may be given several times."""
ASK_FOR_COLUMNS = "name them with --columns good=COLUMN,bad=COLUMN"
"""The remedy for a file with unknown columns."""


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """What the user states about some columns of a table; the others are recognised by their names."""

    item: str | None = None
    """The column of the items, in a table of regions."""
    condition: str | None = None
    """The column of the conditions, in a table of regions."""
    regions: tuple[str, ...] = ()
    """The columns of the regions, in the order of the sentence."""
    factors: tuple[str, ...] = ()
    """Columns that are factors, wherever they stand."""
    ignored: tuple[str, ...] = ()
    """Columns that are left out, such as remarks."""

    @property
    def of_regions(self) -> tuple[str, ...]:
        """The columns that only a table of regions has."""
        return (*filter(None, (self.item, self.condition)), *self.regions)


ColumnChoice = Columns | NamedColumns | None
"""The columns of pairs, or what is stated about some columns of a table; None where all are found by their names."""
ColumnOption = str | Sequence[str] | ColumnChoice
"""The same as a user gives it: also as the text of `--columns`, or as several, which are joined by commas."""


def choose_columns(columns: ColumnOption) -> ColumnChoice:
    """Return what a user states about columns; several texts mean the same as one with commas.

    >>> choose_columns(["good=right", "bad=wrong"]) == choose_columns("good=right,bad=wrong")
    True
    """
    if columns is None or isinstance(columns, Columns | NamedColumns):
        return columns
    if isinstance(columns, str):
        return parse_columns(columns)
    return parse_columns(",".join(columns)) if columns else None


def parse_columns(text: str) -> Columns | NamedColumns:
    """Parse `good=COLUMN,bad=COLUMN` for pairs, or `factor=COLUMN`, `region=COLUMN` and so on for other tables.

    >>> parse_columns("factor=number,factor=list").factors
    ('number', 'list')
    """
    named = collect_columns(text)
    if not named.keys() & {"good", "bad", "id", "suite"}:
        item, condition = (named.get(key, [None])[0] for key in ("item", "condition"))
        regions, factors, ignored = (tuple(named.get(key, ())) for key in ("region", "factor", IGNORED_KEY))
        return NamedColumns(item, condition, regions, factors, ignored)
    if not {"good", "bad"} <= named.keys():
        raise InputError(f"--columns {text}: 'good' and 'bad' are both needed: good=COLUMN,bad=COLUMN")
    if others := named.keys() - {*PAIR_KEYS, IGNORED_KEY}:
        raise InputError(
            f"--columns {text}: {quote(sorted(others))} is for tables of regions, 'good' and 'bad' are for pairs; "
            "leave out one or the other"
        )
    good, bad = named["good"], named["bad"]
    id_, suite = (named.get(key, [None])[0] for key in ("id", "suite"))
    columns = Columns(good[0], bad[0] if len(bad) == 1 else tuple(bad), id_, suite)
    return replace(columns, levels=tuple(named.get("factor", ())), ignored=tuple(named.get(IGNORED_KEY, ())))


def collect_columns(text: str) -> Mapping[str, list[str]]:
    """Return the columns of `KEY=COLUMN,KEY=COLUMN` by key; raise for unknown and for repeated ones."""
    keys = dict.fromkeys((*PAIR_KEYS, *REGION_KEYS, IGNORED_KEY))
    named: dict[str, list[str]] = {}
    for part in text.split(","):
        key, _, column = (piece.strip() for piece in part.partition("="))
        if key not in keys or not column:
            raise InputError(f"--columns {text}: {part!r} is not KEY=COLUMN; the keys are {', '.join(keys)}")
        if key in named and key not in REPEATED_KEYS:
            repeated = ", ".join(map(repr, REPEATED_KEYS))
            raise InputError(f"--columns {text}: {key!r} is given twice; only {repeated} may be repeated")
        if key in REPEATED_KEYS and any(column in columns for columns in named.values()):
            raise InputError(f"--columns {text}: the column {column!r} is named twice; name it once")
        named.setdefault(key, []).append(column)
    return named


def require_named(columns: NamedColumns, header: Sequence[str], where: str) -> None:
    """Raise if a column the user named is not in the header."""
    if missing := [name for name in (*columns.of_regions, *columns.factors, *columns.ignored) if name not in header]:
        raise InputError(
            f"{where}: no column {quote(missing)}; the columns are {quote(header)}{suggest(missing[0], header)}"
        )


def refuse_double_use(columns: NamedColumns, used: Iterable[str | None], where: Path) -> None:
    """Raise if a column the user named as a factor or region holds items, conditions or sentences."""
    used = set(used)
    if both := [name for name in (*columns.factors, *columns.regions) if name in used]:
        raise InputError(
            f"{where}: --columns names {quote(both)} as a factor or region, but items, conditions or sentences are "
            "read from it; leave it out"
        )


def write_columns(regions: Iterable[str] = (), factors: Iterable[str] = ()) -> str:
    """Write `--columns` as a user gives it.

    >>> write_columns(factors=["number"]), write_columns(regions=["the verb"])
    ('--columns factor=number', "--columns 'region=the verb'")
    """
    text = ",".join([*(f"region={name}" for name in regions), *(f"factor={name}" for name in factors)])
    return f"--columns {shlex.quote(text)}"
