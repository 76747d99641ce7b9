"""Data inside a page: compressed JSON as text that no HTML parser can misread."""

import base64
import gzip
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCALE = 1000
"""Bits are stored in thousandths, precise enough for any use, as integers, which compress well."""


def pack(value: Any) -> str:
    """Write a value as compressed JSON in base 64; the same value gives the same text."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # A lone surrogate, which some tokenizers leave in texts, cannot be written as UTF-8.
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)).decode("ascii")


def to_thousandths(values: NDArray[np.float64]) -> list[int | str | None]:
    """Round numbers of bits to thousandths; None where one is missing, "inf" or "-inf" where it is infinite."""
    finite = np.isfinite(values)
    whole: list[int | str | None] = np.rint(np.where(finite, values, 0.0) * SCALE).astype(np.int64).tolist()
    for index in np.flatnonzero(~finite).tolist():
        whole[index] = None if np.isnan(values[index]) else ("inf" if values[index] > 0 else "-inf")
    return whole


def margins_to_thousandths(margins: NDArray[np.float64], noise: float) -> list[int | str | None]:
    """Round margins to thousandths that keep their sign: 0 is a tie, and a small difference at least one thousandth."""
    tied = np.abs(margins) <= noise
    least = np.copysign(1 / SCALE, margins)
    kept = np.where(tied, 0.0, np.where(np.abs(margins) < 1 / SCALE, least, margins))
    return to_thousandths(np.where(np.isnan(margins), np.nan, kept))


def encode_names(values: list[str]) -> dict[str, Any]:
    """Encode a column of few distinct strings as the strings and an index into them for each row."""
    codes = {name: code for code, name in enumerate(dict.fromkeys(values))}
    return {"names": list(codes), "codes": [codes[value] for value in values]}
