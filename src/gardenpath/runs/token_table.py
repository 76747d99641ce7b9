"""The details of tokens as tables for terminals: a table per sentence, a row per token."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars

from gardenpath.io.terminal_table import Column, TerminalTable

HEADINGS = {
    "entropy": Column("entropy"), "rank": Column("rank"), "top": Column("likeliest tokens, with their bits", "words"),
    "layer_bits": Column("bits after each layer", "words"),
}  # fmt: skip
"""How the columns of details are called in tables for terminals."""


def token_tables(tokens: polars.DataFrame, texts: Sequence[str]) -> list[TerminalTable]:
    """Return a table per sentence of `Scores.tokens()`: token, bits, and the details that it has."""
    wanted = [name for name in HEADINGS if name in tokens.columns]
    columns = [Column("token", "name"), Column("bits"), *(HEADINGS[name] for name in wanted)]
    tables = []
    for index, text in enumerate(texts):
        rows = [
            [row["token"].strip() or repr(row["token"]), show_bits(row["bits"]), *show_details(row, wanted)]
            for row in tokens.filter(sentence=index).iter_rows(named=True)
        ]
        title = text if len(texts) == 1 else f"{index + 1}  {text}"
        tables.append(TerminalTable(columns, rows, title=title))
    return tables


def show_details(row: Mapping[str, Any], wanted: Sequence[str]) -> list[str]:
    """Write the details of a token as cells; those that are missing as a dash."""
    return ["–" if row[name] is None else show_detail(name, row[name]) for name in wanted]


def show_detail(name: str, value: Any) -> str:
    """Write a detail of a token as a cell.

    >>> show_detail("top", [{"token": " is", "bits": 1.25}, {"token": ",", "bits": 2.0}])
    "'is' 1.2, ',' 2.0"
    """
    match name:
        case "rank":
            return f"{value:,}"
        case "top":
            return ", ".join(f"{one['token'].removeprefix(' ')!r} {one['bits']:.1f}" for one in value)
        case "layer_bits":
            return " ".join(map(show_bits, value))
        case _:
            return show_bits(value)


def show_bits(bits: float | None) -> str:
    """Write bits with one decimal; those that are missing as a dash."""
    return "–" if bits is None or bits != bits else f"{bits:.1f}"
