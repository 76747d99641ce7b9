"""Every choice of a training that is not the model's: how long, how fast, from which seed."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from gardenpath.errors import InputError

Unit = Literal["epochs", "tokens", "minutes"]
SCALES = {"": 1, "k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
BUDGET = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kKmMbB]?)\s*(epoch|token|minute|hour)s?\s*")


@dataclass(frozen=True, slots=True)
class Budget:
    """How much training there is."""

    amount: float
    unit: Unit = "epochs"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.amount) and self.amount > 0):
            raise InputError(f"a budget of {self.amount:g} {self.unit} trains nothing; give a number above 0")

    def spent(self, *, epochs: float, tokens: int, seconds: float) -> float:
        """The share of the budget that is used up; 1 or more: all of it."""
        match self.unit:
            case "epochs":
                return epochs / self.amount
            case "tokens":
                return tokens / self.amount
            case "minutes":
                return seconds / 60 / self.amount

    def __str__(self) -> str:
        return f"{self.amount:g} {self.unit[:-1] if self.amount == 1 else self.unit}"


def parse_budget(text: str) -> Budget:
    """`5epochs`, `2Mtokens`, `30minutes`, `1.5 hours`."""
    found = BUDGET.fullmatch(text)
    if found is None:
        raise InputError(f"budget {text!r} is not understood; write for example 5epochs, 2Mtokens or 30minutes")
    number, scale, unit = float(found[1]), SCALES[found[2].lower()], found[3]
    if scale != 1 and unit != "token":
        raise InputError(f"budget {text!r}: k, M and B go with tokens only; write for example 5epochs or 30minutes")
    match unit:
        case "epoch":
            return Budget(number, "epochs")
        case "token":
            return Budget(number * scale, "tokens")
        case "minute":
            return Budget(number, "minutes")
        case _:
            return Budget(number * 60, "minutes")


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """How any neural model is trained."""

    budget: Budget = Budget(40, "epochs")
    """When to stop at the latest."""
    optimizer: Literal["sgd", "adam", "adamw"] = "sgd"
    learning_rate: float = 20.0
    """The highest one."""
    schedule: Literal["plateau", "constant", "cosine", "inverse-sqrt"] = "plateau"
    """`plateau`: divided by `factor` after every validation that is not the best so far."""
    factor: float = 4.0
    """Of the plateau schedule."""
    warmup: int = 0
    """Updates over which the learning rate rises to its highest, for all schedules."""
    clip: float | None = 0.25
    """The largest norm of the gradient; None: any."""
    weight_decay: float = 0.0
    seed: int = 0
    """Of everything random: first weights, dropout, order of batches."""
    validations: int = 1
    """Per epoch, evenly spread."""
    patience: int | None = None
    """Stop after so many validations in a row without a new best; None: use up the budget."""
    checkpoint_every: float = 120.0
    """Seconds between two saved states; a killed training loses at most these."""

    def __post_init__(self) -> None:
        for name in ("learning_rate", "factor", "clip"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0):
                raise InputError(f"{name} is {value}; it must be a number above 0")
        if self.factor <= 1:
            raise InputError(f"factor is {self.factor}; the learning rate is divided by it and must fall: above 1")
        lowest = {
            "validations": 1, "warmup": 0, "weight_decay": 0, "seed": 0, "patience": 1, "checkpoint_every": 0,
        }  # fmt: skip
        for name, least in lowest.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise InputError(f"{name} is {value}; it must be at least {least}")
        if self.schedule == "inverse-sqrt" and self.warmup < 1:
            raise InputError(
                "the schedule inverse-sqrt falls from the end of the warm-up on; give a warmup of 1 or more"
            )


def learning_rate(options: TrainOptions, *, updates: int, spent: float, cuts: int) -> float:
    """The learning rate of the next update: `updates` were made, `spent` of the budget is used, `cuts` by plateaus.

    constant: l · plateau: l / factorᶜᵘᵗˢ · cosine: l (1 + cos π·spent) / 2 · inverse-sqrt: l √(warmup / update);
    all times min(1, update / warmup).
    """
    update = updates + 1
    rise = min(1.0, update / options.warmup) if options.warmup else 1.0
    match options.schedule:
        case "constant":
            share = 1.0
        case "plateau":
            share = options.factor**-cuts
        case "cosine":
            share = (1 + math.cos(math.pi * min(1.0, spent))) / 2
        case "inverse-sqrt":
            share = min(1.0, math.sqrt(options.warmup / update))
    return options.learning_rate * rise * share
