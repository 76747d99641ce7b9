"""Sections of a corpus that comes as a folder of numbered folders: 2-21, 0,22-24, 1987-1988."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

from gardenpath.errors import InputError
from gardenpath.io.spec import Flag

RANGE = re.compile(r"\s*([0-9]{1,6})\s*(?:-\s*([0-9]{1,6})\s*)?")


def parse_sections(text: str) -> tuple[range, ...]:
    """Read ranges of sections, both ends included; an empty text stands for all sections.

    >>> parse_sections("2-21, 24")
    (range(2, 22), range(24, 25))
    """
    if not text.strip():
        return ()
    found = [RANGE.fullmatch(part) for part in text.split(",")]
    ranges = tuple(range(int(part[1]), int(part[2] or part[1]) + 1) for part in found if part is not None)
    if len(ranges) < len(found) or not all(ranges):
        raise InputError(f"sections {text!r} are not understood; write 2-21 or 0,22-24, the smaller number first")
    return ranges


def check_sections(value: Any) -> Any:
    """Sections as they are written; a single one may be given as a number."""
    text = str(value) if isinstance(value, int) else value
    if isinstance(text, str):
        parse_sections(text)
    return text


SectionRanges = Annotated[str, BeforeValidator(check_sections), Flag(metavar="RANGES", added=True)]
