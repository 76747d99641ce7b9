"""CRC-32C (Castagnoli) of large buffers: many stretches side by side, then put together, as the code is linear."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

POLYNOMIAL = 0x82F63B78
"""Castagnoli's, its bits reversed."""
STRETCH = 1 << 10
"""Bytes of a stretch."""
PIECE = 1 << 22
"""Bytes whose stretches are computed side by side at most."""

Codes = NDArray[np.uint32]


def crc32c(data: memoryview | bytes) -> int:
    """Return the code of a buffer of at least four bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    content = np.frombuffer(data, dtype=np.uint8)
    size = STRETCH
    while size < min(len(content), PIECE):
        size *= 2
    # Zeros before the first byte change nothing, as long as the code begins with zero.
    first = np.zeros(size, dtype=np.uint8)
    begin = (len(content) - 1) % size + 1
    first[size - begin :] = content[:begin]
    # To begin with ones is to turn the bits of the first four bytes; a first piece may have fewer.
    code, turned = 0, 0
    for start in range(begin - size, len(content), size):
        piece = first if start < 0 else content[start : start + size].copy()
        low, high = max(turned, start, 0), min(4, start + size)
        if low < high:
            piece[low - start : high - start] ^= 0xFF
            turned = high
        piece[:4] ^= np.frombuffer(code.to_bytes(4, "little"), dtype=np.uint8)
        code = code_of_piece(piece)
    return code ^ 0xFFFFFFFF


def code_of_piece(piece: NDArray[np.uint8]) -> int:
    """Return the code of a number of stretches that is a power of two, begun with zero."""
    pairs = np.ascontiguousarray(piece.view("<u2").reshape(-1, STRETCH // 2).T)
    codes = np.zeros(pairs.shape[1], dtype=np.uint32)
    table = pair_table()
    for row in pairs:
        codes = table[(codes ^ row) & 0xFFFF] ^ (codes >> np.uint32(16))
    level = 0
    while len(codes) > 1:
        codes = advance(codes[0::2], zero_stretches(level)) ^ codes[1::2]
        level += 1
    return int(codes[0])


@cache
def pair_table() -> Codes:
    """Return the code of every two bytes, begun with zero."""
    codes = np.arange(1 << 16, dtype=np.uint32)
    for _ in range(16):
        codes = np.where(codes & 1, (codes >> 1) ^ np.uint32(POLYNOMIAL), codes >> 1).astype(np.uint32)
    return codes


@cache
def zero_stretches(level: int) -> Codes:
    """Return what each bit of a code becomes after 2^level stretches of zeros."""
    if level:
        half = zero_stretches(level - 1)
        return advance(half, half)
    codes = np.uint32(1) << np.arange(32, dtype=np.uint32)
    for _ in range(STRETCH // 2):
        codes = pair_table()[codes & 0xFFFF] ^ (codes >> np.uint32(16))
    return codes


def advance(codes: Codes, bits: Codes) -> Codes:
    """Return codes after some zeros, given what each bit of a code becomes after these."""
    found = np.zeros_like(codes)
    for number, becomes in enumerate(bits):
        found ^= np.where(codes >> np.uint32(number) & 1, becomes, np.uint32(0))
    return found
