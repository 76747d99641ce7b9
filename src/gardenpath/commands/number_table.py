"""Tables of counts and rates."""

from rich.markup import escape
from rich.table import Table


def number_table(*columns: str, title: str) -> Table:
    """A table whose columns are numbers, except the first."""
    table = Table(*columns, title=escape(title))
    for column in table.columns[1:]:
        column.justify = "right"
    table.columns[0].overflow = "fold"
    return table


def add_row(table: Table, name: str, *values: int | float | str) -> None:
    """Add a row of counts, rates and words."""
    table.add_row(escape(name), *map(format_value, values))


def format_value(value: int | float | str) -> str:
    """A count with separators, a rate in per cent, a word as it is."""
    if isinstance(value, str):
        return escape(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.2%}"


def format_perplexity(perplexity: float) -> str:
    """A number that stays short when a training goes wrong."""
    return f"{perplexity:.2f}" if perplexity < 1e6 else f"{perplexity:.3g}"
