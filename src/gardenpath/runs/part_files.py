"""Results of parts in files of their own, without a database: for folders on file systems that machines share."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.models.protocol import Bits
from gardenpath.runs.store import UnwritableStoreError

Arrays = dict[str, NDArray[Any]]
DAMAGE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)
"""Errors of a damaged file; the archive has a checksum of every array."""


class PartFiles:
    """The parts of scorings under way, in a folder that no other process uses: a file each time some are written."""

    seconds_between_writes = 10.0
    """Less often than to a store, because each time makes a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read_parts(self, plan: bytes) -> dict[int, Bits]:
        """Read the parts of a scoring that was not finished; what is damaged is left out, and computed again."""
        return {part: bits for arrays in self.read_files(plan) for part, bits in unpack_parts(arrays).items()}

    def read_threads(self, plan: bytes) -> set[int]:
        """Read on how many threads these parts were computed."""
        return {int(number) for arrays in self.read_files(plan) for number in arrays["threads"]}

    def read_files(self, plan: bytes) -> Iterator[Arrays]:
        """Read the files of a scoring that are as they were written."""
        for path in sorted(self.folder.glob(f"{plan.hex()}-*.npz")):
            try:
                arrays = read_arrays(path)
                unpack_parts(arrays)
                _ = arrays["threads"]
            except DAMAGE:
                continue
            yield arrays

    def write_parts(self, plan: bytes, parts: Mapping[int, Bits], *, threads: int) -> None:
        """Store parts of a scoring, and on how many threads they were computed: they are on disk when this returns."""
        path = self.folder / f"{plan.hex()}-{min(parts)}.npz"
        try:
            with atomic_write(path) as scratch:
                write_arrays(scratch, {**pack_parts(parts), "threads": np.array([threads])})
        except InputError as error:
            raise UnwritableStoreError(str(error)) from error


def pack_parts(parts: Mapping[int, Bits]) -> Arrays:
    """Return the results of parts as arrays: their numbers, how many values each has, all values."""
    ordered = sorted(parts)
    values = [parts[part].astype(np.float64).ravel() for part in ordered]
    return {
        "parts": np.array(ordered, dtype=np.int64),
        "sizes": np.array([len(one) for one in values], dtype=np.int64),
        "values": np.concatenate([np.zeros(0), *values]),
    }


def unpack_parts(arrays: Mapping[str, NDArray[Any]]) -> dict[int, Bits]:
    """Return the results that `pack_parts` packed."""
    numbers, sizes, values = (arrays[name] for name in ("parts", "sizes", "values"))
    if len(numbers) != len(sizes) or sizes.sum() != len(values):
        raise ValueError("the results of parts do not have the lengths that are recorded")
    return dict(zip(numbers.tolist(), np.split(values, np.cumsum(sizes)[:-1]), strict=True)) if len(numbers) else {}


def write_arrays(fresh: Path, arrays: Arrays) -> None:
    """Write arrays of numbers into a new file."""
    with fresh.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # no array has the name of its option


def read_arrays(path: Path) -> Arrays:
    """Read all arrays of a file."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
