"""Notes that are held until all suites are read, and then printed in one line per kind."""

import warnings
from typing import Any, Self

from gardenpath.commands.terminal import print_notes
from gardenpath.errors import InputWarning, QuirkWarning
from gardenpath.io.notes import group_notes, sum_up_quirks

ADVICE = "`gardenpath suites check` prints those on suites"
"""Where all notes of a kind are."""


class HeldNotes:
    """Holds notes and our own warnings while it is used as a context manager; prints them on request and at its end."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.quirks: list[str] = []
        self.show_warning = warnings.showwarning

    def __enter__(self) -> Self:
        self.show_warning, warnings.showwarning = warnings.showwarning, self.hold_warning
        return self

    def __exit__(self, *_: object) -> None:
        warnings.showwarning = self.show_warning
        self.print()

    def hold_warning(self, message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        """Hold a note; warnings of libraries are not for users."""
        if issubclass(category, InputWarning):
            (self.quirks if issubclass(category, QuirkWarning) else self.notes).append(str(message))

    def print(self) -> None:
        """Print the notes that are held."""
        print_notes([*group_notes(self.notes, ADVICE), *sum_up_quirks(self.quirks, ADVICE)])
        self.notes.clear()
        self.quirks.clear()
