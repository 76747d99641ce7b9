"""Parts of messages about what a user gave: names, values, where they stand."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gardenpath.errors import InputError, InputWarning


def advise(message: str) -> None:
    """Warn the user that something was used, but not quite as it stands."""
    warnings.warn(message, InputWarning, stacklevel=3)


@contextmanager
def locate_errors(where: Path | str) -> Iterator[None]:
    """Put a path or position before the message of any `InputError` that does not name it yet."""
    try:
        yield
    except InputError as error:
        if str(where) in str(error):
            raise
        raise InputError(f"{where}: {error}") from error


def quote(names: Iterable[object], most: int = 12) -> str:
    """Quote names for a message, only the first few if there are many."""
    shown = [repr(str(name)) for name in names]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return (", ".join(shown[:most]) or "nothing") + more


def show_value(value: object) -> str:
    """Describe a value for a message: its type and how it begins."""
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 60 else shown[:60] + '…'}"
