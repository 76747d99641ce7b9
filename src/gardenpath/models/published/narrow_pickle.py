"""Pickles of others, read without running code: only the few things that a reader names can be built."""

import pickle
import struct
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

from gardenpath.io.text_files import explain_read_errors

UNPICKLING_ERRORS = (
    pickle.UnpicklingError, RuntimeError, EOFError, ValueError, AttributeError, LookupError, TypeError,
    zipfile.BadZipFile, struct.error, MemoryError, OverflowError, AssertionError, NotImplementedError,
)  # fmt: skip
"""What reading a damaged pickle may raise."""
TORCH_MAGIC = 0x1950A86A20F9469CFC6C
"""The first of the pickles in a file that PyTorch wrote before version 1.6; the fourth is the object."""


class NarrowUnpickler(pickle._Unpickler):  # in Python, because a file can make the memo of the one in C any size
    """Builds containers, texts and numbers, and what `allowed` names; refuses all else."""

    allowed: ClassVar[Mapping[str, Any]] = {
        "collections.OrderedDict": OrderedDict, "collections.Counter": Counter,
    }  # fmt: skip

    def find_class(self, module: str, name: str) -> Any:
        """Return one of the few things that a file may name."""
        full = f"{module}.{name}"
        if full not in self.allowed:
            raise pickle.UnpicklingError(f"it names {full}")
        return self.allowed[full]


def read_containers(path: Path) -> Any:
    """Read a file of containers, texts and numbers, written by pickle or by `torch.save`.

    A file that is damaged or holds anything else raises one of UNPICKLING_ERRORS.
    """
    with explain_read_errors(path):
        file = BytesIO(path.read_bytes())
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            inner = next((name for name in archive.namelist() if name.endswith("/data.pkl")), "data.pkl")
            return NarrowUnpickler(BytesIO(archive.read(inner))).load()
    file.seek(0)
    found = NarrowUnpickler(file).load()
    if found == TORCH_MAGIC:
        for _ in range(3):  # the version of the format, the machine, the object
            found = NarrowUnpickler(file).load()
    return found
