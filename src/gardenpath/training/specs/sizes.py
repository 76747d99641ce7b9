"""Numbers of tokens, as people write them: 125k, 2M, 1/2M."""

from fractions import Fraction
from typing import Any

from gardenpath.errors import InputError

UNITS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}


def parse_size(text: str) -> int:
    """Read a number of tokens: 125000, 125k, 2M, 1/2M."""
    number = text.strip().lower().replace("_", "")
    unit = number[-1:] if number[-1:] in UNITS else ""
    try:
        size = Fraction(number.removesuffix(unit)) * UNITS[unit]
    except (ValueError, ZeroDivisionError):
        size = Fraction(0)
    if size < 1 or size.denominator != 1:
        raise InputError(f"{text!r} is not a number of tokens; write 125000, 125k, 2M or 1/2M")
    return int(size)


def size_name(size: int) -> str:
    """Write a number of tokens in short: 125k, 2M."""
    for unit in ("b", "m", "k"):
        if size % UNITS[unit] == 0:
            return f"{size // UNITS[unit]}{unit.upper() if unit != 'k' else unit}"
    return str(size)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Read several sizes, `125k,250k,1M`, the smallest first."""
    return tuple(sorted(map(parse_size, text.split(","))))


def join_sizes(sizes: Any) -> Any:
    """Write sizes that are given as a list the way `parse_sizes` reads them."""
    return ",".join(map(str, sizes)) if isinstance(sizes, list | tuple) else sizes
