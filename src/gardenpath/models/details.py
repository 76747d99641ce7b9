"""More about a token than its bits: where it stands among all tokens that might have come instead."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gardenpath.io.choices import Detail
from gardenpath.models.protocol import Bits
from gardenpath.text.tokens import Ids

PROBABILITIES_AT_ONCE = 1 << 21
"""Probabilities in memory at a time (16 MB, and as much again for what is computed of them)."""


@dataclass(frozen=True, slots=True)
class Details:
    """What is wanted of every token beside its bits.

    A described token is a row of numbers: its bits; entropy; rank; the ids of the likeliest tokens, then their bits;
    its bits after each layer. What is not wanted is left out, what is missing is NaN.
    """

    kinds: tuple[Detail, ...] = ()
    top: int = 5
    """How many of the likeliest tokens."""

    def __bool__(self) -> bool:
        return bool(self.kinds)

    @property
    def sizes(self) -> dict[str, int]:
        """How many numbers describe a token by the distribution it is drawn from, by name."""
        wanted = {"entropy": {"entropy": 1}, "rank": {"rank": 1}, "top": {"top_ids": self.top, "top_bits": self.top}}
        return {name: size for kind, sizes in wanted.items() if kind in self.kinds for name, size in sizes.items()}

    @property
    def width(self) -> int:
        """How many numbers describe a token by the distribution it is drawn from."""
        return sum(self.sizes.values())

    @property
    def columns(self) -> tuple[int, ...]:
        """The numbers of a token without layers, as a shape; none where its bits are all that is wanted."""
        return (1 + self.width,) if self.kinds else ()

    def take_apart(self, described: Bits) -> dict[str, Bits]:
        """Return the columns of described tokens, without their bits, by name."""
        *parts, layers = np.split(described, np.cumsum(list(self.sizes.values())), axis=1)
        found = dict(zip(self.sizes, parts, strict=True))
        return found | ({"layer_bits": layers} if "layers" in self.kinds else {})


NOTHING_MORE = Details()


def describe_tokens(distribution: Callable[[Ids], Bits], rows: Ids, tokens: Ids, details: Details) -> Bits:
    """Describe tokens[i] after row rows[i]: (tokens, details.width).

    distribution(rows): the bits of all tokens after some rows (rows, vocabulary). It is asked for few rows at a time,
    so that memory does not depend on their number.
    """
    found = np.full((len(rows), details.width), np.nan)
    used, which = np.unique(rows, return_inverse=True)
    low, size = 0, 1
    while low < len(used) and details.width:
        bits = distribution(used[low : low + size])
        chosen = np.flatnonzero((which >= low) & (which < low + size))
        found[chosen] = describe_block(bits, which[chosen] - low, tokens[chosen], details)
        low += size
        size = max(1, PROBABILITIES_AT_ONCE // bits.shape[1])
    return found


def describe_block(bits: Bits, after: Ids, tokens: Ids, details: Details) -> Bits:
    """Describe tokens[i] by row after[i] of the bits of all tokens."""
    parts: list[Bits] = []
    if "entropy" in details.kinds:
        # What is impossible adds nothing; NaN stays NaN.
        terms = np.exp2(-bits) * np.where(np.isposinf(bits), 0.0, bits)
        parts.append(terms.sum(axis=1)[after, None])
    if "rank" in details.kinds:
        parts.append(np.array([[rank_of(bits[row], token)] for row, token in zip(after, tokens, strict=True)]))
    if "top" in details.kinds:
        ids, their_bits = likeliest(bits, details.top)
        parts += [ids[after], their_bits[after]]
    return np.concatenate(parts, axis=1)


def rank_of(bits: Bits, token: int) -> float:
    """Return 1 for the likeliest of all tokens; NaN for one that is not among them, as some unknown words are not."""
    own = bits[token] if 0 <= token < len(bits) else np.nan
    return float(np.nan if np.isnan(own) else 1 + np.count_nonzero(bits < own))


def likeliest(bits: Bits, count: int) -> tuple[Bits, Bits]:
    """Return the ids of the likeliest tokens of every row and their bits; NaN where a row has fewer possible ones."""
    most = min(count, bits.shape[1])
    ids = np.sort(np.argpartition(bits, most - 1, axis=1)[:, :most], axis=1)
    found = np.take_along_axis(bits, ids, axis=1)
    order = np.argsort(found, axis=1, kind="stable")
    missing = np.full((len(bits), count - most), np.nan)
    sorted_bits = np.take_along_axis(np.where(np.isfinite(found), found, np.nan), order, axis=1)
    sorted_ids = np.where(np.isnan(sorted_bits), np.nan, np.take_along_axis(ids, order, axis=1))
    return np.concatenate([sorted_ids, missing], axis=1), np.concatenate([sorted_bits, missing], axis=1)
