"""From the results of parts to the surprisals of texts; no model is needed for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from gardenpath.models.protocol import Bits
from gardenpath.scoring.paths import NOTHING, UNUSED
from gardenpath.scoring.surprisals import TextScores
from gardenpath.text.tokens import Encoded, Ids


@dataclass(frozen=True, slots=True)
class Assembly:
    """Where the bits of every token are among the results of all parts of a scoring."""

    encoded: Encoded
    rows: tuple[int, ...]
    """How many tokens the result of each part describes, repeated prefixes counted once."""
    sources: Ids
    """By slot (tokens of all texts, then their ends, then word boundaries): its row in all results; UNUSED: none."""
    minus: Ids = field(default_factory=lambda: NOTHING)
    """For each token, the slot of the boundary bits to subtract from it (UNUSED: none); empty: no correction."""
    plus: Ids = field(default_factory=lambda: NOTHING)
    """For each token, the slot of the boundary bits to add to it."""

    def scores(self, results: Mapping[int, Bits], *, end: bool, details: bool, first_is_missing: bool) -> TextScores:
        """Return the surprisals of all texts, given the results of parts (NaN where one is missing).

        `end`: whether ends were scored; `details`: whether a token is described by more numbers than its bits.
        """
        columns = (self.count_columns(results),) if details else ()
        found: Bits = np.full((sum(self.rows), *columns), np.nan)
        starts = np.cumsum([0, *self.rows])
        for part, values in results.items():
            found[starts[part] : starts[part + 1]] = values.reshape(-1, *columns)
        slots: Bits = np.full((len(self.sources), *columns), np.nan)
        used = self.sources != UNUSED
        slots[used] = found[self.sources[used]]
        n_tokens = len(self.encoded.ids)
        bits = slots[:n_tokens]
        if len(self.minus):
            bits = bits - boundary_bits(slots, self.minus) + boundary_bits(slots, self.plus)
        ends = slots[n_tokens : n_tokens + len(self.encoded)]
        described = None
        if details:
            bits, described, ends = bits[:, 0], bits[:, 1:], ends[:, 0]
        return TextScores(self.encoded, bits, ends if end else None, first_is_missing, described)

    def count_columns(self, results: Mapping[int, Bits]) -> int:
        """Return how many numbers describe a token."""
        return next((values.size // self.rows[part] for part, values in results.items() if self.rows[part]), 1)


def boundary_bits(results: Bits, slots: Ids) -> Bits:
    """Return the boundary bits of each token, 0 where there are none."""
    return np.where(slots == UNUSED, 0.0, results[slots])
