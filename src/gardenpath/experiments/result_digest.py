"""Digests of the files of a result, which are the same whenever and wherever the step is done."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gardenpath.io.digest import digest_file, digest_parts, digest_text
from gardenpath.io.sealed_json import SEAL
from gardenpath.io.text_files import PART_BYTES
from gardenpath.models.trained.checkpoint_record import RECORD

OUTSIDE = (".lock", ".unfinished", ".complete", "log.jsonl", "timing.json", "state.safetensors", "report.html")
"""Files of results that may differ between two runs of one step: times, states to resume from, and the page of the
report, which lists how long trainings took."""
SHUFFLED = ".pdf"
"""How files end that hold the same in another order each time: the writer of PDF lists fonts in the order of a hash."""
CLOCK = ("seconds", SEAL)
"""Keys of the record of a training that depend on the clock, and the digest of the record, which does so too."""


def digest_result(folder: Path) -> dict[str, str]:
    """Digests of the files of a result, by their paths in it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in files}
    return {
        name: method_for(path)(path)
        for name, path in named.items()
        if not name.endswith(SHUFFLED) and not any(part.startswith(OUTSIDE) for part in name.split("/"))
    }


def method_for(path: Path) -> Callable[[Path], str]:
    """How a file is digested."""
    if path.name == RECORD:
        return digest_record_of_training
    return digest_tensors_of if path.suffix == ".safetensors" else digest_file


def digest_record_of_training(path: Path) -> str:
    """Digest the record of a training without the time it took."""
    return digest_text(json.dumps(leave_out_clock(json.loads(path.read_text(encoding="utf-8"))), sort_keys=True))


def leave_out_clock(value: Any) -> Any:
    """A record without what depends on the clock."""
    match value:
        case dict():
            return {key: leave_out_clock(inner) for key, inner in value.items() if key not in CLOCK}
        case list():
            return list(map(leave_out_clock, value))
        case _:
            return value


def digest_tensors_of(path: Path) -> str:
    """Digest the tensors of a file with their names and shapes; its header repeats the record of the training."""

    def parts() -> Iterator[bytes | str]:
        with path.open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
            header.pop("__metadata__", None)
            yield json.dumps(header, sort_keys=True)
            while block := file.read(PART_BYTES):
                yield block

    return digest_parts(parts())
