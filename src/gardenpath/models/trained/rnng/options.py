"""The options of an RNNG's search."""

from dataclasses import dataclass

from gardenpath.errors import InputError

DEFAULT_BEAM = "100/10"
"""Parses kept between two words, and after each (Hu, Chen and Levy 2020, section 4.1)."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The number of parses kept in a search."""

    action_beam: int | None = 100
    """Parses of a row between two words; None: all (Hu, Chen and Levy 2020, section 4.1: 100)."""
    word_beam: int | None = 10
    """Parses of a row after each word; None: all (there: 10)."""
    fast_track: int = 1
    """At every action, so many of the best parses that generate are kept even if others are better; they may take half
    of the action beam."""

    def __post_init__(self) -> None:
        for name, size in (("action_beam", self.action_beam), ("word_beam", self.word_beam)):
            if size is not None and size < 1:
                raise InputError(f"{name} is {size}; it must be at least 1, or none for no limit")
        if self.fast_track < 0:
            raise InputError(f"fast_track is {self.fast_track}; it must be at least 0")

    def __str__(self) -> str:
        """The form in which users write it."""
        sizes = ("all" if size is None else str(size) for size in (self.action_beam, self.word_beam))
        return "/".join((*sizes, str(self.fast_track)))


def parse_beam(text: str) -> SearchOptions:
    """Parse `100/10` (parses between words, and after each), `100/10/1` (with the fast track); `all`: no limit."""
    parts = text.split("/")
    if not (2 <= len(parts) <= 3 and all(part == "all" or part.isdecimal() for part in parts) and parts[2:] != ["all"]):
        raise InputError(
            f"beam {text!r} is not valid; write for example 100/10 (parses between two words, and after each), "
            "100/10/1 (with the fast track), or all/all (for toy grammars)"
        )
    sizes = [None if part == "all" else int(part) for part in parts[:2]]
    return SearchOptions(sizes[0], sizes[1], *map(int, parts[2:]))
