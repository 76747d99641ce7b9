"""Back-off Kneser-Ney, as SRILM's `ngram-count -kndiscount` estimates it when no n-gram is left out (`-gt3min 1` …).

The counts are those of the interpolated model; the discounts are computed from them as they are, without lmplz's
correction for the last n-gram of a text. A word seen after a context has its discounted share alone, with nothing of
the shorter context; the rest goes to words not seen there (SRILM's ngram-discount(7)).
"""

import numpy as np
from numpy.typing import NDArray

from gardenpath.text.vocabulary import WordIds

LITTLE = 3e-6
"""Probability of the words not seen after a context, below which it counts as none, as in SRILM."""

Float32s = NDArray[np.float32]


def back_off_weights(
    shares: Float32s, lower: Float32s, first_rows: NDArray[np.intp], left: Float32s
) -> tuple[Float32s, Float32s]:
    """γ(c) = (1 - Σ p(w|c)) / (1 - Σ p(w|c′)) over the words w seen after c, and the p(w|c).

    `shares`: (a(cw) - D(a(cw))) / a(c·) of every n-gram; `lower`: p(w|c′) of each; `left`: 1 - Σ p(w|c) of each
    context. Where c′ leaves nothing to other words, the p(w|c) are divided by their sum.
    """
    left_below = 1 - np.add.reduceat(lower, first_rows, dtype=np.float64)
    exhausted = left_below < LITTLE
    gammas = np.where(exhausted, 1.0, left / np.where(exhausted, 1.0, left_below)).astype(np.float32)
    sizes = np.diff(first_rows, append=len(shares))
    sums = np.where(exhausted, 1 - left, np.float32(1))
    return gammas, shares / np.repeat(sums, sizes)


def share_among_unseen(shares: Float32s, counts: WordIds, left: float) -> Float32s:
    """p(w) of all words: what is left is shared by the words that never occur, or by all if there are none.

    <s>, which has no count, takes no share; its own value means nothing.
    """
    takes = counts == 0
    sharers = int(np.count_nonzero(takes)) - 1
    if not sharers:
        takes, sharers = ~takes, len(takes) - 1
    return np.where(takes, shares + np.float32(left / sharers), shares)
