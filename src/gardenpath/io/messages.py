"""Parts of messages about what a user gave: names, values, where they stand."""

import contextlib
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from reprlib import Repr

from gardenpath.errors import InputError, InputWarning

WITHIN = (f"{Path(__file__).parents[1]}{os.sep}", contextlib.__file__)
"""Where lines of code are that no user has written."""
LARGEST_BITS = 1024
"""Size from which a whole number is described instead of written."""


def advise(message: str, category: type[InputWarning] = InputWarning) -> None:
    """Warn the user that something was used, but not quite as it stands; the warning names the user's own line."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(WITHIN):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def locate_errors(where: Path | str) -> Iterator[None]:
    """Put a path or position before the message of any `InputError` that does not name it yet."""
    try:
        yield
    except InputError as error:
        if str(where) in str(error):
            raise
        raise InputError(f"{where}: {error}") from error


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message: libraries add pages."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def quote(names: Iterable[object], most: int = 12) -> str:
    """Quote names for a message, only the first few if there are many."""
    shown = [repr(str(name)) for name in names]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return (", ".join(shown[:most]) or "nothing") + more


def suggest(name: str, known: Iterable[str]) -> str:
    """Ask for the nearest of the known names, for the end of a message; empty if none is near.

    >>> suggest("vreb", ["subject", "verb"])
    "; did you mean 'verb'?"
    """
    near = get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


class ShortRepr(Repr):
    """Spells out the beginning of any value, however deep, long or often shared its parts are."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 3, 200, 200

    def repr_int(self, value: int, level: int) -> str:  # noqa: ARG002 - the signature of the library
        """Spell a whole number, unless it has more digits than Python writes."""
        return repr(value) if value.bit_length() < LARGEST_BITS else f"<a number of {value.bit_length():,} bits>"


def spell_value(value: object) -> str:
    """Write the beginning of a value for a message."""
    shown = ShortRepr().repr(value)
    return shown if len(shown) <= 60 else shown[:60] + "…"


def show_value(value: object) -> str:
    """Describe a value for a message: its type and how it begins."""
    return f"{type(value).__name__} {spell_value(value)}"
