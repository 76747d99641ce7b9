"""The columns of the sentences in tables and JSON lines: named by the user, or known from published datasets."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gardenpath.errors import InputError
from gardenpath.io.messages import quote

COLUMN_KEYS = ("good", "bad", "id", "suite")
"""The columns a user can name on the command line."""


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

    @property
    def all_bad(self) -> tuple[str, ...]:
        """The columns of unacceptable sentences."""
        return (self.bad,) if isinstance(self.bad, str) else self.bad


ASK_FOR_COLUMNS = "name them with --columns good=COLUMN,bad=COLUMN"
"""The remedy for a file with unknown columns."""


def parse_columns(text: str) -> Columns:
    """Parse the columns of `good=COLUMN,bad=COLUMN`; `bad` may be repeated."""
    named: dict[str, list[str]] = {}
    for part in text.split(","):
        key, _, column = (piece.strip() for piece in part.partition("="))
        if key not in COLUMN_KEYS or not column:
            raise InputError(f"--columns {text}: {part!r} is not KEY=COLUMN; the keys are {', '.join(COLUMN_KEYS)}")
        if key in named and key != "bad":
            raise InputError(f"--columns {text}: {key!r} is given twice; only 'bad' may be repeated")
        named.setdefault(key, []).append(column)
    if not {"good", "bad"} <= named.keys():
        raise InputError(f"--columns {text}: 'good' and 'bad' are both needed: good=COLUMN,bad=COLUMN")
    good, bad = named.pop("good"), named.pop("bad")
    optional = {key: column for key, (column,) in named.items()}
    return Columns(good[0], bad[0] if len(bad) == 1 else tuple(bad), optional.get("id"), optional.get("suite"))


BLIMP_LEVELS = ("dependency_length", "crucial_item", "key")
BLIMP_COLUMNS = Columns("sentence_good", "sentence_bad", "pairID", "UID", "linguistics_term", BLIMP_LEVELS)
"""BLiMP, its supplement and filtered form, BLiMP-NL, TurBLiMP."""

PUBLISHED_COLUMNS = (
    BLIMP_COLUMNS,
    replace(BLIMP_COLUMNS, phenomenon="phenomenon"),  # ZhoBLiMP, SLING
    Columns("sen", "wrong_sen", phenomenon="phenomenon", levels=("distance", "has_attractors")),  # MultiBLiMP
    # RuBLiMP
    Columns("source_sentence", "target_sentence", "id", "PID", "phenomenon", ("subtype", "domain", "tree_depth")),
    Columns("good_sentence", "bad_sentence", "ID", "paradigm", "phenomenon", ("type",)),  # JBLiMP
    Columns("grammatical", "ungrammatical", "id", "suite", "phenomenon", ("key",)),
    Columns("good", "bad", "id", "suite", "phenomenon", ("key",)),
)
"""Columns of published datasets; columns other than the sentences may be missing."""


def find_columns(header: Iterable[str]) -> Columns | None:
    """Return the published columns that fit a header best, without those that are missing; None if none fit."""
    spelling = {fold_column_name(name): name for name in header if fold_column_name(name)}
    fitting = filter(None, (fit_columns(columns, spelling) for columns in PUBLISHED_COLUMNS))
    return max(fitting, key=lambda fit: sum(map(bool, (fit.id, fit.suite, fit.phenomenon, *fit.levels))), default=None)


def fit_columns(columns: Columns, spelling: Mapping[str, str]) -> Columns | None:
    """Return the columns as spelt in the header, without those that are missing; None if a sentence is missing."""
    wanted = (columns.good, columns.all_bad[0], columns.id, columns.suite, columns.phenomenon)
    good, bad, id_, suite, phenomenon = (spelling.get(fold_column_name(name or "")) for name in wanted)
    levels = (spelling.get(fold_column_name(name)) for name in columns.levels)
    return Columns(good, bad, id_, suite, phenomenon, tuple(filter(None, levels))) if good and bad else None


def fold_column_name(name: str) -> str:
    """Return a column name reduced to what matters of its spelling: pairID, pair_id and Pair-ID are equal."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def require_columns(columns: Columns, header: Iterable[str], where: str) -> None:
    """Raise if a column the user named is not in the header."""
    header = list(header)
    named = (columns.good, *columns.all_bad, columns.id, columns.suite, columns.phenomenon, *columns.levels)
    missing = [name for name in named if name is not None and name not in header]
    if missing:
        raise InputError(f"{where}: no column {quote(missing)}; the columns are {quote(header)}")
