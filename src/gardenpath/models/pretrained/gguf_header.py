"""The header of a GGUF file, read and checked before the file is given to a library that trusts it.

A damaged header can name billions of layers or tensors beyond the end of the file, and one without a configuration
makes the library build its default model of seven thousand million weights.
"""

import mmap
import re
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import DamagedError

SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
"""The formats of numbers, by the number of their type."""
TEXT, ARRAY = 8, 9
VERSIONS = (2, 3)
MOST_DIMENSIONS, MOST_NESTED = 8, 4
BLOCK = re.compile(r"(?:^|\.)blk\.([0-9]{1,6})\.")
LONGEST_CONTEXT = 1 << 24


@dataclass(frozen=True, slots=True)
class ArrayLength:
    """Stands for an array, of which only the length is read."""

    length: int


@dataclass(slots=True)
class HeaderReader:
    """Reads a header from the front; whatever lies beyond the end of the file is damage."""

    content: Any
    size: int
    position: int = 0
    fields: dict[str, Any] = field(default_factory=dict)
    tensors: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The shape of every tensor, its longest axis in memory first."""

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count > self.size - self.position:
            raise DamagedError("it ends within its header")
        self.position += count
        return bytes(self.content[self.position - count : self.position])

    def number(self, form: str) -> Any:
        """The next number of a format."""
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self) -> str:
        """The next text."""
        return self.take(self.number("<Q")).decode()

    def value(self, kind: int, depth: int = 0) -> Any:
        """The next value of a type; an array is skipped."""
        if kind in SCALARS:
            return self.number(SCALARS[kind])
        if kind == TEXT:
            return self.text()
        if kind != ARRAY or depth == MOST_NESTED:
            raise DamagedError(f"a value has the type {kind}, which does not exist")
        inner, count = self.number("<I"), self.number("<Q")
        if inner in SCALARS:
            self.take(count * struct.calcsize(SCALARS[inner]))
        else:
            for _ in range(count):  # each takes some bytes: the end of the file comes soon
                self.value(inner, depth + 1)
        return ArrayLength(count)

    def read(self) -> None:
        """Read the fields and the tensors."""
        if self.take(4) != b"GGUF" or (version := self.number("<I")) not in VERSIONS:
            raise DamagedError(f"it is not a GGUF file of version {VERSIONS[0]} or {VERSIONS[1]}, little-endian")
        assert version in VERSIONS
        tensors, fields = self.number("<Q"), self.number("<Q")
        for _ in range(fields):
            name = self.text()
            self.fields[name] = self.value(self.number("<I"))
        ends = [self.read_tensor() for _ in range(tensors)]
        alignment = self.fields.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 1 <= alignment <= 1 << 16:
            raise DamagedError(f"its alignment is {alignment!r}")
        data = -(-self.position // alignment) * alignment
        if ends and data + max(ends) > self.size:
            raise DamagedError(f"it ends {data + max(ends) - self.size:,} bytes before its last tensor does")

    def read_tensor(self) -> int:
        """Read the name, shape and type of a tensor; return where it ends."""
        name, dimensions = self.text(), self.number("<I")
        if dimensions > MOST_DIMENSIONS:
            raise DamagedError(f"the tensor {name[:40]!r} has {dimensions:,} dimensions")
        shape = tuple(self.number("<Q") for _ in range(dimensions))
        kind, offset = self.number("<I"), self.number("<Q")
        if kind not in set(GGMLQuantizationType):
            raise DamagedError(f"the tensor {name[:40]!r} has the type {kind}, which does not exist")
        block, size = GGML_QUANT_SIZES[GGMLQuantizationType(kind)]
        self.tensors[name] = shape
        return int(offset + prod(shape) // block * size)


def check_gguf_header(path: Path) -> None:
    """Refuse a GGUF file whose header is damaged, or does not describe the tensors that follow it."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            header = HeaderReader(content, len(content))
            header.read()
            check_configuration(header)
    except (OSError, ValueError, struct.error) as error:  # an empty file cannot be mapped
        raise InputError(
            f"{path} is damaged or holds no language model: {error}; load the file again from where it came"
        ) from error


def check_configuration(header: HeaderReader) -> None:
    """Compare the sizes that the fields name with those of the tensors."""
    architecture = header.fields.get("general.architecture")
    if not isinstance(architecture, str) or not header.tensors:
        raise DamagedError("it names no architecture, or holds no tensors")
    if not isinstance(header.fields.get("tokenizer.ggml.tokens"), ArrayLength):
        raise DamagedError("it holds no vocabulary (tokenizer.ggml.tokens)")
    blocks = [int(found[1]) + 1 for name in header.tensors if (found := BLOCK.search(name))]
    embedding = header.tensors.get("token_embd.weight", (0, 0))
    up, query = header.tensors.get("blk.0.ffn_up.weight", ()), header.tensors.get("blk.0.attn_q.weight", ())
    named = {name: header.fields.get(f"{architecture}.{name}") for name in ("block_count", "embedding_length")}
    if tuple(named.values()) != (max(blocks, default=0), embedding[0]):
        raise DamagedError(f"its tensors do not have the {named} that its header names")
    limits = {
        "feed_forward_length": up[1] if len(up) > 1 else embedding[0] * 64,
        "attention.head_count": embedding[0],
        "attention.head_count_kv": embedding[0],
        "attention.key_length": query[1] if len(query) > 1 else embedding[0] * 64,
        "attention.value_length": embedding[0] * 64,
        "vocab_size": embedding[-1],
        "context_length": LONGEST_CONTEXT,
    }
    for name, most in limits.items():
        number = header.fields.get(f"{architecture}.{name}")
        if isinstance(number, int | float) and not 0 <= number <= most:
            raise DamagedError(f"{architecture}.{name} is {number:,}, but at most {most:,} fits its tensors")
