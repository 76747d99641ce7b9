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
        if not own:
            raise InputError(f"there is no {column} {name!r} among these results: {quote(known)}{suggest(name, known)}")
        found += own
    return found
