"""The result of scoring: the surprisal of every token of every text, in bits."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.models.protocol import Bits
from gardenpath.suites.suite import Region
from gardenpath.text.tokens import Encoded, Ids, Token


@dataclass(frozen=True, slots=True)
class Surprisals:
    """The tokens of one text and their surprisals in bits."""

    tokens: tuple[Token, ...]
    bits: Bits
    end_bits: float | None = None
    """The bits of the end of the sentence, where it was scored; it belongs to no region."""

    @property
    def total(self) -> float:
        """The surprisal of the whole text, and of its end where that was scored."""
        return float(np.sum(self.bits)) + (self.end_bits or 0.0)

    def of(self, region: Region) -> float:
        """Sum the surprisals of the tokens whose first character that is not a space lies in a region."""
        low, high = (bisect_left(self.tokens, edge, key=attrgetter("start")) for edge in (region.start, region.end))
        return float(sum(self.bits[low:high].tolist()))


@dataclass(frozen=True, slots=True)
class TextScores:
    """The surprisals of many texts, in flat arrays."""

    encoded: Encoded
    bits: Bits
    end_bits: Bits | None = None
    """One per text, where the end of the sentence was scored."""
    first_is_missing: bool = False
    """Whether the first bits of every text are missing because the model has no beginning-of-sentence symbol."""
    described: Bits | None = None
    """What else was wanted of every token, as `Details` lays it out."""

    def __len__(self) -> int:
        return len(self.encoded)

    def __getitem__(self, text: int) -> Surprisals:
        span = slice(self.encoded.offsets[text], self.encoded.offsets[text + 1])
        end = None if self.end_bits is None else float(self.end_bits[text])
        return Surprisals(tuple(self.encoded.tokens(text)), self.bits[span], end)

    def after(self, starts: Sequence[int]) -> "TextScores":
        """Return the surprisals of the tokens that begin at one character of their text or later, counted from it.

        starts: the character of each text.
        """
        edges = np.repeat(np.array(starts, dtype=np.int64), self.encoded.lengths)
        kept = self.encoded.starts >= edges
        counts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(kept)])
        encoded = Encoded(
            self.encoded.ids[kept], (self.encoded.starts - edges)[kept], (self.encoded.ends - edges)[kept],
            self.encoded.known[kept], counts[self.encoded.offsets],
        )  # fmt: skip
        described = None if self.described is None else self.described[kept]
        return TextScores(encoded, self.bits[kept], self.end_bits, self.first_is_missing and not any(starts), described)

    def token_ranges(self, texts: Ids, starts: Ids, ends: Ids) -> tuple[Ids, Ids]:
        """Find, for each text and character span, the range of flat indices of the tokens that begin in the span."""
        # Texts are laid end to end on one line of characters, so that one sorted search finds all.
        width = int(max(self.encoded.starts.max(initial=0), ends.max(initial=0))) + 1
        text_of = np.repeat(np.arange(len(self.encoded)), self.encoded.lengths)
        line = text_of * width + self.encoded.starts
        return np.searchsorted(line, texts * width + starts), np.searchsorted(line, texts * width + ends)


def count_first(scores: TextScores, first: Literal["missing", "zero"]) -> TextScores:
    """Give the first token of every text 0 bits if wanted, where the model read nothing before it."""
    if first == "missing" or not scores.first_is_missing:
        return scores
    bits = scores.bits.copy()
    bits[scores.encoded.offsets[:-1]] = 0.0
    return replace(scores, bits=bits, first_is_missing=False)


def sum_runs(values: NDArray[np.float64], starts: Ids, ends: Ids) -> NDArray[np.float64]:
    """Sum values[starts[i] : ends[i]] for every i; equal runs give equal sums to the last bit."""
    lengths = np.maximum(ends - starts, 0)
    offsets = np.cumsum(lengths) - lengths
    chosen = values[np.repeat(starts - offsets, lengths) + np.arange(lengths.sum())]
    sums = np.zeros(len(lengths))
    filled = np.flatnonzero(lengths)
    if len(filled):
        sums[filled] = np.add.reduceat(chosen, offsets[filled])
    return sums
