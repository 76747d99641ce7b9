"""Durations as users write them (90s, 5min, 1.5 hours), and as they are printed."""

import re
from typing import NamedTuple

SECONDS = {
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hour": 3600, "hours": 3600,
}  # fmt: skip
"""How long one of each unit is."""
YEAR = 365.25 * 86_400
"""Seconds."""
NUMBER = r"\d+(?:\.\d+)?(?:e[-+]?\d+)?"
"""A number without a sign."""
DURATION = re.compile(rf"\s*({NUMBER})\s*({'|'.join(SECONDS)})\s*", re.ASCII)


class Duration(NamedTuple):
    """A number of units of time."""

    number: float
    unit: int
    """The seconds of one unit."""

    @property
    def seconds(self) -> float:
        """The whole duration."""
        return self.number * self.unit


def read_duration(text: str) -> Duration | None:
    """Read a duration; None where the text is none.

    >>> read_duration("1.5min"), read_duration("90 seconds"), read_duration("5epochs")
    (Duration(number=1.5, unit=60), Duration(number=90.0, unit=1), None)
    """
    found = DURATION.fullmatch(text)
    return None if found is None else Duration(float(found[1]), SECONDS[found[2]])


def format_duration(seconds: float) -> str:
    """Write a duration in the two largest units that it has; from two years on, in years.

    >>> [format_duration(seconds) for seconds in (0.4, 59, 75, 3_700, 200_000, 1.1e9)]
    ['1 s', '59 s', '1 min 15 s', '1 h 1 min', '2 d 7 h', '35 years']
    """
    if seconds >= 2 * YEAR:
        return f"{seconds / YEAR:,.0f} years"
    left = max(1, round(seconds))
    parts: list[str] = []
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        if left >= size and len(parts) < 2:
            parts.append(f"{left // size} {unit}")
            left %= size
        elif parts:
            break
    return " ".join(parts)
