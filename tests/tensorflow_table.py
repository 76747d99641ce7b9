"""Writes checkpoint tables of TensorFlow's first format, byte by byte."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOAT, INT64 = 1, 9


def checksum(data: bytes) -> int:
    """CRC-32C, bit by bit."""
    code = 0xFFFFFFFF
    for byte in data:
        code ^= byte
        for _ in range(8):
            code = code >> 1 ^ (0x82F63B78 if code & 1 else 0)
    return code ^ 0xFFFFFFFF


def varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def field(number: int, value: int | bytes) -> bytes:
    """A field of a protocol-buffer message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def slice_of(array: NDArray[Any]) -> bytes:
    """The slice that is the whole tensor: an empty extent for each dimension."""
    return b"".join(field(1, b"") for _ in array.shape)


def description(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """The first record: name, shape, type and slice of every tensor."""
    found = b""
    for name, array in tensors.items():
        shape = b"".join(field(2, field(1, size)) for size in array.shape)
        kind = FLOAT if array.dtype == np.float32 else INT64
        found += field(1, field(1, name.encode()) + field(2, shape) + field(3, kind) + field(4, slice_of(array)))
    return field(1, found + field(2, field(1, 0)))


def record(name: str, array: NDArray[Any]) -> bytes:
    """The numbers of one tensor."""
    if array.dtype == np.float32:
        numbers = field(5, array.astype("<f4").tobytes())
    else:
        numbers = field(10, b"".join(map(varint, array.reshape(-1).tolist())))
    return field(2, field(1, name.encode()) + field(2, slice_of(array)) + field(3, numbers))


def block(entries: list[tuple[bytes, bytes]], *, every: int = 3) -> bytes:
    """Entries whose keys share their beginnings with the key before, except at restarts."""
    found, restarts, before = b"", [], b""
    for number, (key, value) in enumerate(entries):
        same = [one == other for one, other in zip(before, key, strict=False)]
        shared = [*same, False].index(False) if number % every else 0
        if not number % every:
            restarts.append(len(found))
        found += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        before = key
    offsets = [*(restarts or [0]), len(restarts or [0])]
    return found + b"".join(offset.to_bytes(4, "little") for offset in offsets)


def with_trailer(contents: bytes, kind: int = 0) -> bytes:
    """A block with the byte of its compression and its masked checksum."""
    code = checksum(contents + bytes([kind]))
    masked = ((code >> 15 | code << 17) + 0xA282EAD8) & 0xFFFFFFFF
    return contents + bytes([kind]) + masked.to_bytes(4, "little")


def table(tensors: Mapping[str, NDArray[Any]], *, entries_per_block: int = 4, kind: int = 0) -> bytes:
    """A whole file: blocks of records, a block without use, the index, the footer."""
    entries = [(b"", description(tensors))]
    entries += [(f"\0{name}".encode(), record(name, tensors[name])) for name in sorted(tensors)]
    found, index = b"", []
    for start in range(0, len(entries), entries_per_block):
        some = entries[start : start + entries_per_block]
        contents = block(some)
        index.append((some[-1][0], varint(len(found)) + varint(len(contents))))
        found += with_trailer(contents, kind)
    handles = b""
    for contents in (block([]), block(index)):
        handles += varint(len(found)) + varint(len(contents))
        found += with_trailer(contents)
    return found + handles.ljust(40, b"\0") + bytes.fromhex("57FB808B247547DB")
