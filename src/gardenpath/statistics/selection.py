"""Some of the outcomes: those of models, suites or predictions by name."""

from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, suggest

Names = str | Sequence[str] | None
"""A name, several, or None for all."""


def select_outcomes(
    outcomes: polars.DataFrame, *, model: Names = None, suite: Names = None, prediction: Names = None
) -> polars.DataFrame:
    """Keep the outcomes of models, suites and predictions by name; a collection such as `blimp` stands for its suites.

    The last part of the name of a suite, as tables show it, or of a model that is a path, is enough where it is unique.
    A name that no outcome has is refused.
    """
    for column, wanted in (("model", model), ("suite", suite), ("prediction", prediction)):
        if wanted is not None:
            outcomes = outcomes.filter(polars.col(column).is_in(find_names(outcomes, column, wanted)))
    return outcomes


def find_names(outcomes: polars.DataFrame, column: str, wanted: str | Sequence[str]) -> list[str]:
    """The values of a column that names stand for: the same name, or what is in a folder of this name."""
    known = [str(name) for name in outcomes[column].drop_nulls().unique(maintain_order=True)]
    found: list[str] = []
    for name in [wanted] if isinstance(wanted, str) else wanted:
        own = [one for one in known if one == name or (column == "suite" and one.startswith(f"{name}/"))]
        found += own or [find_short(known, column, name)]
    return found


def find_short(known: Sequence[str], column: str, name: str) -> str:
    """Return the only suite or model whose last part is a name; raise where there is none or several."""
    has_parts = column in ("suite", "model")
    short = [one for one in known if has_parts and one.endswith(f"/{name}")]
    if len(short) > 1:
        raise InputError(f"{column} {name!r} may be {' or '.join(map(repr, short))}: name one of them")
    if not short:
        parts = [*known, *(one.rpartition("/")[2] for one in known if has_parts)]
        raise InputError(f"there is no {column} {name!r} among these results: {quote(known)}{suggest(name, parts)}")
    return short[0]
