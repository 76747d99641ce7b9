"""Checkpoints of TensorFlow's first format: each file is a sorted table of records, like those of LevelDB.

A file ends in a footer with the position of the index block, which has the positions of all others. A block has entries
(the bytes that a key shares with the one before, the rest of the key, a value), the offsets of some of them, a byte for
its compression, and a checksum. A value is a protocol-buffer message `SavedTensorSlices`: the first has the names,
types and shapes of all tensors, each other one the numbers of a tensor.
"""

import mmap
from collections.abc import Iterator
from itertools import chain
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import DamagedError
from gardenpath.io.text_files import explain_read_errors
from gardenpath.models.published.crc32c import crc32c

FOOTER_BYTES = 48
MAGIC = 0xDB4775248B80FB57.to_bytes(8, "little")
TRAILER_BYTES = 5
"""After the contents of a block: a byte for its compression and four for its checksum."""
FLOAT = 1
"""TensorFlow's number for the type float32."""

Field = tuple[int, int | memoryview]
"""The number of a field of a message, and its value: a number or bytes."""


def read_checkpoint_file(path: Path) -> dict[str, NDArray[np.float32]]:
    """Map a file into memory, and return its tensors of float32 by name; the checksum of every block is verified."""
    with explain_read_errors(path), path.open("rb") as file:
        if file.seek(0, 2) < FOOTER_BYTES:
            raise InputError(f"{path} is not a checkpoint of TensorFlow: it is too short; download it again")
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    try:
        return tensors_of(chain.from_iterable(map(block_values, blocks_of(content))))
    except DamagedError as error:
        raise InputError(f"{path} is damaged, or no checkpoint of TensorFlow ({error}); download it again") from error


def tensors_of(values: Iterator[memoryview]) -> dict[str, NDArray[np.float32]]:
    """Return the tensors of the records of a file."""
    shapes: dict[str, tuple[int, ...]] = {}
    found: dict[str, NDArray[np.float32]] = {}
    for value in values:
        for number, message in fields_of(value):
            if number == 1:
                shapes |= dict(filter(None, map(described_tensor, inner_messages(message, 1))))
            elif number == 2:
                name, numbers = saved_tensor(message)
                if name in shapes:
                    if len(numbers) != prod(shapes[name]) or name in found:
                        raise DamagedError(f"{name!r} has {len(numbers):,} numbers for the shape {shapes[name]}")
                    found[name] = numbers.reshape(shapes[name])
    if missing := shapes.keys() - found.keys():
        raise DamagedError(f"it has no numbers of {min(missing)!r}")
    return found


def described_tensor(message: memoryview) -> tuple[str, tuple[int, ...]] | None:
    """Return the name and shape of a tensor from its description; None if it is not of float32."""
    fields = list(fields_of(message))
    name = text_of(dict(fields).get(1))
    if (3, FLOAT) not in fields:
        return None
    dimensions = [dict(fields_of(size)).get(1, 0) for number, shape in fields if number == 2
                  for size in inner_messages(shape, 2)]  # fmt: skip
    if not all(isinstance(size, int) and size < 1 << 40 for size in dimensions):
        raise DamagedError(f"{name!r} has no shape")
    return name, tuple(int(size) for size in dimensions if isinstance(size, int))


def saved_tensor(message: int | memoryview) -> tuple[str, NDArray[np.float32]]:
    """Return the name of a tensor and its numbers, in one dimension, from a record; refuse a part of a tensor."""
    fields = dict(fields_of(message))
    name = text_of(fields.get(1))
    for extent in inner_messages(fields.get(2, memoryview(b"")), 1):
        if len(extent):
            raise DamagedError(f"it has a part of {name!r}, where only whole tensors are read")
    parts = [part for number, part in fields_of(fields.get(3, memoryview(b""))) if number == 5]
    if not all(isinstance(part, memoryview) and len(part) % 4 == 0 for part in parts):
        raise DamagedError(f"the numbers of {name!r} are not of four bytes each")
    arrays = [np.frombuffer(part, dtype="<f4") for part in parts if isinstance(part, memoryview)]
    return name, arrays[0] if len(arrays) == 1 else np.concatenate([np.zeros(0, dtype="<f4"), *arrays])


def blocks_of(content: memoryview) -> Iterator[memoryview]:
    """Yield the contents of all blocks of a file, each verified against its checksum."""
    footer = content[-FOOTER_BYTES:]
    if footer[-8:] != MAGIC:
        raise DamagedError("it does not end as such a file does")
    _, at = read_varint(footer, 0)  # the offset and size of a block without use
    _, at = read_varint(footer, at)
    for handle in block_values(read_block(content, *read_handle(footer, at))):
        yield read_block(content, *read_handle(handle, 0))


def read_handle(data: memoryview, at: int) -> tuple[int, int]:
    """Return the offset and size of a block."""
    offset, at = read_varint(data, at)
    size, _ = read_varint(data, at)
    return offset, size


def read_block(content: memoryview, offset: int, size: int) -> memoryview:
    """Return the contents of a block, verified against its checksum."""
    end = offset + size
    if end + TRAILER_BYTES > len(content) - FOOTER_BYTES:
        raise DamagedError(f"a block of {size:,} bytes at {offset:,} reaches beyond its end")
    code = crc32c(content[offset : end + 1])
    # Rotated and shifted, so that a checksum of data with checksums in it is not a special one.
    masked = ((code >> 15 | code << 17) + 0xA282EAD8) & 0xFFFFFFFF
    if int.from_bytes(content[end + 1 : end + TRAILER_BYTES], "little") != masked:
        raise DamagedError(f"the block of {size:,} bytes at {offset:,} does not have its checksum")
    if content[end] != 0:
        raise DamagedError("its blocks are compressed, which TensorFlow's own writer never does")
    return content[offset:end]


def block_values(block: memoryview) -> Iterator[memoryview]:
    """Yield the values of the entries of a block; their keys repeat what the values say."""
    if len(block) < 4:
        raise DamagedError("a block is too short")
    restarts = int.from_bytes(block[-4:], "little")
    end = len(block) - 4 * (restarts + 1)
    at = 0
    while at < end:
        _, at = read_varint(block, at)  # bytes of the key that are those of the key before
        rest, at = read_varint(block, at)
        size, at = read_varint(block, at)
        at += rest
        if at + size > end:
            raise DamagedError(f"an entry of {size:,} bytes reaches beyond its block")
        yield block[at : at + size]
        at += size


def fields_of(message: int | memoryview) -> Iterator[Field]:
    """Yield the fields of a protocol-buffer message: numbers, and bytes of texts, messages or packed numbers."""
    if isinstance(message, int):
        raise DamagedError("a number stands where a message should")
    at = 0
    while at < len(message):
        tag, at = read_varint(message, at)
        size = {1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            value, at = read_varint(message, at)
            yield tag >> 3, value
            continue
        if tag & 7 == 2:
            size, at = read_varint(message, at)
        if size is None or at + size > len(message):
            raise DamagedError("a record is not a message of TensorFlow")
        yield tag >> 3, message[at : at + size]
        at += size


def inner_messages(message: int | memoryview, wanted: int) -> list[memoryview]:
    """Return the messages in the fields with a number."""
    return [value for number, value in fields_of(message) if number == wanted and isinstance(value, memoryview)]


def text_of(value: int | memoryview | None) -> str:
    """Return the text in a field."""
    if not isinstance(value, memoryview):
        raise DamagedError("a tensor has no name")
    return bytes(value).decode("utf-8", "replace")


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """Read a number of seven bits per byte, the lowest first; return it, and the index after it."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise DamagedError("a number has no end")
