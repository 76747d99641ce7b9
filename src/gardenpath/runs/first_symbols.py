"""The symbols that models read before every sentence, which change their scores."""

from collections.abc import Iterable, Mapping
from typing import Any

from gardenpath.io.messages import quote


def note_first_symbols(symbols: Mapping[str, str]) -> list[str]:
    """Note that the models of a comparison read different first symbols; `symbols` has one by model.

    >>> note_first_symbols({"a": "<s>", "b": "<s>"})
    []
    """
    readers: dict[str, list[str]] = {}
    for model, symbol in symbols.items():
        readers.setdefault(symbol, []).append(model)
    if len(readers) < 2:
        return []
    groups = "; ".join(f"{symbol} by {quote(models, most=3)}" for symbol, models in readers.items())
    return [
        f"the models read different first symbols ({groups}); the same weights score differently after another symbol, "
        "so part of a difference may come from it: --bos (bos=…) chooses one symbol for all, where they share one"
    ]


def with_first_symbols(rows: Iterable[Mapping[str, Any]], symbols: Mapping[str, str]) -> list[dict[str, Any]]:
    """Add the first symbol of its model to every row, where it is known."""
    return [{**row} | ({"bos": symbols[row["model"]]} if row["model"] in symbols else {}) for row in rows]
