"""Hash tables of n-grams in arrays, which look up many n-grams at a time.

An n-gram is the row of its first n-1 words (its context) among the shorter n-grams, and its last word. Both make one
key of 64 bits, which is scrambled: all rows are sorted by it, and its leading bits are the index of the one bucket of
one or two rows where it can be. For the n-grams of a text this is twice as fast as a search in sorted keys, since
hardly more than two addresses are read (`benchmarks/ngram_scoring.py`).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BITS_PER_LOG10 = math.log2(10)
NOWHERE = -1
"""In place of the row of an n-gram that the model does not have."""

Rows = NDArray[np.int32]
Keys = NDArray[np.uint64]
Logarithms = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Unigrams:
    """All words, by id."""

    log10_probabilities: Logarithms
    log10_backoffs: Logarithms


@dataclass(frozen=True, slots=True)
class Table:
    """The n-grams of one order above the first, by key."""

    firsts: Rows
    """The first row of every bucket, and after them the number of rows."""
    keys: Keys
    log10_probabilities: Logarithms
    log10_backoffs: Logarithms
    """Empty in the highest order, which nothing backs off from."""

    def find(self, contexts: Rows, words: NDArray[np.integer[Any]]) -> Rows:
        """Find the rows of n-grams, given the rows of their contexts and their last words."""
        keys = scramble(contexts, words)
        buckets = bucket(keys, len(self.firsts) - 1)
        rows, ends = self.firsts[buckets], self.firsts[buckets + 1]
        found = np.full(len(keys), NOWHERE, dtype=np.int32)
        open_ = np.flatnonzero(rows < ends)
        rows, ends, keys = rows[open_], ends[open_], keys[open_]
        while len(open_):
            here = self.keys[rows]
            hit = here == keys
            found[open_[hit]] = rows[hit]
            rows += np.int32(1)
            further = np.flatnonzero((here < keys) & (rows < ends))
            open_, rows, ends, keys = open_[further], rows[further], ends[further], keys[further]
        return found


def scramble(contexts: Rows, words: NDArray[np.integer[Any]]) -> Keys:
    """Hash context and word to 64 bits, without collisions."""
    keys: Keys = contexts.astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= words.astype(np.uint64)
    # Each step can be inverted (products with odd numbers, modulo 2 to the power of 64), so no two pairs collide.
    keys *= np.uint64(0x9E3779B97F4A7C15)
    keys ^= keys >> np.uint64(32)
    keys *= np.uint64(0xD6E8FEB86659FD93)
    return keys


def bucket(keys: Keys, buckets: int) -> NDArray[np.int64]:
    """Return the bucket of each key; their number is a power of two, and at least two."""
    return (keys >> np.uint64(65 - buckets.bit_length())).astype(np.int64)
