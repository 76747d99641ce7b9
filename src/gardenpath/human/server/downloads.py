"""Tables as files that a researcher downloads."""

import polars


def to_csv(table: polars.DataFrame) -> str:
    """Write a table as CSV; the conditions of a list stand in one cell, with spaces between, times in ISO's form."""
    lists = [name for name, kind in table.schema.items() if isinstance(kind, polars.List)]
    return table.with_columns(polars.col(lists).list.join(" ")).write_csv(datetime_format="%Y-%m-%dT%H:%M:%S%.3fZ")
