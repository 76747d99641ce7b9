"""Frames: ways to draw the rows of a table of items from a lexicon, read from TOML.

A frame has slots, filled like those of templates with a language, and a text for each column of the table.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gardenpath.io.messages import locate_errors, quote
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.grammar.drawn_template import language_of
from gardenpath.suites.grammar.phrase_rules import (
    Language,
    ListSource,
    SlotSource,
    add_rules,
    read_slots,
    require_valid_holes,
)
from gardenpath.suites.templates.pattern import Hole, TextPattern, parse_pattern

FRAME_KEYS = ("language", "lexicon", "common", "phrases", "slots", "frames")
"""All keys of a file of frames."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to draw a row."""

    name: str
    slots: Mapping[str, SlotSource]
    """In the order in which they are filled."""
    restrictions: Mapping[str, str]
    """What the file says of each slot that is filled from the lexicon, for messages."""
    columns: Mapping[str, TextPattern]
    weight: float = 1.0

    def forms_of(self, slot: str) -> set[str]:
        """Return the forms of a slot that the texts name."""
        holes = (piece for text in self.columns.values() for piece in text if isinstance(piece, Hole))
        return {hole.form for hole in holes if hole.name == slot and hole.form}


@dataclass(frozen=True, slots=True)
class FrameSet:
    """All frames of a table."""

    name: str
    path: Path
    language: Language
    frames: tuple[Frame, ...]


@cache
def read_frames(path: Path) -> FrameSet:
    """Read the frames of a file, once; `common` names a file beside it with further slots, which are word lists."""
    file = read_toml(path)
    file.refuse_unknown(file.data, FRAME_KEYS)
    language = language_of(file)
    shared: dict[str, Any] = {}
    for name in file.texts(file.data["common"], "common") if "common" in file.data else ():
        with locate_errors(file.where("common")):
            common = read_toml(path.parent / name)
        common.refuse_unknown(common.data, ("slots", "phrases"))
        language = add_rules(common, common.table("phrases"), language, "phrases")
        shared |= read_slots(common, common.table("slots"), language, "slots")
    language = add_rules(file, file.table("phrases"), language, "phrases")
    shared |= read_slots(file, file.table("slots"), language, "slots")
    for slot, source in shared.items():
        if not isinstance(source, ListSource):
            file.refuse(f"the slot {slot!r}, which several frames share, must be a list of words", "slots", slot)
    frames = tuple(read_frame(file, name, shared, language) for name in file.table("frames"))
    if not frames:
        file.refuse("there are no frames; write at least one under [frames]", "frames")
    columns = list(frames[0].columns)
    for frame in frames:
        if sorted(frame.columns) != sorted(columns):
            fault = f"the frame {frame.name!r} has the columns {quote(frame.columns, 20)}, not {quote(columns, 20)}"
            file.refuse(fault, "frames", frame.name)
    return FrameSet(path.stem, path, language, frames)


def read_frame(file: TomlFile, name: str, shared: Mapping[str, SlotSource], language: Language) -> Frame:
    """Read one frame; of the shared slots only those that its texts use."""
    keys = ("frames", name)
    table = file.table(*keys)
    file.refuse_unknown(table, ("weight", "slots", "columns"), *keys)
    weight = table.get("weight", 1)
    if not isinstance(weight, int | float) or not weight > 0:
        file.refuse(f"a weight must be a positive number, not {weight!r}", *keys, "weight")
    given = file.table(*keys, "slots")
    own = read_slots(file, given, language, *keys, "slots")
    columns = {key: read_column(file, key, {**shared, **own}, language, *keys) for key in table.get("columns", {})}
    used = {piece.name for text in columns.values() for piece in text if isinstance(piece, Hole)}
    slots = {slot: source for slot, source in shared.items() if slot in used and slot not in own} | own
    texts = {slot: text for slot, text in given.items() if isinstance(text, str)}
    return Frame(name, slots, texts, columns, float(weight))


def read_column(
    file: TomlFile, column: str, slots: Mapping[str, SlotSource], language: Language, *keys: str
) -> TextPattern:
    """Read the text of a column."""
    text = file.of_kind(file.table(*keys, "columns")[column], str, *keys, "columns", column)
    with locate_errors(file.where(*keys, "columns", column)):
        pattern = parse_pattern(text)
        require_valid_holes(pattern, slots, language)
    return pattern


def literal_words(patterns: Sequence[TextPattern]) -> str:
    """Return the words of texts outside their holes.

    >>> literal_words([parse_pattern("the {noun} near a(n) {other}")])
    'the near'
    """
    pieces = [piece for pattern in patterns for piece in pattern if isinstance(piece, str)]
    return " ".join(re.sub(r"\ba\(n\)", " ", " ".join(pieces)).split())
