"""Numbers of tokens, as people write them: 125k, 2M, 1/2M."""

import re
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from gardenpath.errors import InputError
from gardenpath.io.spec import Flag

SCALES = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}
SIZE = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?(?:e[0-9]{1,2})?[kmb]?")


def parse_size(text: str) -> int:
    """Read a number of tokens: 125000, 125k, 2M, 1/2M."""
    number = text.strip().lower().replace("_", "")
    unit = number[-1:] if number[-1:] in SCALES else ""
    try:
        # Without the pattern a short text such as 1e999999999 would be a number that fills the memory.
        size = Fraction(number.removesuffix(unit) if SIZE.fullmatch(number) else "0") * SCALES[unit]
    except ZeroDivisionError:
        size = Fraction(0)
    if size < 1 or size.denominator != 1:
        raise InputError(f"{text!r} is not a number of tokens; write 125000, 125k, 2M or 1/2M")
    return int(size)


def size_name(size: int) -> str:
    """Write a number of tokens in short: 125k, 2M."""
    for unit in ("b", "m", "k"):
        if size % SCALES[unit] == 0:
            return f"{size // SCALES[unit]}{unit.upper() if unit != 'k' else unit}"
    return str(size)


def read_size(value: Any) -> Any:
    """A size that is given as text or as a number."""
    return parse_size(value) if isinstance(value, str) else value


def read_sizes(value: Any) -> Any:
    """Sizes that are given as text, `125k,250k,1M`, or as a list; the smallest first."""
    sizes = value.split(",") if isinstance(value, str) else value
    return sorted(map(read_size, sizes)) if isinstance(sizes, list | tuple) else sizes


def refuse_repeated(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Refuse sizes of which two are equal."""
    if len(set(sizes)) < len(sizes):
        raise InputError(f"sizes {list(sizes)}: give different numbers of tokens, each 1 or more")
    return sizes


Size = Annotated[int, Field(ge=0), BeforeValidator(read_size), Flag(metavar="SIZE", as_text=True)]
Sizes = Annotated[
    tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1), AfterValidator(refuse_repeated),
    BeforeValidator(read_sizes),
]  # fmt: skip
