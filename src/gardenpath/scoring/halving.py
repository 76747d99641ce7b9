"""Scoring in halves where memory does not suffice."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.models.placement import free_memory, is_out_of_memory
from gardenpath.models.protocol import Bits


@dataclass(slots=True)
class Halving:
    """Scores a range at once, or in halves where memory does not suffice; what was too much is not tried again."""

    model: str
    """The model's name, for messages."""
    score: Callable[[int, int], Bits]
    cut: Callable[[int, int], int | None]
    """Returns where to divide a range; None: it cannot be divided."""
    most: int | None = None
    """The size of ranges that are tried; None: any."""

    def compute(self, low: int, high: int) -> Bits:
        """Return the results of a range, one after another."""
        middle = self.cut(low, high)
        if self.most is None or high - low <= self.most or middle is None:
            try:
                return self.score(low, high)
            except (MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error):
                    raise
                if middle is None:
                    raise InputError(
                        f"model {self.model!r}: there is not enough memory for a single sentence; use a smaller model, "
                        "--dtype bfloat16, --device split, or a machine with more memory"
                    ) from error
            # Only here, without the error, is its memory free.
            free_memory()
            if self.most is None:
                advise(
                    f"model {self.model!r}: memory does not suffice for what is usually read at once; smaller parts "
                    "are read from now on: slower, with the same numbers"
                )
            self.most = max(1, (high - low) // 2)
        return np.concatenate([self.compute(low, middle), self.compute(middle, high)])
