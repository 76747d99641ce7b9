"""Tables of counts and rates."""

from typing import TYPE_CHECKING, Any

from rich.markup import escape

if TYPE_CHECKING:
    from rich.table import Table


def number_table(*columns: str, title: str) -> "Table":
    """A table whose columns are numbers, except the first."""
    from rich.table import Table

    table = Table(*columns, title=escape(title))
    for column in table.columns[1:]:
        column.justify = "right"
    table.columns[0].overflow = "fold"
    return table


def add_row(table: "Table", name: str, *values: int | float | str) -> None:
    """Add a row of counts, rates and words."""
    table.add_row(escape(name), *map(format_value, values))


def format_value(value: Any) -> str:
    """A count with separators, a rate in per cent, a word as it is."""
    match value:
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.2%}"
        case _:
            return escape(str(value))


def format_perplexity(perplexity: float) -> str:
    """A number that stays short when a training goes wrong."""
    return f"{perplexity:.2f}" if perplexity < 1e6 else f"{perplexity:.3g}"
