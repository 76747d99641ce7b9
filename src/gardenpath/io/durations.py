"""Durations as users write them: 90s, 5min, 1.5 hours."""

import re
from typing import NamedTuple

SECONDS = {
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hour": 3600, "hours": 3600,
}  # fmt: skip
"""How long one of each unit is."""
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
