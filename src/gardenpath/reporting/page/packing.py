"""Data in a page: JSON, compressed, as text that no HTML parser can misread."""

import base64
import gzip
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCALE = 1000
"""Bits are kept in thousandths: far below what matters, and whole numbers compress well."""


def packed(value: Any) -> str:
    """A value as compressed JSON in base 64; the same value gives the same text."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # A lone surrogate, which some tokenizers leave in texts, cannot be written as UTF-8.
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)).decode("ascii")


def unpacked(text: str) -> Any:
    """What `packed` was given."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


def thousandths(values: NDArray[np.float64]) -> list[int | str | None]:
    """Numbers of bits in thousandths; None where one is missing, a word where it is infinite."""
    finite = np.isfinite(values)
    whole: list[int | str | None] = np.rint(np.where(finite, values, 0.0) * SCALE).astype(np.int64).tolist()
    for place in np.flatnonzero(~finite).tolist():
        whole[place] = None if np.isnan(values[place]) else ("inf" if values[place] > 0 else "-inf")
    return whole


def signed_thousandths(margins: NDArray[np.float64], noise: float) -> list[int | str | None]:
    """Margins in thousandths whose sign tells how they were judged: 0 means a tie, however fine the difference."""
    tied = np.abs(margins) <= noise
    least = np.copysign(1 / SCALE, margins)
    kept = np.where(tied, 0.0, np.where(np.abs(margins) < 1 / SCALE, least, margins))
    return thousandths(np.where(np.isnan(margins), np.nan, kept))


def coded(values: list[str]) -> dict[str, Any]:
    """A column of few different strings: the strings, and the number of each row's."""
    names = {name: place for place, name in enumerate(dict.fromkeys(values))}
    return {"names": list(names), "codes": [names[value] for value in values]}
