"""Polars tables as pandas frames, without pyarrow, which polars' own conversion needs."""

from typing import TYPE_CHECKING

import polars

from gardenpath.io.extras import require_extras

if TYPE_CHECKING:
    import pandas


def to_pandas(table: polars.DataFrame) -> "pandas.DataFrame":
    """Return a table as a pandas frame."""
    with require_extras("a pandas frame"):
        import pandas
    return pandas.DataFrame({name: table[name].to_list() for name in table.columns})
