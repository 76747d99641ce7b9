"""The columns of the sentences in tables and JSON lines: named by the user, or known from published datasets."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, suggest
from gardenpath.io.tables import label_text

FEW_LEVELS = 10
"""Levels that a factor may have in a table that is not much longer."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a dataset of pairs, or of one good sentence among several."""

    good: str
    """The acceptable sentence."""
    bad: str | tuple[str, ...]
    """The unacceptable one, or several columns; in JSON lines a cell may hold a list of sentences."""
    id: str | None = None
    """The pair's id; without it pairs are numbered from 1."""
    suite: str | None = None
    """The suite a pair belongs to; without it the file is one suite."""
    phenomenon: str | None = None
    """The suite's phenomenon; pairs of different phenomena make different suites."""
    levels: tuple[str, ...] = ()
    """Factors that vary between pairs."""
    others: bool = True
    """Whether other columns are factors too, if their values are repeated."""
    ignored: tuple[str, ...] = ()
    """Those of them that are left out, such as remarks."""

    @property
    def all_bad(self) -> tuple[str, ...]:
        """The columns of unacceptable sentences."""
        return (self.bad,) if isinstance(self.bad, str) else self.bad


BLIMP_LEVELS = ("dependency_length", "crucial_item", "key")
BLIMP_COLUMNS = Columns(
    "sentence_good", "sentence_bad", "pairID", "UID", "linguistics_term", BLIMP_LEVELS, others=False
)  # fmt: skip
"""BLiMP, its supplement and filtered form, BLiMP-NL, TurBLiMP."""
RUBLIMP_LEVELS = ("subtype", "domain", "tree_depth")

PUBLISHED_COLUMNS = (
    BLIMP_COLUMNS,
    replace(BLIMP_COLUMNS, phenomenon="phenomenon"),  # ZhoBLiMP, SLING
    # MultiBLiMP
    Columns("sen", "wrong_sen", phenomenon="phenomenon", levels=("distance", "has_attractors"), others=False),
    # RuBLiMP
    Columns("source_sentence", "target_sentence", "id", "PID", "phenomenon", RUBLIMP_LEVELS, others=False),
    Columns("good_sentence", "bad_sentence", "ID", "paradigm", "phenomenon", ("type",), others=False),  # JBLiMP
)
"""Columns of published datasets; columns other than the sentences may be missing."""
OWN_COLUMNS = tuple(
    Columns(good, bad, id_, "suite", "phenomenon", ("key",))
    for good, bad in (("grammatical", "ungrammatical"), ("good", "bad"))
    for id_ in ("id", "item", "pair_id", "item_id")
)
"""Columns of tables that people write."""


def find_columns(header: Iterable[str]) -> Columns | None:
    """Return the known columns that fit a header best, without those that are missing; None if none fit."""
    spelling = {fold_column_name(name): name for name in header if fold_column_name(name)}
    fitting = filter(None, (fit_columns(columns, spelling) for columns in (*PUBLISHED_COLUMNS, *OWN_COLUMNS)))
    return max(fitting, key=lambda fit: sum(map(bool, (fit.id, fit.suite, fit.phenomenon, *fit.levels))), default=None)


def add_other_levels(columns: Columns, rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Add the other columns of rows to the factors, where these columns are not those of a published dataset."""
    if not columns.others:
        return columns
    known = {columns.good, *columns.all_bad, columns.id, columns.suite, columns.phenomenon}
    known |= {*columns.levels, *columns.ignored}
    others = [name for name in rows[0] if name not in known and is_factor([row.get(name) for row in rows])]
    return replace(columns, levels=(*columns.levels, *others))


def is_factor(values: Sequence[Any]) -> bool:
    """Return whether the values of a column are levels of a factor: they are repeated, unlike comments and ids.

    Without empty cells two values may differ, as in a table of two rows.

    >>> is_factor(["singular", "plural", "plural"]), is_factor(["late", "has a comma", "twice"])
    (True, False)
    >>> is_factor(["singular", "plural"]), is_factor(["check", "", ""])
    (True, False)
    """
    if not all(value is None or isinstance(value, str | int | float) for value in values):
        return False  # lists and objects of JSON lines
    labels = [label for value in values if (label := label_text(value))]
    allowed = 2 if len(labels) == len(values) else 0
    return 0 < len(set(labels)) <= max(allowed, min(len(labels) - 1, FEW_LEVELS), len(labels) // 2)


def fit_columns(columns: Columns, spelling: Mapping[str, str]) -> Columns | None:
    """Return the columns as spelt in the header, without those that are missing; None if a sentence is missing."""
    wanted = (columns.good, columns.all_bad[0], columns.id, columns.suite, columns.phenomenon)
    good, bad, id_, suite, phenomenon = (spelling.get(fold_column_name(name or "")) for name in wanted)
    if not good or not bad:
        return None
    levels = tuple(filter(None, (spelling.get(fold_column_name(name)) for name in columns.levels)))
    return Columns(good, bad, id_, suite, phenomenon, levels, columns.others)


def fold_column_name(name: str) -> str:
    """Return a column name reduced to what matters of its spelling: pairID, pair_id and Pair-ID are equal."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def require_columns(columns: Columns, header: Iterable[str], where: str) -> None:
    """Raise if a column the user named is not in the header."""
    header = list(header)
    named = (columns.good, *columns.all_bad, columns.id, columns.suite, columns.phenomenon)
    named = (*named, *columns.levels, *columns.ignored)
    missing = [name for name in named if name is not None and name not in header]
    if missing:
        raise InputError(
            f"{where}: no column {quote(missing)}; the columns are {quote(header)}{suggest(missing[0], header)}"
        )
