"""Arrays of any size in one safetensors file: written one by one, and mapped into memory instead of read."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, write_part
from gardenpath.io.digest import digest_parts
from gardenpath.io.sealed_json import DamagedError, open_header, parse_object, seal_header
from gardenpath.io.verified_files import verify_once

HEADER_BYTES = 1 << 14
"""Space for the names and sizes of all arrays, which are known only after these are written."""
DTYPES = {name: np.dtype(code) for name, code in (("U8", "<u1"), ("I32", "<i4"), ("F32", "<f4"), ("U64", "<u8"))}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}

Array = NDArray[Any]


def write_arrays(path: Path, arrays: Iterable[tuple[str, Array]], metadata: Mapping[str, Any]) -> str:
    """Write arrays one after another, with metadata; return the digest of the arrays, which is added to these."""
    entries: dict[str, Any] = {}
    with atomic_write(path) as scratch, scratch.open("wb") as file:
        file.write(bytes(8 + HEADER_BYTES))
        digest = digest_parts(write_contents(file, arrays, entries))
        header = json.dumps({"__metadata__": seal_header({**metadata, "digest": digest}), **entries}).encode()
        assert len(header) <= HEADER_BYTES, f"a header of {len(header)} bytes; make HEADER_BYTES larger"
        file.seek(0)
        file.write(HEADER_BYTES.to_bytes(8, "little") + header.ljust(HEADER_BYTES))
    return digest


def write_contents(
    file: IO[bytes], arrays: Iterable[tuple[str, Array]], entries: dict[str, Any]
) -> Iterator[str | memoryview]:
    """Write arrays, add their types and offsets to `entries`, and yield the parts of their digest."""
    for name, array in pad_arrays(arrays):
        start = file.tell() - 8 - HEADER_BYTES
        offsets = [start, start + array.nbytes]
        entries[name] = {"dtype": DTYPE_NAMES[array.dtype], "shape": array.shape, "data_offsets": offsets}
        contents = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        yield f"{name} {entries[name]}"
        yield contents
        write_part(file, contents)


def pad_arrays(arrays: Iterable[tuple[str, Array]]) -> Iterable[tuple[str, Array]]:
    """Yield the arrays, with padding between so that each begins at a multiple of eight bytes."""
    for name, array in arrays:
        yield name, array
        if array.nbytes % 8:
            yield f"{name}.padding", np.zeros(-array.nbytes % 8, dtype=np.uint8)


def map_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Map a file into memory, and return its metadata and arrays.

    The numbers are compared with their digest when a file is opened for the first time; later it opens at once.
    """
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if 8 + size >= path.stat().st_size:
                raise DamagedError("nothing follows its header")
            header = parse_object(file.read(size))
        contents = np.asarray(np.memmap(path, mode="r", dtype=np.uint8, offset=8 + size))
        metadata = open_header(header.pop("__metadata__", None))
        arrays = {name: slice_array(contents, entry) for name, entry in header.items()}
        if not verify_once(path, metadata["digest"], lambda: digest_arrays(contents, header)):
            raise DamagedError("its numbers do not have the digest they were written with")
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; name a directory that `gardenpath train` wrote") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is damaged or incomplete ({error}); restore it from a copy, or train again"
        ) from error
    return metadata, arrays


def digest_arrays(contents: NDArray[np.uint8], header: Mapping[str, Any]) -> str:
    """Digest the arrays of a file as `write_arrays` did."""

    def parts() -> Iterator[str | memoryview]:
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            yield f"{name} { ({**entry, 'shape': tuple(entry['shape'])}) }"
            yield contents[begin:end].data

    return digest_parts(parts())


def slice_array(contents: NDArray[np.uint8], entry: Mapping[str, Any]) -> Array:
    """Return one array of a file."""
    begin, end = entry["data_offsets"]
    if end > len(contents):
        raise DamagedError(f"it ends {end - len(contents):,} bytes too early")
    array: Array = contents[begin:end].view(DTYPES[entry["dtype"]])
    return array.reshape(entry["shape"])
