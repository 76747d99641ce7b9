"""How long to train: epochs, tokens or minutes."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.io.durations import NUMBER, SECONDS, read_duration
from gardenpath.io.sizes import SCALES

Unit = Literal["epochs", "tokens", "minutes"]
COUNTS = re.compile(rf"\s*({NUMBER})\s*([kKmMbB]?)\s*(epochs?|tokens?|{'|'.join(SECONDS)})\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Budget:
    """An amount of training."""

    amount: float
    unit: Unit = "epochs"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.amount) and self.amount > 0):
            raise InputError(f"a budget of {self.amount:g} {self.unit} trains nothing; give a number above 0")

    def spent(self, *, epochs: float, tokens: int, seconds: float) -> float:
        """The share of the budget that is used up; 1 or more: all of it."""
        return {"epochs": epochs, "tokens": tokens, "minutes": seconds / 60}[self.unit] / self.amount

    def __str__(self) -> str:
        seconds = round(self.amount * 60, 6)
        if self.unit == "minutes" and seconds < 120 and seconds != 60:
            return f"{seconds:g} {'second' if seconds == 1 else 'seconds'}"
        return f"{self.amount:g} {self.unit[:-1] if self.amount == 1 else self.unit}"


def exact_text(budget: Budget) -> str:
    """A budget as `parse_budget` reads it back, with all its digits."""
    return f"{budget.amount:.15g} {budget.unit}"


def parse_budget(text: str) -> Budget:
    """Read a budget: `5epochs`, `2Mtokens`, `90s`, `30 minutes`, `1.5h`.

    >>> parse_budget("2 minutes"), parse_budget("90s")
    (Budget(amount=2.0, unit='minutes'), Budget(amount=1.5, unit='minutes'))
    """
    if (duration := read_duration(text)) is not None:
        return Budget(duration.number * (duration.unit / SECONDS["min"]), "minutes")
    found = COUNTS.fullmatch(text)
    if found is None:
        raise InputError(
            f"budget {text!r} is not understood: it is a number with a unit, epochs (2epochs), tokens (20000tokens, "
            "2Mtokens; words and punctuation, or sub-words) or a time (90s, 30minutes, 1.5hours)"
        )
    number, scale, unit = float(found[1]), SCALES[found[2].lower()], found[3]
    if unit.startswith("token"):
        return Budget(number * scale, "tokens")
    if scale != 1:
        raise InputError(f"budget {text!r}: k, M and B go with tokens only; write for example 5epochs or 30minutes")
    return Budget(number, "epochs")
