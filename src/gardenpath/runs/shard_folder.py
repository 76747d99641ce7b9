"""The folder of a shard: a sealed record of what it is a shard of, and a file of results for every model."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file
from gardenpath.io.folder_update import finish_update
from gardenpath.io.sealed_json import SEALED_FORMAT, read_sealed, seal_record
from gardenpath.io.write_errors import explain_write_errors
from gardenpath.models.protocol import Bits, ModelCard, Training
from gardenpath.runs.manifest import MANIFEST_FILE, Manifest, ManifestPart
from gardenpath.runs.part_files import DAMAGE, Arrays, pack_parts, read_arrays, unpack_parts, write_arrays
from gardenpath.runs.shard import SHARD_FILE
from gardenpath.scoring.assembly import Assembly
from gardenpath.text.tokens import Encoded

PROGRESS = ".progress"
"""In the folder of a shard that is not finished: the parts computed so far."""


class ShareRecord(ManifestPart):
    """What a shard holds of one model."""

    card: Mapping[str, Any]
    """The card of the model."""
    kind: str
    """The kind of the model, by which a protocol may choose other options."""
    plan: str
    """The key of the plan whose parts are shared out."""
    parts: int
    """How many parts the plan has."""
    low: int
    high: int
    """The first part of the shard, and the first after it."""
    threads: tuple[int, ...]
    """On how many threads its parts were computed."""
    seconds: float
    """How long that took, at the last call."""

    def read_card(self) -> ModelCard:
        """Return the card of the model."""
        fields = dict(self.card)
        fields["scores_boundaries"] = fields.pop("prices_boundaries")
        training = fields.pop("training")
        return ModelCard(**fields, training=None if training is None else Training(**training))


class ShardRecord(ManifestPart):
    """What shard.json records."""

    shard: str
    """Which of how many, such as 3/7."""
    manifest: Manifest
    """The manifest of the whole run, as far as it is known before all is computed."""
    shares: tuple[ShareRecord, ...]
    """One for each model."""
    files: Mapping[str, str] = {}
    """The digests of the other files, by name."""


@dataclass(frozen=True, slots=True)
class Share:
    """The results of a shard for one model."""

    parts: Mapping[int, Bits]
    spelling: Mapping[int, str] = field(default_factory=dict)
    """The texts of ids among the results: of the likeliest tokens, where these are wanted."""
    assembly: Assembly | None = None
    """What to make of the results of all shards; the first shard alone has it."""
    unigram_bits: Bits | None = None
    """For SLOR; the first shard alone has them."""


def share_file(index: int) -> str:
    """Name the file of results of the model with an index."""
    return f"results-{index + 1}.npz"


def write_shard(fresh: Path, record: ShardRecord, shares: Sequence[Share]) -> ShardRecord:
    """Write the files of a shard into the empty folder claimed for it; return its record with their digests."""
    files: dict[str, str] = {}
    for index, share in enumerate(shares):
        name = share_file(index)
        with explain_write_errors(fresh.parent.parent / name):
            write_arrays(fresh / name, share_arrays(share))
            files[name] = digest_file(fresh / name)
    record = record.model_copy(update={"files": files})
    with explain_write_errors(fresh.parent.parent / SHARD_FILE):
        (fresh / SHARD_FILE).write_text(seal_record(record.record()), encoding="utf-8")
    return record


def share_arrays(share: Share) -> Arrays:
    """Return the results of a share as arrays."""
    arrays = pack_parts(share.parts)
    ids = sorted(share.spelling)
    texts = json.dumps([share.spelling[id_] for id_ in ids]).encode()
    arrays |= {"spelled": np.array(ids, dtype=np.int64), "spelling": np.frombuffer(texts, dtype=np.uint8)}
    if share.assembly is not None:
        made, encoded = share.assembly, share.assembly.encoded
        arrays |= {"rows": np.array(made.rows, dtype=np.int64), "sources": made.sources}
        arrays |= {"minus": made.minus, "plus": made.plus}
        arrays |= {name: getattr(encoded, name) for name in ("ids", "starts", "ends", "known", "offsets")}
    return arrays if share.unigram_bits is None else {**arrays, "unigram_bits": share.unigram_bits}


def read_shard(folder: Path) -> ShardRecord:
    """Read the record of a shard, and verify that its files are as they were written."""
    finish_update(folder)
    path = folder / SHARD_FILE
    try:
        record = read_sealed(path, "give the command of this shard again")
        if record.get("format") != SEALED_FORMAT:
            raise InputError(f"{path} has format {record.get('format')!r}; give the command of this shard again")
        found = ShardRecord.model_validate({name: value for name, value in record.items() if name != "format"})
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{folder} {describe_other_folder(folder)}") from error
    except ValidationError as error:
        cause = str(error).splitlines()[0]
        raise InputError(f"{path} is of another gardenpath ({cause}); give the command of this shard again") from error
    for name, digest in found.files.items():
        if not (folder / name).is_file() or digest_file(folder / name) != digest:
            raise InputError(f"{folder / name} is damaged or missing; give the command of shard {found.shard} again")
    return found


def describe_other_folder(folder: Path) -> str:
    """Say why a folder is no shard, and what to do."""
    if (folder / MANIFEST_FILE).exists():
        return "holds a whole run, not a shard; name folders that `gardenpath run --shard` wrote"
    if (folder / PROGRESS).is_dir():
        return "holds a shard that is not finished; give its command again: it resumes where it stopped"
    return f"has no {SHARD_FILE}; name folders that `gardenpath run --shard` wrote"


def read_share(folder: Path, index: int) -> Share:
    """Read the results of a shard for the model with an index."""
    path = folder / share_file(index)
    try:
        arrays = read_arrays(path)
        texts = json.loads(arrays["spelling"].tobytes())
        spelling = dict(zip(arrays["spelled"].tolist(), texts, strict=True))
        assembly = read_assembly(arrays) if "rows" in arrays else None
        return Share(unpack_parts(arrays), spelling, assembly, arrays.get("unigram_bits"))
    except DAMAGE as error:
        raise InputError(f"{path} cannot be read ({error}); give the command of this shard again") from error


def read_assembly(arrays: Arrays) -> Assembly:
    """Return the assembly that `share_arrays` packed."""
    encoded = Encoded(*(arrays[name] for name in ("ids", "starts", "ends", "known", "offsets")))
    rows = tuple(arrays["rows"].tolist())
    return Assembly(encoded, rows, arrays["sources"], arrays["minus"], arrays["plus"])
