"""Numbers in texts: the digits 0 to 9 only, although Python reads those of all scripts, and 1_0 as 10."""

import re

from gardenpath.errors import InputError

WHOLE_NUMBER = re.compile(r"[0-9]{1,18}")
"""Without a sign; more digits are a mistake, and no index in an array."""
DECIMAL_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,4})?|inf(?:inity)?)", re.IGNORECASE)


def is_whole_number(text: str) -> bool:
    """Return whether a text is a whole number that counts or numbers something."""
    return WHOLE_NUMBER.fullmatch(text) is not None


def parse_decimal(text: str) -> float:
    """Parse a number with or without decimals; raise if the text is anything else."""
    if DECIMAL_NUMBER.fullmatch(text.strip()) is None:
        raise InputError(f"{text!r} is not a number")
    return float(text)
